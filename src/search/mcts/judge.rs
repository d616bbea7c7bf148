//! What all threads of a search share: the evaluation as a probability, the rules
//! and the options. Results are seen by Black: 1 is a win, 0 a loss, ½ a draw.

use crate::board::{Board, Move, Side, Snapshot};
use crate::eval::{Evaluator, LeafValue, ParentTerms};
use crate::game::{Rules, Winner, terminal_outcome};

use super::options::Options;

/// The evaluation, the rules and the options of one search.
pub(super) struct Judge<'a> {
    pub(super) evaluator: &'a Evaluator,
    pub(super) rules: &'a Rules,
    pub(super) options: &'a Options,
    /// How far the game had gone when the search began, in steps of the phase.
    pub(super) age: i32,
    /// The points of evaluation that make the odds of winning e to 1.
    pub(super) odds: f64,
    /// The points of evaluation that decide a simulation.
    pub(super) margin: f64,
}

impl<'a> Judge<'a> {
    /// A judge whose evaluation changes by `step` points with a typical move.
    pub(super) fn new(
        evaluator: &'a Evaluator,
        rules: &'a Rules,
        options: &'a Options,
        age: i32,
        step: i32,
    ) -> Judge<'a> {
        let step = f64::from(step);
        Judge {
            evaluator,
            rules,
            options,
            age,
            odds: options.scale * step,
            margin: options.margin * step,
        }
    }

    /// The probability of a win that an evaluation stands for. `libm`'s
    /// exponential is the same on every machine.
    pub(super) fn probability(&self, value: i32) -> f64 {
        if self.odds > 0.0 {
            1.0 / (1.0 + libm::exp(-f64::from(value) / self.odds))
        } else {
            0.5 + 0.5 * f64::from(value.signum())
        }
    }

    /// The evaluation that a probability of a win stands for.
    pub(super) fn points(&self, probability: f64) -> f64 {
        let p = probability.clamp(1e-6, 1.0 - 1e-6);
        libm::log(p / (1.0 - p)) * self.odds.max(1.0)
    }

    /// The evaluation of an unfinished position for its side to move.
    pub(super) fn value(&self, board: &Board) -> i32 {
        self.evaluator.value(board, board.movers(), self.age)
    }

    /// The value after a move, for the side that then moves; `Err` with the
    /// position where the game may be over.
    pub(super) fn value_after(
        &self,
        terms: &ParentTerms,
        board: &Board,
        mv: Move,
    ) -> Result<i32, Snapshot> {
        match self.evaluator.value_after(terms, board, board.turn(), mv) {
            LeafValue::Value(value) => Ok(value),
            LeafValue::MaybeTerminal(now) => Err(now),
        }
    }

    /// How a finished position ended, for Black; `None` if the game goes on.
    #[inline(always)]
    pub(super) fn result(&self, now: &Snapshot) -> Option<f64> {
        if !now.is_decided() && now.mobility(now.turn()) > 0 {
            return None;
        }
        terminal_outcome(now, self.rules).map(|outcome| match outcome.winner {
            Winner::Draw => 0.5,
            Winner::Side(winner) => for_black(winner, 1.0),
        })
    }

    /// Whether the side to move has a move that wins at once.
    pub(super) fn can_win(&self, board: &Board) -> bool {
        board.may_connect_by_move(board.turn())
            && board.moves().iter().any(|&mv| self.wins(board, mv))
    }

    /// Whether a move wins at once by connecting its side.
    pub(super) fn wins(&self, board: &Board, mv: Move) -> bool {
        let next = board.after(mv);
        next.is_connected(board.turn()) && self.result(&next) == Some(for_black(board.turn(), 1.0))
    }
}

/// A result of a side as Black sees it; and the other way round.
#[inline(always)]
pub(super) fn for_black(side: Side, result: f64) -> f64 {
    match side {
        Side::X => result,
        Side::O => 1.0 - result,
    }
}

/// The position after a move or a pass.
#[inline(always)]
pub(super) fn after(board: &Board, mv: Move) -> Board {
    if mv.is_pass() {
        board.pass()
    } else {
        board.play(mv)
    }
}
