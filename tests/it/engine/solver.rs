//! The solver against full-width search, and its lines played through.

use loatune::board::Board;
use loatune::eval::Weights;
use loatune::game::{Game, Rules, Winner};
use loatune::search::solver::{Verdict, solve};
use loatune::search::value::plies_to_end;
use loatune::search::{Algorithm, Engine, Limits};

use crate::support::endings;

/// Searches full width, and says who wins within `depth` plies.
fn decided(board: &Board, depth: u32) -> Option<(Verdict, u32)> {
    let mut engine = Engine::new(Algorithm::Mtdf, &Weights::source(), Rules::default(), 4096);
    let limits = Limits {
        depth: Some(depth),
        nodes: Some(300_000),
        ..Limits::default()
    };
    let report = engine.search(board, 0, limits, &|| false, &mut |_| {});
    let value = report.value();
    let plies = plies_to_end(value).filter(|&plies| plies <= depth)?;
    let winner = if value > 0 {
        board.turn()
    } else {
        !board.turn()
    };
    Some((Verdict::Wins(winner), plies))
}

/// Compares until so many decided positions were found, and says how many of
/// them were losses and how many took more than three plies.
fn compare(wanted: usize) -> (usize, usize) {
    let (mut found, mut losses, mut long) = (0, 0, 0);
    for board in (0..).flat_map(|game| endings(40_000 + game, 1, 10)) {
        let Some((verdict, plies)) = decided(&board, 7) else {
            continue;
        };
        let solution = solve(&board, &Rules::default(), Some(2_000_000), 4096, &|| false);
        assert_eq!(solution.verdict, verdict, "in {plies} plies: {board:?}");
        assert!(solution.plies >= Some(plies), "{solution:?} on {board:?}");
        // The line leads to the end that was proved.
        let mut game = Game::from_board(Rules::default(), board);
        for &mv in &solution.line {
            game.play(mv).expect("the line is legal");
        }
        let winner = match verdict {
            Verdict::Wins(side) => Winner::Side(side),
            other => panic!("{other:?} is no result of a search"),
        };
        let end = game.outcome().map(|outcome| outcome.winner);
        assert_eq!(end, Some(winner), "{:?} on {board:?}", solution.line);
        found += 1;
        losses += usize::from(verdict != Verdict::Wins(board.turn()));
        long += usize::from(plies > 3);
        if found == wanted {
            break;
        }
    }
    (losses, long)
}

#[test]
fn decided_positions_are_solved() {
    let (losses, long) = compare(40);
    assert!(losses > 5 && long > 2, "{losses} losses, {long} long ones");
}

#[test]
#[ignore = "searches hundreds of positions full width: about a minute"]
fn decided_positions_are_solved_in_large_numbers() {
    let (losses, long) = compare(400);
    assert!(
        losses > 50 && long > 30,
        "{losses} losses, {long} long ones"
    );
}

#[test]
fn what_is_not_proved_is_not_claimed() {
    let start = Board::start();
    let found = solve(&start, &Rules::default(), Some(20_000), 1024, &|| false);
    assert_eq!(found.verdict, Verdict::Unknown);
    assert!(found.stopped && found.line.is_empty() && found.plies.is_none());
    assert!(found.nodes <= 20_000, "{}", found.nodes);
    let stopped = solve(&start, &Rules::default(), None, 1024, &|| true);
    assert!(stopped.stopped && stopped.nodes < 20_000);
}
