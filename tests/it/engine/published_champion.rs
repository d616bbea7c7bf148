//! The first published champion plays as it did. Its weight file has format 1 and eleven
//! genes; `tests/data/champion-games.sgf` has games of it that were played by the
//! program that published it (commit 33dabeb), before the gene table grew: 24 against
//! each opponent of the certificate, with that one's weights, by
//! `loatune match champion OPPONENT --games 24 --depth 4 --hash 256 --sgf FILE`, the
//! second with `--seed 2`.

use loatune::arena::openings::Start;
use loatune::arena::{Builtin, MoveLimits, Opening, play_game};
use loatune::eval::Weights;
use loatune::notation::parse_sgf;
use loatune::search::EngineVersion;
use loatune::weights::WeightFile;
use serde_json::Value;

use crate::support::binary::Place;

const CHAMPION: &str = include_str!("../../../populations/published/champion-1.toml");
const GAMES: &str = include_str!("../../data/champion-games.sgf");

/// Positions that the champion and the opponents visited in these games, as the
/// program of that time counted them.
const NODES: [u64; 2] = [2_172_536 + 1_946_704, 1_875_268 + 3_366_566];

/// Every move of both players, and the number of positions that they looked at to find
/// it.
#[test]
fn the_games_of_the_first_program_come_out_again() {
    let champion = WeightFile::parse(CHAMPION, "champion.toml").unwrap();
    let certificate = champion.certificate.as_ref().unwrap();
    let conditions = &certificate.conditions;
    let search = conditions.player.search;
    let version = EngineVersion::from_signature(search.algorithm, certificate.engine);
    assert_eq!(version, Some(EngineVersion::First));
    let player = |weights: &Weights| {
        Builtin::new("", search, weights, MoveLimits::from(&conditions.player))
            .with_table(conditions.player.table_kib)
            .with_version(EngineVersion::First)
    };
    let games = parse_sgf(GAMES, &conditions.rules).unwrap();
    assert_eq!(games.len(), 48);
    let mut nodes = [0; 2];
    let mut moves = 0;
    for (n, sgf) in games.iter().enumerate() {
        // The opponents in the order of the certificate, 24 games each.
        let opponent = &certificate.results[n / 24].weights;
        let is_black = sgf.players[0] == "champion";
        assert_ne!(is_black, sgf.players[1] == "champion", "{:?}", sgf.players);
        let mut seats = [player(&champion.weights), player(opponent)];
        let [own, other] = &mut seats;
        let played = sgf.game.played();
        let start = Start {
            opening: Opening {
                first: sgf.game.boards()[0],
                moves: played[..conditions.openings.plies as usize].to_vec(),
            },
            seed: 0,
        };
        let seats = if is_black { [own, other] } else { [other, own] };
        let [black, white] = seats;
        let found = play_game([black, white], &conditions.rules, &start, &|| false);
        let found = found.unwrap();
        assert_eq!(found.moves, played, "game {n}");
        let [black, white] = found.nodes;
        let of_both = if is_black {
            [black, white]
        } else {
            [white, black]
        };
        nodes = [nodes[0] + of_both[0], nodes[1] + of_both[1]];
        moves += played.len();
    }
    assert!(moves > 1500, "{moves}");
    assert_eq!(nodes, NODES);
}

/// The certificate itself, but for its second match.
#[test]
#[ignore = "plays 2,000 games at depth 4, which takes minutes"]
fn the_certificate_holds_to_the_game() {
    let mut matches = CHAMPION.match_indices("[[certificate.match]]");
    let second = matches.nth(1).unwrap().0;
    let place = Place::new().with("champion.toml", &CHAMPION[..second]);
    let found: Value = place.json(&["-q", "certify", "champion.toml", "--json"]);
    assert_eq!(found["holds"], true, "{found}");
    assert_eq!(found["results"][0]["now"]["wins"], 1823, "{found}");
}
