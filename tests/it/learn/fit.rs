//! `loatune fit` with the real binary: where games come from, what is written,
//! what is refused.

use std::fs;
use std::time::{Duration, Instant};

use loatune::weights::WeightFile;
use serde_json::Value;

use crate::support::binary::{Place, interrupt, wait_for_handler};

/// Shapes that stay, so that a fit takes no time.
const PARAMS: &str = "\
[player]
depth = 1

[genome]
hole_penalty = [1.0, 1.0]
spread_power = [1.0, 1.0]
mobility_power = [1.0, 1.0]
";

fn place() -> Place {
    Place::new().with("params.toml", PARAMS)
}

fn weights(place: &Place, file: &str) -> WeightFile {
    let text = fs::read_to_string(place.path().join(file)).unwrap();
    WeightFile::parse(&text, file).unwrap()
}

/// Games between two players, as SGF.
fn with_games(place: &Place, games: &str) -> String {
    place.good(&[
        "-q",
        "match",
        "default",
        "random:3",
        "--depth",
        "1",
        "--games",
        games,
        "--sgf",
        "games.sgf",
    ]);
    fs::read_to_string(place.path().join("games.sgf")).unwrap()
}

#[test]
fn played_games_teach_the_same_with_any_number_of_threads() {
    let place = place();
    let args = |threads, file| {
        vec![
            "-q",
            "fit",
            "--play",
            "24",
            "--seed",
            "5",
            "--threads",
            threads,
            "-o",
            file,
            "--json",
        ]
    };
    let one = place.json(&args("1", "one.toml"));
    place.json(&args("3", "three.toml"));
    let found = weights(&place, "one.toml");
    assert_eq!(found.weights, weights(&place, "three.toml").weights);
    assert_eq!(found.name, "one");
    assert_eq!(
        found.origin,
        "learned from 24 games of self-play at depth 1, seed 5"
    );
    assert_eq!(one["weights"], found.to_json());
    // The random players' games are not learned from in the end.
    assert_eq!(one["games"], 12, "{one}");
    assert_eq!(one["rounds"].as_array().unwrap().len(), 2);
    assert_eq!(one["before"], "default");
    let held_out = &one["held_out"];
    let number = |path: &str| held_out.pointer(path).unwrap().as_f64().unwrap();
    let gain = number("/fit/mean") - number("/before/mean");
    assert!((gain - number("/gain/mean")).abs() < 1e-9, "{held_out}");
    assert!(number("/gain/error") > 0.0);
    let bins = held_out["calibration"].as_array().unwrap();
    let positions: u64 = bins
        .iter()
        .map(|bin| bin["positions"].as_u64().unwrap())
        .sum();
    assert_eq!(positions, one["positions"].as_u64().unwrap());
    // Another seed is another file, and shapes that are fixed stay.
    place.json(&[
        "-q",
        "fit",
        "--play",
        "24",
        "--seed",
        "6",
        "-o",
        "other.json",
        "--json",
    ]);
    let other = weights(&place, "other.json");
    assert_ne!(other.weights, found.weights);
    let gene = |name: &str| found.to_json()["weights"][name].as_f64().unwrap();
    assert_eq!((gene("spread_power"), gene("mobility_power")), (1.0, 1.0));
}

#[test]
fn sgf_games_teach_and_bad_ones_are_named() {
    let place = place();
    let text = with_games(&place, "20");
    let whole = place.json(&[
        "-q",
        "fit",
        "--games",
        "games.sgf",
        "-o",
        "whole.toml",
        "--json",
    ]);
    assert_eq!(
        (&whole["games"], &whole["left_out"]),
        (&20.into(), &serde_json::json!([]))
    );
    assert!(whole["held_out"]["fit"]["mean"].as_f64().unwrap() < 0.0);
    assert_eq!(
        weights(&place, "whole.toml").origin,
        "learned from 20 games of games.sgf"
    );

    let bad = "(;GM[9];B[b1-b2])\n(;GM[9];B[b1-b3];W[a2-c2])\n";
    fs::write(place.path().join("mixed.sgf"), format!("{text}{bad}")).unwrap();
    let mixed = ["fit", "--games", "mixed.sgf", "-o", "mixed.toml", "--json"];
    let output = place.run(&mixed);
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("mixed.sgf, game 21 is left out: line"),
        "{said}"
    );
    assert!(
        said.contains("mixed.sgf, game 22 is left out: it has no result"),
        "{said}"
    );
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["left_out"].as_array().unwrap().len(), 2);
    assert_eq!(found["left_out"][1]["why"], "it has no result");
    // What is left out changes nothing.
    assert_eq!(
        weights(&place, "mixed.toml").weights,
        weights(&place, "whole.toml").weights
    );

    let strict = place.refused(&["fit", "--games", "mixed.sgf", "-o", "s.toml", "--strict"]);
    assert!(
        strict.starts_with("--strict: mixed.sgf, game 21: line"),
        "{strict}"
    );
    assert!(strict.contains("(and 1 more)") && !place.path().join("s.toml").exists());
}

#[test]
fn a_file_that_exists_is_left_alone_before_anything_is_played() {
    let place = place().with("a.toml", "kept");
    // As many games would take days.
    let play = ["fit", "--play", "1000000", "-o", "a.toml"];
    let message = place.refused(&play);
    assert!(
        message.contains("a.toml exists and is left alone"),
        "{message}"
    );
    assert_eq!(
        fs::read_to_string(place.path().join("a.toml")).unwrap(),
        "kept"
    );
    let text = place.good(&[
        "-q", "fit", "--play", "4", "-o", "a.toml", "--force", "--name", "x",
    ]);
    assert!(text.contains("too few games to hold some out"), "{text}");
    assert!(text.ends_with("a.toml written\n"), "{text}");
    assert_eq!(weights(&place, "a.toml").name, "x");
}

#[test]
fn what_cannot_be_learned_from_is_refused() {
    let place = place()
        .with("broken.sgf", "(;GM[9];B[")
        .with("text.sgf", "hello")
        .with("short.sgf", "(;GM[9]RE[B+];B[b1-b3])");
    let refused = |args: &[&str], part: &str| {
        let mut all = vec!["fit", "-o", "out.toml"];
        all.extend(args);
        let message = place.refused(&all);
        assert!(message.contains(part), "{args:?}: {message}");
        assert!(!place.path().join("out.toml").exists());
    };
    refused(&["--games", "none.sgf"], "cannot read games from none.sgf");
    refused(&["--games", "broken.sgf"], "broken.sgf: line 1");
    refused(&["--games", "text.sgf"], "text.sgf: line 1");
    refused(
        &["--population", "none"],
        "no population in populations/none",
    );
    refused(
        &["--games", "short.sgf", "--strict"],
        "no position lies between",
    );
    refused(
        &["--play", "10", "--before", "none.toml"],
        "no weights \"none.toml\"",
    );
    refused(&["--play", "10", "--name", " "], "--name \" \"");
    // All games are left out, which is said before there is nothing to learn.
    let output = place.run(&["fit", "-o", "out.toml", "--games", "short.sgf"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("no position to learn from; 1 games are left out"),
        "{said}"
    );
    assert!(!place.path().join("out.toml").exists());
}

/// Ctrl-C ends it as well when it has its games and calculates.
#[test]
fn a_signal_ends_a_fit_and_the_laboratory() {
    let place = place();
    with_games(&place, "20");
    // Shapes that are free and the same games many times: minutes of work.
    let games = vec!["games.sgf"; 150];
    let shapes = ["--hole-penalty", "0..2", "--spread-power", "0.5..3"];
    let fit = [
        &["fit", "-o", "out.toml", "--games"][..],
        &games[..],
        &shapes[..],
    ]
    .concat();
    let features = [&["features", "--svg", "out.svg", "--sgf"][..], &games[..]].concat();
    for args in [fit, features] {
        let process = place.start(&args);
        wait_for_handler(process.id());
        std::thread::sleep(Duration::from_secs(2));
        interrupt(&process);
        let begin = Instant::now();
        let output = process.finish();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{}: {said}", args[0]);
        assert!(said.contains("nothing was written"), "{said}");
        assert!(begin.elapsed() < Duration::from_secs(60), "{}", args[0]);
        assert!(!place.path().join("out.toml").exists());
        assert!(!place.path().join("out.svg").exists());
    }
}

/// The positions are chosen as in the lessons of a run, by the same keys.
#[test]
fn positions_are_left_out_as_in_lessons() {
    let place = place();
    with_games(&place, "12");
    let positions = |more: &[&str]| {
        let args = ["-q", "fit", "--games", "games.sgf", "--force", "--json"];
        let found = place.json(&[&args[..], &["-o", "a.toml"], more].concat());
        found["positions"].as_u64().unwrap()
    };
    let usual = positions(&[]);
    assert_eq!(positions(&["--skip-last", "2"]), usual);
    assert_eq!(positions(&["--skip-last", "5"]), usual - 3 * 12);
    assert!(positions(&["--school-quiet", "true"]) < usual);
    let message = place.refused(&["fit", "--play", "4", "-o", "b.toml", "--skip-last", "101"]);
    assert!(message.contains("--skip-last"), "{message}");
    // What decides when a run learns is nothing for it.
    let message = place.refused(&["fit", "--play", "4", "-o", "b.toml", "--school-first", "60"]);
    assert!(message.contains("--school-first"), "{message}");
}

/// Both phases are shown: of the weights before, of what was learned, and of
/// every round.
#[test]
fn both_phases_are_told() {
    let place = place();
    let fit = |more: &[&str]| {
        let args = ["-q", "fit", "--play", "24", "--force", "-o", "a.toml"];
        place.good(&[&args[..], more].concat())
    };
    let head = |text: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.starts_with("gene"));
        line.unwrap()
            .split_whitespace()
            .map(str::to_owned)
            .collect()
    };
    let two = ["gene", "default", "endgame", "learned", "endgame"];
    assert_eq!(head(&fit(&["--phases", "2"])), two);
    let one = fit(&["--phases", "1", "--before", "source"]);
    assert_eq!(head(&one), ["gene", "source", "learned"]);
    let json: Value = serde_json::from_str(&fit(&["--phases", "2", "--json"])).unwrap();
    let rounds = json["rounds"].as_array().unwrap();
    for round in rounds {
        assert!(round["weights"]["euler"].is_f64(), "{round}");
        assert!(round["endgame"]["euler"].is_f64(), "{round}");
    }
    let last = &rounds[rounds.len() - 1];
    let learned = &json["weights"]["endgame"]["euler"];
    assert_eq!(last["endgame"]["euler"].as_f64(), learned.as_f64());
    let json: Value = serde_json::from_str(&fit(&["--phases", "1", "--json"])).unwrap();
    assert_eq!(json["rounds"][0]["endgame"], Value::Null);
}
