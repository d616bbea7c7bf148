//! Records: there and back again, and no bytes that panic.

use proptest::prelude::*;

use super::super::blocks;
use super::super::tables::{Checkpoint, Head, StoredEvent};
use super::*;
use crate::arena::openings::RandomOpenings;
use crate::arena::{
    Builtin, Contender, EndCause, Fault, GameOutcome, GameRecord, MoveLimits, Openings, play_game,
};
use crate::board::Side;
use crate::game::Rules;
use crate::game::Winner;
use crate::notation::{parse_move, parse_position};
use crate::random::Stream;
use crate::search::Algorithm;
use crate::search::value::WIN;
use crate::stats::Record;
use crate::weights::random_weights;

fn game() -> impl Strategy<Value = StoredGame> {
    let reason = prop_oneof![
        Just(StoredReason::Connected),
        Just(StoredReason::MaxPlies),
        any::<u64>().prop_map(StoredReason::Hangs),
        ".*".prop_map(StoredReason::Dies),
        ".*".prop_map(StoredReason::Illegal),
    ];
    let winner = prop_oneof![
        Just(StoredWinner::Black),
        Just(StoredWinner::White),
        Just(StoredWinner::Nobody),
    ];
    let moves = prop::collection::vec(any::<u16>(), 0..60);
    let first = prop::option::of(".{0,40}");
    let rest = (
        any::<Option<i32>>(),
        any::<Option<u32>>(),
        any::<[u64; 2]>(),
    );
    (first, any::<u32>(), moves, winner, reason, rest).prop_map(
        |(first, opening_plies, moves, winner, reason, (final_value, loser_groups, nodes))| {
            StoredGame {
                first,
                opening_plies,
                moves,
                winner,
                reason,
                final_value,
                loser_groups,
                nodes,
            }
        },
    )
}

/// Genomes of the first genes, and of other numbers.
fn weights() -> impl Strategy<Value = Genome> {
    let genes = prop_oneof![Just(11), 0..40_usize];
    let values = genes.prop_flat_map(|genes| prop::collection::vec(any::<[i32; 2]>(), genes));
    values.prop_map(|values| Genome {
        opening: values.iter().map(|value| value[0]).collect(),
        endgame: values.iter().map(|value| value[1]).collect(),
    })
}

fn entry() -> impl Strategy<Value = Entry> {
    prop_oneof![
        (any::<(u64, u64, u64, bool, u64)>(), game(), game()).prop_map(
            |((number, one, other, is_final, seed), first, second)| {
                Entry::Match(MatchRecord {
                    number,
                    files: [FileId(one), FileId(other)],
                    is_final,
                    seed,
                    games: [first, second],
                })
            }
        ),
        (".*", weights()).prop_map(|(name, weights)| Entry::Immigrant { name, weights }),
        (".*", prop::collection::vec(".*", 0..4))
            .prop_map(|(params, keys)| Entry::Changed { params, keys }),
        (any::<[u64; 10]>(), ".*").prop_map(|(n, opponent)| {
            Entry::Measured(MeasuredMatch {
                file: FileId(n[0]),
                opponent,
                weights: random_weights(n[0]).into(),
                purpose: if n[1].is_multiple_of(2) {
                    Purpose::Certificate
                } else {
                    Purpose::Hall
                },
                tally: Tally {
                    as_black: Record {
                        wins: n[2],
                        draws: n[3],
                        losses: n[4],
                    },
                    as_white: Record::default(),
                    pairs: Pentanomial([n[5], n[6], n[7], n[8], n[9]]),
                    plies: n[1],
                },
            })
        }),
        (any::<[u64; 3]>(), ".*", weights(), game(), game()).prop_map(
            |(n, opponent, weights, first, second)| {
                Entry::MeasuredPair(MeasuredPair {
                    file: FileId(n[0]),
                    opponent,
                    weights,
                    purpose: Purpose::Certificate,
                    number: n[1],
                    seed: n[2],
                    games: [first, second],
                })
            }
        ),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn entries_come_back(entry in entry()) {
        let bytes = encode(&entry).unwrap();
        prop_assert_eq!(decode::<Entry>(&bytes).unwrap(), entry.clone());
        let text = serde_json::to_string(&entry).unwrap();
        prop_assert_eq!(serde_json::from_str::<Entry>(&text).unwrap(), entry);
    }

    #[test]
    fn beginnings_come_back(params in ".*", is_first in any::<bool>(), seeds in prop::collection::vec(weights(), 0..3)) {
        let genes = if is_first { GeneTable::first() } else { GeneTable::built_in() };
        let begin = Begin { params, genes, seeds };
        prop_assert_eq!(decode::<Begin>(&encode(&begin).unwrap()).unwrap(), begin);
    }

    #[test]
    fn cut_entries_are_refused(entry in entry(), cut in any::<prop::sample::Index>()) {
        let bytes = encode(&entry).unwrap();
        let cut = cut.index(bytes.len());
        prop_assert!(decode::<Entry>(&bytes[..cut]).is_err());
        let mut longer = bytes;
        longer.push(0);
        prop_assert!(decode::<Entry>(&longer).is_err());
    }

    #[test]
    fn no_bytes_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..300), known in any::<bool>()) {
        if known && let Some(first) = bytes.first_mut() {
            *first = SCHEMA;
        }
        let _ = decode::<Begin>(&bytes);
        let _ = decode::<Head>(&bytes);
        let _ = decode::<Checkpoint>(&bytes);
        let _ = decode::<(u64, StoredEvent)>(&bytes);
        let _ = decode::<crate::evolve::Birth>(&bytes);
        let _ = decode::<crate::evolve::Totals>(&bytes);
        let _ = decode::<crate::evolve::Sample>(&bytes);
        if let Ok(Entry::Match(record)) = decode(&bytes) {
            let _ = record.game_records();
        }
        // What is a block stays one when something is put in.
        let merged = blocks::merge(Some(&bytes), &[(3, b"value")]);
        prop_assert_eq!(merged.is_ok(), blocks::items(&bytes).is_ok());
        if let Ok(merged) = merged {
            prop_assert_eq!(blocks::item(&merged, 3).unwrap(), Some(&b"value"[..]));
        }
    }

    #[test]
    fn no_stored_game_panics(game in game()) {
        let _ = game.record([String::new(), String::new()], 0);
        let mut game = game;
        game.first = None;
        let _ = game.record([String::new(), String::new()], 0);
    }
}

fn played(number: u64) -> [GameRecord; 2] {
    let rules = Rules::default();
    let limits = MoveLimits {
        depth: Some(1),
        ..MoveLimits::default()
    };
    let weights = crate::eval::Weights::source();
    let openings = Openings::random(RandomOpenings::default(), 1, Stream::Match);
    let start = openings.opener(&rules).get(number).unwrap();
    let mut first = Builtin::new("#3", Algorithm::Mtdf, &weights, limits);
    let mut second = Builtin::new("#7", Algorithm::Mtdf, &weights, limits);
    let mut play = |swapped: bool| {
        let players: [&mut dyn Contender; 2] = if swapped {
            [&mut second, &mut first]
        } else {
            [&mut first, &mut second]
        };
        play_game(players, &rules, &start, &|| false).unwrap()
    };
    [play(false), play(true)]
}

fn pairing(number: u64) -> Pairing {
    Pairing {
        number,
        files: [FileId(3), FileId(7)],
        weights: [Genome::default(), Genome::default()],
        is_final: false,
    }
}

#[test]
fn real_games_come_back_and_are_small() {
    let mut bytes = 0;
    for number in 0..20 {
        let games = played(number);
        let record = MatchRecord::new(&pairing(number), &games).unwrap();
        let back = record.game_records().unwrap();
        assert_eq!(back, games);
        back[0].replay(&Rules::default()).unwrap();
        bytes += encode(&record).unwrap().len();
    }
    assert!(bytes < 20 * 2 * 150, "{bytes} bytes for 40 games");
}

#[test]
fn other_first_positions_passes_and_faults_come_back() {
    let mut games = played(0);
    let first = parse_position("7o/8/7o/8/8/x7/8/x6o x").unwrap();
    for game in &mut games {
        *game = GameRecord {
            first,
            moves: vec![parse_move(&first, "a3-b2").unwrap()],
            opening_plies: 0,
            ..game.clone()
        };
    }
    games[0].outcome = GameOutcome {
        winner: Winner::Side(Side::O),
        cause: EndCause::Fault(Fault::Dies(String::from("exit code 1"))),
    };
    games[0].final_value = None;
    games[0].loser_groups = None;
    games[1].outcome.cause = EndCause::Fault(Fault::Hangs(1500));
    let record = MatchRecord::new(&pairing(0), &games).unwrap();
    assert_eq!(record.game_records().unwrap(), games);
}

#[test]
fn games_of_two_openings_are_no_match() {
    let mut games = played(0);
    games[1].seed ^= 1;
    let error = MatchRecord::new(&pairing(4), &games).unwrap_err();
    let message = "match 4: its games have the seeds ";
    assert!(error.to_string().starts_with(message), "{error}");
}

#[test]
fn a_stored_game_that_is_none_is_refused() {
    let record = MatchRecord::new(&pairing(4), &played(0)).unwrap();
    let refused = |forge: fn(&mut StoredGame)| {
        let mut record = record.clone();
        forge(&mut record.games[1]);
        record.game_records().unwrap_err().to_string()
    };
    for (forge, message) in [
        (
            (|game| game.moves[0] = 0) as fn(&mut StoredGame),
            "match 4, game 2: ply 1: ",
        ),
        (
            |game| game.first = Some("x".into()),
            "match 4, game 2: bad first",
        ),
    ] {
        let error = refused(forge);
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn scores() {
    let mut record = some_match(&pairing(0));
    let mut score = |games: [(StoredWinner, Option<i32>); 2]| {
        for (game, (winner, value)) in record.games.iter_mut().zip(games) {
            game.winner = winner;
            game.final_value = value;
        }
        let result = record.result();
        assert_eq!(result.files, [FileId(3), FileId(7)]);
        result.score
    };
    use StoredWinner::{Black, Nobody, White};
    // The first file is Black in the first game and White in the second.
    assert_eq!(score([(Black, Some(WIN)), (White, Some(WIN))]), 1.0);
    assert_eq!(score([(White, Some(WIN)), (Black, Some(WIN))]), -1.0);
    assert_eq!(score([(Black, Some(WIN)), (Black, Some(WIN))]), 0.0);
    assert_eq!(score([(Black, Some(WIN / 2)), (White, Some(WIN))]), 0.75);
    assert_eq!(score([(Black, None), (Nobody, None)]), 0.5);
    assert_eq!(score([(White, None), (Nobody, None)]), -0.5);
    // Nobody gets more than 1 or loses by a win.
    assert_eq!(
        score([(Black, Some(2 * WIN)), (White, Some(i32::MAX))]),
        1.0
    );
    assert_eq!(score([(Black, Some(-500)), (White, Some(i32::MIN))]), 0.0);
    assert_eq!(score([(Nobody, Some(WIN)), (Nobody, None)]), 0.0);
}
