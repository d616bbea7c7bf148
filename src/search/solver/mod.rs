//! A solver: proof-number search that proves a win or a loss, or says that it
//! did not finish.
//!
//! Depth-first proof-number search (df-pn, A. Nagai) with a table. It asks one
//! question at a time, whether an *attacker* can force a win, first for the side
//! to move and then for the other, with budgets that double in turns. A proof
//! rests on finished positions alone, so it is exact; a repetition on the way
//! counts against the attacker, and that no win was found proves nothing. It
//! knows no weights and adjudicates nothing.
//!
//! | file | purpose |
//! |---|---|
//! | `numbers` | proof and disproof numbers |
//! | `table` | the numbers of positions that were looked at before |
//! | `descent` | the recursion |
//! | `line` | the moves of a proof |
//! | `exhaustive` | wins within so many plies by full width: also proves that there is none |

mod descent;
pub mod exhaustive;
mod line;
mod numbers;
mod table;

use crate::board::{Board, Move, Side};
use crate::game::Rules;

use super::context::StopFn;
use super::value::terminal_value;
use descent::Descent;
use table::ProofTable;

/// The nodes of the first try; each further one has twice as many.
const FIRST_BUDGET: u64 = 4096;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game is over already.
    Over,
    /// This side wins, whatever the other one plays.
    Wins(Side),
    /// Neither a win nor a loss was proved.
    Unknown,
}

/// What the solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Who wins, where that was proved.
    pub verdict: Verdict,
    /// The plies that the winner needs at most.
    pub plies: Option<u32>,
    /// Moves to the end of the game: the winner's as proved, the loser's those
    /// that hold out longest in the proof.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
    /// Whether a limit or the caller ended it.
    pub stopped: bool,
}

/// Tries to prove who wins `board`, with at most `nodes` positions and a table of
/// `table_kib` KiB; ends when `stop` holds.
///
/// # Examples
///
/// ```
/// use loatune::board::Side;
/// use loatune::game::Rules;
/// use loatune::notation::parse_position;
/// use loatune::search::solver::{Verdict, solve};
///
/// let board = parse_position("8/8/2x5/o1ooxxx1/oxox2x1/5xx1/4o3/1x6 o")?;
/// let found = solve(&board, &Rules::default(), Some(10_000), 1024, &|| false);
/// assert_eq!((found.verdict, found.line.len()), (Verdict::Wins(Side::O), 5));
/// # Ok::<(), loatune::notation::PositionError>(())
/// ```
pub fn solve(
    board: &Board,
    rules: &Rules,
    nodes: Option<u64>,
    table_kib: u32,
    stop: StopFn<'_>,
) -> Solution {
    let mut solution = Solution {
        verdict: Verdict::Over,
        plies: None,
        line: Vec::new(),
        nodes: 0,
        stopped: false,
    };
    if terminal_value(board, rules, 0).is_some() {
        return solution;
    }
    solution.verdict = Verdict::Unknown;
    let most = nodes.unwrap_or(u64::MAX);
    let mut table = ProofTable::new(table_kib);
    let mut open = [true; 2];
    let mut budget = FIRST_BUDGET;
    while open.contains(&true) {
        for (attacker, open) in [board.turn(), !board.turn()].into_iter().zip(&mut open) {
            let left = most - solution.nodes;
            if !*open || left == 0 {
                continue;
            }
            let mut descent = Descent::new(rules, attacker, &mut table, budget.min(left), stop);
            let found = descent.run(board);
            solution.nodes += descent.nodes();
            if found.is_proved(board.turn() == attacker) {
                solution.verdict = Verdict::Wins(attacker);
                solution.plies = Some(found.plies);
                solution.line = line::line(rules, attacker, &mut table, board, stop);
                return solution;
            }
            *open = !found.is_refuted(board.turn() == attacker);
            solution.stopped = stop() || solution.nodes >= most;
            if solution.stopped {
                return solution;
            }
        }
        budget = budget.saturating_mul(2);
    }
    solution
}
