//! What other parts of the tree have shown about moves: relative history. It decides
//! the order of the moves.

use crate::board::{Board, Move, MoveList, Side};
use crate::search::ordering::MovePicker;

use super::Tuning;

/// The largest history of a move, in either direction: the unit that what is gained
/// and lost is counted in, not a constant to tune.
pub(super) const MOST: i32 = 16_000;

/// Above all that history can give.
const FIRST: u16 = u16::MAX;

/// The tables of one engine.
pub(in crate::search) struct Experience {
    /// Relative history: how good a move was where it was tried, from −[`MOST`]
    /// to [`MOST`], by side, from and to. Each new result pulls it towards one end, by the more the
    /// farther it is away from it.
    history: Box<[[[i16; 64]; 64]; 2]>,
}

impl Experience {
    /// Tables that know nothing.
    pub(in crate::search) fn new() -> Experience {
        Experience {
            history: Box::new([[[0; 64]; 64]; 2]),
        }
    }

    /// Forgets everything.
    pub(in crate::search) fn clear(&mut self) {
        *self.history = [[[0; 64]; 64]; 2];
    }

    /// A new search begins: what was learnt counts for less.
    pub(in crate::search) fn age(&mut self, tuning: &Tuning) {
        for good in self.history.as_flattened_mut().as_flattened_mut() {
            *good = (i32::from(*good) * tuning.history_kept / 100) as i16;
        }
    }

    /// The history of a move, from −[`MOST`] to [`MOST`].
    fn history(&self, side: Side, mv: Move) -> i32 {
        i32::from(self.history[side.index()][mv.from().index()][mv.to().index()])
    }

    /// Records that `mv` cut off at a node of this depth, and that the `tried` ones
    /// before it did not.
    pub(super) fn reward(
        &mut self,
        tuning: &Tuning,
        side: Side,
        (mv, tried): (Move, &[Move]),
        depth: i32,
    ) {
        let bonus = tuning.history_bonus * depth * depth;
        let bonus = bonus.min(tuning.history_bonus_most);
        self.pull(side, mv, bonus);
        for &other in tried {
            self.pull(side, other, -bonus);
        }
    }

    fn pull(&mut self, side: Side, mv: Move, bonus: i32) {
        let good = &mut self.history[side.index()][mv.from().index()][mv.to().index()];
        let now = i32::from(*good);
        *good = (now + bonus - now * bonus.abs() / MOST) as i16;
    }

    /// The moves in the order in which they are tried: `first` (the table's
    /// move), then by history.
    pub(super) fn rank(
        &self,
        tuning: &Tuning,
        board: &Board,
        moves: &MoveList,
        first: Option<Move>,
    ) -> MovePicker {
        let side = board.turn();
        let first = first.unwrap_or(Move::PASS);
        MovePicker::new(moves, |mv| {
            if mv == first {
                return FIRST;
            }
            let good = if tuning.history != 0 {
                self.history(side, mv)
            } else {
                0
            };
            let capture = if mv.is_capture() {
                tuning.history_capture
            } else {
                0
            };
            (MOST + good + capture) as u16
        })
    }
}
