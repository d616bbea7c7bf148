//! Moves and lists of them.

use std::fmt;
use std::ops::Deref;

use super::Square;

/// A move on a given board: from, to, whether it captures, and the direction
/// of the line it runs along. [`Move::PASS`] is what a side without a move
/// does where the rules let it pass.
///
/// The text form is read by [`crate::notation::parse_move`].
///
/// Two moves are equal when they are the same move of the same position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

const CAPTURE: u16 = 1 << 14;

impl Move {
    /// No move at all: the turn goes to the other side.
    pub const PASS: Move = Move(0);

    #[inline(always)]
    pub(super) const fn new(from: Square, to: Square, direction: usize, capture: bool) -> Move {
        let squares = from.index() | to.index() << 6 | direction << 12;
        Move(squares as u16 | (capture as u16) << 14)
    }

    /// The square that the piece leaves.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index(self.0 as usize)
    }

    /// The square that it reaches.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 >> 6) as usize)
    }

    /// Whether it takes an enemy piece.
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.0 & CAPTURE != 0
    }

    /// Whether it is [`Move::PASS`].
    #[inline(always)]
    pub const fn is_pass(self) -> bool {
        self.0 == 0
    }

    /// The direction of its line, an index of `lines::STEP`.
    #[inline(always)]
    pub(super) const fn direction(self) -> usize {
        (self.0 >> 12 & 3) as usize
    }

    /// The square that it reaches, the direction of its line and whether it
    /// captures, as one number: 6, 2 and 1 bits, the lowest first.
    #[inline(always)]
    pub(super) const fn arrival(self) -> usize {
        (self.0 >> 6 & 511) as usize
    }

    /// From, to, direction, whether it captures.
    #[inline(always)]
    pub(super) const fn parts(self) -> (Square, Square, usize, bool) {
        (self.from(), self.to(), self.direction(), self.is_capture())
    }

    /// The move as 16 bits, for tables and records.
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// What [`Move::to_bits`] gave; any other number is a move that is legal
    /// nowhere, so check it with [`super::Board::is_legal`].
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }
}

/// `b1-b3`, with an `x` where it captures: `c1xa3`; a pass is `pass`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            return f.pad("pass");
        }
        let middle = if self.is_capture() { 'x' } else { '-' };
        f.pad(&format!("{}{middle}{}", self.from(), self.to()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The capacity of a list: 12 pieces with 8 moves each are 96, and a power of
/// two needs no bounds check.
const CAPACITY: usize = 128;

/// The moves of one position, in an array on the stack.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; CAPACITY],
    len: usize,
}

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub const fn new() -> MoveList {
        MoveList {
            moves: [Move::PASS; CAPACITY],
            len: 0,
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, mv: Move) {
        self.moves[self.len & (CAPACITY - 1)] = mv;
        self.len += 1;
    }
}

impl std::ops::DerefMut for MoveList {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len & (CAPACITY - 1)]
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len & (CAPACITY - 1)]
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
