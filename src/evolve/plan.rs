//! What an evolution is given at its start, and nothing else.

use super::Refused;
use super::space::Space;
use crate::eval::Weights;
use crate::params::{EvolutionParams, FinalParams, GenomeParams, Params};

/// Everything that the course of an evolution depends on, except the results
/// of its matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The seed of every random stream of the evolution.
    pub seed: u64,
    /// How many matches are drawn before the oldest of them is applied; 0
    /// counts as 1. A larger window keeps more workers busy and makes
    /// selection later by as many matches.
    pub window: u32,
    /// Bounds and shape of the genes.
    pub genome: GenomeParams,
    /// The numbers of the selection rule.
    pub evolution: EvolutionParams,
    /// The numbers of the final.
    pub final_stage: FinalParams,
    /// Weights around which half of the first population is drawn; each of
    /// them is a founder, too.
    pub seeds: Vec<Weights>,
}

impl Plan {
    /// The plan of a run with these parameters.
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

    /// Checks that weights fit the genome as they are, which is what an
    /// immigrant must do. Seeds of stored populations that do not are made to
    /// fit.
    ///
    /// # Errors
    /// [`Refused::OutOfBounds`] or [`Refused::TwoValues`], for the first gene
    /// that does not fit.
    pub fn check_weights(&self, weights: &Weights) -> Result<(), Refused> {
        Space::new(&self.genome).check(weights)
    }
}
