//! A population that goes back to what it was before a match.

use crate::support::binary::Place;

const PARAMS: &str = "\
[player]
depth = 1

[evolution]
budget = 240

[final]
certificate_games = 8
hall_games = 2
";

#[test]
fn what_was_given_up_is_played_again_with_the_same_champion() {
    let place = Place::new().with("params.toml", PARAMS);
    place.good(&["-q", "run", "-p", "mine", "--no-http"]);
    let champion = || std::fs::read(place.path().join("populations/mine/champion.toml")).unwrap();
    let first = champion();
    for matches in [119, 40, 0] {
        let before = matches.to_string();
        let told = place.json(&["repair", "-p", "mine", "--before", &before, "--json"]);
        assert_eq!(told["matches"], matches, "{told}");
        assert!(told["cut"]["bytes"].as_u64() > Some(0), "{told}");
        let status = place.json(&["status", "-p", "mine", "--json"]);
        assert_eq!(status["matches"], matches);
        place.good(&["-q", "run", "-p", "mine", "--no-http"]);
        assert_eq!(champion(), first);
    }
    let message = place.refused(&["repair", "-p", "mine", "--before", "100000"]);
    assert!(
        message.contains("--before 100000: the population mine has only"),
        "{message}"
    );
}
