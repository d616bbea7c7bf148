//! Quads: the 81 windows of 2×2 squares, those that overlap the border
//! included, counted for one side by how many of its pieces they hold.
//!
//! Gray's formula gives the Euler number from them, E = (Q1 − Q3 − 2·Qd) / 4
//! (Qd: two pieces on a diagonal), which is the number of groups minus the
//! number of holes. So E > 1 proves that a side is not connected. Putting a
//! piece on a square or taking it away changes only the four quads around the
//! square, and how depends on its 8 neighbours alone: one table look-up.

use super::{Bitboard, Square};

/// The quad counts of one side, packed so that a change is one addition:
/// bits 0–15 hold 4·E + `BIAS`, bits 16–23 Q3, bits 24–31 Q4.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Quads(u32);

/// Keeps the lowest field from going below zero and borrowing.
const BIAS: u32 = 1 << 12;

impl Quads {
    pub(super) const NONE: Quads = Quads(BIAS);

    pub(super) fn new(pieces: Bitboard) -> Quads {
        let mut placed = Bitboard::EMPTY;
        let mut quads = Quads::NONE;
        for square in pieces {
            quads = quads.with(placed, square);
            placed |= Bitboard::from_square(square);
        }
        quads
    }

    /// The counts once a piece stands on `square` beside `others`.
    #[inline(always)]
    pub(super) fn with(self, others: Bitboard, square: Square) -> Quads {
        Quads(self.0.wrapping_add(change(others, square)))
    }

    /// The counts once the piece on `square` has left `others` alone.
    #[inline(always)]
    pub(super) fn without(self, others: Bitboard, square: Square) -> Quads {
        Quads(self.0.wrapping_sub(change(others, square)))
    }

    /// As [`Quads::without`] if `really`, else unchanged; without a branch.
    #[inline(always)]
    pub(super) fn without_if(self, really: bool, others: Bitboard, square: Square) -> Quads {
        let mask = (really as u32).wrapping_neg();
        Quads(self.0.wrapping_sub(change(others, square) & mask))
    }

    /// Four times the Euler number.
    #[inline(always)]
    pub(super) const fn euler4(self) -> i32 {
        (self.0 & 0xffff) as i32 - BIAS as i32
    }

    /// Quads with three pieces.
    #[inline(always)]
    pub(super) const fn threes(self) -> u32 {
        self.0 >> 16 & 0xff
    }

    /// Quads with four pieces.
    #[inline(always)]
    pub(super) const fn fours(self) -> u32 {
        self.0 >> 24
    }
}

/// The squares around each square, itself excluded.
static AROUND: [u64; 64] = {
    let mut around = [0; 64];
    let mut n = 0;
    while n < 64 {
        let here = Bitboard(1 << n);
        around[n] = here.grown().0 & !here.0;
        n += 1;
    }
    around
};

/// What a piece on `square` adds to the packed counts beside `others`.
#[inline(always)]
fn change(others: Bitboard, square: Square) -> u32 {
    // The 3×3 window, moved so that its lowest square is bit 0: rows at bits
    // 0–2, 8–10 and 16–18. One multiplication brings them together as bits
    // 16–24, the top row lowest (the table does not mind the flip).
    let window = (others.0 & AROUND[square.index()]).rotate_right(square.index() as u32 + 64 - 9);
    let index = window.wrapping_mul(1 << 22 | 1 << 11 | 1) >> 16 & 511;
    CHANGE[index as usize]
}

/// By the content of the 3×3 window (its centre does not matter): what a piece
/// in the centre adds to the packed counts.
static CHANGE: [u32; 512] = {
    const CENTRE: usize = 1 << 4;
    let mut table = [0; 512];
    let mut window = 0;
    while window < 512 {
        table[window] = packed(window | CENTRE).wrapping_sub(packed(window & !CENTRE));
        window += 1;
    }
    table
};

/// The four quads of a 3×3 window, packed like [`Quads`] but without the bias.
const fn packed(window: usize) -> u32 {
    let mut euler4 = 0i32;
    let mut counts: u32 = 0;
    let mut quad = 0;
    while quad < 4 {
        let low = [0, 1, 3, 4][quad];
        let a = window >> low & 1;
        let b = window >> (low + 1) & 1;
        let c = window >> (low + 3) & 1;
        let d = window >> (low + 4) & 1;
        match a + b + c + d {
            1 => euler4 += 1,
            2 if a == d => euler4 -= 2,
            3 => {
                euler4 -= 1;
                counts += 1 << 16;
            }
            4 => counts += 1 << 24,
            _ => {}
        }
        quad += 1;
    }
    counts.wrapping_add_signed(euler4)
}
