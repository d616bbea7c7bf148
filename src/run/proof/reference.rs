//! The weights that the strength of a population is measured against: those of
//! `final.reference`, or the first values of another engine.

use crate::genome::{BuiltIn, GeneTable, Genome};
use crate::params::{Params, Reference};
use crate::weights::{DEFAULT_WEIGHTS, SOURCE_WEIGHTS, WeightFile};

/// The reference of a population: its name as an opponent, and its genome.
///
/// A table that lacks a gene of the learned weights, because another version of the
/// program began the population, cannot hold them; its reference is the source's.
pub(super) fn reference_weights(params: &Params, table: &GeneTable) -> (String, Genome) {
    let is_ours = params.genome.engine.is_empty();
    let reference = params.final_stage.reference;
    if !is_ours || reference == Reference::SourceAsDefault {
        return (DEFAULT_WEIGHTS.to_owned(), Genome::default_of(table));
    }
    let learned = || {
        BuiltIn::new(table)
            .ok()?
            .genome(&WeightFile::built_in().weights)
    };
    let learned = (reference == Reference::Default).then(learned).flatten();
    learned.map_or_else(
        || (SOURCE_WEIGHTS.to_owned(), Genome::default_of(table)),
        |genome| (DEFAULT_WEIGHTS.to_owned(), genome),
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::eval::Weights;

    fn of(reference: Reference, engine: &str, table: &GeneTable) -> (String, Genome) {
        let mut params = Params::default();
        params.final_stage.reference = reference;
        engine.clone_into(&mut params.genome.engine);
        reference_weights(&params, table)
    }

    #[test]
    fn the_parameters_choose_and_earlier_populations_keep_theirs() {
        let table = GeneTable::built_in();
        let source = Genome::from(Weights::source());
        let learned = Genome::from(WeightFile::built_in().weights);
        let named = |name: &str, genome: &Genome| (name.to_owned(), genome.clone());
        assert_eq!(
            of(Reference::Default, "", &table),
            named("default", &learned)
        );
        assert_eq!(of(Reference::Source, "", &table), named("source", &source));
        let earlier = of(Reference::SourceAsDefault, "", &table);
        assert_eq!(earlier, named("default", &source));
        // Another engine has values of its own.
        let foreign = of(Reference::Default, "engine", &table);
        assert_eq!(foreign, named("default", &source));
    }

    #[test]
    fn a_table_without_the_genes_has_the_source() {
        let first = GeneTable::first();
        let (name, genome) = of(Reference::Default, "", &first);
        assert_eq!((name.as_str(), genome.len()), ("source", first.len()));
    }
}
