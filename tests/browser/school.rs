//! The school on the pages: lessons, scholars and their challenges, and whether
//! what a scholar predicts comes true.

use serde_json::{Value, json};

use crate::charts::{NOTE_WRITING, until_written};
use crate::stage::Stage;
use crate::support::client::get;
use crate::support::population::Playback;

/// What a scholar's challenge came to, as the pages say it.
fn outcome(scholar: &Value) -> &'static str {
    match scholar["won"].as_bool() {
        Some(true) => "challenge won",
        Some(false) => "challenge lost",
        None => "challenge goes on",
    }
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn scholars_are_shown_with_their_lessons_and_challenges() {
    let stage = Stage::with(Playback::of_a_school());
    let status = get(stage.address, "/api/status").json();
    let scholars = status["scholars"].as_array().unwrap();
    let last = scholars.last().unwrap();
    stage.open("/");

    // A row for each, with the newest above.
    let rows = "return [...document.querySelectorAll('#scholars tr')]\
        .map((row) => [Number(row.dataset.scholar), row.querySelector('.badge').textContent])";
    let mut expected: Vec<Value> = scholars
        .iter()
        .map(|scholar| json!([scholar["file"], outcome(scholar)]))
        .collect();
    expected.reverse();
    stage.until_js(rows, |found| *found == Value::from(expected.clone()));
    let won = scholars.iter().filter(|one| one["won"] == true).count();
    let told = format!("{won} of {} challenges won", scholars.len());
    stage.until("#school-line", |line| line.contains(&told));

    // The likelihood of each lesson, and the strength of each scholar: both charts
    // tell of the last one.
    let nats = last["log_likelihood"].as_f64().unwrap();
    let told = format!("#{}: −{:.4}", last["file"], -nats);
    stage.find("#chart-likelihood canvas");
    stage.until("#chart-likelihood .plot-value", |value| value == told);
    stage.find("#chart-strength canvas");
    let keys = "return [...document.querySelectorAll('#chart-strength .plot-key')]\
        .map((key) => key.textContent)";
    stage.until_js(keys, |keys| {
        let keys: Vec<String> = serde_json::from_value(keys.clone()).unwrap();
        let tells = |n: usize, won: bool| {
            let one = scholars.iter().rfind(|one| one["won"] == won);
            one.is_none_or(|one| keys[n].contains(&format!("#{}: ", one["file"])))
        };
        keys[0].starts_with("elders") && tells(1, true) && tells(2, false)
    });

    // Their axes have units.
    stage.js(NOTE_WRITING);
    stage.browser.set_window_size(1100, 1000);
    until_written(&stage, "strength", &["games", "Elo"]);
    until_written(&stage, "likelihood", &["games", "nats a position"]);

    // Predicted against real, for any of them.
    let first = &scholars[0];
    stage.choose("#school-scholar", &first["file"].to_string());
    let told = format!("Chances of scholar #{}, fitted", first["file"]);
    let words = stage.until("#school-calibration", |text| text.contains(&told));
    assert!(words.contains("did not learn from them"), "{words}");
    let calibration = format!("/api/calibration?weights={}", first["file"]);
    let bins = get(stage.address, &calibration).json()["bins"].clone();
    let drawn = "return document.querySelectorAll('#school-calibration .bin').length";
    assert_eq!(stage.js(drawn), bins.as_array().unwrap().len());
    stage.shoot("school");

    // All scholars in the list, marked.
    stage.click("a[href='/files?origin=scholar']");
    let total = format!("{} files", scholars.len());
    stage.until("#total", |text| text == total);
    let marked = "return [...document.querySelectorAll('#rows tr.scholar .badge')]\
        .map((badge) => badge.textContent)";
    let outcomes: Vec<&str> = scholars.iter().map(outcome).collect();
    assert_eq!(stage.js(marked), json!(outcomes));
    stage.shoot("files-of-scholars");

    // A scholar's own page.
    stage.open(&format!("/files/{}", last["file"]));
    stage.until("#lesson", |lesson| {
        lesson.contains(outcome(last)) && lesson.contains(&format!("{nats:.4}").replace('-', "−"))
    });
    stage.shoot("file-of-a-scholar");
    stage.console_is_clean(&[]);
}
