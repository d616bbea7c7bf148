//! Finding something: files and matches by what they are, two files side by
//! side, the parameters, other populations.

use serde_json::Value;

use crate::driver::Browser;
use crate::page::Page;
use crate::stage::Stage;
use crate::support::binary::{Place, address};
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

    stage.choose("#filter-state", "");
    stage.choose("#filter-origin", "founder");
    let founders = served(&stage, "origin=founder&sort=points&descending=true");
    stage.until_js(
        "return document.querySelectorAll('#rows tr').length",
        |rows| *rows == founders.len(),
    );
    assert_eq!(listed(&stage), founders);

    // Children of a parent, and all of them from its page.
    let parent = served(&stage, "sort=children&descending=true")[0];
    stage.open(&format!("/files?parent={parent}"));
    stage.until("#total", |text| text.contains("file"));
    let children = served(&stage, &format!("parent={parent}"));
    assert_eq!(listed(&stage), children);
    stage.open(&format!("/files/{parent}"));
    stage.click("#all-children");
    let total = format!("{} files", children.len());
    stage.until("#total", |text| text == total);
    assert_eq!(listed(&stage), children);
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
    stage.open(&format!("/compare?a={file}&b=source"));
    stage.until("#name-one", |name| name == format!("#{file}"));
    let games = get(stage.address, &format!("/api/files/{file}")).json()["games"].clone();
    stage.until("#standing", |rows| rows.contains(&format!("Games{games}–")));
    let genes = stage.js("return document.querySelectorAll('#genes tr').length");
    let view = get(stage.address, &format!("/api/files/{file}")).json();
    // A row for a gene, and one for the end of the game where a value differs there.
    let rows = |gene: &Value| 1 + u64::from(gene["opening"] != gene["endgame"]);
    let wanted: u64 = view["genes"].as_array().unwrap().iter().map(rows).sum();
    assert_eq!(genes, wanted);
    stage.js("document.getElementById('depth').value = '1'; document.getElementById('pairs').value = '1'");
    stage.click("#play");
    stage.until("#result", |result| result.starts_with("2 games: "));
    let duel = get(
        stage.address,
        &format!("/api/duel?a={file}&b=source&depth=1"),
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

/// A weight file of its own name is given to a run, and found by it; both populations
/// of the directory are in one list.
#[test]
#[ignore = "needs Chromium and chromedriver"]
fn an_imported_file_is_found_by_its_name_and_all_populations_are_listed() {
    let place = Place::new();
    let run = |name: &str, budget: &str| {
        let args = [
            "run",
            "--population",
            name,
            "--depth",
            "1",
            "--budget",
            budget,
        ];
        let short = [
            "--certificate-games",
            "4",
            "--hall-games",
            "2",
            "--threads",
            "1",
        ];
        [&args[..], &short]
            .concat()
            .iter()
            .map(|&arg| arg.to_owned())
            .collect::<Vec<_>>()
    };
    let first = run("first", "400");
    let first: Vec<&str> = first.iter().map(String::as_str).collect();
    place.good(&[&["-q"], &first[..], &["--no-http"]].concat());
    let champion = place.path().join("populations/first/champion.toml");
    let text = std::fs::read_to_string(champion).unwrap();
    let named: Vec<&str> = text
        .lines()
        .map(|line| {
            if line.starts_with("name = ") {
                "name = \"Strong Guest\""
            } else {
                line
            }
        })
        .take_while(|line| !line.starts_with("[certificate"))
        .collect();
    let file = place.path().join("guest.toml");
    std::fs::write(&file, named.join("\n") + "\n").unwrap();

    let second = run("second", "100000000");
    let second: Vec<&str> = second.iter().map(String::as_str).collect();
    let mut running = place.start(&[&second[..], &["--http", "127.0.0.1:0"]].concat());
    let page = Page {
        address: address(running.stderr.take().unwrap()),
        browser: Browser::start(),
    };
    let token = std::fs::read_to_string(place.path().join("populations/second/token")).unwrap();
    page.open(&format!("/?token={}", token.trim()));
    page.until_js(
        "return document.getElementById('control').hidden",
        |hidden| *hidden == false,
    );
    page.find("#import").send_keys(file.to_str().unwrap());
    let told = page.until("#control-note", |note| note.starts_with("Imported as #"));
    let number = told
        .trim_start_matches("Imported as #")
        .trim_end_matches('.');

    page.open("/files?search=strong");
    page.until("#total", |total| total == "1 file");
    let row = page.text("#rows");
    assert!(row.starts_with(&format!("#{number}Strong Guest")), "{row}");
    page.choose("#filter-origin", "immigrant");
    page.until("#total", |total| total == "1 file");
    page.click("#rows a.file");
    page.until("#summary", |words| {
        words.contains("Imported as “Strong Guest”.")
    });

    // From any page to all populations.
    page.click("#foot a[href='/populations']");
    let rows = page.until("#rows", |rows| rows.contains("second"));
    assert!(rows.contains("firstfinished400 of 400"), "{rows}");
    assert!(rows.contains("secondevolving, at work"), "{rows}");
    assert!(rows.contains("loatune serve --population first"), "{rows}");
    assert!(rows.ends_with("this page"), "{rows}");
    // How strong each became, in one chart.
    page.find("#chart-strengths canvas");
    let keys = page.text("#chart-strengths .plot-legend");
    assert!(keys.starts_with("first"), "{keys}");
    page.console_is_clean(&[]);
}
