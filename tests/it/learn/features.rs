//! `loatune features` with the real binary: what it measures, draws and refuses.

use std::fs;

use loatune::eval::candidates::CANDIDATES;
use serde_json::Value;

use crate::support::binary::Place;

/// Shapes that stay, so that the games take no time.
const PARAMS: &str = "\
[player]
depth = 1

[genome]
hole_penalty = [1.0, 1.0]
spread_power = [1.0, 1.0]
mobility_power = [1.0, 1.0]
";

fn feature<'a>(found: &'a Value, name: &str) -> &'a Value {
    let features = found["features"].as_array().unwrap();
    let named = features.iter().find(|feature| feature["name"] == name);
    named.unwrap_or_else(|| panic!("no {name} in {found}"))
}

#[test]
fn every_feature_and_candidate_is_measured() {
    let place = Place::new().with("params.toml", PARAMS);
    let measure = |threads: &str, svg: &str| {
        place.json(&[
            "-q",
            "features",
            "--games",
            "24",
            "--no-cost",
            "--threads",
            threads,
            "--svg",
            svg,
            "--json",
        ])
    };
    let found = measure("1", "one.svg");
    assert_eq!(found, measure("3", "three.svg"));
    assert_eq!(found["games"], 12, "{found}");
    for candidate in &CANDIDATES {
        let one = feature(&found, candidate.name);
        assert_eq!(one["present"], false);
        assert_eq!(one["meaning"], candidate.meaning);
        assert!(one["worth"].is_f64() && one["error"].as_f64().unwrap() >= 0.0);
        assert!(one["speed"].is_null());
    }
    for present in ["euler", "mobility", "turn"] {
        assert_eq!(feature(&found, present)["present"], true);
    }
    // What must go together does.
    let correlation = |a: &str, b: &str| feature(&found, a)["correlations"][b].as_f64().unwrap();
    assert!(correlation("pieces", "pieces_squared") > 0.9);
    assert_eq!(correlation("area", "extent"), correlation("extent", "area"));
    assert!(feature(&found, "pieces")["mean"].as_f64().unwrap() > 4.0);
    assert_eq!(feature(&found, "class_a1")["set"], "square_table");
    assert_eq!(
        feature(&found, "class_a1")["worth"],
        feature(&found, "class_d4")["worth"]
    );
    let svg = |file: &str| fs::read_to_string(place.path().join(file)).unwrap();
    assert_eq!(svg("one.svg"), svg("three.svg"));
    let text = svg("one.svg");
    let document = roxmltree::Document::parse(&text).unwrap();
    let texts: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.text())
        .collect();
    for name in ["euler", "concentration", "square_table"] {
        assert!(texts.contains(&name), "{name}");
    }
    assert!(!texts.contains(&"class_a1"));
}

#[test]
fn games_of_files_are_measured_and_their_cost() {
    let place = Place::new().with("params.toml", PARAMS);
    place.good(&[
        "-q", "match", "default", "random:3", "--depth", "1", "--games", "12", "--sgf", "a.sgf",
    ]);
    let found = place.json(&["-q", "features", "--sgf", "a.sgf", "--json"]);
    assert_eq!(found["source"], "12 games of a.sgf");
    for one in found["features"].as_array().unwrap() {
        let is_turn = one["name"] == "turn";
        assert_eq!(one["speed"].is_null(), is_turn, "{one}");
        assert!(is_turn || one["speed"].as_f64().unwrap() > 0.0, "{one}");
    }
    let text = place.good(&["-q", "features", "--sgf", "a.sgf", "--no-cost"]);
    for word in ["present ", "candidate ", "loss", "gain", "concentration"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

/// Genes join the first ones in the order of what they gain, and the last row is the
/// one that gained nothing.
#[test]
fn forward_selection_tells_its_steps() {
    let place = Place::new().with("params.toml", PARAMS);
    let measure = |format: &[&str]| {
        let flags = ["-q", "features", "--games", "60", "--no-cost", "--forward"];
        place.good(&[&flags, format].concat())
    };
    let found: Value = serde_json::from_str(&measure(&["--json"])).unwrap();
    let forward = &found["forward"];
    let first: Vec<&str> = forward["first"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    assert!(first.contains(&"euler") && first.contains(&"turn") && !first.contains(&"pieces"));
    let steps = forward["steps"].as_array().unwrap();
    let mut likelihood = forward["likelihood"].as_f64().unwrap();
    for (n, step) in steps.iter().enumerate() {
        let [gain, error, after] =
            ["gain", "error", "likelihood"].map(|key| step[key].as_f64().unwrap());
        assert!((likelihood + gain - after).abs() < 1e-9, "{forward}");
        assert_eq!(step["joined"], gain > error, "{forward}");
        assert_eq!(step["joined"], n + 1 < steps.len(), "{forward}");
        likelihood = after;
    }
    let text = measure(&[]);
    let last = steps.last().unwrap()["set"].as_str().unwrap();
    assert!(
        text.lines()
            .any(|line| line.starts_with(last) && line.ends_with("stays out")),
        "{text}"
    );
    let without = place.json(&["-q", "features", "--games", "60", "--no-cost", "--json"]);
    assert!(without["forward"].is_null());
    assert_eq!(without["features"], found["features"]);
}

#[test]
fn too_few_games_and_a_file_that_exists_are_refused() {
    let place = Place::new()
        .with("params.toml", PARAMS)
        .with("a.svg", "kept");
    let few = place.refused(&["features", "--games", "4", "--no-cost"]);
    assert!(few.contains("too few games to hold some out"), "{few}");
    let exists = place.refused(&["features", "--games", "100000", "--svg", "a.svg"]);
    assert!(
        exists.contains("a.svg exists and is left alone"),
        "{exists}"
    );
    assert_eq!(
        fs::read_to_string(place.path().join("a.svg")).unwrap(),
        "kept"
    );
}
