//! A point of the gene space, not rounded to the grid.

use serde::{Deserialize, Serialize};

use crate::genome::Genome;

/// A value for every gene, in units of its grid. (The fields' order is part of
/// the checkpoint's stored format.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::evolve) struct Point {
    pub(in crate::evolve) opening: Vec<f64>,
    pub(in crate::evolve) endgame: Vec<f64>,
}

impl Point {
    /// The nearest weights on the grid.
    pub(in crate::evolve) fn nearest(&self) -> Genome {
        let round =
            |values: &[f64]| -> Vec<i32> { values.iter().map(|x| x.round() as i32).collect() };
        Genome {
            opening: round(&self.opening),
            endgame: round(&self.endgame),
        }
    }
}

impl From<&Genome> for Point {
    fn from(weights: &Genome) -> Point {
        let real = |values: &[i32]| values.iter().copied().map(f64::from).collect();
        Point {
            opening: real(&weights.opening),
            endgame: real(&weights.endgame),
        }
    }
}
