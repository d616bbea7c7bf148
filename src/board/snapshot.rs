//! What can be known of a position without its line contents.

use std::fmt;

use super::lines::MoveCounts;
use super::quads::Quads;
use super::{Bitboard, Side, Square};

/// A position as the rules and an evaluation look at it: where the pieces are,
/// whose turn it is, and every sum that a move updates. Cheaper to make than a
/// [`super::Board`], from which alone further moves can be played.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Snapshot {
    pub(super) pieces: [Bitboard; 2],
    pub(super) key: u64,
    /// Pieces on each file (low half) and rank (high half), four bits each.
    pub(super) counts: [u64; 2],
    pub(super) quads: [Quads; 2],
    pub(super) move_counts: MoveCounts,
    pub(super) turn: Side,
}

impl Snapshot {
    /// The pieces of one side.
    #[inline(always)]
    pub const fn pieces(&self, side: Side) -> Bitboard {
        self.pieces[side.index()]
    }

    /// The side to move.
    #[inline(always)]
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// The 64-bit Zobrist key of pieces and side to move.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Whether the pieces and the side to move are the same.
    #[inline(always)]
    pub fn same_position(&self, other: &Snapshot) -> bool {
        self.pieces == other.pieces && self.turn == other.turn
    }

    /// Four times the Euler number of a side: groups minus holes.
    #[inline(always)]
    pub const fn euler4(&self, side: Side) -> i32 {
        self.quads[side.index()].euler4()
    }

    /// Quads (2×2 windows) that hold three pieces of a side.
    #[inline(always)]
    pub const fn quad3(&self, side: Side) -> u32 {
        self.quads[side.index()].threes()
    }

    /// Quads that hold four pieces of a side.
    #[inline(always)]
    pub const fn quad4(&self, side: Side) -> u32 {
        self.quads[side.index()].fours()
    }

    /// The moves that a side has, or would have if it were its turn.
    #[inline(always)]
    pub const fn mobility(&self, side: Side) -> u32 {
        self.move_counts.moves(side)
    }

    /// How many of a side's moves capture.
    #[inline(always)]
    pub const fn captures(&self, side: Side) -> u32 {
        self.move_counts.captures(side)
    }

    /// How many of a side's moves end on the edge of the board.
    #[inline(always)]
    pub const fn edge_moves(&self, side: Side) -> u32 {
        self.move_counts.edge_moves(side)
    }

    /// How many of a side's moves end on the sixteen squares in the middle.
    #[inline(always)]
    pub const fn centre_moves(&self, side: Side) -> u32 {
        self.move_counts.centre_moves(side)
    }

    /// How many more moves, captures, moves to the edge and moves to the middle
    /// the side to move has than the other one.
    #[inline(always)]
    pub fn move_differences(&self) -> [i32; 4] {
        self.move_counts.differences(self.turn)
    }

    /// The number of a side's pieces on each file, four bits a file.
    #[inline(always)]
    pub const fn file_counts(&self, side: Side) -> u32 {
        self.counts[side.index()] as u32
    }

    /// The number of a side's pieces on each rank, four bits a rank.
    #[inline(always)]
    pub const fn rank_counts(&self, side: Side) -> u32 {
        (self.counts[side.index()] >> 32) as u32
    }

    /// Whether all pieces of a side form one group.
    #[inline(always)]
    pub const fn is_connected(&self, side: Side) -> bool {
        // Groups minus holes above one means more than one group.
        self.euler4(side) <= 4 && self.pieces[side.index()].is_connected()
    }

    /// Whether one move of a side could connect it; `false` is certain, `true`
    /// is not.
    #[inline(always)]
    pub fn may_connect_by_move(&self, side: Side) -> bool {
        // It takes a piece from one square and puts it on another, so it can
        // close one gap.
        let at_most_one = |gaps: u32| gaps & gaps.wrapping_sub(1) == 0;
        at_most_one(gaps(self.rank_counts(side))) && at_most_one(gaps(self.file_counts(side)))
    }

    /// Whether losing a piece could connect a side; `false` is certain, `true`
    /// is not.
    #[inline(always)]
    pub fn may_connect_by_loss(&self, side: Side) -> bool {
        gaps(self.rank_counts(side)) == 0 && gaps(self.file_counts(side)) == 0
    }

    /// Whether either side is connected.
    #[inline(always)]
    pub const fn is_decided(&self) -> bool {
        self.is_connected(Side::X) || self.is_connected(Side::O)
    }
}

/// The empty ranks (or files) on both sides of which at least two pieces stand,
/// one bit each. As long as there is one, taking a single piece away does not
/// connect the others.
#[inline(always)]
fn gaps(counts: u32) -> u32 {
    const ONES: u32 = 0x1111_1111;
    let two_or_more = |counts: u32| counts >> 1 | counts >> 2 | counts >> 3;
    // Four bits a rank: the pieces up to it, and those beyond it.
    let up_to = counts.wrapping_mul(ONES);
    let beyond = (up_to >> 28).wrapping_mul(ONES).wrapping_sub(up_to);
    let occupied = counts | two_or_more(counts);
    !occupied & two_or_more(up_to) & two_or_more(beyond) & ONES
}

/// Draws the position, rank 8 on top, and the side to move.
impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            writeln!(f)?;
            for file in 0..8 {
                let square = Square::at(file, rank);
                let here = |side: &Side| self.pieces(*side).has(square);
                let mark = Side::BOTH.into_iter().find(here).map_or('.', Side::letter);
                write!(f, "{mark}")?;
            }
        }
        write!(f, " {}", self.turn)
    }
}
