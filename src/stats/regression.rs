//! Logistic regression: how the outcome of a game depends on numbers of its
//! positions.
//!
//! Newton's method on the log-likelihood with a weak Gaussian prior. It is the
//! same to the bit on every machine and with any number of threads: rows are
//! added up in chunks of a fixed length, the chunks in their order, and the
//! exponential and the logarithm are libm's. So, unlike the rest of
//! [`super`], what must be repeatable may depend on it.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::matrix::inverse;
use super::row_sums::{Columns, RowSums};

/// The rows of a regression: what is known of a case, and what came of it.
///
/// ```
/// use loatune::stats::regression::{Regression, Rows};
///
/// let mut rows = Rows::new(1);
/// for n in 0..100 {
///     // Who has more wins: three of four times.
///     let more = if n % 2 == 0 { 1.0 } else { -1.0 };
///     let target = if n % 4 < 3 { (more + 1.0) / 2.0 } else { (1.0 - more) / 2.0 };
///     rows.push(&[more], target, 1.0);
/// }
/// let fit = Regression::new(&rows).fit();
/// assert!(fit.coefficients[0] > 0.0);
/// assert!(fit.log_likelihood > rows.log_likelihood(&[0.0]));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    columns: usize,
    values: Vec<f64>,
    targets: Vec<f64>,
    weights: Vec<f64>,
}

/// The task of a regression: all rows, or those that a vector of weights
/// leaves in, with some coefficients held.
#[derive(Clone, Debug)]
pub struct Regression<'a> {
    rows: &'a Rows,
    /// The weight of each row, where it is not the row's own.
    weights: Option<&'a [f64]>,
    /// By column: the value that a coefficient must keep.
    held: Vec<Option<f64>>,
    /// By column: the precision of the prior, where it is not the usual one.
    prior: Vec<Option<f64>>,
    start: Vec<f64>,
    /// Ends it before its end once it is set.
    stop: Option<&'a AtomicBool>,
}

/// What a regression found.
#[derive(Clone, Debug, PartialEq)]
pub struct LogisticFit {
    /// The likeliest coefficient of each column, in nats.
    pub coefficients: Vec<f64>,
    /// The log-likelihood of the rows, in nats, without the prior.
    pub log_likelihood: f64,
    /// The weights of the rows, added up.
    pub total_weight: f64,
}

/// Rows that are added up as one; the length decides the rounding, so it is
/// part of what a fit is.
const CHUNK: usize = 1024;

/// Newton steps at most; five or six are usual.
const STEPS: usize = 30;

/// Times that a step which makes things worse is halved.
const HALVINGS: usize = 12;

/// A step that gains less than this, in nats a unit of weight, is the last.
const LEAST_GAIN: f64 = 1e-13;

/// The prior's standard deviation of what one standard deviation of a column
/// contributes, in nats. The data outweigh it after a handful of rows.
const PRIOR_NATS: f64 = 3.0;

impl Rows {
    /// No rows of so many columns.
    pub fn new(columns: usize) -> Rows {
        Rows {
            columns,
            ..Rows::default()
        }
    }

    /// Adds a row. `target` lies between 0 (lost) and 1 (won).
    ///
    /// # Panics
    /// Where the row has another number of columns.
    pub fn push(&mut self, values: &[f64], target: f64, weight: f64) {
        assert_eq!(values.len(), self.columns, "columns of a row");
        self.values.extend_from_slice(values);
        self.targets.push(target);
        self.weights.push(weight);
    }

    /// The rows of all tables, one table after the other.
    ///
    /// # Panics
    /// Where a table has another number of columns.
    pub fn concat(columns: usize, tables: Vec<Rows>) -> Rows {
        let len = tables.iter().map(Rows::len).sum();
        let mut all = Rows {
            columns,
            values: Vec::with_capacity(columns * len),
            targets: Vec::with_capacity(len),
            weights: Vec::with_capacity(len),
        };
        for table in tables {
            assert_eq!(table.columns, columns, "columns of a table");
            all.values.extend_from_slice(&table.values);
            all.targets.extend_from_slice(&table.targets);
            all.weights.extend_from_slice(&table.weights);
        }
        all
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The values of row `n`.
    pub fn row(&self, n: usize) -> &[f64] {
        &self.values[n * self.columns..(n + 1) * self.columns]
    }

    /// The target of row `n`.
    pub fn target(&self, n: usize) -> f64 {
        self.targets[n]
    }

    /// The weight of row `n`.
    pub fn weight(&self, n: usize) -> f64 {
        self.weights[n]
    }

    /// The same rows with these columns alone, in this order.
    #[must_use]
    pub fn with_columns(&self, columns: &[usize]) -> Rows {
        let values = (0..self.len()).flat_map(|n| {
            let row = self.row(n);
            columns.iter().map(move |&column| row[column])
        });
        Rows {
            columns: columns.len(),
            values: values.collect(),
            targets: self.targets.clone(),
            weights: self.weights.clone(),
        }
    }

    /// The log-likelihood of row `n`, in nats, its weight left aside.
    pub fn row_log_likelihood(&self, n: usize, coefficients: &[f64]) -> f64 {
        log_likelihood(self.targets[n], dot(self.row(n), coefficients))
    }

    /// The log-likelihood of all rows by their weights, in nats.
    pub fn log_likelihood(&self, coefficients: &[f64]) -> f64 {
        let rows = 0..self.len();
        rows.map(|n| self.weights[n] * self.row_log_likelihood(n, coefficients))
            .sum()
    }
}

impl<'a> Regression<'a> {
    /// The regression over all rows, every coefficient free, begun at 0.
    pub fn new(rows: &'a Rows) -> Regression<'a> {
        Regression {
            rows,
            weights: None,
            held: vec![None; rows.columns],
            prior: vec![None; rows.columns],
            start: vec![0.0; rows.columns],
            stop: None,
        }
    }

    /// The same with other weights of the rows; one of weight 0 is left out.
    ///
    /// # Panics
    /// Where there is not one weight a row.
    #[must_use]
    pub fn with_weights(mut self, weights: &'a [f64]) -> Regression<'a> {
        assert_eq!(weights.len(), self.rows.len(), "weights of rows");
        self.weights = Some(weights);
        self
    }

    /// The same with one coefficient held.
    #[must_use]
    pub fn with_held(mut self, column: usize, value: f64) -> Regression<'a> {
        self.held[column] = Some(value);
        self
    }

    /// The same with another prior of one coefficient: its standard deviation,
    /// in nats a unit of the column.
    #[must_use]
    pub fn with_prior(mut self, column: usize, deviation: f64) -> Regression<'a> {
        self.prior[column] = Some(1.0 / (deviation * deviation));
        self
    }

    /// The same, begun at other coefficients, such as those of a similar fit.
    #[must_use]
    pub fn with_start(mut self, coefficients: &[f64]) -> Regression<'a> {
        self.start = coefficients.to_vec();
        self
    }

    /// The same, given up after the present step once the flag is set: what was
    /// found by then is of no use.
    #[must_use]
    pub fn with_stop(mut self, stop: &'a AtomicBool) -> Regression<'a> {
        self.stop = Some(stop);
        self
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Finds the likeliest coefficients.
    pub fn fit(&self) -> LogisticFit {
        let prior = self.prior();
        let mut coefficients = self.start.clone();
        for (place, held) in coefficients.iter_mut().zip(&self.held) {
            *place = held.unwrap_or(*place);
        }
        let free = self.free();
        let objective = |sums: &RowSums, coefficients: &[f64]| {
            let squares = coefficients.iter().zip(&prior);
            sums.log_likelihood - squares.map(|(x, prior)| prior * x * x / 2.0).sum::<f64>()
        };
        let mut sums = self.sums(&free, &coefficients);
        let mut best = objective(&sums, &coefficients);
        for _ in 0..STEPS {
            if self.is_stopped() {
                break;
            }
            let Some(mut step) = self.newton_step(&free, &sums, &coefficients, &prior) else {
                break;
            };
            let mut gained = None;
            for _ in 0..HALVINGS {
                if self.is_stopped() {
                    break;
                }
                let tried: Vec<f64> = coefficients.iter().zip(&step).map(|(x, s)| x + s).collect();
                let tried_sums = self.sums(&free, &tried);
                let tried_objective = objective(&tried_sums, &tried);
                if tried_objective > best {
                    gained = Some((tried, tried_sums, tried_objective));
                    break;
                }
                step.iter_mut().for_each(|s| *s /= 2.0);
            }
            let Some((tried, tried_sums, tried_objective)) = gained else {
                break;
            };
            let gain = tried_objective - best;
            (coefficients, sums, best) = (tried, tried_sums, tried_objective);
            if gain <= LEAST_GAIN * sums.weight {
                break;
            }
        }
        LogisticFit {
            coefficients,
            log_likelihood: sums.log_likelihood,
            total_weight: sums.weight,
        }
    }

    /// The columns whose coefficients are not held.
    fn free(&self) -> Vec<usize> {
        let columns = 0..self.rows.columns;
        columns.filter(|&n| self.held[n].is_none()).collect()
    }

    /// The step to the top of the parabola that touches the objective; held
    /// coefficients stay.
    fn newton_step(
        &self,
        free: &[usize],
        sums: &RowSums,
        at: &[f64],
        prior: &[f64],
    ) -> Option<Vec<f64>> {
        let size = free.len();
        let mut matrix = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..size {
                let own = if row == column { prior[free[row]] } else { 0.0 };
                matrix[row * size + column] = sums.curvature_at(row, column) + own;
            }
        }
        let inverse = inverse(&matrix, size)?;
        let slope: Vec<f64> = free
            .iter()
            .enumerate()
            .map(|(row, &n)| sums.gradient_at(row) - prior[n] * at[n])
            .collect();
        let mut step = vec![0.0; at.len()];
        for (row, &n) in free.iter().enumerate() {
            step[n] = dot(&inverse[row * size..(row + 1) * size], &slope);
        }
        Some(step)
    }

    /// The precision of the prior, by column: its unit is the column's root
    /// mean square. A column of zeros keeps the coefficient 0.
    fn prior(&self) -> Vec<f64> {
        let columns = 0..self.rows.columns;
        let usual: Vec<usize> = columns.filter(|&n| self.prior[n].is_none()).collect();
        let chunks = self.chunks(|rows| {
            let mut squares = vec![0.0; usual.len() + 1];
            for n in rows {
                let (weight, row) = (self.weight(n), self.rows.row(n));
                for (sum, &column) in squares.iter_mut().zip(&usual) {
                    *sum += weight * row[column] * row[column];
                }
                squares[usual.len()] += weight;
            }
            squares
        });
        let mut sums = vec![0.0; usual.len() + 1];
        for chunk in &chunks {
            add(&mut sums, chunk);
        }
        let weight = sums.pop().unwrap_or(0.0);
        let mut precisions: Vec<f64> = self.prior.iter().map(|x| x.unwrap_or(0.0)).collect();
        for (squares, &column) in sums.iter().zip(&usual) {
            let mean = if weight > 0.0 { squares / weight } else { 0.0 };
            precisions[column] = (mean / (PRIOR_NATS * PRIOR_NATS)).max(1e-12);
        }
        precisions
    }

    fn weight(&self, n: usize) -> f64 {
        self.weights
            .map_or(self.rows.weights[n], |weights| weights[n])
    }

    /// Log-likelihood, gradient and curvature at some coefficients.
    fn sums(&self, free: &[usize], coefficients: &[f64]) -> RowSums {
        let columns = Columns::new(free, coefficients);
        let chunks = self.chunks(|rows| RowSums::of(self.rows, rows, |n| self.weight(n), &columns));
        let mut sums = RowSums::new(free.len());
        for chunk in &chunks {
            sums.add(chunk);
        }
        sums
    }

    /// What `of` makes of each chunk of rows, in the order of the chunks.
    fn chunks<T: Send>(&self, of: impl Fn(std::ops::Range<usize>) -> T + Sync) -> Vec<T> {
        let len = self.rows.len();
        let chunks = (0..len.div_ceil(CHUNK)).into_par_iter();
        chunks
            .map(|n| of(n * CHUNK..((n + 1) * CHUNK).min(len)))
            .collect()
    }
}

/// The probability that belongs to a number of nats: 1 / (1 + e^−x).
///
/// ```
/// assert_eq!(loatune::stats::regression::logistic(0.0), 0.5);
/// ```
pub fn logistic(nats: f64) -> f64 {
    probability_by(nats, libm::exp(-nats.abs()))
}

/// [`logistic`] where `small`, e^−|x|, is known.
pub(super) fn probability_by(nats: f64, small: f64) -> f64 {
    if nats >= 0.0 {
        1.0 / (1.0 + small)
    } else {
        small / (1.0 + small)
    }
}

/// The log-likelihood of an outcome between 0 and 1 that was expected with
/// `logit` nats.
pub fn log_likelihood(target: f64, logit: f64) -> f64 {
    log_likelihood_by(target, logit, libm::exp(-logit.abs()))
}

/// [`log_likelihood`] where `small`, e^−|x|, is known.
pub(super) fn log_likelihood_by(target: f64, logit: f64, small: f64) -> f64 {
    // t·x − log(1 + e^x), without an overflow.
    target * logit - logit.max(0.0) - libm::log1p(small)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (x, y) in a.iter().zip(b) {
        sum += x * y;
    }
    sum
}

fn add(sums: &mut [f64], more: &[f64]) {
    for (sum, x) in sums.iter_mut().zip(more) {
        *sum += x;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::random::{Purpose, rng};

    const TRUE: [f64; 4] = [0.8, -0.4, 0.0, 0.25];

    /// Rows whose outcomes follow [`TRUE`]; a tenth of them are draws.
    fn rows(count: usize) -> Rows {
        let mut rng = rng(1, Purpose::Weights);
        let mut rows = Rows::new(TRUE.len());
        for _ in 0..count {
            let row: [f64; 4] = std::array::from_fn(|n| {
                f64::from(rng.random_range(-3..=3)) * if n == 1 { 2.0 } else { 1.0 }
            });
            let chance = logistic(dot(&row, &TRUE));
            let target = if rng.random_bool(chance) { 1.0 } else { 0.0 };
            rows.push(&row, target, 1.0);
        }
        rows
    }

    #[test]
    fn known_coefficients_are_found() {
        let fit = Regression::new(&rows(20_000)).fit();
        for (found, expected) in fit.coefficients.iter().zip(TRUE) {
            assert!((found - expected).abs() < 0.05, "{found} {expected}");
        }
        assert_eq!(fit.total_weight, 20_000.0);
    }

    #[test]
    fn at_the_top_the_numeric_gradient_vanishes() {
        let rows = rows(3000);
        let regression = Regression::new(&rows);
        // Anywhere, the gradient is that of numeric differences.
        for at in [[0.1, 0.2, -0.3, 0.0], [1.0, -1.0, 0.5, 0.2]] {
            let sums = regression.sums(&regression.free(), &at);
            assert!((sums.log_likelihood - rows.log_likelihood(&at)).abs() < 1e-7);
            for n in 0..at.len() {
                let step = 1e-5;
                let moved = |by: f64| {
                    let mut at = at;
                    at[n] += by;
                    rows.log_likelihood(&at)
                };
                let numeric = (moved(step) - moved(-step)) / (2.0 * step);
                assert!(
                    (numeric - sums.gradient_at(n)).abs() < 1e-4,
                    "{n}: {numeric}"
                );
                let bend = (moved(step * 100.0) + moved(-step * 100.0)
                    - 2.0 * rows.log_likelihood(&at))
                    / (step * step * 1e4);
                let found = sums.curvature_at(n, n);
                assert!((bend + found).abs() < found * 1e-3, "{n}: {bend} {found}");
            }
        }
        let fit = regression.fit();
        let sums = regression.sums(&regression.free(), &fit.coefficients);
        let prior = regression.prior();
        for (n, prior) in prior.iter().enumerate() {
            let slope = sums.gradient_at(n) - prior * fit.coefficients[n];
            assert!(slope.abs() < 1e-5, "{n}: {slope}");
        }
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let rows = rows(10_000);
        let fits = [1, 2, 4].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| Regression::new(&rows).fit())
        });
        let bits = |fit: &LogisticFit| {
            let numbers = fit.coefficients.iter().chain([&fit.log_likelihood]);
            numbers.map(|x| x.to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(bits(&fits[0]), bits(&fits[1]));
        assert_eq!(bits(&fits[0]), bits(&fits[2]));
        // Nothing of the platform is in them: these are the bits everywhere.
        assert_eq!(fits[0].coefficients[0].to_bits(), 0x3fe9_6db1_a3c1_367d);
    }

    #[test]
    fn held_coefficients_stay_and_rows_of_no_weight_do_not_count() {
        let rows = rows(4000);
        let fit = Regression::new(&rows).with_held(0, 0.5).fit();
        assert_eq!(fit.coefficients[0], 0.5);
        assert!(fit.log_likelihood < Regression::new(&rows).fit().log_likelihood);

        let weights: Vec<f64> = (0..rows.len())
            .map(|n| if n < 2048 { 1.0 } else { 0.0 })
            .collect();
        let part = Regression::new(&rows).with_weights(&weights).fit();
        let mut first = Rows::new(TRUE.len());
        for n in 0..2048 {
            first.push(rows.row(n), rows.target(n), rows.weight(n));
        }
        assert_eq!(part, Regression::new(&first).fit());
    }

    #[test]
    fn a_narrow_prior_holds_a_coefficient_back() {
        let rows = rows(2000);
        let free = Regression::new(&rows).fit().coefficients[0];
        let narrow = Regression::new(&rows).with_prior(0, 0.01).fit();
        assert!(narrow.coefficients[0] < free / 2.0, "{narrow:?} {free}");
        assert!(narrow.coefficients[0] > 0.0, "{narrow:?}");
    }

    #[test]
    fn separable_rows_and_empty_columns_have_an_answer() {
        let mut rows = Rows::new(3);
        for n in 0..40 {
            let x = f64::from(n) - 19.5;
            rows.push(&[x, 0.0, x], f64::from(u8::from(x > 0.0)), 1.0);
        }
        let fit = Regression::new(&rows).fit();
        assert!(fit.coefficients.iter().all(|x| x.is_finite()), "{fit:?}");
        assert_eq!(fit.coefficients[1], 0.0);
        // Equal columns share what they explain.
        assert!((fit.coefficients[0] - fit.coefficients[2]).abs() < 1e-6);
        let none = Regression::new(&Rows::new(2)).fit();
        assert_eq!(none.coefficients, [0.0; 2]);
        assert_eq!(none.total_weight, 0.0);
    }

    #[test]
    fn far_out_nothing_overflows() {
        assert_eq!(logistic(1e4), 1.0);
        assert_eq!(logistic(-1e4), 0.0);
        assert_eq!(log_likelihood(1.0, 1e4), 0.0);
        assert_eq!(log_likelihood(0.0, 1e4), -1e4);
        let half = log_likelihood(0.5, 0.0);
        assert!((half + std::f64::consts::LN_2).abs() < 1e-15);
    }
}
