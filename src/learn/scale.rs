//! Coefficients in nats as weights on the grid, within their bounds.
//!
//! The regression knows probabilities, the weights' common scale is free. A
//! nat becomes [`UNITS_PER_NAT`] units of weight, or fewer where a weight would
//! leave its bounds; the ratios stay. Only where even [`LEAST_UNITS`] are too
//! many is a weight held at its bound, and the others are fitted again beside
//! it. So is a weight whose sign its bounds do not allow.
//!
//! The prior of a weight is as wide as half of the range with which its gene joined
//! the gene table, so that a wider range alone changes no lesson. It holds back the weights of what hardly ever happens, which a few
//! games would drive to a bound; where positions say something, they outweigh
//! it.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::eval::Weights;
use crate::eval::features::{FEATURE_GENES, FEATURES};
use crate::eval::genes::{GENES, TABLE, first_range};
use crate::stats::regression::{LogisticFit, Regression, Rows};

/// Units of weight that one nat becomes: eight units are a point of value, so
/// a position that is worth 50 points is won in 73 of 100 games.
pub(super) const UNITS_PER_NAT: f64 = 400.0;

/// The least units that one nat becomes, so that small weights are not rounded
/// away.
const LEAST_UNITS: f64 = 200.0;

/// A regression whose weights lie within their bounds.
pub(super) struct BoundedFit {
    pub(super) logistic: LogisticFit,
    /// Units of weight that one nat became.
    pub(super) units: f64,
    /// The columns that were held at a bound.
    pub(super) at_bound: Vec<usize>,
}

/// What limits the coefficients: the bounds of the genes in units of weight.
pub(super) struct Bounds<'a> {
    genes: &'a [[i32; 2]; GENES],
    phases: u32,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Bounds<'a> {
    pub(super) fn new(genes: &'a [[i32; 2]; GENES], phases: u32) -> Bounds<'a> {
        Bounds {
            genes,
            phases,
            stop: None,
        }
    }

    /// The same, whose fits are given up once the flag is set.
    pub(super) fn with_stop(self, stop: &'a AtomicBool) -> Bounds<'a> {
        Bounds {
            stop: Some(stop),
            ..self
        }
    }

    /// The bounds of the weight in a column, in units of weight; none for the
    /// side to move.
    fn of_column(&self, column: usize) -> Option<[f64; 2]> {
        if column >= FEATURES * self.phases.clamp(1, 2) as usize {
            return None;
        }
        let gene = FEATURE_GENES[column % FEATURES] as usize;
        let [one, other] = self.genes[gene];
        let grid = f64::from(TABLE[gene].grid);
        Some([one.min(other), one.max(other)].map(|bound| f64::from(bound) / grid))
    }

    /// The standard deviation of the prior of the weight in a column, in nats.
    fn prior(&self, column: usize) -> Option<f64> {
        self.of_column(column)?;
        let gene = FEATURE_GENES[column % FEATURES] as usize;
        let [least, most] = first_range(gene);
        let range = f64::from(most - least) / f64::from(TABLE[gene].grid);
        Some(range / 2.0 / UNITS_PER_NAT)
    }

    /// The units a nat with which no weight leaves its bounds, as far as the
    /// limits of the scale allow.
    fn units(&self, coefficients: &[f64]) -> f64 {
        let limits = coefficients.iter().enumerate().filter_map(|(n, &nats)| {
            let [low, high] = self.of_column(n)?;
            // A bound on the other side of 0 does not limit the scale.
            let limit = if nats > 0.0 { high / nats } else { low / nats };
            (nats != 0.0 && limit > 0.0).then_some(limit)
        });
        limits.fold(UNITS_PER_NAT, f64::min).max(LEAST_UNITS)
    }

    /// Fits the rows, from `start`, with all weights within their bounds.
    pub(super) fn fit(&self, rows: &Rows, start: Option<&[f64]>) -> BoundedFit {
        let mut held: Vec<(usize, f64)> = (0..rows.columns())
            .filter(|&n| self.of_column(n) == Some([0.0; 2]))
            .map(|n| (n, 0.0))
            .collect();
        let excluded = held.len();
        let mut coefficients = start.map_or_else(|| vec![0.0; rows.columns()], <[f64]>::to_vec);
        let mut units = None;
        loop {
            let mut regression = Regression::new(rows).with_start(&coefficients);
            for &(column, nats) in &held {
                regression = regression.with_held(column, nats);
            }
            for column in 0..rows.columns() {
                if let Some(deviation) = self.prior(column) {
                    regression = regression.with_prior(column, deviation);
                }
            }
            if let Some(stop) = self.stop {
                regression = regression.with_stop(stop);
            }
            let logistic = regression.fit();
            let is_stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
            let units = *units.get_or_insert_with(|| self.units(&logistic.coefficients));
            let mut is_within = true;
            for (n, &nats) in logistic.coefficients.iter().enumerate() {
                let Some([low, high]) = self.of_column(n) else {
                    continue;
                };
                let bounded = nats.clamp(low / units, high / units);
                if bounded != nats {
                    is_within = false;
                    held.push((n, bounded));
                }
            }
            if is_within || is_stopped {
                let at_bound = held.split_off(excluded);
                return BoundedFit {
                    logistic,
                    units,
                    at_bound: at_bound.into_iter().map(|(n, _)| n).collect(),
                };
            }
            coefficients = logistic.coefficients;
        }
    }

    /// The weights that coefficients become, rounded to the grid; the shapes
    /// are those of `shapes`.
    pub(super) fn weights(&self, fit: &BoundedFit, shapes: &Weights) -> Weights {
        let mut weights = *shapes;
        for (n, gene) in FEATURE_GENES.into_iter().enumerate() {
            let gene = gene as usize;
            let [low, high] = self.genes[gene];
            let (low, high) = (low.min(high), low.max(high));
            let value = |column: usize| {
                let nats = fit.logistic.coefficients[column];
                let value = nats * fit.units * f64::from(TABLE[gene].grid);
                ((value + 0.5).floor() as i32).clamp(low, high)
            };
            weights.opening[gene] = value(n);
            weights.endgame[gene] = if self.phases > 1 {
                value(n + FEATURES)
            } else {
                weights.opening[gene]
            };
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::genes::{self, GeneId};

    /// Rows in which the first column (`euler`) decides a little and the
    /// second (`quad3`) the other way round.
    fn rows() -> Rows {
        let mut rows = Rows::new(FEATURES + 1);
        for n in 0..1000u32 {
            let mut row = vec![0.0; FEATURES + 1];
            row[0] = f64::from(n % 5) - 2.0;
            row[1] = f64::from(n / 5 % 5) - 2.0;
            let ahead = row[0] + 0.5 * row[1];
            let wins = f64::from(n / 25 % 8) < 4.0 + ahead;
            rows.push(&row, f64::from(u8::from(wins)), 1.0);
        }
        rows
    }

    #[test]
    fn ratios_are_kept_where_a_bound_limits_the_scale() {
        let rows = rows();
        let wide = genes::bounds();
        let all = Bounds::new(&wide, 1);
        let free = all.fit(&rows, None);
        assert!(free.at_bound.is_empty());
        let mut narrow = wide;
        narrow[GeneId::Euler as usize] = [0, 120];
        let bounds = Bounds::new(&narrow, 1);
        let found = bounds.fit(&rows, None);
        let weights = bounds.weights(&found, &Weights::source());
        assert_eq!(weights.get(GeneId::Euler), 120);
        let expected = 120.0 * free.logistic.coefficients[1] / free.logistic.coefficients[0];
        let ratio_kept = f64::from(weights.get(GeneId::Quad3)) - expected;
        assert!(ratio_kept.abs() <= 0.5, "{weights:?} {expected}");
        assert!(found.units < free.units);
        assert_eq!(found.logistic, free.logistic);
    }

    #[test]
    fn a_sign_that_is_not_allowed_is_held_at_0() {
        let rows = rows();
        let mut narrow = genes::bounds();
        narrow[GeneId::Quad3 as usize] = [-50, -3];
        let bounds = Bounds::new(&narrow, 1);
        let found = bounds.fit(&rows, None);
        assert_eq!(found.at_bound, [1]);
        let weights = bounds.weights(&found, &Weights::source());
        assert_eq!(weights.get(GeneId::Quad3), -3);
        assert!(weights.get(GeneId::Euler) > 0);
        // One that is left out stays 0, and is no news.
        narrow[GeneId::Quad3 as usize] = [0, 0];
        let found = Bounds::new(&narrow, 1).fit(&rows, None);
        assert_eq!(
            (found.logistic.coefficients[1], found.at_bound),
            (0.0, vec![])
        );
    }
}
