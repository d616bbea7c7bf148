//! Perft: counting the positions that lie a number of plies away, the way to
//! prove a move generator right and to measure it.

use std::hint::black_box;

use super::rules::{NoMoves, Rules, Simultaneous};
use crate::board::{Board, LiftedPieces, Move, Side, Snapshot};

/// What a perft counts: the moves of the last ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerftCounts {
    /// Positions reached by the last ply.
    pub nodes: u64,
    /// How many of them by a capture.
    pub captures: u64,
    /// How many of them are won by connection, by either side.
    pub wins: u64,
}

impl std::ops::AddAssign for PerftCounts {
    fn add_assign(&mut self, other: PerftCounts) {
        self.nodes += other.nodes;
        self.captures += other.captures;
        self.wins += other.wins;
    }
}

/// How the last ply is counted. Both ways give the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafCounting {
    /// From the sums that the board keeps; leaf moves are made only where one
    /// of them might win.
    Bulk,
    /// Every leaf move is made and both sides' connection is tested.
    Full,
}

/// Counts the positions `depth` plies from `board`. A finished position has no
/// moves, so it counts nothing; depth 0 counts the position itself.
///
/// # Examples
///
/// ```
/// use loatune::board::Board;
/// use loatune::game::Rules;
/// use loatune::game::perft::{LeafCounting, perft};
///
/// let counts = perft(&Board::start(), 2, LeafCounting::Bulk, &Rules::default());
/// assert_eq!(counts.nodes, 1244);
/// ```
pub fn perft(board: &Board, depth: u32, leaves: LeafCounting, rules: &Rules) -> PerftCounts {
    let mut counter = Counter {
        leaves,
        rules,
        lifted: LiftedPieces::new(),
    };
    counter.count(board, depth)
}

/// [`perft`] of `depth` − 1 after each move, or after the pass where the side
/// to move has to pass; sorted by the moves' text.
pub fn divide(
    board: &Board,
    depth: u32,
    leaves: LeafCounting,
    rules: &Rules,
) -> Vec<(Move, PerftCounts)> {
    let mut parts = Vec::new();
    if depth == 0 || board.is_decided() {
        return parts;
    }
    for &mv in board.moves().iter() {
        let next = board.play(mv);
        let mut count = perft(&next, depth - 1, leaves, rules);
        if depth == 1 {
            count.captures = mv.is_capture().into();
            count.wins = is_win(&next, rules).into();
        }
        parts.push((mv, count));
    }
    if parts.is_empty() {
        let count = perft(board, depth, leaves, rules);
        parts.extend((count.nodes > 0).then_some((Move::PASS, count)));
    }
    parts.sort_by_key(|(mv, _)| mv.to_string());
    parts
}

/// How a perft counts, and the memory that it uses again at every node.
struct Counter<'a> {
    leaves: LeafCounting,
    rules: &'a Rules,
    lifted: LiftedPieces,
}

impl Counter<'_> {
    fn count(&mut self, board: &Board, depth: u32) -> PerftCounts {
        if depth == 0 {
            return PerftCounts {
                nodes: 1,
                ..PerftCounts::default()
            };
        }
        if board.is_decided() {
            return PerftCounts::default();
        }
        let mut count = PerftCounts::default();
        if board.mobility(board.turn()) == 0 {
            let passes = self.rules.no_moves == NoMoves::Passes;
            if passes && board.mobility(!board.turn()) > 0 {
                count += self.count(&board.pass(), depth - 1);
            }
            return count;
        }
        match (depth, self.leaves) {
            (1, LeafCounting::Full) => count += self.made_leaves(board),
            (1, LeafCounting::Bulk) => count += self.bulk_leaves(board),
            (2, LeafCounting::Bulk) => count += self.bulk_leaves_below(board),
            _ => {
                for &mv in board.moves().iter() {
                    count += self.count(&board.play(mv), depth - 1);
                }
            }
        }
        count
    }

    fn made_leaves(&mut self, board: &Board) -> PerftCounts {
        // Two copies of the loop, each with the side known to the compiler.
        match board.turn() {
            Side::X => self.made_leaves_by(Side::X, board),
            Side::O => self.made_leaves_by(Side::O, board),
        }
    }

    #[inline(always)]
    fn made_leaves_by(&mut self, side: Side, board: &Board) -> PerftCounts {
        board.lift_pieces(side, &mut self.lifted);
        let moves = board.moves();
        let mut count = PerftCounts {
            nodes: moves.len() as u64,
            ..PerftCounts::default()
        };
        for &mv in moves.iter() {
            let leaf = board.after_lifted(&self.lifted, side, mv);
            // The leaf's key and sums are not read here; the black box keeps the
            // compiler from leaving them out, so that this measures a whole move.
            black_box(&leaf);
            count.captures += u64::from(mv.is_capture());
            count.wins += u64::from(leaf.is_decided() && is_win(&leaf, self.rules));
        }
        count
    }

    /// The leaves two plies away, read from the snapshots after each move.
    fn bulk_leaves_below(&mut self, board: &Board) -> PerftCounts {
        match board.turn() {
            Side::X => self.bulk_leaves_below_by(Side::X, board),
            Side::O => self.bulk_leaves_below_by(Side::O, board),
        }
    }

    #[inline(always)]
    fn bulk_leaves_below_by(&mut self, side: Side, board: &Board) -> PerftCounts {
        let mut count = PerftCounts::default();
        for &mv in board.moves().iter() {
            let next = board.after_by(side, mv);
            let mobility = next.mobility(!side);
            if mobility == 0 || may_end(&next) || next.is_decided() {
                count += self.count(&board.play(mv), 1);
            } else {
                count.nodes += u64::from(mobility);
                count.captures += u64::from(next.captures(!side));
            }
        }
        count
    }

    fn bulk_leaves(&mut self, board: &Board) -> PerftCounts {
        if may_end(board.snapshot()) {
            return self.made_leaves(board);
        }
        PerftCounts {
            nodes: board.mobility(board.turn()).into(),
            captures: board.captures(board.turn()).into(),
            wins: 0,
        }
    }
}

/// Whether some move of the side to move could leave a side connected; `false`
/// is certain, `true` is not.
#[inline(always)]
fn may_end(now: &Snapshot) -> bool {
    now.may_connect_by_move(now.turn()) || now.may_connect_by_loss(!now.turn())
}

fn is_win(leaf: &Snapshot, rules: &Rules) -> bool {
    match (leaf.is_connected(Side::X), leaf.is_connected(Side::O)) {
        (true, true) => rules.simultaneous == Simultaneous::MoverWins,
        (x, o) => x || o,
    }
}
