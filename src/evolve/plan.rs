//! What an evolution is given at its start, and nothing else.

use super::Refused;
use super::space::Space;
use crate::genome::{GeneTable, Genome, GenomeSpec};
use crate::params::{EvolutionParams, FinalParams, Params, SchoolParams};

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
    /// The genes, and their bounds.
    pub genome: GenomeSpec,
    /// The numbers of the selection rule.
    pub evolution: EvolutionParams,
    /// When lessons are due, and what becomes of scholars.
    pub school: SchoolParams,
    /// The numbers of the final.
    pub final_stage: FinalParams,
    /// Genome around which half of the first population is drawn; each of
    /// them is a founder, too.
    pub seeds: Vec<Genome>,
}

impl Plan {
    /// The plan of a run with these parameters, whose genes are those of this
    /// program's evaluation.
    pub fn new(params: &Params, seeds: &[Genome]) -> Plan {
        Plan::with_genes(params, &GeneTable::built_in(), seeds)
    }

    /// The plan of a run with these parameters and genes.
    pub fn with_genes(params: &Params, table: &GeneTable, seeds: &[Genome]) -> Plan {
        Plan {
            seed: params.run.seed,
            window: params.run.window,
            genome: params.genome.spec(table),
            evolution: params.evolution,
            school: params.school,
            final_stage: params.final_stage.clone(),
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
    pub fn check_weights(&self, weights: &Genome) -> Result<(), Refused> {
        Space::new(&self.genome).check(weights)
    }
}
