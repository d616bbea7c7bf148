//! One coordinate of the gene space.

use super::point::Point;
use crate::genome::Genome;

/// Which of a gene's two values a locus stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// One value for the whole game: both are kept equal.
    Whole,
    Opening,
    Endgame,
}

/// A gene, or one phase of it, with its bounds in units of the gene's grid.
#[derive(Clone, Copy, Debug)]
pub(in crate::evolve) struct Locus {
    /// The gene's index in the table.
    pub(super) gene: usize,
    pub(super) phase: Phase,
    pub(in crate::evolve) low: f64,
    pub(in crate::evolve) high: f64,
    /// The unit of the norm: half the range that the gene table allows. `None`
    /// for a gene that has no part in the norm.
    pub(super) norm_unit: Option<f64>,
}

impl Locus {
    /// Whether it is a weight, not a shape.
    pub(in crate::evolve) fn is_weight(&self) -> bool {
        self.norm_unit.is_some()
    }

    /// Whether it belongs to the gene of this number.
    #[cfg(test)]
    pub(in crate::evolve) fn is_gene(&self, gene: usize) -> bool {
        self.gene == gene
    }

    /// The value that weights have here.
    pub(in crate::evolve) fn value_in(&self, weights: &Genome) -> i32 {
        match self.phase {
            Phase::Whole | Phase::Opening => weights.opening[self.gene],
            Phase::Endgame => weights.endgame[self.gene],
        }
    }

    /// The value that a point has here.
    pub(in crate::evolve) fn value_at(&self, point: &Point) -> f64 {
        match self.phase {
            Phase::Whole | Phase::Opening => point.opening[self.gene],
            Phase::Endgame => point.endgame[self.gene],
        }
    }

    /// Sets the value that a point has here; bounds are not looked at.
    pub(super) fn set(&self, point: &mut Point, value: f64) {
        if self.phase != Phase::Endgame {
            point.opening[self.gene] = value;
        }
        if self.phase != Phase::Opening {
            point.endgame[self.gene] = value;
        }
    }

    /// Writes a value into weights, clamped to the bounds.
    pub(in crate::evolve) fn write(&self, weights: &mut Genome, value: f64) {
        let value = self.clamp(value) as i32;
        if self.phase != Phase::Endgame {
            weights.opening[self.gene] = value;
        }
        if self.phase != Phase::Opening {
            weights.endgame[self.gene] = value;
        }
    }

    /// The size of a mutation: a share of the range between the bounds, but at
    /// least one step of the grid, or it would change nothing.
    pub(in crate::evolve) fn step(&self, share: f64) -> f64 {
        (share * (self.high - self.low)).max(1.0)
    }

    /// The value, moved into the bounds.
    pub(super) fn clamp(&self, value: f64) -> f64 {
        value.max(self.low).min(self.high)
    }

    /// Stochastic rounding to the grid: the mean over many draws of `chance`,
    /// uniform from 0 to 1, is `value`. Rounding to the nearest would hold the
    /// consensus of coarse genes at grid points.
    pub(super) fn round(&self, value: f64, chance: f64) -> f64 {
        self.clamp((self.clamp(value) + chance).floor())
    }

    /// The least that |value| can be within the bounds, and its mean when the
    /// value is drawn uniformly.
    pub(super) fn least_and_mean_size(&self) -> (f64, f64) {
        let (low, high) = (self.low, self.high);
        if low >= 0.0 {
            (low, (low + high) / 2.0)
        } else if high <= 0.0 {
            (-high, -(low + high) / 2.0)
        } else {
            (0.0, (low * low + high * high) / (2.0 * (high - low)))
        }
    }
}
