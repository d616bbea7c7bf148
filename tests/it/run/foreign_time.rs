//! Another program with a limit by time: its games cannot be played again, and
//! everything says so.

use std::fs;

use super::foreign_support::{ENGINE, args, with_script};
use crate::support::binary::Place;

#[test]
fn a_limit_by_time_needs_consent_and_is_told_everywhere() {
    let place = with_script(Place::new(), 3, ":");
    let timed = ["--engine", ENGINE, "--movetime", "20"];
    let error = place.refused(&args("timed", &timed));
    assert!(
        error.contains("engine.movetime = 20 (--movetime) needs --nondeterministic"),
        "{error}"
    );
    let error = place.refused(&args("timed", &["--movetime", "20", "--nondeterministic"]));
    assert!(
        error.contains("engine.movetime = 20 (--movetime) needs an engine"),
        "{error}"
    );
    assert!(!place.path().join("populations/timed").exists());

    let accepted = [&timed[..], &["--nondeterministic"]].concat();
    place.good(&args("timed", &accepted));
    let champion = place.path().join("populations/timed/champion.toml");
    let champion = fs::read_to_string(champion).unwrap();
    for line in [
        "\nmovetime = 20\n",
        "\nrepeatable = false\n",
        "\n# The engine need not play the same",
    ] {
        assert!(champion.contains(line), "{line}: {champion}");
    }
    let verified = place.json(&["-q", "verify", "-p", "timed", "--all", "--json"]);
    assert_eq!(verified["ok"], true, "{verified}");
    assert_eq!(verified["games_replayed"], 0, "{verified}");
    assert!(
        verified["games_checked"].as_u64().unwrap() >= 40,
        "{verified}"
    );
    let told = place.good(&["-q", "verify", "--population", "timed"]);
    assert!(
        told.contains("games of this run cannot be played again"),
        "{told}"
    );
    // A population that was begun with the consent keeps it.
    place.good(&args("timed", &["--engine", ENGINE]));
}
