//! Averaged SPSA (Spall 1992; the mean of the iterates: Polyak and Juditsky).
//!
//! From the mean of the evolution's founders, on the same scale. A step draws
//! a random direction, lets the point moved forward and moved back play one
//! match, and moves by its score. In shares of a gene's range, step `k` of `K`
//! has the width `c = width / k^0.101` and moves by `step · ((A + 1) / (A +
//! k))^0.602 · k^0.101` times the score, where `A = K / 10`: Spall's sequences.
//! The result is the mean of the points of the last three quarters, as the
//! elder is. Weights keep the common scale of the start, as a consensus does.
//!
//! The steps depend on the number of all games through `A`, so a shorter run is
//! not the beginning of a longer one: every number of games is a run of its own.

use std::fmt;

use loatune::eval::Weights;
use loatune::eval::genes::{GENES, Role, TABLE};
use loatune::params::GenomeParams;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::evolution;
use crate::method::Task;
use crate::ring::Ring;

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// The numbers that SPSA has to be given.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gains {
    /// The first perturbation, as a share of a gene's range.
    width: f64,
    /// The first step for a score of 1, as a share of a gene's range.
    step: f64,
}

/// The best of those that were tried on the engine, at 2,000 to 30,000 games and
/// depth 2.
impl Default for Gains {
    fn default() -> Gains {
        Gains {
            width: 0.1,
            step: 0.025,
        }
    }
}

impl Gains {
    pub(crate) fn parse(keys: &[[String; 2]]) -> Result<Gains, String> {
        let mut gains = Gains::default();
        for [key, value] in keys {
            let number = value.parse().ok().filter(|x: &f64| *x > 0.0 && *x <= 1.0);
            let number = number.ok_or_else(|| format!("{key}={value} must be up to 1"))?;
            match key.as_str() {
                "width" => gains.width = number,
                "step" => gains.step = number,
                _ => return Err(format!("{key} must be width or step")),
            }
        }
        Ok(gains)
    }
}

impl fmt::Display for Gains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("spsa")?;
        if *self != Gains::default() {
            write!(f, ":width={}:step={}", self.width, self.step)?;
        }
        Ok(())
    }
}

type Point = [f64; GENES];

/// The bounds, and the scale to keep.
struct Space {
    low: Point,
    high: Point,
    norm: f64,
}

impl Space {
    fn new(genome: &GenomeParams, start: &Point) -> Space {
        Space {
            low: genome.bounds.map(|[low, _]| f64::from(low)),
            high: genome.bounds.map(|[_, high]| f64::from(high)),
            norm: norm(start),
        }
    }

    fn cut(&self, n: usize, value: f64) -> f64 {
        value.max(self.low[n]).min(self.high[n])
    }

    fn range(&self, n: usize) -> f64 {
        self.high[n] - self.low[n]
    }

    /// Cuts a point to the bounds and rescales it as far as they allow.
    fn settle(&self, point: &mut Point) {
        for (n, value) in point.iter_mut().enumerate() {
            *value = self.cut(n, *value);
        }
        let mut factor = match norm(point) {
            0.0 => 1.0,
            norm => self.norm / norm,
        };
        for n in weights() {
            let far = if point[n] > 0.0 {
                self.high[n]
            } else {
                self.low[n]
            };
            if point[n] != 0.0 {
                factor = factor.min(far / point[n]);
            }
        }
        for n in weights() {
            point[n] = self.cut(n, point[n] * factor);
        }
    }
}

/// The genes that have a part in the scale.
fn weights() -> impl Iterator<Item = usize> {
    (0..GENES).filter(|&n| TABLE[n].role == Role::Weight)
}

fn norm(point: &Point) -> f64 {
    let size = |n: usize| 2.0 * point[n].abs() / f64::from(TABLE[n].max - TABLE[n].min);
    weights().map(size).sum()
}

fn whole(point: &Point) -> Weights {
    Weights::uniform(point.map(|value| value.round() as i32))
}

pub(crate) fn learn(task: &Task, gains: &Gains) -> (Weights, u64) {
    let params = task.params();
    let consensus = evolution::begin(task).state.consensus();
    let mut point: Point = std::array::from_fn(|n| f64::from(consensus.opening[n]));
    let space = Space::new(&params.genome, &point);
    let mut rng = ChaCha8Rng::seed_from_u64(task.seed);
    let mut ring = Ring::new(params);
    let steps = task.games / 2;
    let delay = steps as f64 / 10.0;
    let (mut mean, mut count) = (point, 0.0);
    for number in 0..steps {
        let k = number as f64 + 1.0;
        let width = gains.width / k.powf(GAMMA);
        let step = gains.step * ((delay + 1.0) / (delay + k)).powf(ALPHA) * k.powf(GAMMA);

        // 1. A direction; both points with the same luck in rounding.
        let way: Point = std::array::from_fn(|_| if rng.random() { 1.0 } else { -1.0 });
        let luck: Point = std::array::from_fn(|_| rng.random());
        let moved = |sign: f64| {
            Weights::uniform(std::array::from_fn(|n| {
                let by = (width * space.range(n)).max(1.0);
                let value = space.cut(n, point[n] + sign * way[n] * by);
                space.cut(n, (value + luck[n]).floor()) as i32
            }))
        };

        // 2. A match, and a step to the side that did better.
        let score = ring.play(number, &[[moved(1.0), moved(-1.0)]])[0];
        for n in 0..GENES {
            point[n] += step * score * way[n] * space.range(n);
        }
        space.settle(&mut point);

        // 3. The mean of the last three quarters.
        if 4 * (number + 1) > steps {
            count += 1.0;
            for (mean, value) in mean.iter_mut().zip(point) {
                *mean += (value - *mean) / count;
            }
        }
    }
    (whole(&mean), ring.games())
}
