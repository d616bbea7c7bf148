//! The charts: values under the pointer, zoom, switches, the budget; and the
//! evaluation bar with its calibration.

use std::cell::Cell;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::driver::{PATIENCE, PAUSE};
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

/// Points at a part of a chart's width, again and again because the chart may move,
/// until it tells the right place.
#[track_caller]
fn point_until_told(stage: &Stage, chart: &str, part: f64, is_good: impl Fn(&str) -> bool) {
    let start = Instant::now();
    loop {
        let (left, top, width, height) = drawing(stage, chart);
        let inside = (width * part).clamp(2.0, width - 2.0);
        stage.browser.point_at((left + inside, top + height / 2.0));
        let text = stage.text(&format!("#chart-{chart} .plot-where"));
        if is_good(&text) {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "{chart} at {part}: {text:?}");
        sleep(PAUSE);
    }
}

/// The same for a place that is a number of games.
#[track_caller]
fn point_until(stage: &Stage, chart: &str, part: f64, is_good: impl Fn(u64) -> bool) {
    point_until_told(stage, chart, part, |text| {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        text.ends_with(" games") && digits.parse().is_ok_and(&is_good)
    });
}

/// Notes what is written in every chart from now on, by the chart's id.
pub const NOTE_WRITING: &str = "
    window.written = {};
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        const chart = this.canvas.closest('.plot')?.id;
        if (chart) (window.written[chart] ??= []).push(text);
        return fillText.call(this, text, ...rest);
    };";

/// Waits until all of these words are written in a chart.
#[track_caller]
pub fn until_written(stage: &Stage, chart: &str, words: &[&str]) {
    let script = format!("return window.written['chart-{chart}'] ?? []");
    stage.until_js(&script, |written| {
        let has = |word: &&str| written.as_array().unwrap().iter().any(|one| one == word);
        words.iter().all(has)
    });
}

/// Waits until something is painted in a chart with a colour of the style sheet.
#[track_caller]
fn until_painted(stage: &Stage, chart: &str, colour: &str) {
    let script = format!(
        "const canvas = document.querySelector('{chart} canvas'); \
         if (!canvas?.width) return 0; \
         const colour = getComputedStyle(document.documentElement).getPropertyValue('--{colour}'); \
         const wanted = [1, 3, 5].map((at) => parseInt(colour.trim().slice(at, at + 2), 16)); \
         const {{ data }} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height); \
         let count = 0; \
         for (let n = 0; n < data.length; n += 4) \
             if (data[n + 3] > 200 && wanted.every((part, m) => Math.abs(part - data[n + m]) < 8)) count++; \
         return count"
    );
    stage.until_js(&script, |count| count.as_u64() > Some(100));
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn charts_can_be_explored() {
    let stage = Stage::new();
    stage.open("/");
    stage.find("#chart-points canvas");
    stage.find("[data-gene] canvas");
    stage.find("#calibration .bin");
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

    // Every chart is painted.
    for (chart, colour) in [
        ("population", "accent"),
        ("turnover", "bad"),
        ("points", "warm"),
    ] {
        until_painted(&stage, &format!("#chart-{chart}"), colour);
    }

    // The pointer chooses a place.
    point_until(&stage, "population", 0.0, |told| told == 0);
    let value = stage.text("#chart-population .plot-value");
    assert!(value.parse::<f64>().unwrap() > 0.0, "{value}");

    // A drag shows a part, and all charts with this axis go along.
    let (left, top, width, height) = drawing(&stage, "population");
    let middle = top + height / 2.0;
    let points = [0.25, 0.4, 0.5].map(|part| (left + width * part, middle));
    stage.browser.drag(&points);
    let first = games / 8;
    for chart in ["population", "points"] {
        point_until(&stage, chart, 0.0, |told| told > first);
    }
    // The part moves to earlier and later games.
    let shown = Cell::new(0);
    point_until(&stage, "points", 0.0, |told| {
        shown.set(told);
        told > first
    });
    stage.click("#chart-tools [aria-label='Earlier']");
    point_until(&stage, "points", 0.0, |told| told < shown.get());
    stage.click("#chart-tools [aria-label='Later']");
    point_until(&stage, "points", 0.0, |told| told >= shown.get());
    stage.click("#chart-tools [aria-label='Show all']");
    point_until(&stage, "points", 0.0, |told| told == 0);

    // A series can be switched off and on.
    let key = "#chart-points .plot-key";
    for pressed in ["false", "true"] {
        stage.click(key);
        stage.find(&format!("{key}[aria-pressed='{pressed}']"));
    }

    // The axis ends now, and at the budget where that is wanted.
    stage.click("#whole-budget");
    point_until(&stage, "points", 1.0, |told| told == games + 2);

    // One title each, letters that can be read, a line for every file.
    let titles = stage.js("return document.querySelectorAll('[data-chart] h3').length");
    let charts = stage.js("return document.querySelectorAll('[data-chart]').length");
    assert_eq!(titles, charts);
    let living = get(stage.address, "/api/living").json();
    let lines = stage.js("return document.querySelectorAll('.coordinate-line').length");
    assert_eq!(lines, living["files"].as_array().unwrap().len());
    let genes = stage.js("return document.querySelectorAll('[data-gene] canvas').length");
    // Weights have one for the opening and one for the endgame.
    let wanted = living["genes"].as_array().unwrap().len() + loatune::eval::features::FEATURES;
    assert_eq!(genes, wanted);
    let small = "return [...document.querySelectorAll('#main text, .plot-legend, .plot-legend *')]\
        .filter((node) => parseFloat(getComputedStyle(node).fontSize) < 12).length";
    assert_eq!(stage.js(small), 0);
    stage.console_is_clean(&[]);
}

/// The speed of a run is drawn over its time, and every chart says what is along its
/// axes; the charts of a school do in its own test.
#[test]
#[ignore = "needs Chromium and chromedriver"]
fn games_a_second_are_drawn_over_time() {
    /// A little more than the time between two samples.
    const SAMPLE: Duration = Duration::from_millis(2100);
    let mut stage = Stage::new();
    // What has no speed has no chart of it.
    stage.open("/");
    stage.find("#chart-points canvas");
    let hidden = "return document.querySelector(\"[data-chart='speed']\").hidden";
    assert_eq!(stage.js(hidden), true);
    for speed in [20.0, 55.0, 4.5] {
        stage.population.play_at(speed);
        sleep(SAMPLE);
    }
    let samples = get(stage.address, "/api/speed").json()["samples"].clone();
    assert_eq!(samples.as_array().unwrap().len(), 3);

    // It comes by itself, with the newest value.
    stage.until_js(hidden, |hidden| *hidden == false);
    until_painted(&stage, "#chart-speed", "accent");
    let value = "#chart-speed .plot-value";
    stage.until(value, |value| value == "4.5");

    // The pointer shows the others, and when they were.
    for (part, sample, told) in [(0.0, 0, "20"), (0.5, 1, "55"), (1.0, 2, "4.5")] {
        let seconds = samples[sample]["seconds"].as_f64().unwrap().round();
        let place = format!("after {seconds} s");
        point_until_told(&stage, "speed", part, |text| text == place);
        assert_eq!(stage.text(value), told);
    }
    stage.browser.point_at((2.0, 2.0));

    // The chart is as new as the number beside it.
    stage.population.play_at(120.0);
    stage.until("#done", |done| done.ends_with(" · 120 games a second"));
    stage.until(value, |value| value == "120");

    // The axes of all charts have their units.
    stage.js(NOTE_WRITING);
    stage.browser.set_window_size(1100, 1000);
    for (chart, along, up) in [
        ("population", "games", "files"),
        ("turnover", "games", "per 1,000 games"),
        ("points", "games", "points"),
        ("speed", "time since it began", "games a second"),
    ] {
        until_written(&stage, chart, &[along, up]);
    }
    until_written(&stage, "speed", &["0", "100"]);
    let times = "return window.written['chart-speed'].some((text) => /^[1-9][0-9]* s$/.test(text))";
    assert_eq!(stage.js(times), true);

    // Who has gone has no speed.
    stage.server.take().unwrap().shutdown();
    stage.until("#done", |done| !done.contains("a second"));
    stage.console_is_clean(&["net::ERR", "the server does not answer"]);
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
    let told = format!("Black's chance: {:.0} %", (100.0 * start).round());
    stage.until("#chance-text", |text| text == told);

    // The same position has the same chance on both pages.
    let record = get(stage.address, "/api/matches/7").json();
    let game = &record["games"][0];
    let ply = game["opening_plies"].as_u64().unwrap() as usize;
    let moves: Vec<&str> = game["moves"].as_array().unwrap()[..ply]
        .iter()
        .map(|one| one.as_str().unwrap())
        .collect();
    stage.open("/matches/7");
    until_painted(&stage, "#curve", "accent");
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
