//! The school of another program, which prints its features.

use std::fs;

use super::foreign_support::{ENGINE, PROGRAM, with_script};
use crate::support::binary::Place;

const SCHOOL: &str = "\
[player]
depth = 1
[evolution]
budget = 120
population = 6
[school]
enabled = true
first = 40
games = 60
[final]
certificate_games = 2
hall_games = 2
[run]
window = 2
";

fn champion(place: &Place) -> String {
    fs::read_to_string(place.path().join("populations/default/champion.toml")).unwrap()
}

#[test]
fn the_school_learns_for_a_program_that_prints_its_features() {
    let engine = format!("'{PROGRAM}' ugi --genes");
    let run = |threads: &str| {
        let place = Place::new().with("params.toml", SCHOOL);
        let output = place.run(&[
            "run",
            "--no-http",
            "--engine",
            &engine,
            "--threads",
            threads,
        ]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{told}");
        assert!(told.contains("it prints its features"), "{told}");
        place
    };
    let place = run("1");
    let status = place.json(&["status", "--json"]);
    let scholars = status["scholars"].as_array().unwrap();
    assert!(scholars.len() >= 2, "{status}");
    for scholar in scholars {
        assert!(scholar["positions"].as_u64().unwrap() > 100, "{status}");
        assert!(
            scholar["log_likelihood"].as_f64().unwrap() > -std::f64::consts::LN_2,
            "{status}"
        );
    }
    // The lessons can be learned again, and nothing is asked where nobody wants
    // that.
    let told = place.good(&["-q", "verify"]);
    assert!(told.contains("lessons were not learned again"), "{told}");
    let told = place.good(&["-q", "verify", "--all"]);
    assert!(told.contains("everything is as it should be"), "{told}");
    assert!(!told.contains("not learned again"), "{told}");
    assert_eq!(champion(&run("2")), champion(&place));
}

#[test]
fn a_program_without_features_is_tuned_by_matches_alone() {
    // The script hands everything on but the question.
    let place = with_script(Place::new(), 3, ":").with("params.toml", SCHOOL);
    let script = fs::read_to_string(place.path().join("engine.sh")).unwrap();
    let place = place.with(
        "engine.sh",
        &script.replacen("case $word in", "case $word in query) ;;", 1),
    );
    let output = place.run(&["run", "--no-http", "--engine", ENGINE]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("does not answer `query features`"), "{told}");
    let status = place.json(&["status", "--json"]);
    assert_eq!(status["scholars"].as_array().unwrap().len(), 0, "{status}");
    assert_eq!(status["games"], 120);
}
