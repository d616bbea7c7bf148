//! What the rows of a regression add up to: log-likelihood, gradient and curvature
//! at some coefficients. Most of a lesson's time is spent here.
//!
//! Every sum has one order of its terms, that of the rows, so the bits are those of
//! the plain loop over rows and columns. What is gained comes from elsewhere: several
//! rows go through each sum while it is in a register, sums beside each other are
//! added at once, and columns whose coefficient is held are left out.

use std::ops::Range;

use multiversion::multiversion;

use super::regression::{Rows, log_likelihood_by, probability_by};

/// Rows that go through a sum at a time.
const BLOCK: usize = 8;

/// Sums beside each other that are added at once.
const LANES: usize = 4;

/// Some numbers of which all are computed at once.
type Vector = [f64; LANES];

/// The columns that matter at some coefficients.
pub(super) struct Columns<'a> {
    /// Those whose coefficient is free: gradient and curvature are theirs alone.
    pub(super) free: &'a [usize],
    /// Those whose coefficient is not 0, which add to the expectation of a row.
    terms: Vec<(usize, f64)>,
}

impl<'a> Columns<'a> {
    pub(super) fn new(free: &'a [usize], coefficients: &[f64]) -> Columns<'a> {
        let terms = coefficients.iter().copied().enumerate();
        Columns {
            free,
            terms: terms.filter(|(_, x)| *x != 0.0).collect(),
        }
    }
}

/// What rows add up to at some coefficients.
pub(super) struct RowSums {
    pub(super) log_likelihood: f64,
    pub(super) weight: f64,
    /// By free column; behind them there may be zeros.
    gradient: Vec<Vector>,
    /// The negative of the second derivatives, by two free columns: the rows of a
    /// triangle, one after the other, each as long as whole vectors make it. What
    /// lies beyond the diagonal means nothing.
    curvature: Vec<Vector>,
}

impl RowSums {
    /// The sums of no row.
    pub(super) fn new(free: usize) -> RowSums {
        RowSums {
            log_likelihood: 0.0,
            weight: 0.0,
            gradient: vec![[0.0; LANES]; free.div_ceil(LANES)],
            curvature: vec![[0.0; LANES]; triangle_row(free)],
        }
    }

    /// The sums of some rows, with these weights; a row of weight 0 is left out.
    pub(super) fn of(
        rows: &Rows,
        range: Range<usize>,
        weight: impl Fn(usize) -> f64,
        columns: &Columns<'_>,
    ) -> RowSums {
        let mut sums = RowSums::new(columns.free.len());
        let mut block = Block::new(columns.free.len());
        let mut numbers = range.filter(|&n| weight(n) != 0.0);
        loop {
            let mut taken = [0; BLOCK];
            let mut count = 0;
            for (place, n) in taken.iter_mut().zip(&mut numbers) {
                *place = n;
                count += 1;
            }
            if count == 0 {
                return sums;
            }
            let taken = &taken[..count];
            block.take_in(rows, taken, &weight, columns, &mut sums);
            add_products(&mut sums, &block);
        }
    }

    /// Adds the sums of the rows behind those of these.
    pub(super) fn add(&mut self, more: &RowSums) {
        self.log_likelihood += more.log_likelihood;
        self.weight += more.weight;
        add_all(&mut self.gradient, &more.gradient);
        add_all(&mut self.curvature, &more.curvature);
    }

    /// The slope of the log-likelihood along the `n`th free column.
    pub(super) fn gradient_at(&self, n: usize) -> f64 {
        self.gradient[n / LANES][n % LANES]
    }

    /// The negative of its second derivative by two free columns.
    pub(super) fn curvature_at(&self, a: usize, b: usize) -> f64 {
        let (row, column) = (a.max(b), a.min(b));
        self.curvature[triangle_row(row) + column / LANES][column % LANES]
    }
}

/// Where a row of the triangle begins.
fn triangle_row(n: usize) -> usize {
    (0..n).map(|row| row / LANES + 1).sum()
}

fn add_all(sums: &mut [Vector], more: &[Vector]) {
    for (sum, x) in sums.as_flattened_mut().iter_mut().zip(more.as_flattened()) {
        *sum += x;
    }
}

/// Some rows, as they are added to the sums.
struct Block {
    /// By row: the values of the free columns, filled up with zeros.
    values: [Vec<Vector>; BLOCK],
    /// By row: what its values are multiplied by in the gradient; 0 where a row is
    /// missing, which changes no sum.
    slopes: [f64; BLOCK],
    /// The same in the curvature.
    bends: [f64; BLOCK],
    free: usize,
}

impl Block {
    fn new(free: usize) -> Block {
        Block {
            values: std::array::from_fn(|_| vec![[0.0; LANES]; free.div_ceil(LANES)]),
            slopes: [0.0; BLOCK],
            bends: [0.0; BLOCK],
            free,
        }
    }

    /// Takes the rows with these numbers in, and adds their log-likelihood.
    fn take_in(
        &mut self,
        rows: &Rows,
        taken: &[usize],
        weight: &impl Fn(usize) -> f64,
        columns: &Columns<'_>,
        sums: &mut RowSums,
    ) {
        // Rows side by side, so that none waits for its own last sum.
        let mut logits = [0.0; BLOCK];
        let values: [&[f64]; BLOCK] =
            std::array::from_fn(|n| rows.row(*taken.get(n).unwrap_or(&taken[0])));
        for &(column, coefficient) in &columns.terms {
            for (logit, values) in logits.iter_mut().zip(values) {
                *logit += values[column] * coefficient;
            }
        }
        (self.slopes, self.bends) = ([0.0; BLOCK], [0.0; BLOCK]);
        for (place, &n) in taken.iter().enumerate() {
            let (logit, target, weight) = (logits[place], rows.target(n), weight(n));
            let small = libm::exp(-logit.abs());
            let probability = probability_by(logit, small);
            sums.log_likelihood += weight * log_likelihood_by(target, logit, small);
            sums.weight += weight;
            self.slopes[place] = weight * (target - probability);
            self.bends[place] = weight * probability * (1.0 - probability);
            let own = self.values[place].as_flattened_mut().iter_mut();
            for (value, &column) in own.zip(columns.free) {
                *value = values[place][column];
            }
        }
    }
}

/// Adds the products of a block's rows to gradient and curvature, row after row in
/// each sum. It is compiled twice, once for processors that add four numbers in one
/// instruction; neither fuses a product with its sum, so both give the same bits.
#[multiversion(targets("x86_64+avx"))]
fn add_products(sums: &mut RowSums, block: &Block) {
    let values: [&[Vector]; BLOCK] = std::array::from_fn(|row| block.values[row].as_slice());
    add_rows(&mut sums.gradient, &block.slopes, &values);
    let mut triangle = sums.curvature.as_mut_slice();
    for n in 0..block.free {
        let (row, rest) = triangle.split_at_mut(n / LANES + 1);
        triangle = rest;
        let factors: [f64; BLOCK] =
            std::array::from_fn(|m| block.bends[m] * values[m][n / LANES][n % LANES]);
        add_rows(row, &factors, &values);
    }
}

/// Adds each row, times its factor, to sums of the first columns.
#[inline(always)]
fn add_rows(sums: &mut [Vector], factors: &[f64; BLOCK], values: &[&[Vector]; BLOCK]) {
    let len = sums.len();
    let values: [&[Vector]; BLOCK] = std::array::from_fn(|row| &values[row][..len]);
    for n in 0..len {
        let mut sum = sums[n];
        for row in 0..BLOCK {
            let value = values[row][n];
            for lane in 0..LANES {
                sum[lane] += factors[row] * value[lane];
            }
        }
        sums[n] = sum;
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::random::{Purpose, rng};
    use crate::stats::regression::{log_likelihood, logistic};

    /// Rows of nine columns and any number of decimals; some have no weight.
    fn rows(count: usize) -> Rows {
        let mut rng = rng(7, Purpose::Weights);
        let mut rows = Rows::new(9);
        for n in 0..count {
            let row: [f64; 9] = std::array::from_fn(|_| rng.random_range(-2.0..2.0));
            let weight = if n % 5 == 3 {
                0.0
            } else {
                rng.random_range(0.1..2.0)
            };
            rows.push(&row, [0.0, 0.5, 1.0][n % 3], weight);
        }
        rows
    }

    #[test]
    fn the_bits_are_those_of_the_plain_loop() {
        let coefficients = [0.3, -0.7, 0.0, 0.25, 0.1, 0.0, -0.2, 0.9, 0.05];
        let all: Vec<usize> = (0..9).collect();
        for free in [&all[..], &[0, 2, 3, 7, 8], &[5], &[]] {
            for count in [0, 1, 7, 8, 9, 100] {
                let rows = rows(count);
                let columns = Columns::new(free, &coefficients);
                let sums = RowSums::of(&rows, 0..count, |n| rows.weight(n), &columns);
                let mut likelihood = 0.0;
                let mut gradient = vec![0.0; free.len()];
                let mut curvature = vec![vec![0.0; free.len()]; free.len()];
                for n in (0..count).filter(|&n| rows.weight(n) != 0.0) {
                    let (row, weight) = (rows.row(n), rows.weight(n));
                    let mut logit = 0.0;
                    for (x, y) in row.iter().zip(coefficients) {
                        logit += x * y;
                    }
                    let probability = logistic(logit);
                    likelihood += weight * log_likelihood(rows.target(n), logit);
                    let slope = weight * (rows.target(n) - probability);
                    let bend = weight * probability * (1.0 - probability);
                    for (a, &one) in free.iter().enumerate() {
                        gradient[a] += slope * row[one];
                        let bent = bend * row[one];
                        for (b, &other) in free[..=a].iter().enumerate() {
                            curvature[a][b] += bent * row[other];
                        }
                    }
                }
                assert_eq!(sums.log_likelihood.to_bits(), likelihood.to_bits());
                for (a, row) in curvature.iter().enumerate() {
                    assert_eq!(sums.gradient_at(a).to_bits(), gradient[a].to_bits());
                    for (b, expected) in row[..=a].iter().enumerate() {
                        assert_eq!(sums.curvature_at(a, b).to_bits(), expected.to_bits());
                        assert_eq!(sums.curvature_at(b, a).to_bits(), expected.to_bits());
                    }
                }
            }
        }
    }
}
