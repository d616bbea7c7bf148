//! Every page can be read and used by everybody, as far as a script can tell: in
//! light and dark, on a desktop and on a phone.
//!
//! With `LOATUNE_AXE=FILE`, the path of axe-core's `axe.min.js`, that judges every
//! page as well.

use serde_json::{Value, json};

use crate::stage::Stage;
use crate::support::client::escaped;
use crate::support::population::Playback;

/// The rules of this test, as a script.
const RULES: &str = include_str!("accessibility.js");

/// Every page, and what shows that it has its content.
fn pages() -> Vec<(String, &'static str)> {
    let moves = escaped("c8-c6 a2-c4 c1xc4 h6-e6 b1-b3");
    let page = |path: &str, ready| (path.to_owned(), ready);
    vec![
        page("/", "#calibration .bin"),
        page("/files", "#rows td"),
        page("/files/40", ".node.self"),
        page("/files?origin=scholar", "#rows .badge"),
        page("/matches", "#rows td"),
        page("/matches/12", "#curve canvas"),
        page("/compare?a=40&b=source", "#genes td"),
        page("/parameters", "#rows td"),
        page("/populations", "#rows td"),
        page(&format!("/play?moves={moves}"), "#trace tfoot"),
        page("/nowhere", "h1"),
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

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn every_page_can_be_used_by_everybody() {
    let stage = Stage::with(Playback::of_a_school());
    let mut found = Vec::new();
    for (width, height) in [(1280, 1000), (390, 844)] {
        stage.browser.set_window_size(width, height);
        for theme in ["light", "dark"] {
            stage.open("/nowhere");
            stage.browser.execute(
                "localStorage.setItem('loatune-theme', arguments[0])",
                &[json!(theme)],
            );
            for (path, ready) in pages() {
                stage.open(&path);
                stage.find(ready);
                let own = stage.js(RULES);
                for list in [own, axe_findings(&stage)] {
                    for finding in list.as_array().unwrap() {
                        found.push(format!("{path}, {width} px, {theme}: {finding}"));
                    }
                }
            }
        }
    }
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
