//! The charts: values under the pointer, zoom, switches, the budget; and the
//! evaluation bar with its calibration.

use serde_json::Value;

use crate::stage::Stage;
use crate::support::client::get;

/// The place of a chart's drawing in the window, scrolled into view: left, top,
/// width, height.
fn drawing(stage: &Stage, chart: &str) -> (f64, f64, f64, f64) {
    let script = format!(
        "const over = document.querySelector('#chart-{chart} .u-over'); \
         over.scrollIntoView({{ block: 'center' }}); \
         const box = over.getBoundingClientRect(); \
         return [box.left, box.top, box.width, box.height]"
    );
    let found: Vec<f64> = serde_json::from_value(stage.js(&script)).unwrap();
    (found[0], found[1], found[2], found[3])
}

/// What stands below a chart: the place on its axis.
fn place_told(stage: &Stage, chart: &str) -> u64 {
    let text = stage.text(&format!("#chart-{chart} .plot-where"));
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn charts_can_be_explored() {
    let stage = Stage::new();
    stage.open("/");
    stage.find("#chart-points canvas");
    stage.until("#facts", |facts| facts.contains("applied130"));
    let games = get(stage.address, "/api/status").json()["games"]
        .as_u64()
        .unwrap();

    // Without a pointer the newest values stand there, as new as the numbers
    // beside the chart, also before the next sample.
    stage.until("#chart-population .plot-where", |told| {
        told.contains(&games.to_string())
    });
    stage.population.advance(1);
    stage.until("#chart-population .plot-where", |told| {
        told.contains(&(games + 2).to_string())
    });

    // The pointer chooses a place.
    let (left, top, width, height) = drawing(&stage, "population");
    let middle = top + height / 2.0;
    stage.browser.point_at((left + 2.0, middle));
    stage.until("#chart-population .plot-where", |told| told == "0 games");
    let value = stage.text("#chart-population .plot-value");
    assert!(value.parse::<f64>().unwrap() > 0.0, "{value}");

    // A drag shows a part, and a double click all again.
    let part = (left + width * 0.25, left + width * 0.5);
    stage.browser.drag(&[
        (part.0, middle),
        ((part.0 + part.1) / 2.0, middle),
        (part.1, middle),
    ]);
    stage.browser.point_at((left + 2.0, middle));
    let first = games / 8;
    stage.until_js(
        "return document.querySelector('#chart-population .plot-where').textContent",
        |told| {
            let told = told.as_str().unwrap().replace(',', "");
            let number: u64 = told.trim_end_matches(" games").parse().unwrap_or(0);
            number > first
        },
    );
    // All charts with this axis go along.
    let (left, top, _, height) = drawing(&stage, "points");
    stage.browser.point_at((left + 2.0, top + height / 2.0));
    stage.until("#chart-points .plot-where", |told| {
        told != "0 games" && told.ends_with("games")
    });
    assert!(place_told(&stage, "points") > first);
    stage.click("#chart-tools [aria-label='Show all']");
    let (left, top, _, height) = drawing(&stage, "points");
    stage.browser.point_at((left + 1.0, top + height / 2.0));
    stage.until("#chart-points .plot-where", |told| told == "0 games");

    // A series can be switched off and on.
    let key = "#chart-points .plot-key";
    stage.click(key);
    assert_eq!(stage.find(key).attribute("aria-pressed").unwrap(), "false");
    stage.click(key);
    assert_eq!(stage.find(key).attribute("aria-pressed").unwrap(), "true");

    // The axis ends now, and at the budget where that is wanted.
    stage.click("#whole-budget");
    let (left, top, width, height) = drawing(&stage, "points");
    stage
        .browser
        .point_at((left + width - 2.0, top + height / 2.0));
    stage.until("#chart-points .plot-where", |told| {
        told.contains(&(games + 2).to_string())
    });

    // One title each, letters that can be read, a line for every file.
    let titles = stage.js("return document.querySelectorAll('[data-chart] h3').length");
    let charts = stage.js("return document.querySelectorAll('[data-chart]').length");
    assert_eq!(titles, charts);
    let living = get(stage.address, "/api/living").json();
    let lines = stage.js("return document.querySelectorAll('.coordinate-line').length");
    assert_eq!(lines, living["files"].as_array().unwrap().len());
    let genes = stage.js("return document.querySelectorAll('[data-gene] canvas').length");
    assert_eq!(genes, living["genes"].as_array().unwrap().len());
    let small = "return [...document.querySelectorAll('#main text, .plot-legend, .plot-legend *')]\
        .filter((node) => parseFloat(getComputedStyle(node).fontSize) < 12).length";
    assert_eq!(stage.js(small), 0);
    stage.console_is_clean(&[]);
}

/// The chance that the bar shows.
fn bar(stage: &Stage) -> Option<f64> {
    let shown = stage.js("return document.getElementById('evalbar').dataset.chance ?? ''");
    shown.as_str().unwrap().parse().ok()
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn the_bar_is_honest_and_agrees_with_the_curve() {
    let stage = Stage::new();
    let shown = "return document.getElementById('evalbar').dataset.chance ?? ''";
    let is_known = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    stage.open("/play");
    stage.until_js(shown, is_known);
    // Nobody is far ahead at the start.
    let start = bar(&stage).unwrap();
    assert!((0.3..0.7).contains(&start), "{start}");

    // The same position has the same chance on both pages.
    let record = get(stage.address, "/api/matches/7").json();
    let game = &record["games"][0];
    let ply = game["opening_plies"].as_u64().unwrap() as usize;
    let moves: Vec<&str> = game["moves"].as_array().unwrap()[..ply]
        .iter()
        .map(|one| one.as_str().unwrap())
        .collect();
    stage.open("/matches/7");
    stage.find("#curve canvas");
    stage.choose("#judge", "default");
    let path = format!(
        "/api/chance?moves={}",
        crate::support::client::escaped(&moves.join(" "))
    );
    let expected = get(stage.address, &path).json()["chance"].as_f64().unwrap();
    stage.until_js(shown, |found| {
        let found = found.as_str().unwrap().parse::<f64>().ok();
        found.is_some_and(|found| (found - expected).abs() < 0.001)
    });
    let percent = format!(
        "Position {ply}: Black's chance is {:.0} %.",
        100.0 * expected
    );
    stage.until(".curve-label", |label| label == percent);
    stage.click("#last");
    let end = match game["result"].as_str().unwrap() {
        "x" => 1.0,
        "o" => 0.0,
        _ => 0.5,
    };
    stage.until_js(shown, |found| found.as_str().unwrap().parse() == Ok(end));

    // The picture that shows how honest it is.
    stage.open("/");
    stage.find(".calibration .bin");
    stage.until("#calibration", |text| text.contains("checked here on"));
    stage.until("#importance", |text| text.contains("points"));
    stage.console_is_clean(&["503"]);
}
