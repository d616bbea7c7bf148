//! The board: pieces, moves and connection, exact and fast.
//!
//! Owns what a position alone decides: squares, lines, legal moves, groups,
//! quads, keys, and the sums that each move updates. It never sees a weight, a
//! search, a rule switch or the moves that led here; repetition, the ply limit
//! and results belong to [`crate::game`].
//!
//! | file | purpose |
//! |---|---|
//! | `square`, `side`, `bitboard` | the squares, the sides, sets of squares |
//! | `moves`, `generate` | moves, and the legal ones of a position |
//! | `connect` | the moves that connect a side |
//! | `lines` | what a row, column or diagonal allows, from tables |
//! | `lifted` | what all moves of a piece have in common |
//! | `quads` | 2×2 windows, from which the Euler number follows |
//! | `zobrist` | the 64-bit keys of positions |
//! | `symmetry` | rotations and reflections of positions and moves |
//! | `snapshot` | all that the rules and an evaluation ask of a position |

mod bitboard;
mod connect;
mod generate;
mod lifted;
mod lines;
mod moves;
mod quads;
mod side;
mod snapshot;
mod square;
mod symmetry;
mod zobrist;

use std::fmt;
use std::ops::Deref;

pub use bitboard::{Bitboard, Squares};
pub use lifted::LiftedPieces;
pub use lines::{AnyMovers, Movers, PieceMoveCounts};
pub use moves::{Move, MoveList};
pub use side::Side;
pub use snapshot::Snapshot;
pub use square::Square;
pub use symmetry::{Canonical, CanonicalPosition, Symmetry};

use lines::{Lines, MoveCounts};
use quads::Quads;

/// A position that moves can be played on. Copied, not undone: [`Board::play`]
/// gives the next one and leaves this one as it is.
///
/// # Examples
///
/// ```
/// use loatune::board::{Board, Side};
///
/// let board = Board::start();
/// let moves = board.moves();
/// assert_eq!(moves.len(), 36);
/// let next = board.play(moves[0]);
/// assert_eq!(next.turn(), Side::O);
/// assert!(!next.is_connected(Side::X));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    now: Snapshot,
    lines: Lines,
    movers: Movers,
}

/// Pieces that make no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Both sides have a piece on this square.
    #[error("both sides have a piece on {0}")]
    Overlap(Square),
    /// This side has no piece.
    #[error("{0} has no piece, but both sides need at least one")]
    NoPieces(Side),
    /// A side has more than [`Board::MAX_PIECES`] pieces.
    #[error("{side} has {count} pieces, but a side has at most {most}", most = Board::MAX_PIECES)]
    TooManyPieces {
        /// The side with too many pieces.
        side: Side,
        /// The number of its pieces.
        count: u32,
    },
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.now, f)
    }
}

/// A board is its snapshot and more, so it answers the same questions.
impl Deref for Board {
    type Target = Snapshot;

    #[inline(always)]
    fn deref(&self) -> &Snapshot {
        &self.now
    }
}

impl Board {
    /// The most pieces that a side can have.
    pub const MAX_PIECES: u32 = 12;

    /// The position in which every game starts.
    pub fn start() -> Board {
        let rows = Bitboard(0x7e00_0000_0000_007e);
        let columns = Bitboard(0x0081_8181_8181_8100);
        Board::new([rows, columns], Side::X).expect("the start is a valid position")
    }

    /// The position with these pieces (Black's, White's). Whether a game can
    /// lead to it is not asked.
    ///
    /// # Errors
    ///
    /// A [`BoardError`] where the sets share a square, or where one of them is
    /// empty or has more than [`Board::MAX_PIECES`] squares: the sums of a move
    /// have room for that many.
    ///
    /// # Examples
    ///
    /// ```
    /// use loatune::board::{Bitboard, Board, BoardError, Side, Square};
    ///
    /// let a1 = Bitboard::from_square(Square::at(0, 0));
    /// let h8 = Bitboard::from_square(Square::at(7, 7));
    /// let board = Board::new([a1, h8], Side::O)?;
    /// assert!(board.is_connected(Side::X));
    /// assert_eq!(
    ///     Board::new([a1, a1 | h8], Side::O),
    ///     Err(BoardError::Overlap(Square::at(0, 0)))
    /// );
    /// # Ok::<(), BoardError>(())
    /// ```
    pub fn new(pieces: [Bitboard; 2], turn: Side) -> Result<Board, BoardError> {
        Board::check_pieces(pieces)?;
        let lines = Lines::new(pieces);
        let now = Snapshot {
            pieces,
            key: zobrist::key(pieces, turn),
            counts: pieces.map(|side| side.into_iter().map(|square| COUNTS[square.index()]).sum()),
            quads: pieces.map(Quads::new),
            move_counts: lines.move_counts(),
            turn,
        };
        Ok(Board {
            now,
            lines,
            movers: lines.movers(),
        })
    }

    /// Checks that the sets (Black's, White's) are the pieces of a position.
    ///
    /// # Errors
    ///
    /// Those of [`Board::new`].
    pub fn check_pieces(pieces: [Bitboard; 2]) -> Result<(), BoardError> {
        for side in Side::BOTH {
            let count = pieces[side.index()].len();
            if count == 0 {
                return Err(BoardError::NoPieces(side));
            }
            if count > Board::MAX_PIECES {
                return Err(BoardError::TooManyPieces { side, count });
            }
        }
        match (pieces[0] & pieces[1]).into_iter().next() {
            Some(square) => Err(BoardError::Overlap(square)),
            None => Ok(()),
        }
    }

    /// This position's snapshot.
    #[inline(always)]
    pub const fn snapshot(&self) -> &Snapshot {
        &self.now
    }

    /// The position after a legal move.
    #[inline(always)]
    #[must_use]
    pub fn play(&self, mv: Move) -> Board {
        let mut next = *self;
        next.make(mv);
        next
    }

    /// Plays a legal move on this board, where the old position is not needed
    /// any more.
    #[inline(always)]
    pub fn make(&mut self, mv: Move) {
        let mut move_counts = self.now.move_counts;
        let mut changed = [(0, 0); lines::CHANGED_BY_MOVE];
        let mut slots = changed.iter_mut();
        self.lines
            .changes(self.turn, mv.parts(), |line, before, after| {
                move_counts.change(before, after);
                if let Some(slot) = slots.next() {
                    *slot = (line, after);
                }
            });
        for (line, content) in changed {
            self.lines.set(line, content);
            self.movers.set(line, content);
        }
        self.now = self.moved(self.turn, mv, move_counts);
    }

    /// What [`Board::play`] would give, without the lines: enough to evaluate the
    /// position, at less cost.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, mv: Move) -> Snapshot {
        self.after_by(self.turn, mv)
    }

    /// [`Board::after`] where the caller knows the side to move.
    #[inline(always)]
    #[must_use]
    pub fn after_by(&self, side: Side, mv: Move) -> Snapshot {
        debug_assert_eq!(side, self.turn);
        let mut move_counts = self.now.move_counts;
        self.lines.changes(side, mv.parts(), |_, before, after| {
            move_counts.change(before, after);
        });
        self.moved(side, mv, move_counts)
    }

    /// The key of the position after a legal move.
    #[inline(always)]
    pub fn key_after(&self, mv: Move) -> u64 {
        self.moved(self.turn, mv, self.now.move_counts).key
    }

    /// Four times the Euler numbers of the mover and of the other side after a
    /// legal move.
    #[inline(always)]
    pub fn euler4_after(&self, mv: Move) -> [i32; 2] {
        let (from, to, _, capture) = mv.parts();
        let stay = self.pieces(self.turn) ^ Bitboard::from_square(from);
        let theirs = self.pieces(!self.turn) & !Bitboard::from_square(to);
        let own_quads = self.now.quads[self.turn.index()];
        let their_quads = self.now.quads[(!self.turn).index()];
        [
            own_quads.without(stay, from).with(stay, to).euler4(),
            their_quads.without_if(capture, theirs, to).euler4(),
        ]
    }

    /// [`Board::after_by`], and how many moves each piece has then.
    #[inline(always)]
    #[must_use]
    pub fn after_with_counts(&self, side: Side, mv: Move) -> (Snapshot, PieceMoveCounts) {
        debug_assert_eq!(side, self.turn);
        let mut move_counts = self.now.move_counts;
        let changed = |before, after| move_counts.change(before, after);
        let (lines, movers) = (&self.lines, &self.movers);
        let counts = lines.piece_move_counts_after(movers, side, mv.parts(), changed);
        (self.moved(side, mv, move_counts), counts)
    }

    /// [`Board::after_by`], and the pieces of either side that have a move then;
    /// cheaper than [`Board::after_with_counts`]. `any` is what
    /// [`Movers::any_along`] gives for this board.
    #[inline(always)]
    #[must_use]
    pub fn after_with_mobile(&self, any: &AnyMovers, side: Side, mv: Move) -> (Snapshot, Bitboard) {
        debug_assert_eq!(side, self.turn);
        let mut move_counts = self.now.move_counts;
        let mut mobile = any.on_other_lines(mv.from(), mv.to());
        self.lines.changes(side, mv.parts(), |line, before, after| {
            move_counts.change(before, after);
            mobile |= lines::movers_along(line, after);
        });
        (self.moved(side, mv, move_counts), Bitboard(mobile))
    }

    /// The pieces of either side that may move.
    #[inline(always)]
    pub const fn movers(&self) -> &Movers {
        &self.movers
    }

    /// The same position with the other side to move.
    #[must_use]
    pub fn pass(&self) -> Board {
        let mut next = *self;
        next.now.turn = !self.turn;
        next.now.key ^= zobrist::WHITE_TO_MOVE;
        next
    }

    /// The snapshot after a move, given its sums over the lines.
    #[inline(always)]
    fn moved(&self, side: Side, mv: Move, move_counts: MoveCounts) -> Snapshot {
        let lifted = self.without(side, mv.from());
        self.put_down(side, (mv.to(), mv.is_capture()), &lifted, move_counts)
    }
}

/// By square: a piece's part in [`Snapshot::file_counts`] and
/// [`Snapshot::rank_counts`].
static COUNTS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = 1 << (4 * (square % 8)) | 1 << (32 + 4 * (square / 8));
        square += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(indices: std::ops::Range<usize>) -> Bitboard {
        indices.map(Square::from_index).collect()
    }

    #[test]
    fn impossible_pieces_are_refused() {
        let message = |pieces| {
            let error = Board::new(pieces, Side::X).expect_err("pieces to refuse");
            error.to_string()
        };
        assert_eq!(
            message([squares(0..3), squares(2..5)]),
            "both sides have a piece on c1"
        );
        assert_eq!(
            message([squares(0..1), Bitboard::EMPTY]),
            "o has no piece, but both sides need at least one"
        );
        assert_eq!(
            message([squares(0..13), squares(20..21)]),
            "x has 13 pieces, but a side has at most 12"
        );
        assert!(Board::new([squares(0..12), squares(12..24)], Side::O).is_ok());
    }
}
