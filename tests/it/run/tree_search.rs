//! Populations whose games the Monte-Carlo tree search plays: the same champion
//! with any number of threads, and games that can be searched again.

use std::fs;

use loatune::search::signature::TREE_SIGNATURE;

use crate::support::binary::Place;

/// Small and quick.
const SMALL: &str = "\
[player]
search = \"mcts\"
depth = 0
nodes = 120

[evolution]
budget = 40
population = 4

[final]
certificate_games = 4
hall_games = 2

[run]
window = 4
checkpoint = 10

[http]
enabled = false
";

#[test]
fn the_tree_search_plays_for_a_population() {
    let champion = |threads: &str| {
        let place = Place::new().with("params.toml", SMALL);
        let output = place.run(&["run", "--threads", threads]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{told}");
        let file = place.path().join("populations/default/champion.toml");
        (fs::read_to_string(file).unwrap(), place)
    };
    let (alone, place) = champion("1");
    assert_eq!(alone, champion("3").0);
    let verified = place.json(&["-q", "verify", "--all", "--json"]);
    assert_eq!(verified["ok"], true, "{verified}");
    assert_eq!(verified["games_replayed"], verified["games_checked"]);
    let file = "populations/default/champion.toml";
    let certified = place.json(&["-q", "certify", "--json", file]);
    assert_eq!(certified["holds"], true, "{certified}");
    assert_eq!(certified["engine"]["claimed"], TREE_SIGNATURE);
}
