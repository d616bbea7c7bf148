//! `[genome]`: what may evolve. The rows of the genes come from the gene
//! table.

use super::{switch, whole};
use crate::eval::genes::{Family, GENES, TABLE};
use crate::params::key::{Key, Kind};

pub(super) const GENOME: &[Key] = &genome();

const PHASES: Key = Key {
    group: "genome",
    name: "phases",
    flag: None,
    doc: "Phases of a game: with 2, a weight has an opening and an endgame value",
    affects_result: true,
    kind: whole!(1, 2, None, genome.phases),
};

const NORMALISE: Key = Key {
    group: "genome",
    name: "normalise",
    flag: None,
    doc: "Whether the scale of all weights together is fixed",
    affects_result: true,
    kind: switch!(genome.normalise),
};

const FEATURES: Key = Key {
    group: "genome",
    name: "features",
    flag: None,
    doc: "The families of features that players may use",
    affects_result: true,
    kind: Kind::Names {
        names: &FAMILIES,
        get: |params, family| params.genome.features[family],
        set: |params, family, is_in| params.genome.features[family] = is_in,
    },
};

const FAMILIES: [&str; Family::ALL.len()] = {
    let mut names = [""; Family::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = Family::ALL[index].name();
        index += 1;
    }
    names
};

/// The keys of the genome as a whole, then one a gene.
const fn genome() -> [Key; 3 + GENES] {
    let mut keys = [PHASES; 3 + GENES];
    keys[1] = NORMALISE;
    keys[2] = FEATURES;
    let mut gene = 0;
    while gene < GENES {
        keys[3 + gene] = Key {
            group: "genome",
            name: TABLE[gene].name,
            flag: None,
            doc: TABLE[gene].meaning,
            affects_result: true,
            kind: Kind::Bounds { gene },
        };
        gene += 1;
    }
    keys
}
