//! From the value of a position to an honest chance of winning: a logistic curve
//! that is fitted to how games ended, and the check on other games.
//!
//! A value means more near the end of a game than at its beginning, so the
//! curve's steepness goes from one end to the other. The curve has a bias as
//! well, because Black may be better off at equal values.

use super::matrix::inverse;

/// The unit of values inside of the fit, in points.
const UNIT: f64 = 100.0;

/// The strength of the prior that holds the parameters near 0, as if so many
/// games had said nothing.
const PRIOR: f64 = 1.0;

/// Newton steps; the fit is exact after a few.
const STEPS: usize = 30;

/// The parameters: bias, steepness at the beginning, steepness at the end.
const PARAMETERS: usize = 3;

/// A position of a game that has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedPosition {
    /// Its value for Black, in points.
    pub value: f64,
    /// How far the game was: 0 at its beginning, 1 where the end is usual.
    pub progress: f64,
    /// How the game ended for Black: 1, a half or 0.
    pub score: f64,
}

/// A curve from values to chances.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Calibration {
    /// The logit of Black's chance at the value 0.
    pub bias: f64,
    /// Logits for 100 points at the beginning of a game.
    pub opening: f64,
    /// Logits for 100 points at the end of a game.
    pub end: f64,
}

/// Positions whose chances lie between two bounds, and how their games ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReliabilityBin {
    /// The mean of Black's chances.
    pub predicted: f64,
    /// The mean of Black's results.
    pub scored: f64,
    /// The standard error of that mean.
    pub error: f64,
    /// How many positions there are.
    pub positions: usize,
}

impl Calibration {
    /// The likeliest curve, by Newton's method.
    pub fn fit(positions: &[JudgedPosition]) -> Calibration {
        let mut parameters = [0.0; PARAMETERS];
        for _ in 0..STEPS {
            let mut gradient = parameters.map(|parameter| -PRIOR * parameter);
            let mut hessian = [0.0; PARAMETERS * PARAMETERS];
            for n in 0..PARAMETERS {
                hessian[n * PARAMETERS + n] = PRIOR;
            }
            for position in positions {
                let inputs = inputs(position.value, position.progress);
                let chance = logistic(dot(&parameters, &inputs));
                let weight = chance * (1.0 - chance);
                for row in 0..PARAMETERS {
                    gradient[row] += (position.score - chance) * inputs[row];
                    for column in 0..PARAMETERS {
                        hessian[row * PARAMETERS + column] += weight * inputs[row] * inputs[column];
                    }
                }
            }
            let Some(inverse) = inverse(&hessian, PARAMETERS) else {
                break;
            };
            for row in 0..PARAMETERS {
                let step: f64 = (0..PARAMETERS)
                    .map(|column| inverse[row * PARAMETERS + column] * gradient[column])
                    .sum();
                parameters[row] += step;
            }
        }
        let [bias, opening, end] = parameters;
        Calibration { bias, opening, end }
    }

    /// Black's chance, from 0 to 1; a draw is half of a win.
    pub fn chance(&self, value: f64, progress: f64) -> f64 {
        let parameters = [self.bias, self.opening, self.end];
        logistic(dot(&parameters, &inputs(value, progress)))
    }

    /// The mean square of the difference between chance and result: 0 is
    /// perfect, and a quarter is what a chance of one half gives for wins.
    pub fn brier(&self, positions: &[JudgedPosition]) -> f64 {
        let square = |one: &JudgedPosition| {
            let chance = self.chance(one.value, one.progress);
            (chance - one.score).powi(2)
        };
        let sum: f64 = positions.iter().map(square).sum();
        sum / positions.len().max(1) as f64
    }

    /// The mean logarithm of the results' likelihood, in nats a position.
    pub fn log_likelihood(&self, positions: &[JudgedPosition]) -> f64 {
        let nats = |one: &JudgedPosition| {
            let chance = self.chance(one.value, one.progress);
            // A chance that is rounded to certainty says no more than this.
            let chance = chance.clamp(f64::EPSILON, 1.0 - f64::EPSILON);
            one.score * chance.ln() + (1.0 - one.score) * (1.0 - chance).ln()
        };
        let sum: f64 = positions.iter().map(nats).sum();
        sum / positions.len().max(1) as f64
    }

    /// The positions by their chances, in `count` equal ranges; empty ones are
    /// left out.
    pub fn reliability(&self, positions: &[JudgedPosition], count: usize) -> Vec<ReliabilityBin> {
        let mut bins: Vec<Vec<(f64, f64)>> = vec![Vec::new(); count];
        for position in positions {
            let chance = self.chance(position.value, position.progress);
            let place = ((chance * count as f64) as usize).min(count - 1);
            bins[place].push((chance, position.score));
        }
        let bin = |found: &Vec<(f64, f64)>| {
            let many = found.len() as f64;
            let mean = |part: fn(&(f64, f64)) -> f64| found.iter().map(part).sum::<f64>() / many;
            let scored = mean(|pair| pair.1);
            ReliabilityBin {
                predicted: mean(|pair| pair.0),
                scored,
                // One result more on either side, so that few games that ended
                // alike do not seem certain.
                error: {
                    let even = (scored * many + 1.0) / (many + 2.0);
                    (even * (1.0 - even) / (many + 2.0)).sqrt()
                },
                positions: found.len(),
            }
        };
        let filled = bins.iter().filter(|found| !found.is_empty());
        filled.map(bin).collect()
    }
}

fn inputs(value: f64, progress: f64) -> [f64; PARAMETERS] {
    let (value, progress) = (value / UNIT, progress.clamp(0.0, 1.0));
    [1.0, value * (1.0 - progress), value * progress]
}

fn dot(one: &[f64; PARAMETERS], other: &[f64; PARAMETERS]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions whose games end by a known curve: each of a hundred quantiles
    /// of the uniform distribution once.
    fn positions(truth: &Calibration) -> Vec<JudgedPosition> {
        let mut made = Vec::new();
        for value in (-200..=200).step_by(20) {
            for tenth in 0..=10 {
                let (value, progress) = (f64::from(value), f64::from(tenth) / 10.0);
                let chance = truth.chance(value, progress);
                made.extend((0..100).map(|n| JudgedPosition {
                    value,
                    progress,
                    score: f64::from(u8::from((f64::from(n) + 0.5) / 100.0 < chance)),
                }));
            }
        }
        made
    }

    #[test]
    fn the_curve_behind_the_games_is_found() {
        let truth = Calibration {
            bias: 0.2,
            opening: 0.5,
            end: 1.5,
        };
        let positions = positions(&truth);
        let found = Calibration::fit(&positions);
        for (found, truth) in [
            (found.bias, truth.bias),
            (found.opening, truth.opening),
            (found.end, truth.end),
        ] {
            assert!((found - truth).abs() < 0.03, "{found} is not {truth}");
        }
        for bin in found.reliability(&positions, 10) {
            assert!((bin.predicted - bin.scored).abs() < 0.03, "{bin:?}");
        }
        // An overconfident curve is told from an honest one.
        let loud = Calibration {
            opening: 5.0,
            end: 15.0,
            ..truth
        };
        assert!(loud.brier(&positions) > found.brier(&positions) + 0.02);
        let nats = |curve: &Calibration| curve.log_likelihood(&positions);
        assert!(nats(&loud) < nats(&found) - 0.02);
        assert!(nats(&found) > nats(&Calibration::default()) + 0.02);
    }

    #[test]
    fn without_games_every_chance_is_one_half() {
        let found = Calibration::fit(&[]);
        assert_eq!(found.chance(300.0, 0.5), 0.5);
        let drawn = JudgedPosition {
            value: 300.0,
            progress: 0.5,
            score: 0.5,
        };
        let coin = found.log_likelihood(&[drawn]);
        assert!((coin + std::f64::consts::LN_2).abs() < 1e-12, "{coin}");
        assert!(found.reliability(&[], 10).is_empty());
        // Games that all ended alike do not make it certain.
        let won = JudgedPosition {
            value: 50.0,
            progress: 0.5,
            score: 1.0,
        };
        assert!(Calibration::fit(&[won; 5]).chance(50.0, 0.5) < 0.95);
    }
}
