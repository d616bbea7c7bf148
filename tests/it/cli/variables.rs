//! `LOATUNE_` variables reach every command that has the flag, and a mistyped
//! one is named.

use std::process::Output;

use crate::support::binary::{Place, loatune, output_of};
use serde_json::Value;

fn with(place: &Place, variables: &[(&str, &str)], args: &[&str]) -> Output {
    let mut command = loatune(place.path());
    command.envs(variables.iter().copied());
    output_of(command.args(args), "")
}

fn json(place: &Place, variables: &[(&str, &str)], args: &[&str]) -> Value {
    let output = with(place, variables, args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What a match prints, without its times.
fn played(place: &Place, variables: &[(&str, &str)], flags: &[&str]) -> String {
    let mut args = vec![
        "-q", "match", "default", "random:3", "--games", "4", "--sgf", "g.sgf",
    ];
    args.extend(["--force"]);
    args.extend(flags);
    let output = with(place, variables, &args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    std::fs::read_to_string(place.path().join("g.sgf")).unwrap()
}

#[test]
fn a_match_takes_the_variables_of_its_flags() {
    let place = Place::new();
    for (variable, flag, value) in [
        ("LOATUNE_DEPTH", "--depth", "1"),
        ("LOATUNE_NODES", "--nodes", "50"),
        ("LOATUNE_OPENING_PLIES", "--opening-plies", "7"),
        ("LOATUNE_SEED", "--seed", "5"),
        ("LOATUNE_MAX_PLIES", "--max-plies", "20"),
    ] {
        let fast: &[&str] = if flag == "--depth" {
            &[]
        } else {
            &["--depth", "1"]
        };
        let by_flag = played(&place, &[], &[fast, &[flag, value]].concat());
        let by_variable = played(&place, &[(variable, value)], fast);
        assert_eq!(by_variable, by_flag, "{variable}");
        let neither = played(&place, &[], &[fast, &["--threads", "1"]].concat());
        assert_ne!(by_variable, neither, "{variable}");
        // A flag goes before its variable, good or bad.
        let both = played(&place, &[(variable, "x")], &[fast, &[flag, value]].concat());
        assert_eq!(both, by_flag, "{variable}");
    }
}

#[test]
fn zero_is_no_limit_and_openings_of_a_file_are_not_drawn() {
    let place = Place::new().with("o.txt", "startpos\nb1-b3\n");
    let fast = ["--depth", "1", "--openings", "o.txt"];
    let plain = played(&place, &[], &fast);
    let variables = [
        ("LOATUNE_NODES", "0"),
        ("LOATUNE_THREADS", "0"),
        ("LOATUNE_OPENING_PLIES", "9"),
        ("LOATUNE_OPENING_BOUND", "9"),
    ];
    assert_eq!(played(&place, &variables, &fast), plain);
}

#[test]
fn other_commands_take_them_too() {
    let place = Place::new();
    let depth = [("LOATUNE_DEPTH", "2"), ("LOATUNE_PLAYER", "memory")];
    let found = json(&place, &depth, &["analyse", "startpos", "--json"]);
    assert_eq!(
        (&found["depth"], &found["player"]),
        (&2.into(), &"memory".into())
    );
    let found = json(
        &place,
        &depth,
        &["analyse", "startpos", "--json", "--depth", "3"],
    );
    assert_eq!(found["depth"], 3);
    let games = [
        "-q",
        "gauntlet",
        "default",
        "--against",
        "random:1",
        "--games",
        "2",
    ];
    let seed = [("LOATUNE_SEED", "77"), ("LOATUNE_DEPTH", "1")];
    let found = json(&place, &seed, &[&games[..], &["--json"]].concat());
    assert_eq!(found["seed"], 77);

    for (args, variable, value) in [
        (vec!["match", "default", "default"], "LOATUNE_DEPTH", "deep"),
        (
            vec!["tournament", "default", "random:1"],
            "LOATUNE_HASH",
            "1",
        ),
        (vec!["play"], "LOATUNE_DEPTH", "251"),
        (vec!["analyse", "startpos"], "LOATUNE_PLAYER", "chess"),
    ] {
        let output = with(&place, &[(variable, value)], &args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        let expected = format!("loatune: error: invalid value '{value}' for {variable}: must be ");
        assert!(message.starts_with(&expected), "{message}");
    }
    // Commands that have no such flag do not care.
    let output = with(&place, &[("LOATUNE_DEPTH", "deep")], &["list"]);
    assert_eq!(output.status.code(), Some(0));
    // The engine's signature does not depend on the environment.
    let help = place.good(&["match", "--help"]);
    assert!(help.contains("[env: LOATUNE_OPENING_PLIES"), "{help}");
}

#[test]
fn a_mistyped_variable_is_named() {
    let place = Place::new();
    for args in [
        &["list"][..],
        &["moves", "startpos"],
        &["params", "show"],
        &["weights"],
        &["analyse", "startpos", "--depth", "1"],
    ] {
        let variables = [
            ("LOATUNE_DEPHT", "3"),
            ("LOATUNE_SOMETHING", "x"),
            ("LOATUNE_TEST_ALL", "1"),
            ("LOATUNE_PROGRAM", "x"),
            ("LOATUNE_BUDGET", "1000"),
            ("OTHER_DEPHT", "3"),
        ];
        let output = with(&place, &variables, args);
        assert_eq!(output.status.code(), Some(0));
        let message = String::from_utf8(output.stderr).unwrap();
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!(lines.len(), 2, "{message}");
        assert!(
            lines[0].ends_with(
                "unknown variable LOATUNE_DEPHT is ignored: did you mean LOATUNE_DEPTH?"
            ),
            "{message}"
        );
        assert!(
            lines[1].contains("LOATUNE_SOMETHING is ignored: "),
            "{message}"
        );
        let quiet = with(&place, &variables, &[&["-q"], args].concat());
        assert_eq!(String::from_utf8(quiet.stderr).unwrap(), "");
    }
}
