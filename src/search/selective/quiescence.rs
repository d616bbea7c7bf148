//! The search beyond the horizon: captures, and moves that win at once. Everything
//! else is valued as it stands.

use multiversion::multiversion;

use crate::board::{Board, Move, Side};
use crate::eval::LeafValue;
use crate::search::value::INFINITY;

use super::{MAX_PLY, SelectiveSearch};

/// How many captures of a position are looked at, at most: the size of an array,
/// which positions rarely fill, so that nothing is gained by tuning it.
const MOST_CAPTURES: usize = 24;

/// The value of an unfinished position beyond the horizon, fail-soft, after
/// `captures` captures in a row; `standing` is its static value where that is
/// known. It is compiled twice, once for processors that count bits in one
/// instruction.
#[multiversion(targets("x86_64+popcnt+bmi1+bmi2+lzcnt"))]
pub(super) fn quiescence<'a, 'c>(
    search: &mut SelectiveSearch<'a, 'c>,
    board: &Board,
    window: (i32, i32),
    place: (u32, i32),
    standing: Option<i32>,
) -> i32 {
    match board.turn() {
        Side::X => search.quiescence_by(Side::X, board, window, place, standing),
        Side::O => search.quiescence_by(Side::O, board, window, place, standing),
    }
}

impl SelectiveSearch<'_, '_> {
    #[inline(always)]
    fn quiescence_by(
        &mut self,
        own: Side,
        board: &Board,
        (alpha, beta): (i32, i32),
        (ply, captures): (u32, i32),
        standing: Option<i32>,
    ) -> i32 {
        self.context.count(1);
        if self.context.stopped {
            return 0;
        }
        // The side to move need not capture: it stands pat. Where that is enough, a
        // move that wins at once would only be more than enough.
        let mut best = match standing {
            Some(standing) => standing,
            None => self.context.evaluate(board),
        };
        if best >= beta {
            return best;
        }
        if let Some((_, value)) = self.context.winning_move(board, ply) {
            return value;
        }
        let ends = captures >= self.tuning.quiescence || ply >= MAX_PLY;
        if ends || board.captures(own) == 0 {
            return best;
        }
        let mut good = [(0, Move::PASS); MOST_CAPTURES];
        let count = self.good_captures(own, board, alpha.max(best), &mut good);
        for &(standing, mv) in &good[..count] {
            // The opponent would stand pat.
            if standing <= alpha.max(best) {
                break;
            }
            let next = board.play(mv);
            let window = (-beta, -alpha.max(best));
            let value = match self.context.terminal_value(&next, ply + 1) {
                Some(value) => {
                    self.context.count(1);
                    -value
                }
                None => {
                    let standing = (standing < INFINITY).then_some(-standing);
                    -quiescence(self, &next, window, (ply + 1, captures + 1), standing)
                }
            };
            if self.context.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The captures whose static value is above `floor`, best static value first; the
    /// result is their number.
    #[inline(always)]
    fn good_captures(
        &self,
        own: Side,
        board: &Board,
        floor: i32,
        good: &mut [(i32, Move); MOST_CAPTURES],
    ) -> usize {
        let evaluator = self.context.evaluator;
        let parent_terms = evaluator.parent_terms(board, self.context.age);
        let mut count = 0;
        for &mv in board.capturing_moves().iter() {
            let value = match evaluator.value_after(&parent_terms, board, own, mv) {
                LeafValue::Value(value) => -value,
                LeafValue::MaybeTerminal(_) => INFINITY,
            };
            if value > floor
                && let Some(slot) = good.get_mut(count)
            {
                *slot = (value, mv);
                count += 1;
            }
        }
        good[..count].sort_unstable_by_key(|&(value, mv)| (-value, mv));
        count
    }
}
