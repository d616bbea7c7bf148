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

const ENGINE: Key = Key {
    group: "genome",
    name: "engine",
    flag: None,
    doc: "The command of another engine whose options are the genes; empty for our evaluation",
    affects_result: true,
    kind: Kind::Text {
        form: "the command of a program that speaks UGI, on one line, or nothing",
        is_good: |text| text.len() <= 1000 && !text.chars().any(char::is_control),
        get: |params| &params.genome.engine,
        set: |params, command| params.genome.engine = command,
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
const fn genome() -> [Key; 4 + GENES] {
    let mut keys = [PHASES; 4 + GENES];
    keys[1] = NORMALISE;
    keys[2] = FEATURES;
    keys[3] = ENGINE;
    let mut gene = 0;
    while gene < GENES {
        keys[4 + gene] = Key {
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
