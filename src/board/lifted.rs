//! A board with each piece of a side taken up in turn: what all moves of one
//! piece have in common is computed once, where many of them are made.

use super::lines::MoveCounts;
use super::quads::Quads;
use super::{Bitboard, Board, Move, Side, Snapshot};

/// The sums of a position without one piece, for every piece of the side to move.
pub struct LiftedPieces {
    /// By square of the piece: the sums over the lines.
    move_counts: [MoveCounts; 64],
    /// By square of the piece: its side's quads.
    quads: [Quads; 64],
}

impl Board {
    /// Takes up each piece of `side`, whose turn it is. It pays where most moves
    /// of the position are made, see [`Board::after_lifted`].
    #[inline(always)]
    pub fn lifted_pieces(&self, side: Side) -> LiftedPieces {
        debug_assert_eq!(side, self.turn);
        let own = self.pieces(side);
        let mut lifted = LiftedPieces {
            move_counts: [MoveCounts::NONE; 64],
            quads: [Quads::NONE; 64],
        };
        for square in own {
            let stay = own ^ Bitboard::from_square(square);
            let mut move_counts = self.now.move_counts;
            self.lines.take_up(side, square, &mut move_counts);
            lifted.move_counts[square.index()] = move_counts;
            lifted.quads[square.index()] = self.now.quads[side.index()].without(stay, square);
        }
        lifted
    }

    /// [`Board::after_by`], from the pieces that [`Board::lifted_pieces`] took up.
    #[inline(always)]
    #[must_use]
    pub fn after_lifted(&self, lifted: &LiftedPieces, side: Side, mv: Move) -> Snapshot {
        let from = mv.from().index();
        let mut move_counts = lifted.move_counts[from];
        self.lines.put_down(side, mv, &mut move_counts);
        let quads = lifted.quads[from];
        // Two copies of the code, so that a move which does not capture takes no
        // enemy piece away.
        if mv.is_capture() {
            self.moved_with(side, (mv, true), move_counts, quads)
        } else {
            self.moved_with(side, (mv, false), move_counts, quads)
        }
    }
}
