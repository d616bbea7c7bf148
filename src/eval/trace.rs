//! An evaluation taken apart, for people: what each side has, what the weights
//! make of it, and how the value adds up. Slow, and never used by a search.

use serde::Serialize;
use utoipa::ToSchema;

use crate::board::{Board, Side, Square};

use super::features::{self, FEATURE_GENES, FEATURES, ShapeTables};
use super::genes::{Gene, GeneId, TABLE};
use super::place::{self, PlaceDetail};
use super::power::ONE;
use super::weights::Weights;
use super::{Evaluator, PHASES, UNITS};

/// What one side has, counted without powers, penalties or weights.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct FeatureCounts {
    /// The number of pieces.
    pub pieces: u32,
    /// The number of groups that they form.
    pub groups: u32,
    /// The Euler number: groups minus holes.
    pub euler: i32,
    /// The number of quads with three pieces.
    pub quad3: u32,
    /// The number of quads with four pieces.
    pub quad4: u32,
    /// The distances of the pieces from their centre of mass, along files and
    /// along ranks, added up.
    pub spread: f64,
    /// The number of moves that capture.
    pub capturable: u32,
    /// The number of moves, or those it would have if it were its turn.
    pub mobility: u32,
    /// The number of pieces without a move.
    pub blocked: u32,
    /// The moves of the pieces within two squares of the centre of mass.
    pub mobility_centre: u32,
    /// Half the perimeter of the box around the pieces, in squares.
    pub extent: u32,
    /// How near the pieces are to being one lump: 8 / (2s + 1), where s is how many
    /// king's steps to the centre of mass they are more than so many need.
    pub concentration: f64,
    /// The number of moves that end on the edge.
    pub edge_moves: u32,
    /// The number of moves that end on the sixteen squares in the middle.
    pub centre_moves: u32,
}

/// One feature with its weight.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The gene that weighs it.
    pub gene: &'static Gene,
    /// The feature of each side (Black's, White's) as the weight multiplies
    /// it: shaped, and negative where less is better.
    pub counted: [f64; 2],
    /// The weight at this stage of the game.
    pub weight: f64,
    /// Points of the value, for the side to move.
    pub points: f64,
}

/// An evaluation, taken apart.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The unweighted counts of Black and White.
    pub counts: [FeatureCounts; 2],
    /// Every weighted feature, in the order of the gene table.
    pub terms: [Term; FEATURES],
    /// From 0 (opening) to [`PHASES`] (endgame).
    pub phase: i32,
    /// The value of [`Evaluator::value`]: the points of all terms, cut to a
    /// whole number.
    pub value: i32,
}

/// How many units of weight make one point of value where the feature is 1.
pub const WEIGHT_OF_A_POINT: i32 = UNITS / (ONE * PHASES);

impl FeatureCounts {
    /// Counts one side of a position.
    pub fn new(board: &Board, side: Side) -> FeatureCounts {
        let pieces = board.pieces(side);
        let places = || pieces.into_iter();
        let near = place::near_centre(board, side);
        let shapes = ShapeTables::new(&Weights::absent());
        let place = features::place_terms(&shapes, PlaceDetail::All, board, side);
        // A move of the other side's turn is counted like one's own.
        let moves = if board.turn() == side {
            board.moves()
        } else {
            board.pass().moves()
        };
        FeatureCounts {
            pieces: pieces.len(),
            groups: pieces.groups(),
            euler: board.euler4(side) / 4,
            quad3: board.quad3(side),
            quad4: board.quad4(side),
            spread: deviation(places().map(Square::file)) + deviation(places().map(Square::rank)),
            capturable: board.captures(side),
            mobility: board.mobility(side),
            blocked: (pieces & !board.movers().any()).len(),
            mobility_centre: moves.iter().filter(|mv| near.has(mv.from())).count() as u32,
            extent: (-place.extent / ONE).cast_unsigned(),
            concentration: f64::from(place.concentration) / f64::from(ONE),
            edge_moves: board.edge_moves(side),
            centre_moves: board.centre_moves(side),
        }
    }

    /// The count of the feature that a gene weighs; `None` for a gene that
    /// only shapes one.
    pub fn of_gene(&self, gene: GeneId) -> Option<f64> {
        Some(match gene {
            GeneId::Euler => f64::from(self.euler),
            GeneId::Quad3 => self.quad3.into(),
            GeneId::Quad4 => self.quad4.into(),
            GeneId::Spread => self.spread,
            GeneId::Capturable => self.capturable.into(),
            GeneId::Mobility => self.mobility.into(),
            GeneId::Blocked => self.blocked.into(),
            GeneId::MobilityCentre => self.mobility_centre.into(),
            GeneId::Pieces => self.pieces.into(),
            GeneId::Extent => self.extent.into(),
            GeneId::Concentration => self.concentration,
            GeneId::EdgeMoves => self.edge_moves.into(),
            GeneId::CentreMoves => self.centre_moves.into(),
            GeneId::HolePenalty | GeneId::SpreadPower | GeneId::MobilityPower => return None,
        })
    }
}

/// How far numbers lie from their mean, added up.
fn deviation(places: impl Iterator<Item = u8> + Clone) -> f64 {
    let count = places.clone().count().max(1) as f64;
    let mean = places.clone().map(f64::from).sum::<f64>() / count;
    places.map(|place| (f64::from(place) - mean).abs()).sum()
}

impl Evaluator {
    /// Takes the evaluation of `board` apart; `age` as in [`Evaluator::value`].
    ///
    /// # Examples
    ///
    /// ```
    /// use loatune::eval::{Evaluator, Weights};
    /// use loatune::notation::parse_position;
    ///
    /// let board = parse_position("8/8/8/3x4/4x3/8/o6o/8 o")?;
    /// let trace = Evaluator::new(&Weights::source()).trace(&board, 0);
    /// let points: f64 = trace.terms.iter().map(|term| term.points).sum();
    /// assert_eq!(trace.value, points as i32);
    /// assert_eq!((trace.counts[0].groups, trace.counts[1].groups), (1, 2));
    /// # Ok::<(), loatune::notation::PositionError>(())
    /// ```
    pub fn trace(&self, board: &Board, age: i32) -> Trace {
        let phase = self.phase(board, age);
        let counted = Side::BOTH
            .map(|side| features::features(&self.shapes, board, board.movers(), side))
            .map(|features| features.map(|units| f64::from(units) / f64::from(ONE)));
        let (own, theirs) = (board.turn().index(), (!board.turn()).index());
        let terms = std::array::from_fn(|n| {
            let weight = f64::from(self.blended[phase][n]) / f64::from(PHASES);
            let counted = counted.map(|features| features[n]);
            let points = weight * (counted[own] - counted[theirs]) / f64::from(WEIGHT_OF_A_POINT);
            Term {
                gene: &TABLE[FEATURE_GENES[n] as usize],
                counted,
                weight,
                // A negative zero would be printed as -0.
                points: if points == 0.0 { 0.0 } else { points },
            }
        });
        Trace {
            counts: Side::BOTH.map(|side| FeatureCounts::new(board, side)),
            terms,
            phase: phase as i32,
            value: self.value(board, board.movers(), age),
        }
    }
}
