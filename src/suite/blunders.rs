//! The errors of one game: where a player threw away what it had.

use super::entry::{Entry, PlayedGame};
use super::examine::{Examined, ProofSettings, examine};
use super::fate::{ErrorKind, Fate};
use crate::board::{Board, Move, Side};
use crate::game::{Rules, Winner, terminal_outcome};
use crate::search::StopFn;
use crate::search::solver::{Verdict, solve};

/// The memory of the solver's table, in KiB.
const TABLE_KIB: u32 = 1024;

/// Which errors are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// An error that is refuted, or a win that is missed, in fewer plies is left
    /// out.
    pub least_plies: u32,
    /// Positions with more right moves are left out.
    pub most_right: u32,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted {
            least_plies: 3,
            most_right: 8,
        }
    }
}

/// The errors of a game, in its order; `None` where `stop` ended the search for
/// them. The opening is not looked at, nor the plies that the ply limit cuts off
/// within the horizon.
///
/// Proof-number search goes over the positions first; where what it proved
/// changes to the mover's disadvantage, every move is examined.
pub fn blunders(
    game: &PlayedGame,
    rules: &Rules,
    settings: &ProofSettings,
    wanted: &Wanted,
    stop: StopFn<'_>,
) -> Option<Vec<Entry>> {
    let mut found = Vec::new();
    let mut board = game.first;
    let mut before = None;
    for (ply, &mv) in game.moves.iter().enumerate() {
        let next = if mv.is_pass() {
            board.pass()
        } else {
            board.play(mv)
        };
        let plies = u32::try_from(ply).unwrap_or(u32::MAX);
        let counts = plies.saturating_add(settings.horizon) <= rules.max_plies;
        if ply >= game.opening && counts && !mv.is_pass() {
            let own = board.turn();
            let winner = before.unwrap_or_else(|| winner_of(&board, rules, settings, stop));
            let after = winner_of(&next, rules, settings, stop);
            if stop() {
                return None;
            }
            let threw_away = winner == Some(own) && after != Some(own);
            let walked_into = winner != Some(!own) && after == Some(!own);
            if threw_away || walked_into {
                let examined = examine(&board, rules, settings, stop)?;
                let entry = entry(game, &board, plies, mv, &examined);
                found.extend(entry.filter(|entry| is_wanted(entry, wanted)));
            }
            before = Some(after);
        }
        board = next;
    }
    Some(found)
}

/// The side that wins a position, as far as the solver proves it.
fn winner_of(
    board: &Board,
    rules: &Rules,
    settings: &ProofSettings,
    stop: StopFn<'_>,
) -> Option<Side> {
    if let Some(outcome) = terminal_outcome(board, rules) {
        return match outcome.winner {
            Winner::Side(side) => Some(side),
            Winner::Draw => None,
        };
    }
    let budget = Some(settings.solver_nodes);
    match solve(board, rules, budget, TABLE_KIB, stop).verdict {
        Verdict::Wins(side) => Some(side),
        Verdict::Over | Verdict::Unknown => None,
    }
}

/// The entry of a suite, where the move is an error beyond doubt.
fn entry(
    game: &PlayedGame,
    board: &Board,
    plies: u32,
    played: Move,
    examined: &Examined,
) -> Option<Entry> {
    let after = examined.after(played)?;
    ErrorKind::of(examined.before.fate, after.fate).filter(|_| examined.is_exact())?;
    Some(Entry {
        board: *board,
        plies,
        by: game.players[board.turn().index()].clone(),
        played,
        right: examined.right_moves(),
        moves: examined.moves.len() as u32,
        losing: examined.count(Fate::Loss) as u32,
        before: examined.before,
        after,
        nodes: examined.nodes,
        line: 0,
    })
}

fn is_wanted(entry: &Entry, wanted: &Wanted) -> bool {
    let hard = entry.difficulty() >= wanted.least_plies;
    hard && entry.right.len() <= wanted.most_right as usize
}
