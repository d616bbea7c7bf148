//! Which moves to try first. Order changes how much is searched, never the
//! value.

use crate::board::{Board, Move, MoveList, Side};

use super::value::MAX_DEPTH;

/// What is remembered from elsewhere in the tree.
pub(super) struct Ordering {
    /// By side, from and to: how often the move was good, weighted by depth.
    history: Box<[[[u16; 64]; 64]; 2]>,
    /// By ply: the last two moves that were too good.
    killers: Box<[[Move; 2]; MAX_DEPTH as usize + 2]>,
}

/// Where so many moves did not end the search, the others' order hardly
/// matters.
const SORTED: usize = 8;

const FIRST: u32 = 1 << 30;
const KILLER: u32 = 1 << 24;
const CAPTURE: u32 = 1 << 8;

/// Beyond this all of history is halved.
const FULL: u16 = 16_000;

impl Ordering {
    pub(super) fn new() -> Ordering {
        Ordering {
            history: Box::new([[[0; 64]; 64]; 2]),
            killers: Box::new([[Move::PASS; 2]; MAX_DEPTH as usize + 2]),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self.history = [[[0; 64]; 64]; 2];
        *self.killers = [[Move::PASS; 2]; MAX_DEPTH as usize + 2];
    }

    /// A new search begins: what was learnt counts for less.
    pub(super) fn age(&mut self) {
        self.history
            .as_flattened_mut()
            .as_flattened_mut()
            .iter_mut()
            .for_each(|good| *good /= 4);
        *self.killers = [[Move::PASS; 2]; MAX_DEPTH as usize + 2];
    }

    /// `mv` was good enough to end the search of a position.
    #[inline]
    pub(super) fn reward(&mut self, side: Side, mv: Move, depth: u32, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        let good = &mut self.history[side.index()][mv.from().index()][mv.to().index()];
        *good += (depth * depth) as u16;
        if *good > FULL {
            self.history
                .as_flattened_mut()
                .as_flattened_mut()
                .iter_mut()
                .for_each(|good| *good /= 2);
        }
    }

    /// Gives every move its place: `first`, then the killers, then the others
    /// by what they have done before.
    #[inline(always)]
    pub(super) fn rank(
        &self,
        board: &Board,
        moves: MoveList,
        first: Option<Move>,
        ply: u32,
    ) -> Ranked {
        let killers = self.killers[ply as usize];
        let history = &self.history[board.turn().index()];
        let mut ranks = [0; 128];
        for (rank, &mv) in ranks.iter_mut().zip(moves.iter()) {
            let mut value = u32::from(history[mv.from().index()][mv.to().index()]);
            value += CAPTURE * u32::from(mv.is_capture());
            if killers.contains(&mv) {
                value += KILLER;
            }
            if Some(mv) == first {
                value += FIRST;
            }
            *rank = value;
        }
        Ranked {
            moves,
            ranks,
            next: 0,
        }
    }
}

/// Moves with their places, handed out best first; most are never asked for.
pub(super) struct Ranked {
    moves: MoveList,
    ranks: [u32; 128],
    next: usize,
}

impl Iterator for Ranked {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        let len = self.moves.len();
        if self.next >= len {
            return None;
        }
        if self.next >= SORTED {
            self.next += 1;
            return Some(self.moves[self.next - 1]);
        }
        let mut best = self.next;
        for n in self.next + 1..len {
            if self.ranks[n & 127] > self.ranks[best & 127] {
                best = n;
            }
        }
        self.moves.swap(best, self.next);
        self.ranks.swap(best & 127, self.next & 127);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}
