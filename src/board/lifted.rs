//! A board with each piece of a side taken up in turn: what all moves of one
//! piece have in common is computed once, where many of them are made.

use super::lines::MoveCounts;
use super::quads::Quads;
use super::{Bitboard, Board, COUNTS, Move, Side, Snapshot, Square, zobrist};

/// The sums of a position without one piece, for every piece of the side to move.
/// It is made once and filled for one position after the other.
pub struct LiftedPieces {
    /// By square of the piece; squares without one hold what was there before.
    of_square: [Lifted; 64],
}

/// The sums of a position without one piece of the mover.
#[derive(Clone, Copy)]
pub(super) struct Lifted {
    pub(super) move_counts: MoveCounts,
    /// The mover's pieces, and the sums over them.
    pub(super) pieces: Bitboard,
    pub(super) counts: u64,
    pub(super) quads: Quads,
    /// The key with the other side to move.
    pub(super) key: u64,
}

impl Default for LiftedPieces {
    fn default() -> LiftedPieces {
        LiftedPieces::new()
    }
}

impl LiftedPieces {
    /// Of no position yet.
    pub const fn new() -> LiftedPieces {
        let none = Lifted {
            move_counts: MoveCounts::NONE,
            pieces: Bitboard::EMPTY,
            counts: 0,
            quads: Quads::NONE,
            key: 0,
        };
        LiftedPieces {
            of_square: [none; 64],
        }
    }
}

impl Board {
    /// Takes up each piece of `side`, whose turn it is. It pays where most moves
    /// of the position are made, see [`Board::after_lifted`].
    #[inline(always)]
    pub fn lift_pieces(&self, side: Side, lifted: &mut LiftedPieces) {
        debug_assert_eq!(side, self.turn);
        for square in self.pieces(side) {
            let mut move_counts = self.now.move_counts;
            self.lines.take_up(side, square, &mut move_counts);
            lifted.of_square[square.index()] = Lifted {
                move_counts,
                ..self.without(side, square)
            };
        }
    }

    /// The sums without one piece of the mover, but for those over the lines.
    #[inline(always)]
    pub(super) fn without(&self, side: Side, square: Square) -> Lifted {
        let pieces = self.pieces(side) ^ Bitboard::from_square(square);
        Lifted {
            move_counts: self.now.move_counts,
            pieces,
            counts: self.now.counts[side.index()].wrapping_sub(COUNTS[square.index()]),
            quads: self.now.quads[side.index()].without(pieces, square),
            key: self.now.key ^ zobrist::WHITE_TO_MOVE ^ zobrist::piece(side, square),
        }
    }

    /// [`Board::after_by`], from the pieces that [`Board::lift_pieces`] took up.
    #[inline(always)]
    #[must_use]
    pub fn after_lifted(&self, lifted: &LiftedPieces, side: Side, mv: Move) -> Snapshot {
        let lifted = &lifted.of_square[mv.from().index()];
        let mut move_counts = lifted.move_counts;
        self.lines.put_down(side, mv, &mut move_counts);
        // Two copies of the code, so that a move which does not capture takes no
        // enemy piece away.
        if mv.is_capture() {
            self.put_down(side, (mv.to(), true), lifted, move_counts)
        } else {
            self.put_down(side, (mv.to(), false), lifted, move_counts)
        }
    }

    /// The snapshot once the piece that was taken up is put down on `to`, where it
    /// may take an enemy piece; `move_counts` are those of the new position.
    #[inline(always)]
    pub(super) fn put_down(
        &self,
        side: Side,
        (to, capture): (Square, bool),
        lifted: &Lifted,
        move_counts: MoveCounts,
    ) -> Snapshot {
        let enemy = !side;
        let taken = (capture as u64).wrapping_neg();
        let own = lifted.pieces | Bitboard::from_square(to);
        let theirs = self.pieces(enemy) & !Bitboard::from_square(to);

        let own_quads = lifted.quads.with(lifted.pieces, to);
        let their_quads = self.now.quads[enemy.index()].without_if(capture, theirs, to);

        let own_counts = lifted.counts.wrapping_add(COUNTS[to.index()]);
        let their_counts = self.now.counts[enemy.index()].wrapping_sub(COUNTS[to.index()] & taken);

        let key = lifted.key ^ zobrist::piece(side, to) ^ (zobrist::piece(enemy, to) & taken);
        Snapshot {
            pieces: in_order(side, own, theirs),
            key,
            counts: in_order(side, own_counts, their_counts),
            quads: in_order(side, own_quads, their_quads),
            move_counts,
            turn: enemy,
        }
    }
}

/// Black's value first, given the mover's and the other side's.
#[inline(always)]
fn in_order<T: Copy>(mover: Side, own: T, theirs: T) -> [T; 2] {
    match mover {
        Side::X => [own, theirs],
        Side::O => [theirs, own],
    }
}
