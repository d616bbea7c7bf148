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
//! | `phase_weights` | the weights of a phase, laid out for the leaves |
//! | `place` | the features that follow from where a side stands |
//! | `piece_moves` | the moves of single pieces, to a power |
//! | `power` | powers with exponents in quarters, in whole numbers |
//! | `trace` | an evaluation taken apart, for people |

pub mod candidates;
pub mod features;
pub mod genes;
mod phase_weights;
mod piece_moves;
pub mod place;
pub mod power;
pub mod trace;
mod weights;

pub use piece_moves::{MobilityDetail, PieceMobility};
pub use weights::{Weights, WeightsError};

use crate::board::{AnyMovers, Bitboard, Board, Move, Side, Snapshot};

use features::{FEATURE_GENES, FEATURES, ShapeTables};
use genes::GeneId;
use phase_weights::PhaseWeights;
use piece_moves::PieceMoves;
use place::{Departure, PlaceDetail, PlaceTerms, near_rows};
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
    /// The same for the leaves of a search.
    phase_weights: [PhaseWeights; PHASES as usize + 1],
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
    /// Where the side stands that moves.
    departure: Departure,
    /// The pieces that may move.
    any: AnyMovers,
    /// The phases after a move and after a capture.
    phases: [usize; 2],
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
            phase_weights: std::array::from_fn(|phase| PhaseWeights::new(weights, phase as i32)),
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
        // Pairs are written out: `map` is not always inlined, and what is not inlined
        // is compiled for processors that cannot count bits.
        let (own, other) = (now.turn(), !now.turn());
        let places = [self.place(now, own), self.place(now, other)];
        let euler4 = [self.euler4(now, own), self.euler4(now, other)];
        self.sum(now, mobile, &places, euler4, self.phase(now, age))
    }

    /// What all children of a position have in common; `age` as in
    /// [`Evaluator::value`].
    #[inline(always)]
    pub fn parent_terms(&self, parent: &Board, age: i32) -> ParentTerms {
        ParentTerms {
            place: self.place(parent, !parent.turn()),
            departure: Departure::new(parent, parent.turn()),
            any: parent.movers().any_along(),
            phases: [self.phase(parent, age), self.phase(parent, age + 1)],
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
    ) -> LeafValue {
        match self.mobility_detail {
            MobilityDetail::Nothing => {
                let now = board.after_by(side, mv);
                self.leaf_value(parent_terms, now, &Bitboard(u64::MAX), mv)
            }
            MobilityDetail::Any => {
                let (now, mobile) = board.after_with_mobile(&parent_terms.any, side, mv);
                self.leaf_value(parent_terms, now, &mobile, mv)
            }
            MobilityDetail::Counts => {
                let (now, counts) = board.after_with_counts(side, mv);
                self.leaf_value(parent_terms, now, &counts, mv)
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
        let departure = &parent_terms.departure;
        let theirs = departure.arrive(&self.shapes.spread, self.place_detail, &now, mv);
        let shapes = &self.shapes;
        let euler4 = [
            features::euler4(shapes, &now, now.turn(), false),
            features::euler4(shapes, &now, !now.turn(), false),
        ];
        let phase = parent_terms.phases[usize::from(mv.is_capture())];
        LeafValue::Value(self.sum(&now, mobile, &[own, theirs], euler4, phase))
    }

    #[inline(always)]
    fn euler4(&self, now: &Snapshot, side: Side) -> i32 {
        features::euler4(&self.shapes, now, side, now.is_connected(side))
    }

    #[inline(always)]
    fn place(&self, now: &Snapshot, side: Side) -> PlaceTerms {
        features::place_terms(&self.shapes, self.place_detail, now, side)
    }

    /// The value, given where the side to move and the other one stand, and their
    /// Euler numbers as [`features::euler4`] counts them.
    #[inline(always)]
    fn sum(
        &self,
        now: &Snapshot,
        mobile: &impl PieceMobility,
        places: &[PlaceTerms; 2],
        euler4: [i32; 2],
        phase: usize,
    ) -> i32 {
        let weights = &self.phase_weights[phase];
        let (turn, other) = (now.turn(), !now.turn());
        let blocked = |side| features::blocked(now, mobile, side);
        let mut sum = weights.of_moves(now)
            + weights.of_quads(now, euler4)
            + weights.of_places(places)
            + weights.of_blocked(blocked(turn) - blocked(other));
        if self.mobility_detail == MobilityDetail::Counts {
            let moves = PieceMoves::new(mobile);
            let power = &self.shapes.move_power;
            if !power.is_plain() {
                sum += weights.powered * moves.difference(power, now.pieces(other));
            }
            if self.central {
                let own = now.pieces(turn) & near_rows(places[0].rows);
                let theirs = now.pieces(other) & near_rows(places[1].rows);
                sum += weights.powered_centre * moves.difference_among(power, own | theirs, theirs);
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
