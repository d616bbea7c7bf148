//! Tables that are made from raw results of the repository. Each stands between two
//! comments, `<!-- NAME -->` and `<!-- end of NAME -->`; with `LOATUNE_BLESS=1` the
//! tests write them into their documents instead of failing.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

use serde_json::Value;

use super::bless;
use super::markdown::{ROOT, read};

/// Tests run side by side, and several tables stand in one document.
static WRITING: Mutex<()> = Mutex::new(());

/// The table of this name in the document is the one given.
pub(super) fn check(document: &str, name: &str, table: &str) {
    let guard = WRITING.lock().unwrap();
    let text = read(document);
    let place = place(&text, name);
    let place = place.unwrap_or_else(|| panic!("{document} has no place <!-- {name} -->"));
    let table = format!("\n{}\n\n", table.trim());
    if text[place.clone()] == table {
        return;
    }
    if bless::is_wanted() {
        let mut text = text;
        text.replace_range(place, &table);
        fs::write(Path::new(ROOT).join(document), text).unwrap();
        return;
    }
    drop(guard);
    panic!(
        "{document}: the table {name} is not that of its results, which LOATUNE_BLESS=1 writes:\n{table}"
    );
}

fn place(text: &str, name: &str) -> Option<Range<usize>> {
    let [begin, end] = [
        format!("<!-- {name} -->\n"),
        format!("<!-- end of {name} -->"),
    ];
    let begin = text.find(&begin)? + begin.len();
    Some(begin..begin + text[begin..].find(&end)?)
}

/// A file of raw results; `None` where there is none.
pub(super) fn results(path: &str) -> Option<Value> {
    let text = fs::read_to_string(Path::new(ROOT).join(path)).ok()?;
    Some(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}")))
}

/// A number with its sign, with a minus that is one.
pub(super) fn signed(number: f64) -> String {
    let rounded = number.round();
    match rounded {
        0.0 => String::from("0"),
        _ if rounded > 0.0 => format!("+{rounded}"),
        _ => format!("−{}", -rounded),
    }
}

#[test]
fn signs_and_places_are_found() {
    let written = [-14.6, -0.2, 0.0, 0.4, 30.5].map(signed);
    assert_eq!(written, ["−15", "0", "0", "0", "+31"]);
    assert_eq!(
        place("<!-- a -->\nrow\n<!-- end of a -->", "a"),
        Some(11..15)
    );
}
