//! The 64-bit keys that name a position: one number a piece and square, one
//! for the side to move. Fixed for ever, because stored records carry them.

use super::{Bitboard, Side, Square};

const fn splitmix64(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

static PIECES: [[u64; 64]; 2] = {
    let mut keys = [[0; 64]; 2];
    let mut n = 0;
    while n < 128 {
        keys[n / 64][n % 64] = splitmix64((n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        n += 1;
    }
    keys
};

/// Part of the key of every position in which White is to move.
pub(super) const WHITE_TO_MOVE: u64 = splitmix64(0x2545_f491_4f6c_dd1d);

/// The part of the key for a piece of `side` on `square`.
#[inline(always)]
pub(super) fn piece(side: Side, square: Square) -> u64 {
    PIECES[side.index()][square.index()]
}

/// The whole key, from nothing.
pub(super) fn key(pieces: [Bitboard; 2], turn: Side) -> u64 {
    let mut key = match turn {
        Side::X => 0,
        Side::O => WHITE_TO_MOVE,
    };
    for side in Side::BOTH {
        for square in pieces[side.index()] {
            key ^= piece(side, square);
        }
    }
    key
}
