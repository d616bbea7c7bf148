//! The board against everything that can be asked of it independently: known
//! perft numbers, positions of another program, a slow implementation, and its
//! own sums computed from nothing.

use std::collections::BTreeSet;

use loatune::board::{Board, LiftedPieces, Move, Side};
use loatune::game::Rules;
use loatune::game::perft::{LeafCounting, PerftCounts, divide, perft};
use proptest::prelude::*;
use serde_json::Value;

use crate::support::slow::{Slow, Step};
use crate::support::{START, drawn, random_walk, slow};

fn board_of(text: &str) -> Board {
    let position = Slow::from_text(text);
    let side = if position.turn() == 'x' {
        Side::X
    } else {
        Side::O
    };
    let mut rows = String::new();
    for rank in (0..8).rev() {
        rows.extend((0..8).map(|file| position.cell(file, rank)));
        rows.push('\n');
    }
    drawn(side, &rows)
}

fn step_of(mv: Move) -> Step {
    let square = |s: loatune::board::Square| (s.file() as usize, s.rank() as usize);
    (square(mv.from()), square(mv.to()))
}

fn data(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Everything the board keeps, against the slow implementation and against
/// itself made from nothing.
fn check(board: &Board) {
    let fresh = Board::new([board.pieces(Side::X), board.pieces(Side::O)], board.turn()).unwrap();
    assert!(fresh == *board, "kept and fresh state differ on {board:?}");

    let slow = slow(board);
    let moves = board.moves();
    let ours: BTreeSet<Step> = moves.iter().map(|&mv| step_of(mv)).collect();
    let theirs: BTreeSet<Step> = slow.moves().into_iter().collect();
    assert_eq!(ours, theirs, "moves of {board:?}");
    assert_eq!(ours.len(), moves.len(), "a move twice on {board:?}");

    for side in Side::BOTH {
        let letter = side.letter();
        let moves = slow.moves_of(letter);
        let captures = moves.iter().filter(|&&step| slow.is_capture(step)).count();
        assert_eq!(board.mobility(side) as usize, moves.len(), "{board:?}");
        assert_eq!(board.captures(side) as usize, captures, "{board:?}");

        let (quads, diagonal) = slow.quads(letter);
        assert_eq!(
            board.euler4(side),
            quads[1] - quads[3] - 2 * diagonal,
            "{board:?}"
        );
        assert_eq!(board.quad3(side) as i32, quads[3], "{board:?}");
        assert_eq!(board.quad4(side) as i32, quads[4], "{board:?}");

        let groups = slow.groups(letter);
        assert_eq!(board.pieces(side).groups() as usize, groups, "{board:?}");
        assert_eq!(board.is_connected(side), groups == 1, "{board:?}");

        for n in 0..8 {
            let on_file = (0..8).filter(|&rank| slow.cell(n, rank) == letter).count();
            let on_rank = (0..8).filter(|&file| slow.cell(file, n) == letter).count();
            assert_eq!(board.file_counts(side) >> (4 * n) & 15, on_file as u32);
            assert_eq!(board.rank_counts(side) >> (4 * n) & 15, on_rank as u32);
        }
    }

    let mut lifted = LiftedPieces::new();
    board.lift_pieces(board.turn(), &mut lifted);
    for (n, &mv) in moves.iter().enumerate() {
        assert_eq!(board.nth_move(n as u32), Some(mv));
        assert!(board.is_legal(mv));
        assert_eq!(mv.is_capture(), slow.is_capture(step_of(mv)));
        let after = board.after(mv);
        assert!(after == *board.play(mv).snapshot());
        assert!(after == board.after_lifted(&lifted, board.turn(), mv));
        assert!(Move::from_bits(mv.to_bits()) == mv);
    }
    assert_eq!(board.nth_move(moves.len() as u32), None);
}

fn check_tree(board: &Board, depth: u32) {
    check(board);
    if depth > 0 && !board.is_decided() {
        for &mv in board.moves().iter() {
            check_tree(&board.play(mv), depth - 1);
        }
    }
}

#[test]
fn perft_from_the_start_is_that_of_the_literature() {
    let rules = Rules::default();
    let known = [1, 36, 1_244, 44_952, 1_563_208, 55_963_132];
    for (depth, nodes) in known.into_iter().enumerate() {
        let bulk = perft(&Board::start(), depth as u32, LeafCounting::Bulk, &rules);
        assert_eq!(bulk.nodes, nodes, "depth {depth}");
        if depth > 0 {
            let full = perft(&Board::start(), depth as u32, LeafCounting::Full, &rules);
            assert_eq!(full, bulk, "depth {depth}");
        }
    }
}

#[test]
fn perft_of_many_positions_is_that_of_another_implementation() {
    let cases = data(include_str!("../../data/perft.json"));
    let cases = cases.as_array().unwrap();
    assert!(cases.len() > 20);
    for case in cases {
        let text = case["position"].as_str().unwrap();
        let board = board_of(text);
        for (n, expected) in case["depths"].as_array().unwrap().iter().enumerate() {
            let field = |name: &str| expected[name].as_u64().unwrap();
            let expected = PerftCounts {
                nodes: field("nodes"),
                captures: field("captures"),
                wins: field("wins"),
            };
            for leaves in [LeafCounting::Bulk, LeafCounting::Full] {
                let count = perft(&board, n as u32 + 1, leaves, &Rules::default());
                assert_eq!(count, expected, "{text} depth {} {leaves:?}", n + 1);
            }
        }
    }
}

#[test]
fn divide_adds_up() {
    let rules = Rules::default();
    for (depth, leaves) in [
        (1, LeafCounting::Bulk),
        (2, LeafCounting::Full),
        (3, LeafCounting::Bulk),
    ] {
        let parts = divide(&Board::start(), depth, leaves, &rules);
        assert_eq!(parts.len(), 36);
        let mut sum = PerftCounts::default();
        parts.iter().for_each(|&(_, count)| sum += count);
        assert_eq!(
            sum,
            perft(&Board::start(), depth, leaves, &rules),
            "depth {depth}"
        );
        assert!(parts.is_sorted_by_key(|(mv, _)| mv.to_string()));
    }
}

#[test]
fn the_positions_of_another_program_have_the_same_moves_and_results() {
    let positions = data(include_str!("../../data/positions.json"));
    let mut finished = 0;
    for case in positions["positions"].as_array().unwrap() {
        let text = case["fen"].as_str().unwrap();
        let board = board_of(text);
        let last_mover = case["last_mover"].as_str().unwrap();
        assert_eq!((!board.turn()).to_string(), last_mover, "{text}");
        let outcome = loatune::game::terminal_outcome(&board, &Rules::default());
        // That program draws on the second occurrence, which is not our rule.
        if case["reason"] == "repetition_or_maxlen" {
            assert_eq!(outcome, None, "{text}");
            continue;
        }
        let winner = outcome.map(|outcome| outcome.winner.name());
        assert_eq!(winner, case["winner"].as_str(), "{text}");
        let reason = outcome.map(|outcome| outcome.reason.name());
        let expected = case["reason"].as_str().map(|reason| match reason {
            "both_connected_mover_wins" => "both-connected",
            other => other,
        });
        assert_eq!(reason, expected, "{text}");
        if outcome.is_some() {
            finished += 1;
            continue;
        }
        // It writes every move with a dash.
        let dashed = |mv: &Move| format!("{}-{}", mv.from(), mv.to());
        let listed = |name: &str| -> BTreeSet<String> {
            case[name]
                .as_array()
                .unwrap()
                .iter()
                .map(|mv| mv.as_str().unwrap().into())
                .collect()
        };
        let moves = board.moves();
        let ours: BTreeSet<String> = moves.iter().map(dashed).collect();
        assert_eq!(ours, listed("legal_moves"), "{text}");
        let ours: BTreeSet<String> = moves
            .iter()
            .filter(|mv| mv.is_capture())
            .map(dashed)
            .collect();
        assert_eq!(ours, listed("captures"), "{text}");
    }
    assert_eq!(finished, 16);
}

#[test]
fn kept_state_equals_recomputed_state_at_every_node_of_a_small_perft() {
    check_tree(&board_of(START), 2);
    check_tree(
        &board_of("2o5/3o1x2/8/4o1xo/o2x2x1/o2x1x2/xo1oo1x1/5x1o x"),
        2,
    );
    check_tree(&board_of("8/6x1/2o5/5x2/3o2x1/1o2o3/8/x7 o"), 3);
}

#[test]
fn no_other_number_passes_for_a_legal_move() {
    for board in random_walk(11, 60) {
        let legal: BTreeSet<u16> = board.moves().iter().map(|mv| mv.to_bits()).collect();
        let accepted = (0..=u16::MAX).filter(|&bits| board.is_legal(Move::from_bits(bits)));
        assert_eq!(accepted.collect::<BTreeSet<u16>>(), legal, "{board:?}");
    }
}

#[test]
fn keys_tell_positions_apart() {
    let mut seen = std::collections::HashMap::new();
    for seed in 0..200 {
        for board in random_walk(seed, 100) {
            let what = (board.pieces(Side::X), board.pieces(Side::O), board.turn());
            assert_eq!(*seen.entry(board.key()).or_insert(what), what);
        }
    }
    assert!(seen.len() > 10_000);
    assert_ne!(Board::start().key(), Board::start().pass().key());
    assert!(Board::start().pass().pass() == Board::start());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_games_keep_everything_right(seed in any::<u64>()) {
        for board in random_walk(seed, 150) {
            check(&board);
        }
    }

    #[test]
    fn any_arrangement_of_pieces_is_understood(
        squares in prop::collection::vec(0usize..64, 2..24),
        black in 1usize..12,
        turn in prop::bool::ANY,
    ) {
        let mut rows = [['.'; 8]; 8];
        let (mut xs, mut os) = (0, 0);
        for (n, &square) in squares.iter().enumerate() {
            let cell = &mut rows[square / 8][square % 8];
            if *cell == '.' && n < black && xs < 12 {
                *cell = 'x';
                xs += 1;
            } else if *cell == '.' && os < 12 {
                *cell = 'o';
                os += 1;
            }
        }
        // A position has pieces of both sides; the first square is always Black's.
        prop_assume!(os > 0);
        let text: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        check(&drawn(if turn { Side::X } else { Side::O }, &text.join("\n")));
    }
}
