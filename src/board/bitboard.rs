//! Sets of squares as 64 bits, and connection on them.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::Square;

const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// A set of squares, one bit each: bit 0 is `a1`, bit 63 `h8`.
///
/// # Examples
///
/// ```
/// use loatune::board::{Bitboard, Square};
///
/// let corners: Bitboard = [Square::at(0, 0), Square::at(7, 7)].into_iter().collect();
/// assert_eq!((corners.len(), corners.groups()), (2, 2));
/// assert!(corners.has(Square::at(7, 7)) && !corners.is_connected());
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);

    /// The set of one square.
    #[inline(always)]
    pub const fn from_square(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// How many squares are in the set.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no square in the set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `square` is in the set.
    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The set with all squares next to it added, in all 8 directions.
    #[inline(always)]
    pub const fn grown(self) -> Bitboard {
        let wide = self.0 | (self.0 << 1 & NOT_FILE_A) | (self.0 >> 1 & NOT_FILE_H);
        Bitboard(wide | wide << 8 | wide >> 8)
    }

    /// The squares of `self` that hang together with its lowest square.
    #[inline]
    pub const fn first_group(self) -> Bitboard {
        let mut group = self.0 & self.0.wrapping_neg();
        loop {
            let next = Bitboard(group).grown().0 & self.0;
            if next == group {
                return Bitboard(group);
            }
            group = next;
        }
    }

    /// Whether all squares of the set form one group; the empty set does not.
    #[inline]
    pub const fn is_connected(self) -> bool {
        !self.is_empty() && self.first_group().0 == self.0
    }

    /// How many groups the set falls into.
    pub const fn groups(self) -> u32 {
        let mut left = self;
        let mut count = 0;
        while !left.is_empty() {
            left.0 &= !left.first_group().0;
            count += 1;
        }
        count
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

/// The squares of a set, lowest first.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::from_index(self.0.trailing_zeros() as usize);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| {
            set | Bitboard::from_square(square)
        })
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

/// Draws the set as a board, rank 8 on top.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            writeln!(f)?;
            for file in 0..8 {
                let mark = if self.has(Square::at(file, rank)) {
                    '#'
                } else {
                    '.'
                };
                write!(f, "{mark}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(rows: [&str; 8]) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for (row, text) in rows.iter().enumerate() {
            for (file, mark) in text.chars().enumerate() {
                if mark == '#' {
                    set |= Bitboard::from_square(Square::at(file as u8, 7 - row as u8));
                }
            }
        }
        set
    }

    #[test]
    fn the_board_does_not_wrap_around() {
        let edges = drawn([
            "........", ".......#", "#.......", "........", "........", "........", "........",
            "........",
        ]);
        assert_eq!(edges.groups(), 2);
        assert!(!edges.is_connected());
    }

    #[test]
    fn diagonal_neighbours_hang_together() {
        let snake = drawn([
            "#.......", ".#......", "..#.....", "..#.....", "...##...", ".....#..", "......#.",
            ".......#",
        ]);
        assert!(snake.is_connected());
        assert_eq!(snake.groups(), 1);
    }

    #[test]
    fn one_piece_is_one_group_and_none_is_none() {
        assert!(Bitboard::from_square(Square::at(7, 7)).is_connected());
        assert!(!Bitboard::EMPTY.is_connected());
        assert_eq!(Bitboard::EMPTY.groups(), 0);
    }
}
