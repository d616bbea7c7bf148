//! The two sides.

use std::fmt;
use std::ops::Not;

/// A side: Black (`x`) moves first, White (`o`) second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// Black, drawn `x`, on ranks 1 and 8 at the start; moves first.
    X = 0,
    /// White, drawn `o`, on files a and h at the start.
    O = 1,
}

impl Side {
    /// Both sides, Black first.
    pub const BOTH: [Side; 2] = [Side::X, Side::O];

    /// The letter of this side in every text form: `x` or `o`.
    pub const fn letter(self) -> char {
        match self {
            Side::X => 'x',
            Side::O => 'o',
        }
    }

    /// 0 for Black, 1 for White: the place in every two-element array.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Side {
    type Output = Side;

    #[inline(always)]
    fn not(self) -> Side {
        match self {
            Side::X => Side::O,
            Side::O => Side::X,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::X => "x",
            Side::O => "o",
        })
    }
}
