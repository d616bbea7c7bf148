//! What other parts of the tree have shown about moves: relative history, killer
//! moves and counter-moves. It decides the order of the moves and how much the
//! late ones are reduced.

use crate::board::{Board, Move, MoveList, Side};
use crate::search::ordering::MovePicker;
use crate::search::value::MAX_DEPTH;

use super::Tuning;

/// The largest history of a move, in either direction: the unit that what is gained
/// and lost is counted in, not a constant to tune.
pub(super) const MOST: i32 = 16_000;

/// Above all that history can give: the order of the kinds of moves.
const FIRST: i32 = 65_535;
const KILLER: i32 = 60_000;
const COUNTER: i32 = 59_000;

/// By side, from and to.
type BySquares<T> = Box<[[[T; 64]; 64]; 2]>;

/// The tables of one engine.
pub(in crate::search) struct Experience {
    /// Relative history: how good a move was where it was tried, from −[`MOST`]
    /// to [`MOST`]. Each new result pulls it towards one end, by the more the
    /// farther it is away from it.
    history: BySquares<i16>,
    /// By the opponent's last move: the answer that cut off last.
    counters: BySquares<Move>,
    /// By ply: the last two moves that cut off.
    killers: Box<[[Move; 2]; MAX_DEPTH as usize + 2]>,
}

impl Experience {
    /// Tables that know nothing.
    pub(in crate::search) fn new() -> Experience {
        Experience {
            history: Box::new([[[0; 64]; 64]; 2]),
            counters: Box::new([[[Move::PASS; 64]; 64]; 2]),
            killers: Box::new([[Move::PASS; 2]; MAX_DEPTH as usize + 2]),
        }
    }

    /// Forgets everything.
    pub(in crate::search) fn clear(&mut self) {
        *self.history = [[[0; 64]; 64]; 2];
        *self.counters = [[[Move::PASS; 64]; 64]; 2];
        *self.killers = [[Move::PASS; 2]; MAX_DEPTH as usize + 2];
    }

    /// A new search begins: what was learnt counts for less.
    pub(in crate::search) fn age(&mut self, tuning: &Tuning) {
        for good in self.history.as_flattened_mut().as_flattened_mut() {
            *good = (i32::from(*good) * tuning.history_kept / 100) as i16;
        }
        *self.killers = [[Move::PASS; 2]; MAX_DEPTH as usize + 2];
    }

    /// The history of a move, from −[`MOST`] to [`MOST`].
    pub(super) fn history(&self, side: Side, mv: Move) -> i32 {
        i32::from(self.history[side.index()][mv.from().index()][mv.to().index()])
    }

    /// Records that `mv` cut off at a node after the opponent's `previous` move,
    /// and that the `tried` ones before it did not.
    pub(super) fn reward(
        &mut self,
        tuning: &Tuning,
        side: Side,
        (mv, tried): (Move, &[Move]),
        previous: Move,
        (depth, ply): (i32, u32),
    ) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        if !previous.is_pass() {
            self.counters[side.index()][previous.from().index()][previous.to().index()] = mv;
        }
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
    /// move), killers, the counter-move, then by history.
    pub(super) fn rank(
        &self,
        tuning: &Tuning,
        board: &Board,
        moves: &MoveList,
        first: Option<Move>,
        (previous, ply): (Move, u32),
    ) -> MovePicker {
        let side = board.turn();
        let first = first.unwrap_or(Move::PASS);
        let killers = if tuning.killers != 0 {
            self.killers[ply as usize]
        } else {
            [Move::PASS; 2]
        };
        let counter = if tuning.counter_moves != 0 && !previous.is_pass() {
            self.counters[side.index()][previous.from().index()][previous.to().index()]
        } else {
            Move::PASS
        };
        MovePicker::new(moves, |mv| {
            if mv == first {
                return FIRST as u16;
            }
            if mv == killers[0] {
                return KILLER as u16;
            }
            if mv == killers[1] {
                return (KILLER - 1) as u16;
            }
            if mv == counter {
                return COUNTER as u16;
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
