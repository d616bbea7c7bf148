//! Lines: what a row, column or diagonal allows.
//!
//! A piece moves along a line exactly as far as the line holds pieces, so what
//! a line allows depends on its own content alone. The content is a number in
//! base 3 (0 empty, 1 Black, 2 White, lowest square first), at most 3^8 of
//! them, and everything about it stands in a table that the compiler fills. A
//! move changes seven lines: three through the square left, three through the
//! square reached, and the one moved along.
//!
//! Lines are numbered direction · 16 + place, so that 6 bits hold any of them.

use super::{Bitboard, Move, Side, Square};

/// The four ways a line can run; the number is part of a [`super::Move`].
pub(super) const DIRECTIONS: usize = 4;

/// What to add to a square's number for one step forward: along the rank, up
/// the file, up to the right, up to the left.
pub(super) const STEP: [i32; DIRECTIONS] = [1, 8, 9, 7];

/// How many lines a move changes.
pub(super) const CHANGED_BY_MOVE: usize = 7;

/// Line contents of all kinds stand in one table. 22,962 of them exist; the
/// table has a place for every `u16`, so that no look-up needs a bounds check
/// (the unused places are never touched and cost no cache).
const CONTENTS: usize = 1 << 16;

/// Lines of up to 8 squares by their length, where a line of 8 lies in the middle
/// of the board or is a diagonal; then the ranks and files beside the edge, and
/// those on it.
const KINDS: usize = 11;
const BESIDE_EDGE: usize = 9;
const ON_EDGE: usize = 10;

/// The contents of every line of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lines([u16; 64]);

/// Classes of moves of both sides, a byte each, so that those of all lines add up
/// in one number: from the lowest byte on all moves, captures, moves to the edge
/// and moves to the sixteen squares in the middle, Black's before White's. A side
/// has at most 12 · 8 moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) struct MoveCounts(u64);

impl MoveCounts {
    /// Those of no line at all.
    pub(super) const NONE: MoveCounts = MoveCounts(0);

    #[inline(always)]
    pub(super) const fn moves(self, side: Side) -> u32 {
        self.class(0, side)
    }

    #[inline(always)]
    pub(super) const fn captures(self, side: Side) -> u32 {
        self.class(1, side)
    }

    #[inline(always)]
    pub(super) const fn edge_moves(self, side: Side) -> u32 {
        self.class(2, side)
    }

    #[inline(always)]
    pub(super) const fn centre_moves(self, side: Side) -> u32 {
        self.class(3, side)
    }

    /// Of each class those of a side minus those of the other one.
    #[inline(always)]
    pub(super) fn differences(self, side: Side) -> [i32; 4] {
        // Sixteen bits a class, so that all four are subtracted at once; the bias
        // keeps a class from borrowing from the next.
        const LOW_BYTES: u64 = 0x00ff_00ff_00ff_00ff;
        const BIAS: u64 = 0x0100_0100_0100_0100;
        let of_side = |side: Side| self.0 >> (8 * side.index()) & LOW_BYTES;
        let all = of_side(side) + BIAS - of_side(!side);
        std::array::from_fn(|class| (all >> (16 * class) & 0xffff) as i32 - 0x100)
    }

    #[inline(always)]
    const fn class(self, class: usize, side: Side) -> u32 {
        (self.0 >> (16 * class + 8 * side.index()) & 0xff) as u32
    }
}

/// What a line's content allows, by place on the line.
#[derive(Clone, Copy, Debug)]
struct Allowed {
    /// Pieces of either side that may move towards higher places.
    forward: u8,
    /// Pieces of either side that may move towards lower places.
    back: u8,
    /// Both together.
    any: u8,
    /// Pieces on the line, which is how far each of them moves.
    count: u8,
}

/// The pieces of either side that may move, by direction; of each direction
/// those that may go forward first, then those that may go back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Movers([[u64; 2]; DIRECTIONS]);

/// The pieces of either side that may move forward or back, by direction.
#[derive(Clone, Copy, Debug)]
pub struct AnyMovers([u64; DIRECTIONS]);

impl AnyMovers {
    /// Those that may move along a line which a move between these squares does
    /// not change.
    #[inline(always)]
    pub(super) fn on_other_lines(&self, from: Square, to: Square) -> u64 {
        let (left, reached) = (&STAR[from.index()], &STAR[to.index()]);
        (0..DIRECTIONS).fold(0, |all, direction| {
            all | self.0[direction] & !(left[direction] | reached[direction])
        })
    }
}

/// The pieces of either side that may move along `line` once it has this content.
#[inline(always)]
pub(super) fn movers_along(line: u8, content: u16) -> u64 {
    let line = line as usize & 63;
    let places = TABLES.allowed[content as usize].any;
    SPREAD[line / 16][places as usize] << LOWEST[line]
}

/// The pieces of either side that may move forward and back along `line` once it has
/// this content.
#[inline(always)]
fn movers_both_ways(line: u8, content: u16) -> [u64; 2] {
    let line = line as usize & 63;
    let allowed = TABLES.allowed[content as usize];
    let on_board = |places: u8| SPREAD[line / 16][places as usize] << LOWEST[line];
    [on_board(allowed.forward), on_board(allowed.back)]
}

/// How many moves each piece of either side has, 0 to 8, as four binary digits, the
/// lowest first: a set of squares each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceMoveCounts(pub [Bitboard; 4]);

impl PieceMoveCounts {
    /// The number of sets, forward and back of every direction, that a piece is in.
    #[inline(always)]
    fn of([[a, b], [c, d], [e, f], [g, h]]: [[u64; 2]; DIRECTIONS]) -> PieceMoveCounts {
        // Three numbers of the same weight into a sum and a carry.
        let add = |a: u64, b: u64, c: u64| (a ^ b ^ c, (a & b) | (c & (a ^ b)));
        let (ones_1, twos_1) = add(a, b, c);
        let (ones_2, twos_2) = add(d, e, f);
        let (ones_3, twos_3) = add(g, h, ones_1);
        let (ones, twos_4) = (ones_2 ^ ones_3, ones_2 & ones_3);
        let (twos_5, fours_1) = add(twos_1, twos_2, twos_3);
        let (twos, fours_2) = (twos_4 ^ twos_5, twos_4 & twos_5);
        PieceMoveCounts([ones, twos, fours_1 ^ fours_2, fours_1 & fours_2].map(Bitboard))
    }

    /// The pieces of either side that have a move.
    #[inline(always)]
    pub fn any(&self) -> Bitboard {
        let [ones, twos, fours, eights] = self.0;
        ones | twos | fours | eights
    }
}

/// A line through a square, and the weight of the square's digit in it.
#[derive(Clone, Copy)]
struct Through {
    line: u8,
    weight: u16,
}

/// The lines through a square for a move in one direction: that direction's
/// line last, the three others before it.
#[derive(Clone, Copy)]
struct Crossing([Through; DIRECTIONS]);

impl Lines {
    /// The lines of an empty board.
    pub(super) fn empty() -> Lines {
        let mut lines = [0; 64];
        for (line, content) in lines.iter_mut().enumerate() {
            *content = BASE[KIND[line] as usize];
        }
        Lines(lines)
    }

    pub(super) fn new(pieces: [Bitboard; 2]) -> Lines {
        let mut lines = Lines::empty();
        for side in Side::BOTH {
            for square in pieces[side.index()] {
                for through in CROSSINGS[0][square.index()].0 {
                    lines.0[through.line as usize & 63] += digit(side) * through.weight;
                }
            }
        }
        lines
    }

    /// How many pieces stand on the line through `square`: how far one of them
    /// moves along it.
    #[inline(always)]
    pub(super) fn count(&self, direction: usize, square: Square) -> i32 {
        let line = LINE_OF[direction & 3][square.index()].line;
        TABLES.allowed[self.0[line as usize & 63] as usize].count as i32
    }

    /// The pieces that may move.
    pub(super) fn movers(&self) -> Movers {
        let mut movers = Movers([[0; 2]; DIRECTIONS]);
        for line in 0..64 {
            movers.set(line, self.0[line as usize]);
        }
        movers
    }

    /// The moves and captures on all lines, added up.
    pub(super) fn move_counts(&self) -> MoveCounts {
        let all = self
            .0
            .iter()
            .map(|&content| TABLES.move_counts[content as usize]);
        MoveCounts(all.sum())
    }

    /// Calls `changed` with every line that changes when `side` moves from
    /// `from` to `to` along `direction` (with `capture` an enemy leaves `to`):
    /// its number, its content before and after.
    #[inline(always)]
    pub(super) fn changes(
        &self,
        side: Side,
        (from, to, direction, capture): (Square, Square, usize, bool),
        mut changed: impl FnMut(u8, u16, u16),
    ) {
        let own = digit(side);
        let gain = own.wrapping_sub(capture as u16 * digit(!side));
        let left = &CROSSINGS[direction & 3][from.index()].0;
        let reached = &CROSSINGS[direction & 3][to.index()].0;
        let mut change = |through: &Through, by: u16| {
            let before = self.0[through.line as usize & 63];
            changed(through.line, before, before.wrapping_add(by));
        };
        for through in &left[..3] {
            change(through, own.wrapping_mul(through.weight).wrapping_neg());
        }
        for through in &reached[..3] {
            change(through, gain.wrapping_mul(through.weight));
        }
        let leaves = own.wrapping_mul(left[3].weight);
        change(
            &left[3],
            gain.wrapping_mul(reached[3].weight).wrapping_sub(leaves),
        );
    }

    /// How many moves each piece has after such a move as that of [`Lines::changes`],
    /// where `movers` are those of these lines. Calls `changed` with the content of
    /// every line that changes, before and after.
    ///
    /// Sums ask for no order of directions. So those of the move's own crossing are
    /// put together one after the other, and nothing is written to memory.
    #[inline(always)]
    pub(super) fn piece_move_counts_after(
        &self,
        movers: &Movers,
        side: Side,
        (from, to, direction, capture): (Square, Square, usize, bool),
        mut changed: impl FnMut(u16, u16),
    ) -> PieceMoveCounts {
        let own = digit(side);
        let gain = own.wrapping_sub(capture as u16 * digit(!side));
        let left = &CROSSINGS[direction & 3][from.index()].0;
        let reached = &CROSSINGS[direction & 3][to.index()].0;
        let mut change = |through: &Through, by: u16| -> [u64; 2] {
            let before = self.0[through.line as usize & 63];
            let after = before.wrapping_add(by);
            changed(before, after);
            movers_both_ways(through.line, after)
        };
        let mut along = [[0; 2]; DIRECTIONS];
        for slot in 0..3 {
            let (from, to) = (&left[slot], &reached[slot]);
            let leaves = change(from, own.wrapping_mul(from.weight).wrapping_neg());
            let arrives = change(to, gain.wrapping_mul(to.weight));
            let kept = !(SQUARES[from.line as usize & 63] | SQUARES[to.line as usize & 63]);
            let before = &movers.0[(from.line as usize / 16) & 3];
            along[slot] = [
                before[0] & kept | leaves[0] | arrives[0],
                before[1] & kept | leaves[1] | arrives[1],
            ];
        }
        let leaves = own.wrapping_mul(left[3].weight);
        let arrives = gain.wrapping_mul(reached[3].weight);
        let moves = change(&left[3], arrives.wrapping_sub(leaves));
        let kept = !SQUARES[left[3].line as usize & 63];
        let before = &movers.0[direction & 3];
        along[3] = [before[0] & kept | moves[0], before[1] & kept | moves[1]];
        PieceMoveCounts::of(along)
    }

    /// Changes `move_counts`, those of these lines, to what is left of them once
    /// the piece of `side` on `square` is taken up.
    #[inline(always)]
    pub(super) fn take_up(&self, side: Side, square: Square, move_counts: &mut MoveCounts) {
        for through in &CROSSINGS[0][square.index()].0 {
            let before = self.0[through.line as usize & 63];
            let piece = digit(side).wrapping_mul(through.weight);
            move_counts.change(before, before.wrapping_sub(piece));
        }
    }

    /// Changes `move_counts`, those without the piece that `mv` of `side` moves, to
    /// what they are once it has been put down.
    #[inline(always)]
    pub(super) fn put_down(&self, side: Side, mv: Move, move_counts: &mut MoveCounts) {
        let [a, b, c, along] = REACHED[side.index()][mv.arrival()];
        for reached in [a, b, c] {
            let before = self.0[reached.line as usize & 63];
            move_counts.change(before, before.wrapping_add(reached.change));
        }
        let left = &LINE_OF[mv.direction()][mv.from().index()];
        let before =
            self.0[along.line as usize & 63].wrapping_sub(digit(side).wrapping_mul(left.weight));
        move_counts.change(before, before.wrapping_add(along.change));
    }

    #[inline(always)]
    pub(super) fn set(&mut self, line: u8, content: u16) {
        self.0[line as usize & 63] = content;
    }
}

impl Movers {
    /// The pieces of either side that have a move.
    #[inline(always)]
    pub fn any(&self) -> Bitboard {
        Bitboard(
            self.0
                .iter()
                .fold(0, |all, [forward, back]| all | forward | back),
        )
    }

    /// Those of each direction, forward and back together.
    #[inline(always)]
    pub fn any_along(&self) -> AnyMovers {
        let [[a, b], [c, d], [e, f], [g, h]] = self.0;
        AnyMovers([a | b, c | d, e | f, g | h])
    }

    /// How many moves each piece of either side has.
    #[inline(always)]
    pub fn counts(&self) -> PieceMoveCounts {
        PieceMoveCounts::of(self.0)
    }

    /// The pieces of either side that may move along `direction`, forward or
    /// back.
    #[inline(always)]
    pub(super) const fn along(&self, direction: usize) -> [Bitboard; 2] {
        let [forward, back] = self.0[direction & 3];
        [Bitboard(forward), Bitboard(back)]
    }

    /// The pieces that may move once `line` has this content.
    #[inline(always)]
    pub(super) fn set(&mut self, line: u8, content: u16) {
        let [forward_now, back_now] = movers_both_ways(line, content);
        let line = line as usize & 63;
        let [forward, back] = &mut self.0[line / 16];
        *forward = *forward & !SQUARES[line] | forward_now;
        *back = *back & !SQUARES[line] | back_now;
    }
}

impl MoveCounts {
    /// Takes what a line's content allowed before out of the sums, and puts in
    /// what it allows now.
    #[inline(always)]
    pub(super) fn change(&mut self, before: u16, after: u16) {
        self.0 = self
            .0
            .wrapping_add(TABLES.move_counts[after as usize])
            .wrapping_sub(TABLES.move_counts[before as usize]);
    }
}

#[inline(always)]
const fn digit(side: Side) -> u16 {
    side.index() as u16 + 1
}

/// The kind of each line; 0 for the numbers that name no line.
static KIND: [u8; 64] = {
    let mut kind = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < DIRECTIONS {
            kind[line_of(direction, square).0.line as usize] += 1;
            direction += 1;
        }
        square += 1;
    }
    let mut n = 0;
    while n < 4 {
        let (direction, end) = (n / 2, n % 2);
        kind[direction * 16 + 7 * end] = ON_EDGE as u8;
        kind[direction * 16 + 1 + 5 * end] = BESIDE_EDGE as u8;
        n += 1;
    }
    kind
};

/// Squares on a line of each kind.
const LENGTH: [usize; KINDS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8];

/// Places of a line of each kind that lie on the board's edge, one bit each.
const EDGE: [u32; KINDS] = {
    let mut edge = [0; KINDS];
    let mut kind = 1;
    while kind < KINDS {
        edge[kind] = 1 | 1 << (LENGTH[kind] - 1);
        kind += 1;
    }
    edge[ON_EDGE] = 0xff;
    edge
};

/// Places of a line of each kind on the sixteen squares in the middle. A diagonal
/// of n squares meets them from its third square on, n - 4 of them.
const CENTRE: [u32; KINDS] = [0, 0, 0, 0, 0, 0b100, 0b1100, 0b1_1100, 0b11_1100, 0, 0];

/// The lowest square of each line.
static LOWEST: [u8; 64] = {
    let mut lowest = [0; 64];
    let mut square = 64;
    while square > 0 {
        square -= 1;
        let mut direction = 0;
        while direction < DIRECTIONS {
            lowest[line_of(direction, square).0.line as usize] = square as u8;
            direction += 1;
        }
    }
    lowest
};

/// The squares of each line.
static SQUARES: [u64; 64] = {
    let mut squares = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < DIRECTIONS {
            squares[line_of(direction, square).0.line as usize] |= 1 << square;
            direction += 1;
        }
        square += 1;
    }
    squares
};

/// By square: the squares of the line through it along each direction.
static STAR: [[u64; DIRECTIONS]; 64] = {
    let mut star = [[0; DIRECTIONS]; 64];
    let mut n = 0;
    while n < 64 * DIRECTIONS {
        let (square, direction) = (n / DIRECTIONS, n % DIRECTIONS);
        star[square][direction] = SQUARES[line_of(direction, square).0.line as usize];
        n += 1;
    }
    star
};

/// Places on a line as squares, for the line that begins at square 0.
static SPREAD: [[u64; 256]; DIRECTIONS] = {
    let mut table = [[0; 256]; DIRECTIONS];
    let mut n = 0;
    while n < DIRECTIONS * 256 * 8 {
        let (direction, places, place) = (n / 2048, n / 8 % 256, n % 8);
        if places >> place & 1 != 0 {
            table[direction][places] |= 1 << (place * STEP[direction] as usize);
        }
        n += 1;
    }
    table
};

/// Where the contents of lines of a given kind begin in the tables.
static BASE: [u16; KINDS] = {
    let mut base = [0; KINDS];
    let mut next = 1;
    let mut kind = KINDS - 1;
    // Content 0 stays free: it is that of the numbers that name no line.
    while kind > 0 {
        base[kind] = next;
        next += POWER[LENGTH[kind]];
        kind -= 1;
    }
    base
};

const POWER: [u16; 9] = [1, 3, 9, 27, 81, 243, 729, 2187, 6561];

/// The line of `direction` through `square`, and the place of the square on it.
const fn line_of(direction: usize, square: usize) -> (Through, usize) {
    let (file, rank) = (square % 8, square / 8);
    let (number, place) = match direction {
        0 => (rank, file),
        1 => (file, rank),
        2 => (rank + 7 - file, if rank < file { rank } else { file }),
        _ => (rank + file, if rank + file > 7 { 7 - file } else { rank }),
    };
    (
        Through {
            line: (direction * 16 + number) as u8,
            weight: POWER[place],
        },
        place,
    )
}

static LINE_OF: [[Through; 64]; DIRECTIONS] = {
    let mut table = [[Through { line: 0, weight: 0 }; 64]; DIRECTIONS];
    let mut n = 0;
    while n < DIRECTIONS * 64 {
        table[n / 64][n % 64] = line_of(n / 64, n % 64).0;
        n += 1;
    }
    table
};

static CROSSINGS: [[Crossing; 64]; DIRECTIONS] = {
    let none = Through { line: 0, weight: 0 };
    let mut table = [[Crossing([none; DIRECTIONS]); 64]; DIRECTIONS];
    let mut n = 0;
    while n < DIRECTIONS * 64 {
        let (direction, square) = (n / 64, n % 64);
        let mut other = 0;
        while other < DIRECTIONS {
            // The moving direction comes last, the others fill up before it.
            let slot = if other == direction {
                DIRECTIONS - 1
            } else if other > direction {
                other - 1
            } else {
                other
            };
            table[direction][square].0[slot] = line_of(other, square).0;
            other += 1;
        }
        n += 1;
    }
    table
};

/// A line through the square that a move reaches, and what the piece that is put
/// down there adds to its content; with a capture the piece that goes is taken off.
#[derive(Clone, Copy)]
struct Reached {
    line: u8,
    change: u16,
}

/// By side and [`Move::arrival`]: the lines through the square, that of the move
/// last.
static REACHED: [[[Reached; DIRECTIONS]; 512]; 2] = {
    let none = Reached { line: 0, change: 0 };
    let mut table = [[[none; DIRECTIONS]; 512]; 2];
    let mut n = 0;
    while n < 2 * 512 * DIRECTIONS {
        let (slot, arrival, side) = (n % DIRECTIONS, n / DIRECTIONS % 512, n / DIRECTIONS / 512);
        let (own, enemy) = (side as u16 + 1, 2 - side as u16);
        let (square, direction, captures) = (arrival % 64, arrival / 64 % 4, arrival / 256);
        let captures = captures as u16;
        let through = CROSSINGS[direction][square].0[slot];
        table[side][arrival][slot] = Reached {
            line: through.line,
            change: own
                .wrapping_sub(captures * enemy)
                .wrapping_mul(through.weight),
        };
        n += 1;
    }
    table
};

/// The rules of movement, applied once to every content of every kind of line.
static TABLES: Tables = {
    let mut tables = Tables {
        move_counts: [0; CONTENTS],
        allowed: [Allowed {
            forward: 0,
            back: 0,
            any: 0,
            count: 0,
        }; CONTENTS],
    };
    let mut kind = 1;
    while kind < KINDS {
        let mut content = 0;
        while content < POWER[LENGTH[kind]] {
            let index = (BASE[kind] + content) as usize;
            (tables.allowed[index], tables.move_counts[index]) = rules_of(content, kind);
            content += 1;
        }
        kind += 1;
    }
    tables
};

/// By a line's content: what it adds to [`MoveCounts`], and what it allows.
struct Tables {
    move_counts: [u64; CONTENTS],
    allowed: [Allowed; CONTENTS],
}

/// What one move of a side to a place adds to [`MoveCounts`].
const fn move_to(to: u32, side: usize, enemy: u32, kind: usize) -> u64 {
    let classes = [
        1,
        enemy >> to & 1,
        EDGE[kind] >> to & 1,
        CENTRE[kind] >> to & 1,
    ];
    let mut counts = 0;
    let mut class = 0;
    while class < classes.len() {
        counts += (classes[class] as u64) << (16 * class + 8 * side);
        class += 1;
    }
    counts
}

const fn rules_of(content: u16, kind: usize) -> (Allowed, u64) {
    let length = LENGTH[kind];
    // One bit a place for each side, 1 = there.
    let mut sides = [0u32; 2];
    let mut rest = content;
    let mut place = 0;
    while place < length {
        if !rest.is_multiple_of(3) {
            sides[rest as usize % 3 - 1] |= 1 << place;
        }
        rest /= 3;
        place += 1;
    }
    let count = (sides[0] | sides[1]).count_ones();
    let mut allowed = Allowed {
        forward: 0,
        back: 0,
        any: 0,
        count: count as u8,
    };
    let mut move_counts = 0;
    let mut side = 0;
    while side < 2 {
        let (own, enemy) = (sides[side], sides[1 - side]);
        let mut from = 0;
        while from < length as u32 {
            // Between the piece and its target no enemy may stand; on the
            // target no piece of its own.
            let between = (1 << (count - (count > 0) as u32)) - 1;
            if own >> from & 1 != 0 {
                let to = from + count;
                if to < length as u32 && enemy >> (from + 1) & between == 0 && own >> to & 1 == 0 {
                    allowed.forward |= 1 << from;
                    move_counts += move_to(to, side, enemy, kind);
                }
                if count <= from {
                    let to = from - count;
                    if enemy >> (to + 1) & between == 0 && own >> to & 1 == 0 {
                        allowed.back |= 1 << from;
                        move_counts += move_to(to, side, enemy, kind);
                    }
                }
            }
            from += 1;
        }
        side += 1;
    }
    allowed.any = allowed.forward | allowed.back;
    (allowed, move_counts)
}
