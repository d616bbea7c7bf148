//! Every page can be read and used by everybody, as far as a script can tell: in
//! light and dark, on a desktop and on a phone.
//!
//! With `LOATUNE_AXE=FILE`, the path of axe-core's `axe.min.js`, that judges every
//! page as well.

use serde_json::{Value, json};

use crate::stage::{Stage, fleet};
use crate::support::client::escaped;
use crate::support::population::Playback;

/// The rules of this test, as a script.
const RULES: &str = include_str!("accessibility.js");

/// A page to look at.
struct Look {
    path: String,
    /// What is clicked before.
    clicks: &'static [&'static str],
    /// What shows that it has its content.
    ready: &'static str,
}

fn look(path: &str, clicks: &'static [&'static str], ready: &'static str) -> Look {
    let path = path.to_owned();
    Look {
        path,
        clicks,
        ready,
    }
}

/// Every page, of a population that has its champion.
fn pages() -> Vec<Look> {
    let moves = escaped("c8-c6 a2-c4 c1xc4 h6-e6 b1-b3");
    vec![
        look("/", &[], "#calibration .bin"),
        look("/files", &[], "#rows td"),
        look("/", &[".values-fold summary"], ".values-fold[open] td"),
        look("/files/40", &[], "#values td"),
        look("/files?origin=scholar", &[], "#rows .badge"),
        look("/matches", &[], "#rows td"),
        look("/matches/12", &[], "#curve canvas"),
        look("/compare?a=40&b=source", &[], "#genes td"),
        look("/parameters", &[], "#rows td"),
        look("/populations", &[], "#rows td"),
        look(&format!("/play?moves={moves}"), &[], "#trace tfoot"),
        look("/login", &[], "#login"),
        look("/nowhere", &[], "h1"),
    ]
}

/// Pages of a run that goes on, and what is shown only where somebody wants it.
fn pages_of_a_run() -> Vec<Look> {
    vec![
        look("/", &["#whole-budget"], "#workers td"),
        look("/matches?file=1&result=drawn", &[], "#rows td"),
        look("/files/40", &[], "#values td"),
        look("/play", &["#show-lines"], ".lines li"),
        look("/play", &["#setup"], "#setup-card:not([hidden])"),
    ]
}

/// What axe finds, where it is wanted.
fn axe_findings(stage: &Stage) -> Value {
    let Ok(file) = std::env::var("LOATUNE_AXE") else {
        return json!([]);
    };
    let axe = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    stage.browser.execute(&axe, &[]);
    stage.browser.execute_async(
        "const done = arguments[arguments.length - 1]; \
         axe.run().then(({ violations }) => done(violations.map((one) => \
         `${one.id}: ${one.nodes.map((node) => node.target).join(' ')}`)))",
    )
}

/// What is found on some pages in light and dark, on a desktop and on a phone.
fn findings(stage: &Stage, pages: &[Look]) -> Vec<String> {
    let mut found = Vec::new();
    for (width, height) in [(1280, 1000), (390, 844)] {
        stage.browser.set_window_size(width, height);
        for theme in ["light", "dark"] {
            stage.choose_theme(theme);
            for page in pages {
                stage.open(&page.path);
                page.clicks.iter().for_each(|click| stage.click(click));
                stage.find("#main:not([data-loading])");
                stage.find(page.ready);
                let own = stage.js(RULES);
                for list in [own, axe_findings(stage)] {
                    for finding in list.as_array().unwrap() {
                        let path = &page.path;
                        found.push(format!("{path}, {width} px, {theme}: {finding}"));
                    }
                }
            }
        }
    }
    found
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn every_page_can_be_used_by_everybody() {
    let stage = Stage::with(Playback::of_a_school());
    let found = findings(&stage, &pages());
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn the_pages_of_a_run_can_be_used_by_everybody() {
    let stage = Stage::new();
    stage.population.play_at(20.0);
    stage.population.window.show_fleet(Some(fleet()));
    let found = findings(&stage, &pages_of_a_run());
    assert!(found.is_empty(), "{found:#?}");
}

/// The rules find what they are for.
#[test]
#[ignore = "needs Chromium and chromedriver"]
fn a_page_that_is_hard_to_use_is_found() {
    let stage = Stage::new();
    stage.open("/parameters");
    stage.find("#rows td");
    assert_eq!(stage.js(RULES), json!([]));
    stage.js("const main = document.getElementById('main'); \
         main.insertAdjacentHTML('beforeend', `<p id=\"pale\">pale</p><button></button>\
         <h4>deep</h4><div id=\"main\"></div>`); \
         document.getElementById('pale').style.color = 'color-mix(in srgb, gray 40%, white)';");
    let found = stage.js(RULES).to_string();
    for rule in [
        "contrast: p#pale",
        "name: button",
        "heading skips",
        "id twice",
    ] {
        assert!(found.contains(rule), "{rule} is not in {found}");
    }
}
