//! Another program that dies, hangs or cheats.

use std::fs;

use super::foreign_support::{ENGINE, args, with_script};
use crate::support::binary::Place;

/// Does something at the first search of a run, once: a file remembers that it
/// was done. While the games are tried that show whether it is deterministic there
/// is no population yet.
fn once(what: &str) -> String {
    format!("if [ -d populations/some ] && [ ! -e done ]; then : > done; {what}; fi")
}

fn champion(place: &Place) -> String {
    fs::read_to_string(place.path().join("populations/some/champion.toml")).unwrap()
}

/// One accident changes nothing: the program is started again, and the game is
/// played again.
#[test]
fn after_one_accident_the_run_is_what_it_would_have_been() {
    let place = with_script(Place::new(), 3, ":");
    place.good(&args("some", &["--engine", ENGINE]));
    let expected = champion(&place);
    for (what, told) in [
        ("exit 7", "before `bestmove`"),
        (
            "while read -r deaf; do :; done; exit",
            "no answer within 5.0 s",
        ),
        ("echo bestmove a1-a1; continue", "illegal move"),
        ("echo bestmove '(none)'; continue", "illegal move"),
        // Two answers at once: a second one that comes later would answer the next question.
        (
            "printf 'bestmove b1-b3\\nbestmove b1-b3\\n'; continue",
            "which nobody asked for",
        ),
    ] {
        let place = with_script(Place::new(), 3, &once(what));
        let more = ["--engine", ENGINE, "--engine-timeout", "5"];
        let all = args("some", &more);
        let output = place.run(&all[1..]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{what}: {error}");
        assert!(
            error.contains("the game is played again"),
            "{what}: {error}"
        );
        assert!(error.contains(told), "{what}: {error}");
        assert_eq!(champion(&place), expected, "{what}");
    }
}

/// A move that cannot be played, at every search.
const CHEATS: &str = "echo bestmove a1-a1; continue";

#[test]
fn a_program_that_keeps_failing_stops_the_run_and_is_put_right() {
    let place = with_script(Place::new(), 3, CHEATS);
    let all = args("some", &["--engine", ENGINE]);
    let output = place.run(&all);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(
        error.contains("the engine failed in 3 matches one after the other"),
        "{error}"
    );
    assert!(error.contains("put the engine right"), "{error}");
    let status = place.json(&["status", "--population", "some", "--json"]);
    assert_eq!(status["matches"], 2);
    // What was counted stays, and the same command goes on.
    let place = with_script(place, 3, ":");
    place.good(&all);
    let status = place.json(&["status", "--population", "some", "--json"]);
    assert_eq!(status["games"], 40);
    let verified = place.good(&["-q", "verify", "--population", "some", "--all"]);
    assert!(
        verified.contains("everything is as it should be"),
        "{verified}"
    );
}

#[test]
fn a_fault_counts_as_the_parameters_say() {
    for (rule, matches, result) in [
        ("loss", 2, "RE[W+Forfeit]"),
        ("draw", 2, "RE[Draw]"),
        ("stop", 0, ""),
    ] {
        let place = with_script(Place::new(), 3, CHEATS);
        let more = ["--engine", ENGINE, "--engine-fault", rule];
        let output = place.run(&args("some", &more));
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{rule}: {error}");
        let status = place.json(&["status", "--population", "some", "--json"]);
        assert_eq!(status["matches"], matches, "{rule}");
        if matches == 0 {
            assert!(
                error.contains("failed, and again when the game was played again"),
                "{error}"
            );
            continue;
        }
        // Black fails: it moves first after an opening of four plies.
        let games = place.good(&["games", "--population", "some"]);
        assert_eq!(games.matches(result).count(), 4, "{rule}: {games}");
        place.good(&["-q", "verify", "--population", "some"]);
    }
}

/// The proof of a champion plays a game again as well.
#[test]
fn an_accident_in_the_proof_changes_nothing() {
    let place = with_script(Place::new(), 3, ":");
    place.good(&args("some", &["--engine", ENGINE]));
    let expected = champion(&place);
    // The last two processes play the proof.
    let starts = fs::read_to_string(place.path().join("starts")).unwrap();
    let proof = starts.lines().count() - 1;
    let at_go = format!("if [ $me -ge {proof} ] && [ ! -e done ]; then : > done; exit 7; fi");
    let place = with_script(Place::new(), 3, &at_go);
    let all = args("some", &["--engine", ENGINE]);
    let output = place.run(&all[1..]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    assert!(error.contains("the game is played again"), "{error}");
    assert_eq!(champion(&place), expected);
}
