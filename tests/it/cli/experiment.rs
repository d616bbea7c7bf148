//! `loatune experiment`: the real binary, in a fresh directory.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::match_games::without_times;
use crate::support::binary::Place;

const FILE: &str = r#"
[experiment]
title = "How many simulations"
standard = "default@mcts:s12"
variants = ["default@mcts:s{}", "default@mcts:s{},c=0.9"]
names = ["usual", "wide"]
parameter = "simulations"
values = [3, 40]
games = 6
"#;

fn place(text: &str) -> Place {
    let place = Place::new();
    fs::write(place.path().join("some.toml"), text).unwrap();
    place
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path().join(name)).unwrap()
}

/// The JSON without times and without what was played when.
fn json(text: &str) -> Value {
    let mut found: Value = serde_json::from_str(text).unwrap();
    without_times(&mut found);
    for point in found["points"].as_array_mut().unwrap() {
        point.as_object_mut().unwrap().remove("seconds_per_move");
    }
    found.as_object_mut().unwrap().remove("resumed");
    found
}

#[test]
fn points_are_played_and_written() {
    let place = place(FILE);
    let output = place.run(&["experiment", "some.toml", "--threads", "1"]);
    assert_eq!(output.status.code(), Some(0));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.starts_with("How many simulations\n"), "{table}");
    assert!(table.contains("each against default@mcts:s12, 6 games a point, seed 1"));
    assert_eq!(
        table.lines().filter(|line| line.contains('±')).count(),
        4,
        "{table}"
    );

    let found = json(&read(&place, "some.json"));
    let points = found["points"].as_array().unwrap();
    assert_eq!(points.len(), 4);
    for point in points {
        let count = |key: &str| point[key].as_u64().unwrap();
        assert_eq!(count("games"), 6);
        assert_eq!(count("wins") + count("draws") + count("losses"), 6);
        let score = 100.0 * (count("wins") as f64 + count("draws") as f64 / 2.0) / 6.0;
        assert!((point["score"].as_f64().unwrap() - score).abs() < 1e-9);
    }
    // More simulations visit more.
    let nodes = |n: usize| points[n]["nodes_per_move"].as_f64().unwrap();
    assert!(nodes(1) > 3.0 * nodes(0), "{} {}", nodes(0), nodes(1));
    assert_eq!(points[3]["player"], "default@mcts:s40,c=0.9");

    let csv = read(&place, "some.csv");
    assert_eq!(csv.lines().count(), 5);
    assert!(csv.starts_with("variant,value,player,games,wins,"), "{csv}");
    assert!(
        csv.contains("\nwide,40,\"default@mcts:s40,c=0.9\",6,"),
        "{csv}"
    );
    let svg = read(&place, "some.svg");
    assert!(svg.contains("How many simulations") && svg.contains("usual"));
    // Other threads, another directory: the same results.
    fs::create_dir(place.path().join("there")).unwrap();
    let args = [
        "experiment",
        "some.toml",
        "--threads",
        "3",
        "--out",
        "there",
        "--json",
        "-q",
    ];
    let output = place.run(&args);
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(json(&printed), found);
    assert_eq!(json(&read(&place, "there/some.json")), found);
}

#[test]
fn a_killed_experiment_goes_on_to_the_same_end() {
    let text = FILE
        .replace("[3, 40]", "[2, 5]")
        .replace("games = 6", "games = 8");
    let whole = place(&text);
    assert!(
        whole
            .run(&["experiment", "some.toml", "-q"])
            .status
            .success()
    );
    let killed = place(&text);
    let lines = || {
        let games = fs::read_to_string(killed.path().join("some.games"));
        games.map_or(0, |text| text.lines().count())
    };
    for _ in 0..2 {
        let before = lines();
        let mut child = killed.start(&["experiment", "some.toml", "-q"]);
        let begin = Instant::now();
        while lines() < before.max(1) + 2 && child.try_wait().unwrap().is_none() {
            assert!(begin.elapsed() < Duration::from_secs(120));
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill();
        child.finish();
    }
    assert!(
        killed
            .run(&["experiment", "some.toml", "-q"])
            .status
            .success()
    );
    let [whole, killed] = [&whole, &killed].map(|place| json(&read(place, "some.json")));
    assert_eq!(whole, killed);
}

#[test]
fn tables_and_depths_are_varied_too() {
    let text = "[experiment]\nstandard = \"default@mtdf:1\"\nvariants = [\"default@mtdf:1\"]\n\
                vary = \"table_kib\"\nparameter = \"KiB\"\nvalues = [64, 128]\ngames = 2\n";
    let place = place(text);
    let output = place.run(&["experiment", "some.toml", "--json", "-q"]);
    assert_eq!(output.status.code(), Some(0));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let players = found["settings"]["players"].as_array().unwrap();
    let sizes: Vec<u64> = players
        .iter()
        .map(|player| player["hash_kib"].as_u64().unwrap())
        .collect();
    assert_eq!(sizes[1..], [64, 128]);
}

#[test]
fn bad_experiments_are_refused() {
    for (old, new, message) in [
        (
            "games = 6",
            "games = 7",
            "some.toml:9: experiment.games = 7: must be even",
        ),
        (
            "games = 6",
            "gaems = 6",
            "some.toml:9: unknown key experiment.gaems: did you mean experiment.games?",
        ),
        (
            "standard = \"default@mcts:s12\"",
            "",
            "some.toml: experiment.standard is missing",
        ),
        ("values = [3, 40]", "values = [0]", "bad limit \"s0\""),
        ("c=0.9", "c=99", "option c of `mcts` is \"99\""),
        (
            "[experiment]",
            "[experiments]",
            "unknown group [experiments]: did you mean [experiment]?",
        ),
    ] {
        let place = place(&FILE.replacen(old, new, 1));
        let refused = place.refused(&["experiment", "some.toml"]);
        assert!(refused.contains(message), "{refused}");
        assert!(!place.path().join("some.games").exists());
    }
    let place = place(FILE);
    let refused = place.refused(&["experiment", "none.toml"]);
    assert!(
        refused.contains("cannot read experiment from none.toml"),
        "{refused}"
    );
    // Another experiment of the same name does not take the games of the first.
    let output = place.run(&["experiment", "some.toml", "-q"]);
    assert_eq!(output.status.code(), Some(0));
    let other = FILE.replace("default@mcts:s12", "default@mcts:s13");
    fs::write(place.path().join("some.toml"), other).unwrap();
    let refused = place.refused(&["experiment", "some.toml"]);
    assert!(
        refused.contains("some.games was made with other settings"),
        "{refused}"
    );
}

/// Results never take the place of the experiment; `--out` makes its directory.
#[test]
fn an_experiment_is_not_written_over() {
    let text = FILE
        .replace("[3, 40]", "[2]")
        .replace("games = 6", "games = 2");
    let place = place(&text);
    for name in ["some.json", "some.csv", "some.svg"] {
        fs::write(place.path().join(name), &text).unwrap();
        let refused = place.refused(&["experiment", name, "-q"]);
        assert!(refused.contains("is the experiment itself"), "{refused}");
        assert_eq!(read(&place, name), text);
    }
    place.good(&["experiment", "some.json", "-q", "--out", "a/b"]);
    assert_eq!(read(&place, "some.json"), text);
    assert!(read(&place, "a/b/some.json").contains("\"points\""));
}

/// Messages name the file of games and what the command has, not flags of others.
#[test]
fn other_settings_are_refused_by_the_name_of_the_file() {
    let place = place(
        &FILE
            .replace("[3, 40]", "[2]")
            .replace("games = 6", "games = 2"),
    );
    let args = ["experiment", "some.toml", "-q"];
    assert!(place.run(&args).status.success());
    let other = read(&place, "some.toml").replace("s12", "s11");
    fs::write(place.path().join("some.toml"), other).unwrap();
    let refused = place.refused(&args);
    assert!(
        refused.contains("some.games") && refused.contains("--out"),
        "{refused}"
    );
    assert!(!refused.contains("--resume"), "{refused}");
    fs::write(place.path().join("some.games"), "something else\n").unwrap();
    let refused = place.refused(&args);
    assert!(
        refused.contains("some.games holds no games of an experiment"),
        "{refused}"
    );
}
