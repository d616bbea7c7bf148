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

/// Options are a part of the search: the games are played with them, and everything
/// that plays them again does, too.
#[test]
fn a_population_has_the_options_of_its_player() {
    for (given, written) in [
        ("mcts:c=-1,rave=50,leaf=2", "mcts:c=-1,rave=50,leaf=2"),
        (
            "selective:quiescence=0,lmr=0",
            "selective:lmr=0,quiescence=0",
        ),
    ] {
        let place = Place::new().with("params.toml", SMALL);
        // So many games that other moves hardly come to the same results.
        let args = ["run", "--player", given, "--certificate-games", "24"];
        let output = place.run(&args);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{told}");
        let file = "populations/default/champion.toml";
        let text = fs::read_to_string(place.path().join(file)).unwrap();
        let line = format!("\nsearch = \"{written}\"\n");
        assert!(text.contains(&line), "{text}");
        let verified = place.json(&["-q", "verify", "--all", "--json"]);
        assert_eq!(verified["ok"], true, "{verified}");
        assert_eq!(verified["games_replayed"], verified["games_checked"]);
        let certified = place.json(&["-q", "certify", "--json", file]);
        assert_eq!(certified["holds"], true, "{certified}");
        // With the usual options the games are others.
        let (usual, _) = written.split_once(':').unwrap();
        let usual = text.replace(&line, &format!("\nsearch = \"{usual}\"\n"));
        fs::write(place.path().join("usual.toml"), usual).unwrap();
        let certified = place.run(&["-q", "certify", "--json", "usual.toml"]);
        assert_eq!(certified.status.code(), Some(1));
        let (fewer, _) = given.split_once(',').unwrap();
        let refused = place.refused(&["run", "--player", fewer, "--certificate-games", "24"]);
        assert!(refused.contains("player.search"), "{refused}");
    }
}
