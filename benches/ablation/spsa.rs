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
    /// Phases of the weights: 1, or 2 for an endgame value of every weight.
    phases: u32,
}

/// The best of those that were tried on the engine, at 2,000 to 30,000 games and
/// depth 2.
impl Default for Gains {
    fn default() -> Gains {
        Gains {
            width: 0.1,
            step: 0.025,
            phases: 1,
        }
    }
}

impl Gains {
    pub(crate) fn parse(keys: &[[String; 2]]) -> Result<Gains, String> {
        let mut gains = Gains::default();
        for [key, value] in keys {
            let share = value.parse().ok().filter(|x: &f64| *x > 0.0 && *x <= 1.0);
            let share = share.ok_or_else(|| format!("{key}={value} must be up to 1"));
            match key.as_str() {
                "width" => gains.width = share?,
                "step" => gains.step = share?,
                "phases" => {
                    let phases = value.parse().ok().filter(|phases| (1..=2).contains(phases));
                    gains.phases =
                        phases.ok_or_else(|| format!("phases={value} must be 1 or 2"))?;
                }
                _ => return Err(format!("{key} must be width, step or phases")),
            }
        }
        Ok(gains)
    }
}

impl fmt::Display for Gains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = Gains::default();
        f.write_str("spsa")?;
        if (self.width, self.step) != (plain.width, plain.step) {
            write!(f, ":width={}:step={}", self.width, self.step)?;
        }
        if self.phases != plain.phases {
            write!(f, ":phases={}", self.phases)?;
        }
        Ok(())
    }
}

/// The opening value of every gene, then, with two phases, the endgame value of
/// every weight.
type Point = Vec<f64>;

/// The coordinates of a point: their genes, bounds, and the scale to keep.
struct Space {
    genes: Vec<usize>,
    low: Point,
    high: Point,
    norm: f64,
}

impl Space {
    fn new(genome: &GenomeParams, phases: u32) -> Space {
        let mut genes: Vec<usize> = (0..GENES).collect();
        if phases == 2 {
            genes.extend((0..GENES).filter(|&gene| is_weight(gene)));
        }
        let bound = |which: usize| {
            let bounds = genes.iter().map(|&gene| genome.bounds[gene][which]);
            bounds.map(f64::from).collect()
        };
        Space {
            low: bound(0),
            high: bound(1),
            genes,
            norm: 0.0,
        }
    }

    /// The same value of a gene in every phase.
    fn point(&self, values: &[i32]) -> Point {
        let of = |&gene: &usize| f64::from(values[gene]);
        self.genes.iter().map(of).collect()
    }

    fn cut(&self, n: usize, value: f64) -> f64 {
        value.max(self.low[n]).min(self.high[n])
    }

    fn range(&self, n: usize) -> f64 {
        self.high[n] - self.low[n]
    }

    /// The coordinates that have a part in the scale.
    fn weights(&self) -> impl Iterator<Item = usize> {
        (0..self.genes.len()).filter(|&n| is_weight(self.genes[n]))
    }

    fn norm(&self, point: &Point) -> f64 {
        let size = |n: usize| {
            let gene = &TABLE[self.genes[n]];
            2.0 * point[n].abs() / f64::from(gene.max - gene.min)
        };
        self.weights().map(size).sum()
    }

    /// Cuts a point to the bounds and rescales it as far as they allow.
    fn settle(&self, point: &mut Point) {
        for (n, value) in point.iter_mut().enumerate() {
            *value = self.cut(n, *value);
        }
        let mut factor = match self.norm(point) {
            0.0 => 1.0,
            norm => self.norm / norm,
        };
        for n in self.weights() {
            let far = if point[n] > 0.0 {
                self.high[n]
            } else {
                self.low[n]
            };
            if point[n] != 0.0 {
                factor = factor.min(far / point[n]);
            }
        }
        for n in self.weights() {
            point[n] = self.cut(n, point[n] * factor);
        }
    }

    /// The weights of whole coordinates.
    fn whole(&self, value: impl Fn(usize) -> f64) -> Weights {
        let mut weights = Weights::uniform(std::array::from_fn(|n| value(n) as i32));
        for n in GENES..self.genes.len() {
            weights.endgame[self.genes[n]] = value(n) as i32;
        }
        weights
    }
}

fn is_weight(gene: usize) -> bool {
    TABLE[gene].role == Role::Weight
}

pub(crate) fn learn(task: &Task, gains: &Gains) -> (Weights, u64) {
    let params = task.params();
    let consensus = evolution::begin(task).state.consensus();
    let mut space = Space::new(&params.genome, gains.phases);
    let mut point = space.point(&consensus.opening);
    space.norm = space.norm(&point);
    let size = point.len();
    let mut rng = ChaCha8Rng::seed_from_u64(task.seed);
    let mut ring = Ring::new(params);
    let steps = task.games / 2;
    let delay = steps as f64 / 10.0;
    let (mut mean, mut count) = (point.clone(), 0.0);
    for number in 0..steps {
        let k = number as f64 + 1.0;
        let width = gains.width / k.powf(GAMMA);
        let step = gains.step * ((delay + 1.0) / (delay + k)).powf(ALPHA) * k.powf(GAMMA);

        // 1. A direction; both points with the same luck in rounding.
        let sign = |is_up: bool| if is_up { 1.0 } else { -1.0 };
        let way: Point = (0..size).map(|_| sign(rng.random())).collect();
        let luck: Point = (0..size).map(|_| rng.random()).collect();
        let moved = |sign: f64| {
            space.whole(|n| {
                let by = (width * space.range(n)).max(1.0);
                let value = space.cut(n, point[n] + sign * way[n] * by);
                space.cut(n, (value + luck[n]).floor())
            })
        };

        // 2. A match, and a step to the side that did better.
        let score = ring.play(number, &[[moved(1.0), moved(-1.0)]])[0];
        for n in 0..size {
            point[n] += step * score * way[n] * space.range(n);
        }
        space.settle(&mut point);

        // 3. The mean of the last three quarters.
        if 4 * (number + 1) > steps {
            count += 1.0;
            for (mean, value) in mean.iter_mut().zip(&point) {
                *mean += (value - *mean) / count;
            }
        }
    }
    (space.whole(|n| mean[n].round()), ring.games())
}
