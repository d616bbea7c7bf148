//! Samples of the population, from which charts are drawn.

use super::state::State;
use super::{Plan, Sample};
use crate::eval::Weights;
use crate::eval::genes::GENES;

impl State {
    /// The population at this moment.
    pub(super) fn sample(&self, plan: &Plan) -> Sample {
        let count = self.individuals.len().max(1) as f64;
        let points = || self.individuals.iter().map(|one| one.totals.points);
        let (means, spreads): (Vec<f32>, Vec<f32>) = (0..2 * GENES)
            .map(|n| {
                let values = || self.individuals.iter().map(|one| value(&one.weights, n));
                let mean = values().sum::<f64>() / count;
                let squares: f64 = values().map(|x| (x - mean) * (x - mean)).sum();
                (mean as f32, (squares / count).sqrt() as f32)
            })
            .unzip();
        let consensus = self.consensus.opening.iter().chain(&self.consensus.endgame);
        Sample {
            matches: self.matches,
            games: self.games(),
            population: self.individuals.len() as u32,
            capacity: self.capacity(plan),
            births: self.births,
            deaths: self.deaths,
            best_points: self.leader().map_or(0.0, |leader| leader.totals.points),
            mean_points: points().sum::<f64>() / count,
            gene_means: means,
            gene_spreads: spreads,
            consensus: consensus.map(|&value| value as f32).collect(),
        }
    }
}

/// Value `n` of weights: opening values in the table's order, then endgame
/// values.
fn value(weights: &Weights, n: usize) -> f64 {
    f64::from(if n < GENES {
        weights.opening[n]
    } else {
        weights.endgame[n - GENES]
    })
}
