//! The features: one function each, of one side of a position.
//!
//! All are whole numbers, in units of 1 / [`ONE`]; "smaller is better" ones
//! are negative, so that every weight multiplies something good. None of them
//! knows a weight; the shapes (powers, the hole penalty) come as tables.

use crate::board::{Bitboard, Movers, Side, Snapshot};

use super::genes::GeneId;
use super::power::{ONE, scaled_power};
use super::weights::Weights;

/// How many features there are.
pub const FEATURES: usize = FEATURE_GENES.len();

/// The gene that weighs each feature, in the order of [`features`].
pub const FEATURE_GENES: [GeneId; 8] = [
    GeneId::Euler,
    GeneId::Quad3,
    GeneId::Quad4,
    GeneId::Spread,
    GeneId::Capturable,
    GeneId::Mobility,
    GeneId::Blocked,
    GeneId::MobilityCentre,
];

/// The tables that the shape genes give.
pub struct ShapeTables {
    /// Added to four times the Euler number where holes hide a group.
    hole_penalty4: i32,
    /// By pieces, by the sum of their files (or ranks): what a piece on each
    /// file (or rank) is worth. 13 · 85 · 8 numbers.
    distance: Box<[[i16; 8]]>,
    /// What n moves of one piece are worth.
    moves: [i32; 9],
    /// Whether n moves are worth n.
    plain_moves: bool,
}

/// Sums of files or ranks: at most 12 pieces on 7.
const SUMS: usize = 85;

impl ShapeTables {
    /// Computes the tables from the shape genes.
    pub fn new(weights: &Weights) -> ShapeTables {
        let spread_power = weights.get(GeneId::SpreadPower) as u32;
        let mobility_power = weights.get(GeneId::MobilityPower) as u32;
        let mut distance = vec![[0; 8]; 13 * SUMS].into_boxed_slice();
        for pieces in 1..=12u32 {
            for sum in 0..=7 * pieces {
                let row = &mut distance[pieces as usize * SUMS + sum as usize];
                for (place, value) in row.iter_mut().enumerate() {
                    let apart = (pieces * place as u32).abs_diff(sum);
                    *value = scaled_power(apart, pieces, spread_power) as i16;
                }
            }
        }
        ShapeTables {
            hole_penalty4: weights.get(GeneId::HolePenalty),
            distance,
            moves: std::array::from_fn(|n| scaled_power(n as u32, 1, mobility_power) as i32),
            plain_moves: mobility_power == 4,
        }
    }
}

/// The mobility of single pieces, of either side.
pub trait PieceMobility {
    /// The pieces of either side that have a move.
    fn any(&self) -> Bitboard;

    /// How many moves each piece has, as four binary digits; only read for
    /// weights that [need it](MobilityDetail::Counts).
    fn counts(&self) -> [Bitboard; 4];
}

impl PieceMobility for Movers {
    #[inline(always)]
    fn any(&self) -> Bitboard {
        Movers::any(self)
    }

    #[inline(always)]
    fn counts(&self) -> [Bitboard; 4] {
        Movers::counts(self)
    }
}

/// The pieces that have a move, and nothing more.
impl PieceMobility for Bitboard {
    #[inline(always)]
    fn any(&self) -> Bitboard {
        *self
    }

    #[inline(always)]
    fn counts(&self) -> [Bitboard; 4] {
        [Bitboard::EMPTY; 4]
    }
}

/// How much of [`PieceMobility`] a set of weights needs: what is not needed is
/// not computed at the leaves of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MobilityDetail {
    /// No weight looks at single pieces.
    Nothing,
    /// A weight asks which pieces have a move.
    Any,
    /// A weight asks how many moves each piece has.
    Counts,
}

impl MobilityDetail {
    /// The least detail that these weights can be evaluated with.
    pub fn required_by(weights: &Weights) -> MobilityDetail {
        let powers = weights.uses(GeneId::Mobility) && weights.get(GeneId::MobilityPower) != 4;
        if powers || weights.uses(GeneId::MobilityCentre) {
            MobilityDetail::Counts
        } else if weights.uses(GeneId::Blocked) {
            MobilityDetail::Any
        } else {
            MobilityDetail::Nothing
        }
    }
}

/// All features of one side.
#[inline(always)]
pub fn features(
    shapes: &ShapeTables,
    now: &Snapshot,
    mobile: &impl PieceMobility,
    side: Side,
) -> [i32; FEATURES] {
    let spread = spread(shapes, now, side);
    features_with(shapes, now, mobile, side, spread, true)
}

/// All features of one side whose [`spread`] is known; the last one, which is
/// expensive, only if `central` is set.
#[inline(always)]
pub fn features_with(
    shapes: &ShapeTables,
    now: &Snapshot,
    mobile: &impl PieceMobility,
    side: Side,
    spread: i32,
    central: bool,
) -> [i32; FEATURES] {
    [
        euler(shapes, now, side),
        now.quad3(side) as i32 * ONE,
        now.quad4(side) as i32 * ONE,
        spread,
        now.captures(side) as i32 * ONE,
        mobility(shapes, now, mobile, side),
        blocked(now, mobile, side),
        if central {
            mobility_centre(shapes, now, mobile, side)
        } else {
            0
        },
    ]
}

/// Groups minus holes; where there are holes that hide a group, more.
#[inline(always)]
pub fn euler(shapes: &ShapeTables, now: &Snapshot, side: Side) -> i32 {
    let mut euler4 = now.euler4(side);
    if euler4 <= 4 && !now.pieces(side).is_connected() {
        euler4 += shapes.hole_penalty4;
    }
    -euler4 * (ONE / 4)
}

/// The distances of the pieces from their centre of mass.
#[inline(always)]
pub fn spread(shapes: &ShapeTables, now: &Snapshot, side: Side) -> i32 {
    let along = |counts: u32| -> i32 {
        let counts = spread_nibbles(counts);
        let row = &shapes.distance[total(counts) * SUMS + place_sum(counts)];
        let counts = counts.to_le_bytes().map(i16::from);
        counts
            .iter()
            .zip(row)
            .map(|(&count, &worth)| i32::from(count) * i32::from(worth))
            .sum()
    };
    -(along(now.file_counts(side)) + along(now.rank_counts(side)))
}

/// Each piece's moves, to a power.
#[inline(always)]
pub fn mobility(
    shapes: &ShapeTables,
    now: &Snapshot,
    mobile: &impl PieceMobility,
    side: Side,
) -> i32 {
    if shapes.plain_moves {
        return now.mobility(side) as i32 * ONE;
    }
    powered_moves(shapes, mobile, now.pieces(side))
}

/// Pieces that cannot move.
#[inline(always)]
pub fn blocked(now: &Snapshot, mobile: &impl PieceMobility, side: Side) -> i32 {
    -((now.pieces(side) & !mobile.any()).len() as i32) * ONE
}

/// The moves, to a power, of the pieces within two files and ranks of the
/// centre of mass.
#[inline(always)]
pub fn mobility_centre(
    shapes: &ShapeTables,
    now: &Snapshot,
    mobile: &impl PieceMobility,
    side: Side,
) -> i32 {
    powered_moves(shapes, mobile, near_centre(now, side))
}

/// A side's pieces within two files and two ranks of its centre of mass.
pub fn near_centre(now: &Snapshot, side: Side) -> Bitboard {
    let pieces = now.pieces(side);
    let count = pieces.len();
    let files = place_sum(spread_nibbles(now.file_counts(side))) as u32;
    let ranks = place_sum(spread_nibbles(now.rank_counts(side))) as u32;
    let near = |place: u8, sum: u32| (count * u32::from(place)).abs_diff(sum) <= 2 * count;
    pieces
        .into_iter()
        .filter(|square| near(square.file(), files) && near(square.rank(), ranks))
        .collect()
}

#[inline(always)]
fn powered_moves(shapes: &ShapeTables, mobile: &impl PieceMobility, pieces: Bitboard) -> i32 {
    let [ones, twos, fours, eights] = mobile.counts();
    let mut sum = (pieces & eights).len() as i32 * shapes.moves[8];
    for n in 1..8 {
        let digit = |set: Bitboard, bit: u32| if n >> bit & 1 == 1 { set } else { !set };
        let exactly = pieces & digit(ones, 0) & digit(twos, 1) & digit(fours, 2);
        sum += exactly.len() as i32 * shapes.moves[n];
    }
    sum
}

/// Eight numbers of four bits as eight bytes.
#[inline(always)]
fn spread_nibbles(counts: u32) -> u64 {
    let mut x = u64::from(counts);
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f
}

/// The sum of the places (0 to 7), each as often as it is counted.
#[inline(always)]
fn place_sum(counts: u64) -> usize {
    // The top byte of the product adds 7·c₇ + 6·c₆ + … + 1·c₁; at most 84.
    (counts.wrapping_mul(0x0001_0203_0405_0607) >> 56) as usize
}

/// How many are counted.
#[inline(always)]
fn total(counts: u64) -> usize {
    (counts.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize
}
