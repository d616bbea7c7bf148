//! The values of one player, and the bounds within which values are chosen.

use std::fmt;

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::table::GeneTable;

/// A value for every gene of a table, in the table's order. A gene without
/// phases has the same value throughout the game.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Genome {
    /// Values at the start of a game.
    pub opening: Vec<i32>,
    /// Values at its end; the same as `opening` where there is one phase.
    pub endgame: Vec<i32>,
}

impl Genome {
    /// One value a gene for the whole game.
    pub fn uniform(values: impl Into<Vec<i32>>) -> Genome {
        let values = values.into();
        Genome {
            endgame: values.clone(),
            opening: values,
        }
    }

    /// Every gene at its default.
    pub fn default_of(table: &GeneTable) -> Genome {
        Genome::uniform(table.iter().map(|gene| gene.default).collect::<Vec<_>>())
    }

    /// Drawn at random, every gene uniform within its bounds: one value a gene
    /// for the whole game, with two phases an endgame value of its own for all
    /// that have one.
    pub fn draw(rng: &mut impl Rng, spec: &GenomeSpec) -> Genome {
        let mut value = |n: usize| {
            let [one, other] = spec.bounds[n];
            rng.random_range(one.min(other)..=one.max(other))
        };
        let mut genome = Genome::uniform((0..spec.table.len()).map(&mut value).collect::<Vec<_>>());
        if spec.phases > 1 {
            for (n, gene) in spec.table.iter().enumerate() {
                if gene.has_phases {
                    genome.endgame[n] = value(n);
                }
            }
        }
        genome
    }

    /// How many genes it has a value for.
    pub fn len(&self) -> usize {
        self.opening.len()
    }

    /// Whether it has no gene at all.
    pub fn is_empty(&self) -> bool {
        self.opening.is_empty()
    }

    /// Whether opening and endgame differ.
    pub fn has_phases(&self) -> bool {
        self.opening != self.endgame
    }
}

impl fmt::Debug for Genome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.opening)?;
        if self.has_phases() {
            write!(f, "..{:?}", self.endgame)?;
        }
        Ok(())
    }
}

/// What an evolution may choose: the genes, and the bounds of each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GenomeSpec {
    /// The genes.
    pub table: GeneTable,
    /// The least and the most of each gene; the same number twice takes the
    /// gene out of the evolution.
    pub bounds: Vec<[i32; 2]>,
    /// 1: a gene is the same throughout the game; 2: it may have an opening and
    /// an endgame value.
    pub phases: u32,
    /// Whether the common scale of the genes that share one is fixed.
    pub normalise: bool,
}

impl GenomeSpec {
    /// Whether a gene has two values, one for the opening and one for the
    /// endgame.
    pub fn has_phases(&self, gene: usize) -> bool {
        self.phases > 1 && self.table[gene].has_phases
    }
}
