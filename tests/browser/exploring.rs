//! Finding something: files and matches by what they are, two files side by
//! side, the parameters, other populations.

use serde_json::Value;

use crate::stage::Stage;
use crate::support::client::get;

/// The numbers of the files in the list.
fn listed(stage: &Stage) -> Vec<u64> {
    let script = "return [...document.querySelectorAll('#rows tr td:first-child')]\
        .map((cell) => Number(cell.textContent.replace('#', '')))";
    serde_json::from_value(stage.js(script)).unwrap_or_default()
}

/// What the server lists, for comparison.
fn served(stage: &Stage, query: &str) -> Vec<u64> {
    let answer = get(stage.address, &format!("/api/files?count=100&{query}")).json();
    let files = answer["files"].as_array().unwrap().iter();
    files.map(|file| file["file"].as_u64().unwrap()).collect()
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn files_are_searched_sorted_and_filtered() {
    let stage = Stage::new();
    stage.open("/files");
    stage.until("#total", |total| total.ends_with("files"));
    assert_eq!(listed(&stage), served(&stage, ""));

    stage.choose("#filter-state", "living");
    let living = served(&stage, "state=living");
    let total = format!("{} files", living.len());
    stage.until("#total", |text| text == total);
    assert_eq!(listed(&stage), living);
    stage.click("[data-sort='points']");
    let best = served(&stage, "state=living&sort=points&descending=true");
    stage.until_js(
        "return document.querySelector('#rows td').textContent",
        |first| *first == format!("#{}", best[0]),
    );
    assert_eq!(listed(&stage), best);

    // What is shown is in the address.
    stage.browser.reload();
    stage.until("#total", |text| text == total);
    assert_eq!(listed(&stage), best);

    // Children of a parent, and all of them from its page.
    let parent = served(&stage, "sort=children&descending=true")[0];
    stage.open(&format!("/files?parent={parent}"));
    stage.until("#total", |text| text.contains("file"));
    assert_eq!(listed(&stage), served(&stage, &format!("parent={parent}")));
    stage.open("/files");
    stage.until("#total", |text| text.contains("file"));
    stage.find("#search").send_keys("#12");
    let found = served(&stage, "search=12");
    let total = format!("{} files", found.len());
    stage.until("#total", |text| text == total);
    assert!(listed(&stage).contains(&12));

    // A number leads to the file, and its line of descent to a founder.
    let child = served(&stage, "origin=crossover")[0];
    stage.find("#jump").send_keys(&format!("{child}\u{e007}"));
    stage.until("#title", |title| title == format!("File #{child}"));
    let descent = get(stage.address, &format!("/api/files/{child}/descent")).json();
    let steps = stage.until_js(
        "return document.querySelectorAll('#descent li').length",
        |count| count.as_u64() > Some(0),
    );
    assert_eq!(steps, descent.as_array().unwrap().len());
    stage.console_is_clean(&[]);
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn matches_are_filtered_and_files_compared() {
    let stage = Stage::new();
    let record = get(stage.address, "/api/matches?count=1").json();
    let file = record["matches"][0]["files"][0].as_u64().unwrap();
    let expected = |result: &str| -> Vec<u64> {
        let path = format!("/api/matches?count=50&file={file}&result={result}");
        let answer = get(stage.address, &path).json();
        let matches = answer["matches"].as_array().unwrap().iter();
        matches.map(|one| one["number"].as_u64().unwrap()).collect()
    };
    stage.open(&format!("/matches?file={file}"));
    stage.until("#rows", |rows| rows.contains(&format!("#{file}")));
    for result in ["won", "lost"] {
        stage.choose("#filter-result", result);
        let wanted = expected(result);
        let links = "return [...document.querySelectorAll('#rows a[href^=\"/matches/\"]')]\
            .map((link) => Number(link.getAttribute('href').split('/').pop()))";
        stage.until_js(links, |found| {
            let found: Vec<u64> = serde_json::from_value(found.clone()).unwrap();
            found == wanted
        });
    }

    // Two files side by side, and a match between them.
    stage.open(&format!("/compare?a={file}&b=default"));
    stage.until("#name-one", |name| name == format!("#{file}"));
    let genes = stage.js("return document.querySelectorAll('#genes tr').length");
    let view = get(stage.address, &format!("/api/files/{file}")).json();
    assert_eq!(genes, view["genes"].as_array().unwrap().len());
    stage.js("document.getElementById('depth').value = '1'; document.getElementById('pairs').value = '1'");
    stage.click("#play");
    stage.until("#result", |result| result.starts_with("2 games: "));
    let duel = get(
        stage.address,
        &format!("/api/duel?a={file}&b=default&depth=1"),
    )
    .json();
    let sum: f64 = duel["scores"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_f64)
        .sum();
    let told = format!("2 games: {:.1} % for the first.", 50.0 * sum);
    assert_eq!(stage.text("#result"), told);
    // A game of it can be looked at.
    stage.click("#games a");
    stage.until("#moves li", |first| !first.is_empty());

    stage.open("/parameters");
    stage.until("#rows", |rows| rows.contains("evolution.budget"));
    stage.click("#changed");
    let rows = stage.until("#rows", |rows| !rows.contains("rules.max_plies"));
    assert!(
        rows.contains("evolution.budget") && rows.contains("800"),
        "{rows}"
    );
    stage.open("/populations");
    stage.until("#rows", |rows| !rows.is_empty());
    stage.console_is_clean(&[]);
}
