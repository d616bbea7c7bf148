//! The features: one function each, of one side of a position.
//!
//! All are whole numbers, in units of 1 / [`ONE`]; "smaller is better" ones
//! are negative, so that every weight multiplies something good. None of them
//! knows a weight; the shapes (powers, the hole penalty) come as tables.

use crate::board::{Bitboard, Side, Snapshot};

use super::genes::GeneId;
use super::piece_moves::{MovePower, PieceMobility, PieceMoves};
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

/// The places of the features that a power shapes.
pub(super) const MOBILITY: usize = 5;
pub(super) const MOBILITY_CENTRE: usize = 7;
const _: () = {
    assert!(FEATURE_GENES[MOBILITY] as usize == GeneId::Mobility as usize);
    assert!(FEATURE_GENES[MOBILITY_CENTRE] as usize == GeneId::MobilityCentre as usize);
};

/// The tables that the shape genes give.
pub struct ShapeTables {
    /// Added to four times the Euler number where holes hide a group.
    hole_penalty4: i32,
    /// By pieces, by the sum of their files (or ranks): what a piece on each
    /// file (or rank) is worth. 13 · 85 · 8 numbers.
    distance: Box<[[i16; 8]]>,
    /// What the moves of one piece are worth.
    pub(super) move_power: MovePower,
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
            move_power: MovePower::new(mobility_power),
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
    let mut features = plain_features(shapes, now, mobile, side, spread);
    features[MOBILITY] = mobility(shapes, now, mobile, side);
    features[MOBILITY_CENTRE] = mobility_centre(shapes, now, mobile, side);
    features
}

/// The features of one side whose [`spread`] is known, but for those that a
/// power shapes: they are 0 here, and the evaluation adds their difference.
#[inline(always)]
pub fn plain_features(
    shapes: &ShapeTables,
    now: &Snapshot,
    mobile: &impl PieceMobility,
    side: Side,
    spread: i32,
) -> [i32; FEATURES] {
    [
        euler(shapes, now, side),
        now.quad3(side) as i32 * ONE,
        now.quad4(side) as i32 * ONE,
        spread,
        now.captures(side) as i32 * ONE,
        if shapes.move_power.is_plain() {
            now.mobility(side) as i32 * ONE
        } else {
            0
        },
        blocked(now, mobile, side),
        0,
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
    if shapes.move_power.is_plain() {
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
#[inline(always)]
pub fn near_centre(now: &Snapshot, side: Side) -> Bitboard {
    let files = spread_nibbles(now.file_counts(side));
    let ranks = spread_nibbles(now.rank_counts(side));
    let row = total(files) * SUMS;
    let near_files = u64::from(NEAR[row + place_sum(files)]);
    let near_ranks = u64::from(NEAR[row + place_sum(ranks)]);
    // A bit a file in every byte; and a whole byte for every rank: its bit is
    // picked out, and carries into the highest bit of its byte.
    let in_files = near_files.wrapping_mul(BYTES);
    let picked = near_ranks.wrapping_mul(BYTES) & 0x8040_2010_0804_0201;
    let in_ranks = ((picked + 0x7f * BYTES) >> 7 & BYTES).wrapping_mul(0xff);
    now.pieces(side) & Bitboard(in_files & in_ranks)
}

/// A one in every byte.
const BYTES: u64 = 0x0101_0101_0101_0101;

/// By pieces, by the sum of their files (or ranks): the files (or ranks) within
/// two of their mean, one bit each.
static NEAR: [u8; 13 * SUMS] = {
    let mut near = [0; 13 * SUMS];
    let mut n = 0;
    while n < 13 * SUMS * 8 {
        let (pieces, sum, place) = (n / 8 / SUMS, n / 8 % SUMS, n % 8);
        if (pieces * place).abs_diff(sum) <= 2 * pieces {
            near[n / 8] |= 1 << place;
        }
        n += 1;
    }
    near
};

#[inline(always)]
fn powered_moves(shapes: &ShapeTables, mobile: &impl PieceMobility, pieces: Bitboard) -> i32 {
    PieceMoves::new(mobile).difference_among(&shapes.move_power, pieces, Bitboard::EMPTY)
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
