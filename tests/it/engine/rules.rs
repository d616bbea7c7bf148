//! How games end: every rule, both variants of each switch, drawn as boards.

use loatune::board::{Board, Move, Side};
use loatune::game::perft::{LeafCounting, perft};
use loatune::game::{Game, Outcome, PlayError, Reason, Winner, terminal_outcome};
use loatune::game::{NoMoves, Rules, Simultaneous};
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::support::drawn;

const X: Winner = Winner::Side(Side::X);
const O: Winner = Winner::Side(Side::O);

fn find(game: &Game, text: &str) -> Move {
    let found = game.moves().into_iter().find(|mv| mv.to_string() == text);
    found.unwrap_or_else(|| panic!("{text} is not legal on {:?}", game.board()))
}

fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = find(game, text);
        game.play(mv).unwrap();
    }
}

fn over(winner: Winner, reason: Reason) -> Option<Outcome> {
    Some(Outcome { winner, reason })
}

fn texts(board: &Board) -> Vec<String> {
    let mut moves: Vec<String> = board.moves().iter().map(ToString::to_string).collect();
    moves.sort();
    moves
}

#[test]
fn a_piece_moves_as_far_as_its_line_holds_pieces() {
    let board = drawn(
        Side::X,
        "........
         ........
         ........
         ........
         ...x....
         ........
         ........
         x......o",
    );
    // d4 is alone on its row, column and one diagonal; the other holds a1 too.
    // a1 shares its row with h1 and its diagonal with d4.
    let mut expected = vec![
        "a1-a2", "a1-c1", "a1-c3", "d4-b2", "d4-c4", "d4-c5", "d4-d3", "d4-d5", "d4-e3", "d4-e4",
        "d4-f6",
    ];
    expected.sort_unstable();
    assert_eq!(texts(&board), expected);
}

#[test]
fn a_piece_jumps_its_own_side_but_not_the_enemy_and_captures_by_landing() {
    let board = drawn(
        Side::X,
        "........
         ........
         ........
         ........
         x.x.o...
         ........
         ........
         x..o....",
    );
    let moves = texts(&board);
    // Row 4 holds three: a4 jumps its own c4 to d4; c4 would jump e4.
    assert!(moves.contains(&"a4-d4".into()));
    assert!(
        !moves
            .iter()
            .any(|mv| mv.starts_with("c4") && mv.ends_with("f4"))
    );
    // Row 1 holds two: a1 reaches c1, short of d1.
    assert!(moves.contains(&"a1-c1".into()));
    // The column a holds two: a1 may go to a3, not onto its own a4.
    assert!(moves.contains(&"a1-a3".into()));
    let capture = drawn(
        Side::X,
        "........
         ........
         ........
         ........
         ........
         x.......
         ........
         x.o.....",
    );
    assert!(texts(&capture).contains(&"a1xc1".into()));
    assert!(
        !texts(&capture).contains(&"a1-a3".into()),
        "its own piece stands there"
    );
}

/// Black to play c3-d3, which connects, once its other piece is on e4.
fn one_step_apart(turn: Side) -> Board {
    drawn(
        turn,
        "........
         .o......
         ........
         ........
         .....x..
         ..x.....
         ........
         .......o",
    )
}

#[test]
fn connecting_all_pieces_wins() {
    let mut game = Game::from_board(Rules::default(), one_step_apart(Side::X));
    play(&mut game, "f4-e4 b7-b8");
    assert_eq!(game.outcome(), None);
    play(&mut game, "c3-d3");
    assert_eq!(game.outcome(), over(X, Reason::Connected));
    assert!(game.moves().is_empty());
}

#[test]
fn a_capture_can_connect_the_other_side() {
    let mut game = Game::from_board(
        Rules::default(),
        drawn(
            Side::X,
            "x.o.....
             ........
             ........
             ........
             ........
             ........
             ..o.....
             .......x",
        ),
    );
    play(&mut game, "a8xc8");
    assert_eq!(
        game.outcome(),
        over(O, Reason::Connected),
        "one piece is one group"
    );
    assert_eq!(game.board().pieces(Side::O).len(), 1);
}

#[test]
fn both_connected_is_a_win_of_the_mover_or_a_draw() {
    let board = drawn(
        Side::X,
        "........
         ........
         ........
         ........
         ......x.
         ....x.o.
         o.o.....
         .o......",
    );
    for (simultaneous, winner) in [
        (Simultaneous::MoverWins, X),
        (Simultaneous::Draw, Winner::Draw),
    ] {
        let rules = Rules {
            simultaneous,
            ..Rules::default()
        };
        let mut game = Game::from_board(rules, board);
        play(&mut game, "e3xg3");
        assert_eq!(game.outcome(), over(winner, Reason::BothConnected));
        // A drawn leaf is no win.
        let wins = |leaves| perft(&board, 1, leaves, &rules).wins;
        let moves = board.moves();
        let others = moves.iter().filter(|mv| {
            let outcome = terminal_outcome(&board.after(**mv), &rules);
            outcome.is_some_and(|outcome| outcome.reason == Reason::Connected)
        });
        let expected = others.count() as u64 + u64::from(winner == X);
        assert_eq!(wins(LeafCounting::Bulk), expected);
        assert_eq!(wins(LeafCounting::Full), expected);
    }
}

/// Black's two pieces are walled in; White is not.
fn walled_in() -> Board {
    drawn(
        Side::X,
        "......ox
         ......oo
         ........
         ........
         ........
         ........
         oo......
         xo......",
    )
}

#[test]
fn a_side_without_a_move_loses_or_passes() {
    let lost = Game::from_board(Rules::default(), walled_in());
    assert_eq!(lost.outcome(), over(O, Reason::NoMoves));
    assert!(lost.moves().is_empty());
    assert_eq!(
        perft(&walled_in(), 1, LeafCounting::Bulk, lost.rules()).nodes,
        0
    );

    let rules = Rules {
        no_moves: NoMoves::Passes,
        ..Rules::default()
    };
    let mut game = Game::from_board(rules, walled_in());
    assert_eq!(game.outcome(), None);
    assert_eq!(game.moves(), [Move::PASS]);
    assert_eq!(perft(&walled_in(), 1, LeafCounting::Full, &rules).nodes, 1);
    assert_eq!(
        perft(&walled_in(), 2, LeafCounting::Bulk, &rules).nodes,
        u64::from(walled_in().mobility(Side::O))
    );
    game.play(Move::PASS).unwrap();
    assert_eq!(game.turn(), Side::O);
    assert_eq!(game.undo(), Some(Move::PASS));
    assert!(*game.board() == walled_in());
}

#[test]
fn passing_is_only_for_those_who_have_to() {
    let rules = Rules {
        no_moves: NoMoves::Passes,
        ..Rules::default()
    };
    let mut game = Game::new(rules);
    assert_eq!(game.play(Move::PASS), Err(PlayError::Illegal(Move::PASS)));
    assert_eq!(game.played(), []);
}

#[test]
fn the_nth_occurrence_is_a_draw() {
    let there_and_back = "b1-b3 a2-c2 b3-b1 c2-a2";
    for repetition in 2..6 {
        let mut game = Game::new(Rules {
            repetition,
            ..Rules::default()
        });
        for round in 1..repetition {
            assert_eq!(game.outcome(), None, "occurrence {round}");
            play(&mut game, there_and_back);
        }
        assert_eq!(game.outcome(), over(Winner::Draw, Reason::Repetition));
        assert_eq!(game.occurrences(), repetition);
    }
}

#[test]
fn the_side_to_move_is_part_of_what_repeats() {
    // Black loses a move on the way, so the board comes back with White to
    // move: not the same position.
    let mut game = Game::new(Rules {
        repetition: 2,
        ..Rules::default()
    });
    play(&mut game, "b1-b3 a2-c2 b3-b1");
    assert_eq!(game.outcome(), None);
    assert!(!game.board().same_position(&Board::start()));
}

#[test]
fn without_the_repetition_rule_only_the_limit_ends_it() {
    let rules = Rules {
        repetition: 0,
        max_plies: 20,
        ..Rules::default()
    };
    let mut game = Game::new(rules);
    for _ in 0..5 {
        assert_eq!(game.outcome(), None);
        play(&mut game, "b1-b3 a2-c2 b3-b1 c2-a2");
    }
    assert_eq!(game.outcome(), over(Winner::Draw, Reason::MaxPlies));
    let late = Board::start().moves()[0];
    let error = game.play(late).unwrap_err();
    assert!(
        error.to_string().contains("after the end of the game"),
        "{error}"
    );
}

#[test]
fn a_win_on_the_last_ply_is_a_win() {
    let rules = Rules {
        max_plies: 20,
        repetition: 0,
        ..Rules::default()
    };
    let mut game = Game::from_board(rules, one_step_apart(Side::O));
    for _ in 0..4 {
        play(&mut game, "b7-b8 f4-e4 b8-b7 e4-f4");
    }
    play(&mut game, "b7-b8 f4-e4 b8-b7");
    assert_eq!(game.played().len(), 19);
    let mut drawn = game.clone();
    play(&mut game, "c3-d3");
    assert_eq!(game.outcome(), over(X, Reason::Connected));
    play(&mut drawn, "c3-c2");
    assert_eq!(drawn.outcome(), over(Winner::Draw, Reason::MaxPlies));
}

fn any_rules() -> impl Strategy<Value = Rules> {
    (
        any::<bool>(),
        any::<bool>(),
        prop::sample::select(vec![0u32, 2, 3, 4]),
        20u32..300,
    )
        .prop_map(|(draw, passes, repetition, max_plies)| Rules {
            simultaneous: if draw {
                Simultaneous::Draw
            } else {
                Simultaneous::MoverWins
            },
            no_moves: if passes {
                NoMoves::Passes
            } else {
                NoMoves::Loses
            },
            repetition,
            max_plies,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every game of random moves ends for a reason that holds, and taking all
    /// its moves back restores every position on the way.
    #[test]
    fn games_end_and_can_be_taken_back(rules in any_rules(), seed in any::<u64>()) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Game::new(rules);
        while game.outcome().is_none() {
            let moves = game.moves();
            prop_assert!(!moves.is_empty());
            game.play(moves[rng.random_range(0..moves.len())]).unwrap();
        }
        let outcome = game.outcome().unwrap();
        let board = *game.board();
        match outcome.reason {
            Reason::Connected => {
                let Winner::Side(winner) = outcome.winner else { panic!("a draw by connection") };
                prop_assert!(board.pieces(winner).is_connected());
                prop_assert!(!board.pieces(!winner).is_connected());
            }
            Reason::BothConnected => {
                prop_assert!(Side::BOTH.iter().all(|&side| board.pieces(side).is_connected()));
                prop_assert_eq!(outcome.winner == Winner::Draw, rules.simultaneous == Simultaneous::Draw);
            }
            Reason::NoMoves => prop_assert!(board.moves().is_empty()),
            Reason::Repetition => {
                let same = game.boards().iter().filter(|then| then.same_position(&board)).count();
                prop_assert_eq!(same as u32, rules.repetition);
            }
            Reason::MaxPlies => prop_assert_eq!(game.played().len() as u32, rules.max_plies),
        }
        let boards = game.boards().to_vec();
        for n in (1..boards.len()).rev() {
            prop_assert!(*game.board() == boards[n]);
            game.undo();
        }
        prop_assert!(*game.board() == Board::start());
        prop_assert_eq!(game.undo(), None);
    }
}
