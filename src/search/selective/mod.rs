//! The sixth player: a selective search. It looks deeper where it matters and
//! gives up early what looks bad, so its value is not that of minimax, but at
//! equal time it plays much better than the five exact ones.
//!
//! Principal variation search with an aspiration window and iterative
//! deepening; every technique has a row in [`tuning`] and can be switched off by
//! name. Deterministic: the same position, past, weights, limits and a clean
//! table give the same move on every machine. A win or a loss that it reports is
//! real, because nothing is skipped where all that was searched loses.
//!
//! | file | purpose |
//! |---|---|
//! | `tuning` | the constants: name, meaning, default, range |
//! | `root` | one depth at the root: aspiration window, order of the root moves |
//! | `node` | the recursion: table, null move, reductions, pruning |
//! | `quiescence` | the search beyond the horizon |
//! | `experience` | relative history |
//! | `scale` | the unit of all margins, taken from the weights |

mod experience;
mod node;
mod quiescence;
mod root;
mod scale;
pub mod tuning;

pub(super) use experience::Experience;
pub(super) use root::RootMoves;
pub(super) use scale::typical_step;
pub use tuning::Tuning;

use crate::board::Board;

use super::context::Context;
use super::principal_variation::PvTable;
use super::table::Table;

/// The least of the plies that a search goes below its root, whatever it
/// extends: beyond them positions are valued as they are.
const MAX_PLY: u32 = super::value::MAX_DEPTH - 2;

/// One selective search over its tables.
pub(super) struct SelectiveSearch<'a, 'c> {
    pub(super) context: &'a mut Context<'c>,
    pub(super) table: &'a mut Table,
    pub(super) experience: &'a mut Experience,
    pub(super) tuning: &'a Tuning,
    /// By depth and number of the move: the plies that a late move is reduced by.
    pub(super) reductions: &'a Reductions,
    /// The unit of all margins: see [`typical_step`].
    pub(super) step: i32,
    /// Mixed into every key, so that values of different ages do not meet.
    pub(super) salt: u64,
    pub(super) pv_table: PvTable,
    /// The keys of the positions that led here, those of the game included, the
    /// present one not: what a repetition is looked for in.
    pub(super) path: Vec<u64>,
    /// The depth of the present iteration, in plies.
    pub(super) root_depth: i32,
}

/// By depth and number of the move: see [`SelectiveSearch::reductions`].
pub(super) struct Reductions([[u8; 64]; 64]);

impl Reductions {
    /// The table for these constants. `libm`'s logarithm is the same on every
    /// machine.
    pub(super) fn new(tuning: &Tuning) -> Reductions {
        let mut table = [[0; 64]; 64];
        let (base, slope) = (
            f64::from(tuning.lmr_base) / 100.0,
            f64::from(tuning.lmr_slope) / 100.0,
        );
        if tuning.lmr != 0 {
            for (depth, row) in table.iter_mut().enumerate().skip(1) {
                for (number, plies) in row.iter_mut().enumerate().skip(1) {
                    let logs = libm::log(depth as f64) * libm::log(number as f64);
                    *plies = (base + slope * logs).clamp(0.0, 60.0) as u8;
                }
            }
        }
        Reductions(table)
    }

    fn plies(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][number.min(63)])
    }
}

impl SelectiveSearch<'_, '_> {
    /// A margin of so many hundredths of a typical step.
    fn margin(&self, hundredths: i32) -> i32 {
        hundredths * self.step / 100
    }

    /// Whether the position has occurred before, on the way to it or in the
    /// game; `reversible` is how many plies ago the last capture was.
    #[inline(always)]
    fn repeats(&self, board: &Board, reversible: u32) -> bool {
        if self.tuning.repetition == 0 || self.context.rules.repetition == 0 {
            return false;
        }
        let before = self.path.iter().rev().take(reversible as usize);
        before.skip(1).step_by(2).any(|&key| key == board.key())
    }

    /// Whether the opponent, if it were its turn, could win at once.
    #[inline(always)]
    fn is_threatened(&self, board: &Board) -> bool {
        let opponent = !board.turn();
        let mut connects = false;
        board.connecting_moves(opponent, |_| connects = true);
        // A capture that connects both sides may be a draw, which only the rules
        // of the position after it can tell.
        connects && self.context.winning_move(&board.pass(), 0).is_some()
    }
}
