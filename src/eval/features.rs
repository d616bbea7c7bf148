//! The features: one function each, of one side of a position.
//!
//! All are whole numbers, in units of 1 / [`ONE`]; "smaller is better" ones
//! are negative, so that every weight multiplies something good. None of them
//! knows a weight; the shapes (powers, the hole penalty) come as tables.

use crate::board::{Bitboard, Side, Snapshot};

use super::genes::GeneId;
use super::piece_moves::{MovePower, PieceMobility, PieceMoves};
use super::place::{self, PlaceDetail, PlaceTerms, SpreadTable, near_centre};
use super::power::ONE;
use super::weights::Weights;

/// How many features there are.
pub const FEATURES: usize = FEATURE_GENES.len();

/// The gene that weighs each feature, in the order of [`features`].
pub const FEATURE_GENES: [GeneId; 13] = [
    GeneId::Euler,
    GeneId::Quad3,
    GeneId::Quad4,
    GeneId::Spread,
    GeneId::Capturable,
    GeneId::Mobility,
    GeneId::Blocked,
    GeneId::MobilityCentre,
    GeneId::Pieces,
    GeneId::Extent,
    GeneId::Concentration,
    GeneId::EdgeMoves,
    GeneId::CentreMoves,
];

/// The tables that the shape genes give.
pub struct ShapeTables {
    /// Added to four times the Euler number where holes hide a group.
    hole_penalty4: i32,
    /// What the distance of a piece from the centre of mass is worth.
    pub(super) spread: SpreadTable,
    /// What the moves of one piece are worth.
    pub(super) move_power: MovePower,
}

impl ShapeTables {
    /// Computes the tables from the shape genes.
    pub fn new(weights: &Weights) -> ShapeTables {
        let spread_power = weights.get(GeneId::SpreadPower) as u32;
        let mobility_power = weights.get(GeneId::MobilityPower) as u32;
        ShapeTables {
            hole_penalty4: weights.get(GeneId::HolePenalty),
            spread: SpreadTable::new(spread_power),
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
    let place = place_terms(shapes, PlaceDetail::All, now, side);
    [
        -euler4(shapes, now, side, now.is_connected(side)) * (ONE / 4),
        now.quad3(side) as i32 * ONE,
        now.quad4(side) as i32 * ONE,
        place.spread,
        now.captures(side) as i32 * ONE,
        mobility(shapes, now, mobile, side),
        -blocked(now, mobile, side) * ONE,
        mobility_centre(shapes, now, mobile, side),
        place.pieces,
        place.extent,
        place.concentration,
        now.edge_moves(side) as i32 * ONE,
        now.centre_moves(side) as i32 * ONE,
    ]
}

/// Four times the Euler number, groups minus holes; where there are holes that hide
/// a group, more. `is_connected` is that of the side's pieces.
#[inline(always)]
pub(super) fn euler4(shapes: &ShapeTables, now: &Snapshot, side: Side, is_connected: bool) -> i32 {
    let euler4 = now.euler4(side);
    let hides_group = euler4 <= 4 && !is_connected;
    euler4 + if hides_group { shapes.hole_penalty4 } else { 0 }
}

/// What follows from where a side's pieces stand.
#[inline(always)]
pub fn place_terms(
    shapes: &ShapeTables,
    detail: PlaceDetail,
    now: &Snapshot,
    side: Side,
) -> PlaceTerms {
    place::place_terms(&shapes.spread, detail, now, side)
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
pub(super) fn blocked(now: &Snapshot, mobile: &impl PieceMobility, side: Side) -> i32 {
    (now.pieces(side) & !mobile.any()).len() as i32
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

#[inline(always)]
fn powered_moves(shapes: &ShapeTables, mobile: &impl PieceMobility, pieces: Bitboard) -> i32 {
    PieceMoves::new(mobile).difference_among(&shapes.move_power, pieces, Bitboard::EMPTY)
}
