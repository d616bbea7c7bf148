//! The five searches: one value, whatever the way to it.

use loatune::board::{Board, Side};
use loatune::eval::Weights;
use loatune::eval::genes::{GENES, TABLE};
use loatune::game::{NoMoves, Rules, Simultaneous};
use loatune::search::value::{WIN_THRESHOLD, plies_to_end};
use loatune::search::{Algorithm, Engine, EngineVersion, Limits, Report};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::support::{drawn, random_walk};

const KIB: u32 = 1024;

fn search(player: Algorithm, weights: &Weights, rules: Rules, board: &Board, depth: u32) -> Report {
    let mut engine = Engine::new(player, weights, rules, KIB);
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    engine.search(board, 0, limits, &|| false, &mut |_| {})
}

fn random_weights(rng: &mut ChaCha8Rng) -> Weights {
    let values: [i32; GENES] =
        std::array::from_fn(|n| rng.random_range(TABLE[n].min..=TABLE[n].max));
    let mut weights = Weights::uniform(values);
    if rng.random_bool(0.5) {
        for (n, gene) in TABLE.iter().enumerate() {
            if gene.role == loatune::eval::genes::Role::Weight {
                weights.endgame[n] = rng.random_range(gene.min..=gene.max);
            }
        }
    }
    weights
}

/// Positions of all kinds, the last plies of games among them.
fn positions(seed: u64, games: u64) -> Vec<Board> {
    let mut boards = Vec::new();
    for game in 0..games {
        let walk = random_walk(seed + game, 200);
        let late = walk.len().saturating_sub(9);
        boards.extend(
            walk.iter()
                .enumerate()
                .filter(|(n, _)| n % 17 == 3 || *n >= late)
                .map(|(_, b)| *b),
        );
    }
    boards.retain(|board| !board.is_decided() && board.mobility(board.turn()) > 0);
    boards
}

fn variants() -> [Rules; 3] {
    let base = Rules::default();
    [
        base,
        Rules {
            simultaneous: Simultaneous::Draw,
            ..base
        },
        Rules {
            no_moves: NoMoves::Passes,
            simultaneous: Simultaneous::Draw,
            ..base
        },
    ]
}

#[test]
fn all_five_return_the_same_value() {
    let (checked, decided) = compare_all_five(100, 5);
    assert!(checked > 60, "only {checked} positions");
    assert!(decided > 10, "only {decided} decided positions");
}

#[test]
#[ignore = "minimax and negamax search some hundred positions without pruning: most of a minute"]
fn all_five_return_the_same_value_in_many_positions() {
    let (checked, decided) = compare_all_five(100, 24);
    assert!(checked > 300, "only {checked} positions");
    assert!(decided > 50, "only {decided} decided positions");
}

/// Searches positions of so many games with every algorithm. Says how many
/// positions these were, and how many of them were decided.
fn compare_all_five(seed: u64, games: u64) -> (u32, u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut checked, mut decided) = (0, 0);
    for (n, board) in positions(seed, games).iter().enumerate() {
        let weights = if n % 4 == 0 {
            Weights::source()
        } else {
            random_weights(&mut rng)
        };
        let rules = variants()[n % 3];
        let depth = if board.mobility(board.turn()) < 16 {
            4
        } else {
            3
        };
        let expected = search(Algorithm::Negamax, &weights, rules, board, depth);
        for player in Algorithm::EXACT {
            let report = search(player, &weights, rules, board, depth);
            assert_eq!(
                report.value(),
                expected.value(),
                "{player} at depth {depth} of {board:?}"
            );
            let best = report.best.unwrap();
            assert!(board.is_legal(best), "{player} plays {best} on {board:?}");
            assert_eq!(report.pv().first(), Some(&best));
        }
        checked += 1;
        decided += u32::from(expected.value().abs() > WIN_THRESHOLD);
    }
    (checked, decided)
}

/// The move of each player leads to the value it claims.
#[test]
fn the_move_is_worth_the_value() {
    for board in positions(500, 6) {
        for player in Algorithm::EXACT {
            let weights = Weights::source();
            let report = search(player, &weights, Rules::default(), &board, 3);
            let next = board.play(report.best.unwrap());
            let after = search(Algorithm::AlphaBeta, &weights, Rules::default(), &next, 2);
            let value = match loatune::search::value::terminal_value(&next, &Rules::default(), 1) {
                Some(value) => -value,
                None if after.value().abs() > WIN_THRESHOLD => {
                    // The same end, one ply nearer when seen from here.
                    -after.value() + 16 * after.value().signum()
                }
                None => -after.value(),
            };
            assert_eq!(value, report.value(), "{player} on {board:?}");
        }
    }
}

#[test]
fn a_full_table_changes_no_value() {
    let weights = Weights::source();
    for board in positions(900, 3).iter().step_by(3) {
        let expected = search(Algorithm::AlphaBeta, &weights, Rules::default(), board, 4).value();
        let mut small = Engine::new(Algorithm::Mtdf, &weights, Rules::default(), 64);
        for depth in [4, 5, 4] {
            let limits = Limits {
                depth: Some(depth),
                ..Limits::default()
            };
            let report = small.search(board, 0, limits, &|| false, &mut |_| {});
            if depth == 4 {
                assert_eq!(report.value(), expected, "{board:?}");
            }
        }
    }
}

/// A cleared table is as good as a new one: same nodes, same line.
#[test]
fn a_cleared_engine_searches_like_a_new_one() {
    let weights = Weights::source();
    let boards = positions(40, 2);
    let limits = Limits {
        depth: Some(4),
        ..Limits::default()
    };
    let mut used = Engine::new(Algorithm::Mtdf, &weights, Rules::default(), 64);
    for board in boards.iter().step_by(5) {
        used.new_game();
        let again = used.search(board, 0, limits, &|| false, &mut |_| {});
        let mut new = Engine::new(Algorithm::Mtdf, &weights, Rules::default(), 64);
        new.new_game();
        let first = new.search(board, 0, limits, &|| false, &mut |_| {});
        assert_eq!(again, first, "{board:?}");
    }
}

#[test]
fn a_win_is_seen_as_far_away_as_it_is_and_the_nearest_is_taken() {
    // Black connects with c3-d3 at once; other wins are further away.
    let board = drawn(
        Side::X,
        "........
         .o......
         ........
         ........
         ....x...
         ..x.....
         ........
         .......o",
    );
    for player in Algorithm::ALL {
        for depth in 1..=4 {
            let report = search(player, &Weights::source(), Rules::default(), &board, depth);
            assert_eq!(plies_to_end(report.value()), Some(1), "{player} {depth}");
            assert!(report.value() > WIN_THRESHOLD);
            assert!(board.after(report.best.unwrap()).is_connected(Side::X));
        }
    }
}

#[test]
fn among_wins_of_the_same_length_more_groups_are_left() {
    let mut choices = 0;
    for board in positions(3_000, 300) {
        let wins: Vec<u32> = board
            .moves()
            .iter()
            .map(|&mv| board.after(mv))
            .filter(|next| next.is_connected(board.turn()))
            .map(|next| next.pieces(!board.turn()).groups())
            .collect();
        let Some(&most) = wins.iter().max() else {
            continue;
        };
        choices += u32::from(wins.iter().any(|&groups| groups != most));
        for player in [Algorithm::Negamax, Algorithm::Mtdf] {
            let report = search(player, &Weights::source(), Rules::default(), &board, 3);
            let next = board.after(report.best.unwrap());
            assert_eq!(
                next.pieces(!board.turn()).groups(),
                most,
                "{player} on {board:?}"
            );
        }
    }
    assert!(choices > 15, "only {choices} positions with a choice");
}

#[test]
fn node_limits_are_kept_and_leave_a_legal_move() {
    for player in Algorithm::ALL {
        for nodes in [1, 2, 10, 1000, 20_000] {
            let mut engine = Engine::new(player, &Weights::source(), Rules::default(), KIB);
            let limits = Limits {
                nodes: Some(nodes),
                depth: None,
                ..Limits::default()
            };
            let report = engine.search(&Board::start(), 0, limits, &|| false, &mut |_| {});
            assert!(
                report.nodes <= nodes + 200,
                "{player}: {} of {nodes}",
                report.nodes
            );
            assert!(Board::start().is_legal(report.best.unwrap()));
            let last = report.iterations.last().map(|last| last.pv[0]);
            // A selective search keeps what an unfinished depth has found.
            let may_differ = player == Algorithm::Selective;
            assert!(
                may_differ || last.is_none_or(|mv| Some(mv) == report.best),
                "{player} {nodes}"
            );
        }
    }
}

/// Wins in 3 and 5 plies: every player that looks deep enough sees them, and
/// playing the best moves of both sides ends the game after just so many.
#[test]
fn wins_in_n_are_found_and_carried_out() {
    let mut found = [0; 6];
    for board in positions(7_000, 60) {
        let report = search(
            Algorithm::Mtdf,
            &Weights::source(),
            Rules::default(),
            &board,
            5,
        );
        let Some(plies) = plies_to_end(report.value()) else {
            continue;
        };
        if plies < 2 || found[plies as usize] >= 12 {
            continue;
        }
        found[plies as usize] += 1;
        for player in [Algorithm::AlphaBeta, Algorithm::Memory] {
            let other = search(player, &Weights::source(), Rules::default(), &board, plies);
            assert_eq!(other.value(), report.value(), "{player} on {board:?}");
        }
        let winner = if report.value() > 0 {
            board.turn()
        } else {
            !board.turn()
        };
        let mut now = board;
        for left in (1..=plies).rev() {
            let report = search(
                Algorithm::Mtdf,
                &Weights::source(),
                Rules::default(),
                &now,
                left,
            );
            assert_eq!(plies_to_end(report.value()), Some(left), "{now:?}");
            now = now.play(report.best.unwrap());
        }
        assert!(now.is_connected(winner), "{now:?}");
    }
    assert!(
        found[2..].iter().all(|&count| count >= 3),
        "ends after n plies: {found:?}"
    );
}

/// Under a limit of depth, too, a proven result ends the search; its principal
/// variation goes to the end of the game, even where the table is full.
#[test]
fn the_line_of_a_proven_result_leads_to_the_end() {
    let mut lengths = [0; 6];
    for (n, board) in positions(8_000, 14).iter().enumerate() {
        let rules = variants()[n % 3];
        for (player, kib) in [
            (Algorithm::Mtdf, KIB),
            (Algorithm::Mtdf, 64),
            (Algorithm::Memory, 64),
        ] {
            let mut engine = Engine::new(player, &Weights::source(), rules, kib);
            let limits = Limits {
                depth: Some(5),
                ..Limits::default()
            };
            let report = engine.deepening_search(board, 0, limits, &|| false, &mut |_| {});
            let Some(plies) = plies_to_end(report.value()) else {
                continue;
            };
            assert_eq!(report.depth(), plies, "{player} on {board:?}");
            assert!(!report.stopped);
            assert_eq!(report.pv().len() as u32, plies, "{player} on {board:?}");
            let mut now = *board;
            for &mv in report.pv() {
                assert!(!now.is_decided());
                assert!(mv.is_pass() || now.is_legal(mv), "{mv} on {now:?}");
                now = if mv.is_pass() {
                    now.pass()
                } else {
                    now.play(mv)
                };
            }
            let end = loatune::search::value::terminal_value(&now, &rules, plies);
            let sign = if plies % 2 == 0 { 1 } else { -1 };
            let end = end.map(|value| sign * value);
            assert_eq!(end, Some(report.value()), "{player} on {board:?}");
            lengths[plies as usize] += 1;
        }
    }
    assert!(lengths[1..].iter().all(|&count| count >= 3), "{lengths:?}");
}

/// A proven result ends a search under a limit of depth, with the value and a
/// move that the whole search would have had.
#[test]
fn a_proven_result_needs_no_deeper_search() {
    let mut proven = 0;
    for board in positions(9_000, 12) {
        let report = search(
            Algorithm::Mtdf,
            &Weights::source(),
            Rules::default(),
            &board,
            5,
        );
        if plies_to_end(report.value()).is_none() {
            assert_eq!(report.depth(), 5);
            continue;
        }
        proven += u32::from(report.depth() < 5);
        let mut first = Engine::new(Algorithm::Mtdf, &Weights::source(), Rules::default(), KIB)
            .with_version(EngineVersion::First);
        let limits = Limits {
            depth: Some(5),
            ..Limits::default()
        };
        let whole = first.search(&board, 0, limits, &|| false, &mut |_| {});
        assert_eq!(whole.depth(), 5);
        assert_eq!(whole.value(), report.value(), "{board:?}");
    }
    assert!(
        proven > 10,
        "only {proven} results proven before the last depth"
    );
}
