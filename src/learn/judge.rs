//! Sets of columns judged by the likelihood of games that were held out.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::RngExt;

use super::held_out::{FOLDS, MeanOverGames, fold_of};
use super::sample::SampledGame;
use crate::random::{self, Purpose};
use crate::stats::regression::{Regression, Rows};

/// Draws of the bootstrap.
const DRAWS: u64 = 400;

/// Judges sets of columns on held-out games.
pub(super) struct Judge<'a> {
    rows: Rows,
    /// The game of every row.
    game_of_row: Vec<usize>,
    stop: &'a AtomicBool,
}

impl<'a> Judge<'a> {
    /// A judge of columns that have a row for every position of the games; `None`
    /// where there are too few games to hold some out.
    pub(super) fn new(
        games: &[SampledGame],
        rows: Rows,
        stop: &'a AtomicBool,
    ) -> Option<Judge<'a>> {
        let game_of_row: Vec<usize> = games
            .iter()
            .enumerate()
            .flat_map(|(n, game)| std::iter::repeat_n(n, game.positions.len()))
            .collect();
        let has_all_folds =
            (0..FOLDS).all(|fold| game_of_row.iter().any(|&game| fold_of(game) == fold));
        has_all_folds.then_some(Judge {
            rows,
            game_of_row,
            stop,
        })
    }

    /// The columns, with a row for every position.
    pub(super) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The log-likelihood of every row by what was learned from the other
    /// folds, and the coefficients of each fold. Without columns every row has
    /// the chance of Black. `None` once the flag is set.
    pub(super) fn held_out(
        &self,
        columns: &[usize],
        starts: Option<&[Vec<f64>]>,
    ) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let rows = if columns.is_empty() {
            let mut constant = Rows::new(1);
            for n in 0..self.rows.len() {
                constant.push(&[1.0], self.rows.target(n), self.rows.weight(n));
            }
            constant
        } else {
            self.rows.with_columns(columns)
        };
        let mut likelihoods = vec![0.0; rows.len()];
        let mut coefficients = Vec::with_capacity(FOLDS);
        for fold in 0..FOLDS {
            let is_out = |row: usize| fold_of(self.game_of_row[row]) == fold;
            let weight = |row: usize| if is_out(row) { 0.0 } else { rows.weight(row) };
            let weights: Vec<f64> = (0..rows.len()).map(weight).collect();
            let mut regression = Regression::new(&rows)
                .with_weights(&weights)
                .with_stop(self.stop);
            if let Some(starts) = starts {
                regression = regression.with_start(&starts[fold]);
            }
            let found = regression.fit().coefficients;
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            for row in (0..rows.len()).filter(|&row| is_out(row)) {
                likelihoods[row] = rows.row_log_likelihood(row, &found);
            }
            coefficients.push(found);
        }
        Some((likelihoods, coefficients))
    }

    /// The mean of a number over rows, by their weights.
    pub(super) fn mean(&self, of: impl Fn(usize) -> f64) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for row in 0..self.rows.len() {
            sum += self.rows.weight(row) * of(row);
            weights += self.rows.weight(row);
        }
        sum / weights
    }

    /// The mean of a number over rows, with the error that drawing the pairs
    /// of games again gives.
    pub(super) fn bootstrapped(&self, of: impl Fn(usize) -> f64) -> MeanOverGames {
        let pairs = self.game_of_row.last().map_or(0, |game| game / 2 + 1);
        let mut sums = vec![(0.0, 0.0); pairs];
        for (row, game) in self.game_of_row.iter().enumerate() {
            let (sum, weights) = &mut sums[game / 2];
            *sum += self.rows.weight(row) * of(row);
            *weights += self.rows.weight(row);
        }
        let (mut first, mut second) = (0.0, 0.0);
        for draw in 0..DRAWS {
            let mut rng = random::rng(1, Purpose::Bootstrap(draw));
            let (mut sum, mut weights) = (0.0, 0.0);
            for _ in 0..pairs {
                let (of_pair, weight) = sums[rng.random_range(0..pairs as u64) as usize];
                sum += of_pair;
                weights += weight;
            }
            let mean = if weights > 0.0 { sum / weights } else { 0.0 };
            first += mean;
            second += mean * mean;
        }
        let count = DRAWS as f64;
        let variance = (second / count - (first / count) * (first / count)).max(0.0);
        MeanOverGames {
            mean: self.mean(of),
            error: 1.96 * variance.sqrt(),
        }
    }
}
