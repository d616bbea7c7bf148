//! Where the tables stand in the document: between two comments each.

use super::summary::Summary;
use super::table;

/// The places of the repository that a report reads and writes.
pub(crate) const RESULTS: &str = "benches/ablation/results.jsonl";
pub(crate) const VARIANTS: &str = "benches/ablation/variants.jsonl";
pub(crate) const DOCUMENT: &str = "docs/measurements.md";

/// The picture of a depth.
pub(crate) fn picture_path(depth: u32) -> String {
    format!("docs/images/ablation-depth{depth}.svg")
}

/// The tables, by name.
pub(crate) fn tables(summary: &Summary) -> [(&'static str, String); 3] {
    [
        ("methods", table::methods(summary)),
        ("leads", table::leads(summary)),
        ("variants", table::variants(summary)),
    ]
}

fn marks(name: &str) -> [String; 2] {
    [
        format!("<!-- ablation {name}: made by --report -->\n"),
        format!("<!-- end of ablation {name} -->\n"),
    ]
}

/// Where in the text a table stands.
fn place(text: &str, name: &str) -> Option<std::ops::Range<usize>> {
    let [begin, end] = marks(name);
    let begin = text.find(&begin)? + begin.len();
    let end = begin + text[begin..].find(&end)?;
    Some(begin..end)
}

/// The document with the table of this name replaced.
pub(crate) fn with_table(text: &str, name: &str, table: &str) -> Result<String, String> {
    let place = place(text, name);
    let place = place.ok_or_else(|| format!("no place for {:?}", marks(name)))?;
    let mut text = text.to_owned();
    text.replace_range(place, &format!("\n{}\n\n", table.trim()));
    Ok(text)
}
