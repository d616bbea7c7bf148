//! One depth at the root: the aspiration window, and the root moves in the order
//! that the depth before has left.

use crate::board::{Board, Move};
use crate::search::value::{INFINITY, WIN_THRESHOLD};

use super::SelectiveSearch;
use super::node::{Place, child};

/// The moves of the root and what is known of them.
pub(in crate::search) struct RootMoves {
    /// The best one first, then by the nodes that refuting each took.
    moves: Vec<(Move, u64)>,
    /// The best move of an iteration that was stopped, if it had one.
    pub(in crate::search) unfinished: Option<Move>,
}

impl RootMoves {
    /// The moves of `board`, none of them known.
    pub(in crate::search) fn new(board: &Board) -> RootMoves {
        let moves = board.moves();
        let moves = if moves.is_empty() {
            vec![(Move::PASS, 0)]
        } else {
            moves.iter().map(|&mv| (mv, 0)).collect()
        };
        RootMoves {
            moves,
            unfinished: None,
        }
    }
}

impl SelectiveSearch<'_, '_> {
    /// The value `depth` plies deep, beginning near `guess`; `None` if it was
    /// stopped. Its principal variation is in the table of them.
    pub(in crate::search) fn root(
        &mut self,
        board: &Board,
        roots: &mut RootMoves,
        depth: u32,
        guess: Option<i32>,
    ) -> Option<(i32, u32)> {
        self.root_depth = depth as i32;
        let mut width = self.margin(self.tuning.aspiration).max(1);
        let (mut alpha, mut beta) = match guess {
            Some(guess) if self.tuning.aspiration > 0 && guess.abs() < WIN_THRESHOLD => {
                (guess - width, guess + width)
            }
            _ => (-INFINITY, INFINITY),
        };
        let mut passes = 0;
        loop {
            let value = self.root_window(board, roots, (alpha, beta))?;
            passes += 1;
            width = width.saturating_mul(self.tuning.aspiration_growth);
            width = width.min(INFINITY);
            if value <= alpha && alpha > -INFINITY {
                alpha = (value - width).max(-INFINITY);
                if alpha <= -WIN_THRESHOLD {
                    alpha = -INFINITY;
                }
            } else if value >= beta && beta < INFINITY {
                beta = (value + width).min(INFINITY);
                if beta >= WIN_THRESHOLD {
                    beta = INFINITY;
                }
            } else {
                return Some((value, passes));
            }
        }
    }

    /// The value within a window; the root moves are put in order.
    fn root_window(
        &mut self,
        board: &Board,
        roots: &mut RootMoves,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        self.context.count(1);
        self.pv_table.clear(0);
        let place = Place {
            ply: 0,
            reversible: self.path.len() as u32,
            cut: false,
            may_pass: true,
        };
        let depth = self.root_depth;
        let mut best = -INFINITY;
        let mut best_number = 0;
        self.path.push(board.key());
        for number in 0..roots.moves.len() {
            let mv = roots.moves[number].0;
            let before = self.context.nodes;
            let low = alpha.max(best);
            let value = self.root_move(board, mv, (number, low, beta), depth, place);
            if self.context.stopped {
                self.path.pop();
                return None;
            }
            roots.moves[number].1 = self.context.nodes - before;
            if value > best {
                best = value;
                if value > alpha {
                    best_number = number;
                    self.pv_table.set(0, mv);
                    roots.unfinished = Some(mv);
                }
                if value >= beta {
                    break;
                }
            }
        }
        self.path.pop();
        let chosen = roots.moves.remove(best_number);
        roots
            .moves
            .sort_by_key(|&(mv, nodes)| (std::cmp::Reverse(nodes), mv));
        roots.moves.insert(0, chosen);
        Some(best)
    }

    fn root_move(
        &mut self,
        board: &Board,
        mv: Move,
        (number, low, beta): (usize, i32, i32),
        depth: i32,
        place: Place,
    ) -> i32 {
        let next = if mv.is_pass() {
            board.pass()
        } else {
            board.play(mv)
        };
        let after = |cut| place.after(mv, cut);
        if number == 0 {
            return -child(self, &next, (-beta, -low), depth - 1, after(false));
        }
        let null = (-low - 1, -low);
        let tuning = self.tuning;
        let is_late = number as i32 >= tuning.root_lmr_number;
        let reduction = if is_late && depth >= tuning.root_lmr_depth {
            (self.reductions.plies(depth, number) - 1).clamp(0, depth - 1)
        } else {
            0
        };
        let mut value = -child(self, &next, null, depth - 1 - reduction, after(true));
        if value > low && reduction > 0 && !self.context.stopped {
            value = -child(self, &next, null, depth - 1, after(true));
        }
        if value > low && !self.context.stopped {
            value = -child(self, &next, (-beta, -low), depth - 1, after(false));
        }
        value
    }
}
