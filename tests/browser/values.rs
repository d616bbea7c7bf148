//! What weights value, on the page of a file and in the champion's card.

use serde_json::{Value, json};

use crate::driver::Browser;
use crate::page::Page;
use crate::stage::Stage;
use crate::support::binary::{Place, address};
use crate::support::client::get;
use crate::support::population::Playback;

/// What the rows of a table say: gene, share and pieces.
const ROWS: &str = "return [...document.querySelectorAll('.values tbody tr')].map((row) => \
    [row.dataset.gene, row.cells[1].textContent, row.cells[2].textContent])";

/// The same as it should be: the largest part first.
fn expected(page: &Page, weights: &str) -> Value {
    let found = get(page.address, &format!("/api/explanation?weights={weights}"));
    let found = found.json();
    let mut features = found["features"].as_array().unwrap().clone();
    let number = |one: &Value, key: &str| one[key].as_f64().unwrap();
    features.sort_by(|a, b| number(b, "share").total_cmp(&number(a, "share")));
    let row = |one: &Value| {
        let share = format!("{:.1} %", 100.0 * number(one, "share"));
        let pieces = one["pieces"].as_f64();
        let pieces = pieces.map_or("–".to_owned(), |pieces| format!("{pieces:.2}"));
        json!([one["gene"], share, pieces])
    };
    features.iter().map(row).collect()
}

/// Share and pieces stand in view, whatever can be scrolled to beside them.
const PIECES_IN_VIEW: &str = "
    const table = document.querySelector('.values');
    const pieces = table.tHead.rows[0].cells[2];
    const [inner, outer] = [pieces, table.closest('.scroll')].map((one) => one.getBoundingClientRect());
    return pieces.textContent === 'Pieces' && inner.width > 0 && inner.right <= outer.right + 1";

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn the_pages_say_what_weights_value() {
    let stage = Stage::with(Playback::of_a_school());
    let file = expected(&stage, "40");
    let champion = expected(&stage, "champion");
    assert!(file.as_array().unwrap().len() > 8, "{file}");
    for (width, height, size) in [(1280, 1000, "desktop"), (390, 844, "phone")] {
        stage.browser.set_window_size(width, height);
        for theme in ["light", "dark"] {
            stage.choose_theme(theme);
            stage.open("/files/40");
            stage.until_js(ROWS, |rows| *rows == file);
            assert_eq!(stage.js(PIECES_IN_VIEW), true, "{size}");
            let words = stage.text("#values > .note");
            assert!(words.contains("32 games at depth 2"), "{words}");
            stage.shoot(&format!("values-of-a-file-{size}-{theme}"));

            // Folded on the overview: a line names the most, the table is below it.
            stage.open("/");
            let share = champion[0][1].as_str().unwrap();
            let whole = share.split('.').next().unwrap();
            let line = stage.until(".values-fold summary", |line| line.ends_with("\u{a0}%"));
            assert!(line.starts_with("What it values · "), "{line}");
            let told = line.split([' ', '\u{a0}']);
            let told: u32 = told.filter_map(|word| word.parse().ok()).next().unwrap();
            assert!(told.abs_diff(whole.parse().unwrap()) <= 1, "{line}");
            stage.click(".values-fold summary");
            stage.find(".values-fold[open] td");
            assert_eq!(stage.js(ROWS), champion);
            assert_eq!(stage.js(PIECES_IN_VIEW), true, "{size}");
            stage.shoot(&format!("values-of-the-champion-{size}-{theme}"));
        }
    }
    stage.console_is_clean(&[]);
}

/// A population that tunes another program: its page says that there is nothing to
/// explain, and the rest is there.
#[test]
#[ignore = "needs Chromium and chromedriver"]
fn options_of_another_engine_are_not_explained() {
    let place = Place::new();
    let engine = format!("'{}' ugi --genes", env!("CARGO_BIN_EXE_loatune"));
    let run = "-q run --population mine --no-http --school false --depth 1 --files 4 --window 2 \
               --threads 1 --certificate-games 2 --hall-games 2 --budget 40 --engine";
    let run: Vec<&str> = run.split_whitespace().chain([engine.as_str()]).collect();
    place.good(&run);
    let mut process = place.start(&["serve", "--population", "mine", "--http", "127.0.0.1:0"]);
    let page = Page {
        address: address(process.stderr.take().unwrap()),
        browser: Browser::start(),
    };
    page.open("/files/0");
    page.until("#values", |text| {
        text.contains("there is nothing to explain")
    });
    page.find(".gene");
    page.shoot("file-of-another-engine");
    page.open("/");
    page.until("#crown h2", |text| text == "The champion");
    assert_eq!(
        page.js("return document.querySelector('.values-fold')"),
        Value::Null
    );
    // Nor can its chances be known.
    page.console_is_clean(&["/api/calibration"]);
}
