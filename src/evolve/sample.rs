//! Samples of the population, from which charts are drawn.

use super::state::State;
use super::{Plan, Sample};
use crate::genome::Genome;

impl State {
    /// The population at this moment.
    pub(super) fn sample(&self, plan: &Plan) -> Sample {
        let count = self.individuals.len().max(1) as f64;
        let genes = plan.genome.table.len();
        let points = || self.individuals.iter().map(|one| one.totals.points);
        let (means, spreads): (Vec<f32>, Vec<f32>) = (0..2 * genes)
            .map(|n| {
                let values = || {
                    self.individuals
                        .iter()
                        .map(|one| value(&one.weights, n, genes))
                };
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
fn value(weights: &Genome, n: usize, genes: usize) -> f64 {
    f64::from(if n < genes {
        weights.opening[n]
    } else {
        weights.endgame[n - genes]
    })
}
