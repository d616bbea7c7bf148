//! The evaluation: what a position is worth to a set of weights.
//!
//! Owns the gene table, the weights and the features. Whole numbers only, own
//! side minus the other, seen from the side to move. It sees boards, never a
//! search, a game's past or a file.
//!
//! | file | purpose |
//! |---|---|
//! | `genes` | one row for every value that can be tuned |
//! | `weights` | a value for every gene, in one or two phases |
//! | `features` | one function a feature, of one side of a position |
//! | `candidates` | features that might become genes |
//! | `place` | the features that follow from where a side stands |
//! | `piece_moves` | the moves of single pieces, to a power |
//! | `power` | powers with exponents in quarters, in whole numbers |
//! | `trace` | an evaluation taken apart, for people |

pub mod candidates;
pub mod features;
pub mod genes;
mod piece_moves;
pub mod place;
pub mod power;
pub mod trace;
mod weights;

pub use piece_moves::{MobilityDetail, PieceMobility};
pub use weights::{Weights, WeightsError};

use crate::board::{Bitboard, Board, Move, Side, Snapshot};

use features::{FEATURE_GENES, FEATURES, MOBILITY, MOBILITY_CENTRE, ShapeTables};
use genes::GeneId;
use piece_moves::PieceMoves;
use place::{PlaceDetail, PlaceTerms, near_centre};
use power::ONE;

/// Steps from opening to endgame.
pub const PHASES: i32 = 16;

/// No evaluation is larger; won and lost positions lie beyond.
pub const MAX_VALUE: i32 = 20_000;

/// Fixed-point units of one point of value: weights count in eighths of a
/// point, so that values stay coarse, which MTD(f) lives on.
const UNITS: i32 = ONE * PHASES * 8;

/// Weights with the tables that make evaluating fast.
///
/// # Examples
///
/// ```
/// use loatune::board::Board;
/// use loatune::eval::{Evaluator, Weights};
///
/// let evaluator = Evaluator::new(&Weights::source());
/// let board = Board::start();
/// // The start looks the same from both sides.
/// assert_eq!(evaluator.value(&board, board.movers(), 0), 0);
/// let trace = evaluator.trace(&board, 0);
/// assert_eq!(trace.counts[0].mobility, 36);
/// ```
pub struct Evaluator {
    weights: Weights,
    shapes: ShapeTables,
    /// By phase: the weight of each feature, times [`PHASES`].
    blended: [[i32; FEATURES]; PHASES as usize + 1],
    has_phases: bool,
    /// How much of the mobility of single pieces the weights ask for.
    mobility_detail: MobilityDetail,
    /// How much of a side's place the weights ask for.
    place_detail: PlaceDetail,
    /// Whether the mobility near the centre of mass has a weight.
    central: bool,
}

/// The parts of the evaluation that all children of a position share, from
/// [`Evaluator::parent_terms`].
pub struct ParentTerms {
    /// Where the side stands that does not move: it changes only by a capture.
    place: PlaceTerms,
}

/// The value of a leaf, from [`Evaluator::value_after`].
pub enum LeafValue {
    /// The value for the side to move.
    Value(i32),
    /// The game may be over in this position: the rules decide.
    MaybeTerminal(Snapshot),
}

impl Evaluator {
    /// Computes the tables for `weights`, which must be valid (see
    /// [`Weights::validate`]).
    pub fn new(weights: &Weights) -> Evaluator {
        let blended = std::array::from_fn(|phase| {
            FEATURE_GENES.map(|gene| {
                let (opening, endgame) = (
                    weights.opening[gene as usize],
                    weights.endgame[gene as usize],
                );
                opening * (PHASES - phase as i32) + endgame * phase as i32
            })
        });
        Evaluator {
            weights: *weights,
            shapes: ShapeTables::new(weights),
            blended,
            has_phases: weights.has_phases(),
            mobility_detail: MobilityDetail::required_by(weights),
            place_detail: PlaceDetail::required_by(weights),
            central: weights.uses(GeneId::MobilityCentre),
        }
    }

    /// The weights it was made from.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Whether the value depends on how far the game has gone.
    pub fn has_phases(&self) -> bool {
        self.has_phases
    }

    /// The value for the side to move, in points. `age` is how far the game had
    /// gone when the search began, from [`age_of`].
    #[inline(always)]
    pub fn value(&self, now: &Snapshot, mobile: &impl PieceMobility, age: i32) -> i32 {
        let places = [now.turn(), !now.turn()].map(|side| self.place(now, side));
        self.sum(now, mobile, &places, age)
    }

    /// What all children of a position have in common.
    #[inline(always)]
    pub fn parent_terms(&self, parent: &Snapshot) -> ParentTerms {
        ParentTerms {
            place: self.place(parent, !parent.turn()),
        }
    }

    /// [`Evaluator::value`] of the position after `mv` of `side`, whose turn it
    /// is on `board`.
    #[inline(always)]
    pub fn value_after(
        &self,
        parent_terms: &ParentTerms,
        board: &Board,
        side: Side,
        mv: Move,
        age: i32,
    ) -> LeafValue {
        match self.mobility_detail {
            MobilityDetail::Nothing => {
                let now = board.after_by(side, mv);
                self.leaf_value(parent_terms, now, &Bitboard(u64::MAX), mv, age)
            }
            MobilityDetail::Any => {
                let (now, mobile) = board.after_with_mobile(side, mv);
                self.leaf_value(parent_terms, now, &mobile, mv, age)
            }
            MobilityDetail::Counts => {
                let (now, movers) = board.after_with_movers(side, mv);
                self.leaf_value(parent_terms, now, &movers, mv, age)
            }
        }
    }

    #[inline(always)]
    fn leaf_value(
        &self,
        parent_terms: &ParentTerms,
        now: Snapshot,
        mobile: &impl PieceMobility,
        mv: Move,
        age: i32,
    ) -> LeafValue {
        if now.is_decided() || now.mobility(now.turn()) == 0 {
            return LeafValue::MaybeTerminal(now);
        }
        // The side that did not move lies where it lay, unless it lost a piece.
        let own = if mv.is_capture() {
            self.place(&now, now.turn())
        } else {
            parent_terms.place
        };
        let places = [own, self.place(&now, !now.turn())];
        LeafValue::Value(self.sum(&now, mobile, &places, age))
    }

    #[inline(always)]
    fn place(&self, now: &Snapshot, side: Side) -> PlaceTerms {
        features::place_terms(&self.shapes, self.place_detail, now, side)
    }

    /// The value, given where the side to move and the other one stand.
    #[inline(always)]
    fn sum(
        &self,
        now: &Snapshot,
        mobile: &impl PieceMobility,
        places: &[PlaceTerms; 2],
        age: i32,
    ) -> i32 {
        let weights = &self.blended[self.phase(now, age)];
        let (turn, other) = (now.turn(), !now.turn());
        let features =
            |side, place| features::plain_features(&self.shapes, now, mobile, side, place);
        let own = features(turn, &places[0]);
        let theirs = features(other, &places[1]);
        let mut sum = 0;
        for n in 0..FEATURES {
            sum += weights[n] * (own[n] - theirs[n]);
        }
        if self.mobility_detail == MobilityDetail::Counts {
            let moves = PieceMoves::new(mobile);
            let power = &self.shapes.move_power;
            if !power.is_plain() {
                sum += weights[MOBILITY] * moves.difference(power, now.pieces(other));
            }
            if self.central {
                let own = near_centre(now, turn);
                let theirs = near_centre(now, other);
                sum +=
                    weights[MOBILITY_CENTRE] * moves.difference_among(power, own | theirs, theirs);
            }
        }
        (sum / UNITS).clamp(-MAX_VALUE, MAX_VALUE)
    }

    /// From 0 (opening) to [`PHASES`] (endgame): a step for every piece gone
    /// beyond the first four, and the steps of `age`.
    #[inline(always)]
    fn phase(&self, now: &Snapshot, age: i32) -> usize {
        if !self.has_phases {
            return 0;
        }
        phase_of(now, age)
    }
}

/// The phase of a position for weights that differ between opening and
/// endgame, from 0 to [`PHASES`]; `age` is that of [`age_of`].
#[inline(always)]
pub fn phase_of(now: &Snapshot, age: i32) -> usize {
    let gone = 24 - (now.pieces(Side::X).len() + now.pieces(Side::O).len()) as i32;
    (gone - 4 + age).clamp(0, PHASES) as usize
}

/// Plies played as steps of the phase: one in ten plies. Taken where a search
/// begins and kept throughout it, so that a position has one value in it.
pub fn age_of(plies: usize) -> i32 {
    (plies / 10).min(PHASES as usize) as i32
}
