//! The selective search: what it claims is true, and it is the same every time.

use loatune::board::Board;
use loatune::eval::Weights;
use loatune::game::{Game, Rules};
use loatune::search::selective::Tuning;
use loatune::search::selective::tuning::ROWS;
use loatune::search::signature::{POSITIONS, board_of};
use loatune::search::value::{WIN_THRESHOLD, plies_to_end};
use loatune::search::{Algorithm, Engine, Limits, Report};

use crate::support::endings;

fn engine(algorithm: Algorithm, tuning: Tuning) -> Engine {
    Engine::new(algorithm, &Weights::source(), Rules::default(), 1024).with_tuning(tuning)
}

fn search(algorithm: Algorithm, tuning: Tuning, board: &Board, limits: Limits) -> Report {
    engine(algorithm, tuning).search(board, 0, limits, &|| false, &mut |_| {})
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        nodes: None,
        ..Limits::default()
    }
}

#[test]
fn a_win_or_loss_that_it_reports_is_real() {
    let (mut wins, mut losses) = (0, 0);
    for board in endings(9_000, 25, 8) {
        let found = search(Algorithm::Selective, Tuning::default(), &board, depth(4));
        let Some(plies) = plies_to_end(found.value()).filter(|&plies| plies <= 5) else {
            continue;
        };
        let exact = search(Algorithm::Mtdf, Tuning::default(), &board, depth(plies));
        assert!(
            found.value().signum() == exact.value().signum() && exact.value().abs() > WIN_THRESHOLD,
            "{} in {plies} against {} on {board:?}",
            found.value(),
            exact.value()
        );
        wins += u32::from(found.value() > 0);
        losses += u32::from(found.value() < 0);
        // The principal variation of a decided game leads to its end.
        let mut game = Game::from_board(Rules::default(), board);
        for &mv in found.pv() {
            game.play(mv).expect("the principal variation is legal");
        }
        assert!(game.outcome().is_some(), "{:?} on {board:?}", found.pv());
    }
    assert!(
        wins > 20 && losses > 5,
        "only {wins} wins and {losses} losses"
    );
}

#[test]
fn equal_searches_are_equal() {
    for (text, _) in POSITIONS {
        let board = board_of(text);
        for limits in [
            depth(5),
            Limits {
                depth: None,
                nodes: Some(20_000),
                ..Limits::default()
            },
        ] {
            let once = search(Algorithm::Selective, Tuning::default(), &board, limits);
            let twice = search(Algorithm::Selective, Tuning::default(), &board, limits);
            assert_eq!(once, twice);
            assert!(board.is_legal(once.best.expect("the game goes on")));
        }
    }
}

#[test]
fn every_constant_changes_what_is_searched() {
    let nodes = |tuning: Tuning| -> u64 {
        let positions = POSITIONS.iter().skip(5).step_by(2);
        let of = |text| {
            let board = board_of(text);
            search(Algorithm::Selective, tuning, &board, depth(7)).nodes
        };
        positions.map(|(text, _)| of(text)).sum()
    };
    let usual = nodes(Tuning::default());
    // Repetition needs a game, what is kept of history a second search, a deeper entry
    // a longer one.
    let elsewhere = [
        "repetition",
        "history_kept",
        "keep_deeper",
        "keep_deeper_plies",
    ];
    for row in ROWS.iter().filter(|row| !elsewhere.contains(&row.name)) {
        let changes = |value: i32| {
            let mut other = Tuning::default();
            let set = other.set(row.name, &value.to_string());
            set.expect("in range");
            nodes(other) != usual
        };
        assert!(changes(row.least) || changes(row.most), "{}", row.name);
    }
    assert_eq!(nodes(Tuning::default()), usual);
}

#[test]
fn history_is_kept_for_the_next_search() {
    let second = |kept: &str| {
        let mut tuning = Tuning::default();
        tuning.set("history_kept", kept).expect("in range");
        let mut engine = engine(Algorithm::Selective, tuning);
        let found = POSITIONS[5..8].iter().map(|(text, _)| {
            let board = board_of(text);
            engine.search(&board, 0, depth(6), &|| false, &mut |_| {})
        });
        found.map(|report| report.nodes).collect::<Vec<_>>()
    };
    let (none, usual, all) = (second("0"), second("50"), second("100"));
    assert_eq!((none[0], none[0]), (usual[0], all[0]));
    assert!(none != usual && usual != all, "{none:?} {usual:?} {all:?}");
}

#[test]
fn a_position_of_the_game_is_a_draw_when_it_comes_back() {
    // Black has a move that leads back to where the game was before.
    let board = board_of("o3x3/8/3x4/5o2/1x6/2x2o2/o5o1/2x5 x");
    let usual = search(Algorithm::Selective, Tuning::default(), &board, depth(4));
    let best = usual.best.expect("the game goes on");
    let mut engine = engine(Algorithm::Selective, Tuning::default());
    // As if the position after the best move had been there one ply ago.
    engine.set_past(&[board.key_after(best)]);
    let warned = engine.search(&board, 0, depth(4), &|| false, &mut |_| {});
    assert!(usual.value() > 0, "{}", usual.value());
    assert!(
        warned.best != Some(best) || warned.value() == 0,
        "{best} is a draw now"
    );
}
