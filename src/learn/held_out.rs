//! How well fits predict games that they have not seen.
//!
//! Cross-validation by pairs of games: the pairs are dealt into folds, weights
//! are learned from all folds but one, as the weights for play are, and judged
//! on the fold that was left out. What is judged is the value that a search
//! would see, made a probability by a scale and a worth of the turn that come
//! from the other folds as well. So bounds, rounding and the choice of shapes
//! are part of the judgement, and any weights can be judged beside them.

use std::sync::atomic::AtomicBool;

use super::design::value_matrix;
use super::fit::{FitSettings, fit_unless_stopped};
use super::sample::SampledGame;
use crate::eval::Weights;
use crate::stats::regression::{Regression, Rows, log_likelihood, logistic};

/// Parts into which the games are dealt.
pub const FOLDS: usize = 5;

/// A mean over positions with its 95 % error, which comes from the differences
/// between games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanOverGames {
    /// The mean, nats a position.
    pub mean: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// A class of predictions, and what came of the positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// The least prediction of the class; it ends where the next one begins.
    pub from: f64,
    /// The number of positions.
    pub positions: u64,
    /// The mean of their predictions.
    pub predicted: f64,
    /// The mean of their outcomes.
    pub real: f64,
    /// Half the width of the 95 % interval of `real`, from the differences
    /// between games.
    pub error: f64,
}

/// The judgement on games that were held out.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOut {
    /// The log-likelihood by what was learned from other games.
    pub fit: MeanOverGames,
    /// The log-likelihood by the weights before.
    pub before: MeanOverGames,
    /// What the fit gains on them.
    pub gain: MeanOverGames,
    /// The log-likelihood where every position has the same chance.
    pub nothing: f64,
    /// Predictions for the side to move against outcomes, in tenths.
    pub calibration: [Bin; 10],
}

/// One position that was held out.
#[derive(Clone, Copy)]
struct Judged {
    game: usize,
    weight: f64,
    fit: f64,
    before: f64,
    nothing: f64,
    /// For the side to move.
    predicted: f64,
    real: f64,
}

/// Judges what a fit with these settings learns against the weights before.
/// `None` where there are fewer pairs than folds, a fold has no position, or the
/// flag is set. `told` is called after each fold with the number of folds done.
pub fn held_out(
    games: &[SampledGame],
    settings: &FitSettings,
    before: &Weights,
    stop: &AtomicBool,
    told: &mut dyn FnMut(usize),
) -> Option<HeldOut> {
    let mut judged = Vec::new();
    for fold in 0..FOLDS {
        let is_out = |n: usize| fold_of(n) == fold;
        let part = |out: bool| -> Vec<SampledGame> {
            let all = games.iter().enumerate();
            let chosen = all.filter(|(n, _)| is_out(*n) == out);
            chosen.map(|(_, game)| game.clone()).collect()
        };
        let (learned, out) = (part(false), part(true));
        let found = fit_unless_stopped(&learned, settings, stop)?;
        let of = |weights: &Weights| {
            let known = value_matrix(&learned, weights);
            let scale = Regression::new(&known).fit().coefficients;
            (value_matrix(&out, weights), scale)
        };
        let (fit_rows, fit_scale) = of(&found.weights);
        let (before_rows, before_scale) = of(before);
        let constant = black_logit(&value_matrix(&learned, before));
        let numbers = (0..games.len()).filter(|&n| is_out(n));
        let places = numbers.flat_map(|n| std::iter::repeat_n(n, games[n].positions.len()));
        if fit_rows.is_empty() {
            return None;
        }
        for (row, game) in places.enumerate() {
            let target = fit_rows.target(row);
            let values = fit_rows.row(row);
            let logit = values[0] * fit_scale[0] + values[1] * fit_scale[1];
            let to_move = values[1];
            judged.push(Judged {
                game,
                weight: fit_rows.weight(row),
                fit: log_likelihood(target, logit),
                before: before_rows.row_log_likelihood(row, &before_scale),
                nothing: log_likelihood(target, constant),
                predicted: logistic(logit * to_move),
                real: if to_move > 0.0 { target } else { 1.0 - target },
            });
        }
        told(fold + 1);
    }
    judged.sort_by_key(|position| position.game);
    Some(HeldOut {
        fit: mean_over_games(&judged, |position| position.fit),
        before: mean_over_games(&judged, |position| position.before),
        gain: mean_over_games(&judged, |position| position.fit - position.before),
        nothing: mean_over_games(&judged, |position| position.nothing).mean,
        calibration: calibration(&judged),
    })
}

/// The fold of a game: both games of a pair are in the same, because they
/// begin with the same opening.
pub(super) fn fold_of(game: usize) -> usize {
    game / 2 % FOLDS
}

/// The chance of Black, in nats, that explains outcomes best without a look at
/// positions.
fn black_logit(rows: &Rows) -> f64 {
    let mut constant = Rows::new(1);
    for n in 0..rows.len() {
        constant.push(&[1.0], rows.target(n), rows.weight(n));
    }
    Regression::new(&constant).fit().coefficients[0]
}

/// The mean by weight, and the error of a ratio of sums over games.
fn mean_over_games(judged: &[Judged], of: impl Fn(&Judged) -> f64) -> MeanOverGames {
    let numbers = judged
        .iter()
        .map(|position| (position.game, position.weight, of(position)));
    ratio_over_games(numbers)
}

/// The weighted mean of numbers that belong to games, which stand together.
/// Games are independent of each other, positions of a game are not.
pub(super) fn ratio_over_games(
    numbers: impl Iterator<Item = (usize, f64, f64)> + Clone,
) -> MeanOverGames {
    let (mut weights, mut sum) = (0.0, 0.0);
    for (_, weight, x) in numbers.clone() {
        weights += weight;
        sum += weight * x;
    }
    if weights <= 0.0 {
        return MeanOverGames::default();
    }
    let mean = sum / weights;
    let (mut squares, mut games, mut of_game, mut last) = (0.0, 0.0, 0.0, None);
    for (game, weight, x) in numbers {
        if last.is_some_and(|last| last != game) {
            squares += of_game * of_game;
            games += 1.0;
            of_game = 0.0;
        }
        last = Some(game);
        of_game += weight * (x - mean);
    }
    squares += of_game * of_game;
    games += 1.0;
    let small: f64 = if games > 1.0 {
        games / (games - 1.0)
    } else {
        1.0
    };
    MeanOverGames {
        mean,
        error: 1.96 * (squares * small).sqrt() / weights,
    }
}

fn calibration(judged: &[Judged]) -> [Bin; 10] {
    let class = |predicted: f64| ((predicted * 10.0) as usize).min(9);
    std::array::from_fn(|n| {
        let bin = judged
            .iter()
            .filter(|position| class(position.predicted) == n);
        let numbers = bin.clone().map(|p| (p.game, p.weight, p.real));
        let real = ratio_over_games(numbers);
        let predicted = ratio_over_games(bin.clone().map(|p| (p.game, p.weight, p.predicted)));
        Bin {
            from: n as f64 / 10.0,
            positions: bin.count() as u64,
            predicted: predicted.mean,
            real: real.mean,
            error: real.error,
        }
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn errors_come_from_games() {
        // Four games of two equal positions each are four numbers.
        let numbers = [1.0, 0.0, 1.0, 0.0].into_iter().enumerate();
        let twice = numbers.flat_map(|(game, x)| [(game, 1.0, x), (game, 1.0, x)]);
        let found = ratio_over_games(twice);
        assert_eq!(found.mean, 0.5);
        // The deviation of the numbers is √(1/3), that of their mean √(1/12).
        let expected = 1.96 * (1.0f64 / 12.0).sqrt();
        assert!((found.error - expected).abs() < 1e-12, "{found:?}");
        assert_eq!(
            ratio_over_games(std::iter::empty()),
            MeanOverGames::default()
        );
    }

    #[test]
    fn both_games_of_a_pair_are_held_out_together() {
        for pair in 0..50 {
            assert_eq!(fold_of(2 * pair), fold_of(2 * pair + 1));
        }
        assert!((0..FOLDS).all(|fold| (0..2 * FOLDS).any(|n| fold_of(n) == fold)));
    }

    #[test]
    fn too_few_games_are_no_judgement() {
        let settings = FitSettings::default();
        let stop = AtomicBool::new(false);
        let found = held_out(&[], &settings, &Weights::source(), &stop, &mut |_| {});
        assert_eq!(found, None);
    }
}
