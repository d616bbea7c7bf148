//! Runs with scholars: the same to the byte with any number of threads and
//! through kills, shown and verified.

use std::fs;

use loatune::store::{Begin, Entry, FrameReader, Layout, Population, decode};
use serde_json::Value;

use super::wait_for;
use crate::support::binary::Place;

/// A short run whose shapes are fixed, so that lessons are quick.
const PARAMS: &str = "\
[genome]
features = [\"connection\", \"quads\", \"capturable\"]
hole_penalty = [1.0, 1.0]

[player]
depth = 1

[evolution]
budget = 200
population = 8

[school]
enabled = true
first = 60
games = 80

[final]
share = 0.1
certificate_games = 2
hall_games = 2

[run]
seed = 3
window = 4
";

fn place() -> Place {
    Place::new().with("params.toml", PARAMS)
}

fn champion(place: &Place) -> String {
    fs::read_to_string(place.path().join("populations/default/champion.toml")).unwrap()
}

#[test]
fn scholars_are_born_shown_and_verified() {
    let place = place();
    place.good(&["-q", "run", "--no-http"]);
    let status = place.json(&["status", "--json"]);
    let scholars = status["scholars"].as_array().unwrap();
    assert!(scholars.len() >= 3, "{status}");
    assert_eq!(scholars[0]["matches"], 30);
    assert_eq!(scholars[0]["games"], 60);
    assert!(scholars[0]["won"].is_boolean(), "{status}");
    assert!(scholars[0]["log_likelihood"].as_f64().unwrap() < 0.0);
    let told = place.good(&["status"]);
    assert!(told.contains("from 60 games"), "{told}");
    history_tells_of_scholars(&place, scholars);
    let told = place.good(&["-q", "verify", "--replay", "3"]);
    assert!(told.contains("everything is as it should be"), "{told}");

    // A scholar that the games do not teach is found.
    let dir = place.path().join("populations");
    let mut frames = FrameReader::open(&Layout::new(&dir.join("default")).journal()).unwrap();
    let begin: Begin = decode(frames.next_frame().unwrap().unwrap()).unwrap();
    let mut other = Population::create(&dir.join("other"), &begin).unwrap();
    while let Some(frame) = frames.next_frame().unwrap() {
        let mut entry: Entry = decode(frame).unwrap();
        if let Entry::Scholar(learned) = &mut entry {
            learned.positions += 1;
        }
        other.apply(entry).unwrap();
    }
    other.close().unwrap();
    let output = place.run(&["-q", "verify", "-p", "other"]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("the lesson after match 30"), "{told}");
}

/// Every form of the history has the scholars that the status has.
fn history_tells_of_scholars(place: &Place, scholars: &[Value]) {
    let history = place.json(&["history", "--json"]);
    assert_eq!(history["scholars"].as_array().unwrap(), scholars);
    let events = history["events"].as_array().unwrap();
    let of = |kind: &str| -> Vec<&Value> {
        events
            .iter()
            .filter(|event| event["kind"] == kind)
            .collect()
    };
    assert_eq!(of("scholar").len(), scholars.len());
    for (event, scholar) in of("scholar").iter().zip(scholars) {
        for key in ["file", "matches", "games", "log_likelihood"] {
            assert_eq!(event[key], scholar[key], "{key}");
        }
    }
    for event in of("challenge") {
        let mut scholars = scholars.iter();
        let scholar = scholars.find(|one| one["file"] == event["scholar"]);
        assert_eq!(event["won"], scholar.unwrap()["won"]);
    }
    assert!(of("born").is_empty() && of("died").is_empty());
    assert_eq!(of("champion").len(), 1);
    let numbers: Vec<u64> = events
        .iter()
        .map(|event| event["number"].as_u64().unwrap())
        .collect();
    assert!(numbers.is_sorted() && numbers.len() < 60, "{numbers:?}");

    let text = place.good(&["history"]);
    let title = "scholar  ";
    assert!(text.lines().any(|line| line.starts_with(title)), "{text}");
    assert!(text.contains("champion #"), "{text}");
    let csv = place.good(&["history", "--csv"]);
    let column = csv
        .lines()
        .next()
        .unwrap()
        .split(',')
        .position(|name| name == "event");
    let named = |kind: &str| {
        let cells = csv
            .lines()
            .filter(|line| line.split(',').nth(column.unwrap()) == Some(kind));
        cells.count()
    };
    assert_eq!(named("scholar"), scholars.len(), "{csv}");
    assert_eq!(
        named("challenge-won") + named("challenge-lost"),
        of("challenge").len()
    );
    place.good(&["history", "--svg", "run.svg", "--chart", "strength"]);
    let svg = fs::read_to_string(place.path().join("run.svg")).unwrap();
    let learned = format!("{} scholars were learned", scholars.len());
    assert!(svg.contains(&learned), "{svg}");
}

/// Threads, a kill and a stop on the way change nothing.
#[test]
fn the_champion_is_always_the_same() {
    let expected = {
        let place = place();
        place.good(&["-q", "run", "--no-http", "--threads", "1"]);
        champion(&place)
    };
    for threads in ["2", "3"] {
        let place = place();
        let mut run = place.start(&["run", "--no-http", "--threads", threads]);
        wait_for(&place, "default", 70);
        // It may have ended by now.
        let _ = run.kill();
        run.finish();
        place.good(&["-q", "run", "--no-http", "--threads", threads]);
        assert_eq!(champion(&place), expected, "{threads} threads");
    }
}

#[test]
fn without_a_school_there_are_no_scholars() {
    let place = place();
    place.good(&["-q", "run", "--no-http", "--school", "false"]);
    let status = place.json(&["status", "--json"]);
    assert_eq!(status["scholars"].as_array().unwrap().len(), 0);
    assert_eq!(status["games"], 200);
}
