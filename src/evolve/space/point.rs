//! A point of the gene space, not rounded to the grid.

use serde::{Deserialize, Serialize};

use crate::eval::Weights;
use crate::eval::genes::GENES;

/// A value for every gene, in units of its grid. (The fields' order is part of
/// the checkpoint's stored format.)
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::evolve) struct Point {
    pub(in crate::evolve) opening: [f64; GENES],
    pub(in crate::evolve) endgame: [f64; GENES],
}

impl Point {
    /// The nearest weights on the grid.
    pub(in crate::evolve) fn nearest(&self) -> Weights {
        let round = |values: [f64; GENES]| values.map(|value| value.round() as i32);
        Weights {
            opening: round(self.opening),
            endgame: round(self.endgame),
        }
    }
}

impl From<&Weights> for Point {
    fn from(weights: &Weights) -> Point {
        Point {
            opening: weights.opening.map(f64::from),
            endgame: weights.endgame.map(f64::from),
        }
    }
}
