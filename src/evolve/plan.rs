//! What an evolution is given at its start, and nothing else.

use crate::eval::Weights;
use crate::params::{EvolutionParams, FinalParams, GenomeParams, Params};

/// Everything that the course of an evolution depends on, but for the results
/// of its matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Everything random follows from it.
    pub seed: u64,
    /// Matches that are drawn before the oldest of them is applied.
    pub window: u32,
    /// What may evolve.
    pub genome: GenomeParams,
    /// The selection rule's numbers.
    pub evolution: EvolutionParams,
    /// The final's.
    pub final_stage: FinalParams,
    /// Weights around which half of the first population is drawn; each of
    /// them is in it, too.
    pub seeds: Vec<Weights>,
}

impl Plan {
    /// The plan that parameters make.
    pub fn new(params: &Params, seeds: &[Weights]) -> Plan {
        Plan {
            seed: params.run.seed,
            window: params.run.window,
            genome: params.genome.clone(),
            evolution: params.evolution,
            final_stage: params.final_stage,
            seeds: seeds.to_vec(),
        }
    }
}
