//! The board: pieces, moves and connection, exact and fast.
//!
//! Owns what is true of a position whatever is played for: squares, lines,
//! legal moves, groups, quads, keys, and the sums that each move updates. It
//! never sees a weight, a search, a rule switch or the moves that led here;
//! repetition, the ply limit and results are [`crate::game`]'s.

mod bitboard;
mod generate;
mod lines;
mod moves;
mod quads;
mod side;
mod snapshot;
mod square;
mod zobrist;

use std::fmt;
use std::ops::Deref;

pub use bitboard::{Bitboard, Squares};
pub use lines::Movers;
pub use moves::{Move, MoveList};
pub use side::Side;
pub use snapshot::Snapshot;
pub use square::Square;

use lines::{Lines, Reach};
use quads::Quads;

/// A position that moves can be played on. Copied, not undone: [`Board::play`]
/// gives the next one and leaves this one as it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    now: Snapshot,
    lines: Lines,
    movers: Movers,
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
        Board::of([rows, columns], Side::X)
    }

    /// The position with these pieces (Black's, White's). The sets must not
    /// overlap and must hold at most [`Board::MAX_PIECES`] each.
    pub fn of(pieces: [Bitboard; 2], turn: Side) -> Board {
        debug_assert!((pieces[0] & pieces[1]).is_empty());
        debug_assert!(pieces.iter().all(|side| side.len() <= Board::MAX_PIECES));
        let lines = Lines::of(pieces);
        let now = Snapshot {
            pieces,
            key: zobrist::key(pieces, turn),
            counts: pieces.map(|side| side.into_iter().map(|square| COUNTS[square.index()]).sum()),
            quads: pieces.map(Quads::of),
            reach: lines.reach(),
            turn,
        };
        Board {
            now,
            lines,
            movers: lines.movers(),
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

    /// Plays a legal move on this board, for those who need no way back.
    #[inline(always)]
    pub fn make(&mut self, mv: Move) {
        let mut reach = self.now.reach;
        let mut changed = [(0, 0); lines::CHANGED_BY_MOVE];
        let mut slots = changed.iter_mut();
        self.lines
            .changes(self.turn, mv.parts(), |line, before, after| {
                reach.change(before, after);
                if let Some(slot) = slots.next() {
                    *slot = (line, after);
                }
            });
        for (line, content) in changed {
            self.lines.set(line, content);
            self.movers.set(line, content);
        }
        self.now = self.moved(self.turn, mv, reach);
    }

    /// What [`Board::play`] would give, without the lines: enough to judge the
    /// position, for less.
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
        let mut reach = self.now.reach;
        self.lines.changes(side, mv.parts(), |_, before, after| {
            reach.change(before, after);
        });
        self.moved(side, mv, reach)
    }

    /// The key of the position after a legal move.
    #[inline(always)]
    pub fn key_after(&self, mv: Move) -> u64 {
        self.moved(self.turn, mv, self.now.reach).key
    }

    /// [`Board::after_by`], and which pieces may move then.
    #[inline(always)]
    #[must_use]
    pub fn after_with_movers(&self, side: Side, mv: Move) -> (Snapshot, Movers) {
        debug_assert_eq!(side, self.turn);
        let mut reach = self.now.reach;
        let mut movers = self.movers;
        self.lines.changes(side, mv.parts(), |line, before, after| {
            reach.change(before, after);
            movers.set(line, after);
        });
        (self.moved(side, mv, reach), movers)
    }

    /// [`Board::after_by`], and the pieces of either side that have a move then;
    /// cheaper than [`Board::after_with_movers`].
    #[inline(always)]
    #[must_use]
    pub fn after_with_mobile(&self, side: Side, mv: Move) -> (Snapshot, Bitboard) {
        debug_assert_eq!(side, self.turn);
        let mut reach = self.now.reach;
        let mut mobile = self.movers.any_along();
        self.lines.changes(side, mv.parts(), |line, before, after| {
            reach.change(before, after);
            mobile.set(line, after);
        });
        (self.moved(side, mv, reach), mobile.all())
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

    /// The snapshot after a move, but for the sums over the lines.
    #[inline(always)]
    fn moved(&self, side: Side, mv: Move, reach: Reach) -> Snapshot {
        let enemy = !side;
        let (from, to, _, capture) = mv.parts();
        let taken = (capture as u64).wrapping_neg();

        let stay = self.pieces(side) ^ Bitboard::of(from);
        let own = stay | Bitboard::of(to);
        let theirs = self.pieces(enemy) & !Bitboard::of(to);

        let own_quads = self.now.quads[side.index()]
            .without(stay, from)
            .with(stay, to);
        let their_quads = self.now.quads[enemy.index()].without_if(capture, theirs, to);

        let moved = COUNTS[to.index()].wrapping_sub(COUNTS[from.index()]);
        let own_counts = self.now.counts[side.index()].wrapping_add(moved);
        let their_counts = self.now.counts[enemy.index()].wrapping_sub(COUNTS[to.index()] & taken);

        let key = (self.now.key ^ zobrist::WHITE_TO_MOVE)
            ^ zobrist::piece(side, from)
            ^ zobrist::piece(side, to)
            ^ (zobrist::piece(enemy, to) & taken);

        Snapshot {
            pieces: in_order(side, own, theirs),
            key,
            counts: in_order(side, own_counts, their_counts),
            quads: in_order(side, own_quads, their_quads),
            reach,
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
