//! Populations that an earlier program began, before mutations fell: they keep
//! their rule. `tests/data/populations/twin-rule` has the journals of two such
//! populations with the same parameters, one stopped on the way and one
//! finished, and the champion of the finished one.

use std::fs;

use crate::support::binary::Place;

const FINISHED: &[u8] = include_bytes!("../../data/populations/twin-rule/finished.journal");
const STOPPED: &[u8] = include_bytes!("../../data/populations/twin-rule/stopped.journal");
const CHAMPION: &str = include_str!("../../data/populations/twin-rule/champion.toml");

/// What the populations are called, which is part of the champion's file.
const NAME: &str = "early";

/// A place with a population that has this journal and nothing else.
fn place_with(journal: &[u8]) -> Place {
    let place = Place::new();
    let dir = place.path().join("populations").join(NAME);
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("journal"), journal).unwrap();
    place
}

fn champion(place: &Place) -> String {
    let path = place.path().join("populations").join(NAME);
    fs::read_to_string(path.join("champion.toml")).unwrap()
}

/// What a champion's file says: its weights, and every line of its certificate.
fn content(text: &str) -> toml::Table {
    let mut table: toml::Table = text.parse().unwrap();
    // The number of the file's format is the program's, not the champion's.
    table["loatune"].as_table_mut().unwrap().remove("format");
    table
}

#[test]
fn a_finished_population_has_the_same_champion() {
    let place = place_with(FINISHED);
    place.good(&["-q", "run", "--population", NAME, "--no-http"]);
    let found = champion(&place);
    assert_eq!(content(&found)["weights"], content(CHAMPION)["weights"]);
    assert_eq!(
        content(&found)["certificate"],
        content(CHAMPION)["certificate"]
    );
    let report = place.good(&["-q", "verify", "--population", NAME]);
    assert!(report.contains("champion     compared"), "{report}");
}

/// Goes on with different numbers of threads, beside a file that has every key
/// at its default, those that joined later included.
#[test]
fn a_stopped_population_goes_on_by_its_own_rule() {
    let finished = place_with(FINISHED);
    finished.good(&["-q", "run", "--population", NAME, "--no-http"]);
    let expected = champion(&finished);
    for threads in ["1", "3"] {
        let place = place_with(STOPPED);
        place.good(&["params", "init"]);
        let args = [
            "-q",
            "run",
            "--population",
            NAME,
            "--no-http",
            "--threads",
            threads,
        ];
        place.good(&args);
        assert_eq!(champion(&place), expected, "{threads} threads");
        place.good(&["-q", "verify", "--population", NAME, "--replay", "3"]);
    }
}

/// A key that joined later is a change like any other.
#[test]
fn later_keys_are_a_change_that_must_be_accepted() {
    let place = place_with(STOPPED);
    let args = [
        "-q",
        "run",
        "--population",
        NAME,
        "--no-http",
        "--sigma-end",
        "0.05",
    ];
    let refused = place.refused(&args);
    assert!(
        refused.contains("evolution.sigma_end: 0.0 -> 0.05 (--sigma-end)"),
        "{refused}"
    );
    let args = [
        "--population",
        NAME,
        "--no-http",
        "--sigma-end",
        "0.05",
        "--accept-changes",
    ];
    place.good(&[&["-q", "run"][..], &args].concat());
    place.good(&["-q", "verify", "--population", NAME]);
}
