//! Features that follow from where a side's pieces stand, whatever the other side
//! does. All of them are read from counts that each move keeps: how many pieces
//! stand on each file and on each rank, and the set of the pieces.

use std::sync::OnceLock;

use crate::board::{Bitboard, Board, Move, Side, Snapshot};

use super::genes::GeneId;
use super::power::{ONE, POWERS, scaled_power};
use super::weights::Weights;

/// Sums of files or ranks: at most 12 pieces on 7.
const SUMS: usize = 85;

/// Rows of a table by the number of pieces and the sum of their files or ranks.
const ROWS: usize = (Board::MAX_PIECES as usize + 1) * SUMS;

/// A one in every byte.
const BYTES: u64 = 0x0101_0101_0101_0101;

/// How much of [`PlaceTerms`] some weights ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceDetail {
    /// The spread alone.
    Spread,
    /// All of it.
    All,
}

impl PlaceDetail {
    pub(super) fn required_by(weights: &Weights) -> PlaceDetail {
        let genes = [GeneId::Pieces, GeneId::Extent, GeneId::Concentration];
        if genes.into_iter().any(|gene| weights.uses(gene)) {
            PlaceDetail::All
        } else {
            PlaceDetail::Spread
        }
    }
}

/// The features of place of one side; those that were not asked for are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaceTerms {
    /// The distances of the pieces from their centre of mass, to a power.
    pub spread: i32,
    /// The number of pieces.
    pub pieces: i32,
    /// Half the perimeter of the box around the pieces.
    pub extent: i32,
    /// How near the pieces are to being one lump.
    pub concentration: i32,
    /// The rows of files and of ranks in a table by the number of pieces and their
    /// sum: they say where the centre of mass is.
    pub(super) rows: [usize; 2],
}

/// By pieces, by the sum of their files (or ranks): what a piece on each file (or
/// rank) is worth. There is one for each power, computed when it is first asked for:
/// thousands of roots are too dear for every file that plays.
#[derive(Clone, Copy)]
pub(super) struct SpreadTable(&'static [[i16; 8]; ROWS]);

/// By power, in quarters.
static SPREAD_TABLES: [OnceLock<Box<[[i16; 8]; ROWS]>>; POWERS] =
    [const { OnceLock::new() }; POWERS];

impl SpreadTable {
    /// The table for a power, in quarters.
    pub(super) fn new(power: u32) -> SpreadTable {
        let table = &SPREAD_TABLES[power as usize];
        SpreadTable(table.get_or_init(|| SpreadTable::compute(power)))
    }

    fn compute(power: u32) -> Box<[[i16; 8]; ROWS]> {
        let mut distance = Box::new([[0; 8]; ROWS]);
        for pieces in 1..=Board::MAX_PIECES {
            for sum in 0..=7 * pieces {
                let row = &mut distance[pieces as usize * SUMS + sum as usize];
                for (place, value) in row.iter_mut().enumerate() {
                    let apart = (pieces * place as u32).abs_diff(sum);
                    *value = scaled_power(apart, pieces, power) as i16;
                }
            }
        }
        distance
    }

    #[inline(always)]
    fn along(&self, counts: &Counts) -> i32 {
        counts.dot(&self.0[counts.row])
    }

    /// [`SpreadTable::along`] once a piece has gone from one file (or rank) to
    /// another, and the row then.
    #[inline(always)]
    fn along_moved(&self, counts: &Counts, from: u8, to: u8) -> (i32, usize) {
        let (from, to) = (usize::from(from), usize::from(to));
        let at = counts.row + to - from;
        let row = &self.0[at];
        let moved = i32::from(row[to & 7]) - i32::from(row[from & 7]);
        (counts.dot(row) + moved, at)
    }
}

/// The pieces on each file (or rank), and their row in a table by number and sum.
#[derive(Clone, Copy)]
struct Counts {
    pieces: [i16; 8],
    row: usize,
}

impl Counts {
    /// From eight numbers of four bits.
    #[inline(always)]
    fn new(nibbles: u32) -> Counts {
        let mut x = u64::from(nibbles);
        x = (x | x << 16) & 0x0000_ffff_0000_ffff;
        x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
        let bytes = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        let total = (bytes.wrapping_mul(BYTES) >> 56) as usize;
        // The top byte of the product adds 7·c₇ + 6·c₆ + … + 1·c₁; at most 84.
        let sum = (bytes.wrapping_mul(0x0001_0203_0405_0607) >> 56) as usize;
        // A loop, because `map` of an array is not always inlined.
        let mut pieces = [0; 8];
        for (count, byte) in pieces.iter_mut().zip(bytes.to_le_bytes()) {
            *count = i16::from(byte);
        }
        let row = total * SUMS + sum;
        Counts { pieces, row }
    }

    #[inline(always)]
    fn dot(&self, row: &[i16; 8]) -> i32 {
        (self.pieces.iter().zip(row))
            .map(|(&count, &worth)| i32::from(count) * i32::from(worth))
            .sum()
    }
}

/// The pieces of a side on files and ranks, from which the features of its place
/// after each of its moves follow.
pub(super) struct Departure {
    files: Counts,
    ranks: Counts,
}

impl Departure {
    /// Not inlined, so that the counts lie in memory: from there the compiler takes
    /// them as one vector at every leaf.
    #[inline(never)]
    pub(super) fn new(now: &Snapshot, side: Side) -> Departure {
        Departure {
            files: Counts::new(now.file_counts(side)),
            ranks: Counts::new(now.rank_counts(side)),
        }
    }

    /// The features of place of the side that departed, where `now` is the position
    /// after its `mv`.
    #[inline(always)]
    pub(super) fn arrive(
        &self,
        table: &SpreadTable,
        detail: PlaceDetail,
        now: &Snapshot,
        mv: Move,
    ) -> PlaceTerms {
        let (from, to) = (mv.from(), mv.to());
        let (files, file_row) = table.along_moved(&self.files, from.file(), to.file());
        let (ranks, rank_row) = table.along_moved(&self.ranks, from.rank(), to.rank());
        let rows = [file_row, rank_row];
        terms_of(-(files + ranks), rows, detail, now, !now.turn())
    }
}

/// The features of place of one side.
#[inline(always)]
pub(super) fn place_terms(
    table: &SpreadTable,
    detail: PlaceDetail,
    now: &Snapshot,
    side: Side,
) -> PlaceTerms {
    let files = Counts::new(now.file_counts(side));
    let ranks = Counts::new(now.rank_counts(side));
    let spread = -(table.along(&files) + table.along(&ranks));
    terms_of(spread, [files.row, ranks.row], detail, now, side)
}

#[inline(always)]
fn terms_of(
    spread: i32,
    rows: [usize; 2],
    detail: PlaceDetail,
    now: &Snapshot,
    side: Side,
) -> PlaceTerms {
    if detail == PlaceDetail::Spread {
        return PlaceTerms {
            spread,
            rows,
            ..PlaceTerms::default()
        };
    }
    let pieces = now.pieces(side);
    let count = pieces.len() as usize;
    let (file, rank) = (usize::from(CENTRE[rows[0]]), usize::from(CENTRE[rows[1]]));
    let surplus = steps_to(8 * rank + file, pieces).saturating_sub(LEAST_STEPS[count]);
    PlaceTerms {
        spread,
        rows,
        pieces: count as i32 * ONE,
        extent: -((width(now.file_counts(side)) + width(now.rank_counts(side))) as i32) * ONE,
        concentration: LUMP[surplus],
    }
}

/// A side's pieces within two files and two ranks of its centre of mass.
#[inline(always)]
pub fn near_centre(now: &Snapshot, side: Side) -> Bitboard {
    let files = Counts::new(now.file_counts(side));
    let ranks = Counts::new(now.rank_counts(side));
    now.pieces(side) & near_rows([files.row, ranks.row])
}

/// The squares within two files and two ranks of a centre of mass, by
/// [`PlaceTerms::rows`].
#[inline(always)]
pub(super) fn near_rows(rows: [usize; 2]) -> Bitboard {
    let (near_files, near_ranks) = (u64::from(NEAR[rows[0]]), u64::from(NEAR[rows[1]]));
    // A bit a file in every byte; and a whole byte for every rank: its bit is
    // picked out, and carries into the highest bit of its byte.
    let in_files = near_files.wrapping_mul(BYTES);
    let picked = near_ranks.wrapping_mul(BYTES) & 0x8040_2010_0804_0201;
    let in_ranks = ((picked + 0x7f * BYTES) >> 7 & BYTES).wrapping_mul(0xff);
    Bitboard(in_files & in_ranks)
}

/// From the first file (or rank) with a piece to the last one, both included.
#[inline(always)]
fn width(nibbles: u32) -> u32 {
    8 - nibbles.leading_zeros() / 4 - nibbles.trailing_zeros() / 4
}

/// The king's steps of all pieces to a square, added up: the distances are
/// numbers of three bits, and the pieces with each bit are counted.
#[inline(always)]
fn steps_to(centre: usize, pieces: Bitboard) -> usize {
    let bits = &STEP_BITS[centre];
    let count = |bit: usize| (pieces.0 & bits[bit]).count_ones() as usize;
    count(0) + 2 * count(1) + 4 * count(2)
}

/// By pieces, by the sum of their files (or ranks): the file (or rank) that is
/// nearest to their mean, the higher one of two.
static CENTRE: [u8; ROWS] = {
    let mut centre = [0; ROWS];
    let mut n = SUMS;
    while n < ROWS {
        let (pieces, sum) = (n / SUMS, n % SUMS);
        let nearest = (2 * sum + pieces) / (2 * pieces);
        // Sums that so many pieces cannot have are never looked up.
        centre[n] = if nearest > 7 { 7 } else { nearest as u8 };
        n += 1;
    }
    centre
};

/// By square: the squares whose distance in king's steps has the lowest bit, the
/// second and the third.
static STEP_BITS: [[u64; 3]; 64] = {
    let mut bits = [[0; 3]; 64];
    let mut n = 0;
    while n < 64 * 64 {
        let (from, to): (usize, usize) = (n / 64, n % 64);
        let (across, along) = ((from % 8).abs_diff(to % 8), (from / 8).abs_diff(to / 8));
        let steps = if across > along { across } else { along };
        let mut bit = 0;
        while bit < 3 {
            bits[from][bit] |= ((steps as u64 >> bit) & 1) << to;
            bit += 1;
        }
        n += 1;
    }
    bits
};

/// By number of pieces: the least steps that they have. One stands in the centre,
/// eight around it, the others one step further out.
static LEAST_STEPS: [usize; Board::MAX_PIECES as usize + 1] =
    [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14];

/// By steps more than the least possible: 8 / (2·steps + 1), rounded.
static LUMP: [i32; SUMS] = {
    let mut lump = [0; SUMS];
    let mut steps = 0;
    while steps < SUMS {
        let parts = 2 * steps as i32 + 1;
        lump[steps] = (2 * 8 * ONE + parts) / (2 * parts);
        steps += 1;
    }
    lump
};

/// By pieces, by the sum of their files (or ranks): the files (or ranks) within
/// two of their mean, one bit each.
static NEAR: [u8; ROWS] = {
    let mut near = [0; ROWS];
    let mut n = 0;
    while n < ROWS * 8 {
        let (pieces, sum, place) = (n / 8 / SUMS, n / 8 % SUMS, n % 8);
        if (pieces * place).abs_diff(sum) <= 2 * pieces {
            near[n / 8] |= 1 << place;
        }
        n += 1;
    }
    near
};

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::notation::parse_position;

    fn terms(position: &str) -> PlaceTerms {
        let board = parse_position(position).unwrap();
        place_terms(&SpreadTable::new(4), PlaceDetail::All, &board, Side::X)
    }

    #[test]
    fn by_hand() {
        // . . . . . . . o
        // . . . . . . . .
        // . . . . . . . .
        // . . . . . . . .
        // . x . . . . . .
        // . x x . . . . .
        // . . . . . . . .
        // . . . . . x . o
        let found = terms("7o/8/8/8/1x6/1xx5/8/5x1o x");
        assert_eq!(found.pieces, 4 * ONE);
        // Five files and four ranks.
        assert_eq!(found.extent, -9 * ONE);
        // Files 1 1 2 5, ranks 3 2 2 0: the centre is (2.25, 1.75), so c3. Steps 1,
        // 1, 0 and 3 are 5; three are needed; 8 / 5 is left.
        assert_eq!(found.concentration, 102);
        // 1.25 + 1.25 + 0.25 + 2.75 and 1.25 + 0.25 + 0.25 + 1.75.
        assert_eq!(found.spread, -9 * ONE);
    }

    #[test]
    fn a_lump_has_no_surplus() {
        let lump = terms("8/8/2xxx3/2xxx3/2xxx3/8/8/o6o x");
        assert_eq!(lump.concentration, 8 * ONE);
        let alone = terms("8/8/8/8/8/8/8/o2x3o x");
        assert_eq!(alone.concentration, 8 * ONE);
        assert_eq!(alone.extent, -2 * ONE);
    }

    #[test]
    fn least_steps_are_those_of_a_full_square() {
        for (count, &least) in LEAST_STEPS.iter().enumerate().skip(1) {
            let rings = [1, 8, 16];
            let mut left = count;
            let mut steps = 0;
            for (distance, room) in rings.into_iter().enumerate() {
                let here = left.min(room);
                left -= here;
                steps += here * distance;
            }
            assert_eq!(steps, least, "{count} pieces");
        }
    }

    #[test]
    fn where_only_the_spread_is_asked_for_the_rest_is_0() {
        let board = Board::start();
        let table = SpreadTable::new(4);
        let [few, all] = [PlaceDetail::Spread, PlaceDetail::All]
            .map(|detail| place_terms(&table, detail, &board, Side::O));
        assert_eq!(few.spread, all.spread);
        assert_eq!((few.pieces, few.extent, few.concentration), (0, 0, 0));
    }
}
