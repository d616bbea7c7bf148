//! The evaluation of this program as a genome: its gene table as rows, and the
//! weights that a genome stands for.
//!
//! A population may have been begun by another version. Genes are therefore
//! found by their names: a gene that the population does not have is 0, so that
//! its files play as they did; one that this program does not have cannot be
//! played.

use std::fmt;

use super::table::{Gene, GeneTable};
use super::values::Genome;
use crate::eval::Weights;
use crate::eval::genes::{self, FIRST_GENES, Role, TABLE};

impl GeneTable {
    /// The genes of this program's evaluation.
    pub fn built_in() -> GeneTable {
        TABLE.iter().map(row).collect::<Vec<_>>().into()
    }

    /// The genes of populations that do not name their own: those that the
    /// evaluation had before populations did.
    pub fn first() -> GeneTable {
        FIRST_GENES.iter().map(row).collect::<Vec<_>>().into()
    }
}

fn row(gene: &genes::Gene) -> Gene {
    Gene {
        name: gene.name.to_owned(),
        grid: gene.grid,
        step: 1,
        default: gene.default,
        range: [gene.min, gene.max],
        shares_scale: gene.role == Role::Weight,
        has_phases: gene.role == Role::Weight,
    }
}

/// How the genes of a table are found in this program's own.
#[derive(Clone, Debug)]
pub struct BuiltIn {
    /// The place in this program's table of each gene.
    places: Vec<usize>,
}

impl BuiltIn {
    /// Finds every gene of a table in this program's own.
    ///
    /// # Errors
    /// The genes that this program does not have, or has in another form.
    pub fn new(table: &GeneTable) -> Result<BuiltIn, UnknownGenes> {
        let mut places = Vec::with_capacity(table.len());
        let mut differences = Vec::new();
        for gene in table.iter() {
            let own = TABLE.iter().position(|own| own.name == gene.name);
            let what = match own.map(|n| &TABLE[n]) {
                None => Some(GeneDifference::Unknown),
                Some(own) if (own.grid, 1) != (gene.grid, gene.step) => Some(GeneDifference::Grid),
                Some(own) if gene.range[0] < own.min || gene.range[1] > own.max => {
                    Some(GeneDifference::Range)
                }
                Some(own) if (own.role == Role::Weight) != gene.has_phases => {
                    Some(GeneDifference::Role)
                }
                Some(_) => None,
            };
            match what {
                Some(what) => differences.push((gene.name.clone(), what)),
                None => places.extend(own),
            }
        }
        if differences.is_empty() {
            Ok(BuiltIn { places })
        } else {
            Err(UnknownGenes(differences))
        }
    }

    /// The weights that a genome stands for. Genes that it does not have are 0,
    /// shapes that it does not have at their default.
    pub fn weights(&self, genome: &Genome) -> Weights {
        let mut weights = Weights::absent();
        for (n, &place) in self.places.iter().enumerate() {
            weights.opening[place] = genome.opening[n];
            weights.endgame[place] = genome.endgame[n];
        }
        weights
    }

    /// The genome that weights stand for; `None` if they use a gene that the
    /// table does not have.
    pub fn genome(&self, weights: &Weights) -> Option<Genome> {
        let take = |values: &[i32]| self.places.iter().map(|&place| values[place]).collect();
        let genome = Genome {
            opening: take(&weights.opening),
            endgame: take(&weights.endgame),
        };
        (self.weights(&genome) == *weights).then_some(genome)
    }
}

/// All genes of this program, in the order of its table.
impl From<&Weights> for Genome {
    fn from(weights: &Weights) -> Genome {
        Genome {
            opening: weights.opening.to_vec(),
            endgame: weights.endgame.to_vec(),
        }
    }
}

impl From<Weights> for Genome {
    fn from(weights: Weights) -> Genome {
        Genome::from(&weights)
    }
}

/// Tests may name genes, and have a genome at hand: that of the first genes,
/// which stay what they are.
#[cfg(test)]
impl Genome {
    /// A gene's value at the start of a game.
    pub(crate) fn get(&self, gene: genes::GeneId) -> i32 {
        self.opening[gene as usize]
    }
}

#[cfg(test)]
impl Default for Genome {
    fn default() -> Genome {
        Genome::default_of(&GeneTable::first())
    }
}

/// How a gene differs from that of the same name in this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneDifference {
    /// There is none of this name.
    Unknown,
    /// It has other steps.
    Grid,
    /// Its range is wider.
    Range,
    /// One is a weight, the other a shape.
    Role,
}

/// Genes of a population that this program cannot play with: the name of each,
/// and how it differs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct UnknownGenes(pub Vec<(String, GeneDifference)>);

impl fmt::Display for UnknownGenes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_kind = |kind| {
            let names = self.0.iter().filter(move |(_, what)| *what == kind);
            let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
            names
        };
        let mut parts = Vec::new();
        for (kind, text) in [
            (GeneDifference::Unknown, "does not have"),
            (GeneDifference::Grid, "has with other steps"),
            (GeneDifference::Range, "has with a narrower range"),
            (GeneDifference::Role, "has in another role"),
        ] {
            let names = of_kind(kind);
            if let [first, others @ ..] = names.as_slice() {
                // A foreign table may have hundreds.
                let shown: Vec<&str> = others.iter().take(9).copied().collect();
                let mut list = std::iter::once(*first).chain(shown).collect::<Vec<_>>();
                let more = format!("{} more", names.len() - list.len());
                if names.len() > list.len() {
                    list.push(&more);
                }
                let genes = if names.len() == 1 { "a gene" } else { "genes" };
                parts.push(format!(
                    "{genes} that this program {text}: {}",
                    list.join(", ")
                ));
            }
        }
        f.write_str(&parts.join("; "))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::eval::genes::GeneId;

    #[test]
    fn genes_are_found_by_name_and_others_are_absent() {
        let mut rows: Vec<Gene> = GeneTable::built_in().into();
        rows.retain(|gene| gene.name != "quad4" && gene.name != "spread_power");
        rows.reverse();
        let table = GeneTable::from(rows);
        let known = BuiltIn::new(&table).unwrap();
        let genome = Genome::default_of(&table);
        let weights = known.weights(&genome);
        assert_eq!(weights.get(GeneId::Euler), 60);
        assert_eq!(weights.get(GeneId::Quad4), 0);
        assert_eq!(weights.get(GeneId::SpreadPower), 4);
        assert_eq!(known.genome(&weights), Some(genome));
        // The source weights use quad4.
        assert_eq!(known.genome(&Weights::source()), None);
    }

    #[test]
    fn the_first_genes_are_still_known() {
        let known = BuiltIn::new(&GeneTable::first()).unwrap();
        let genome = Genome::default_of(&GeneTable::first());
        assert_eq!(genome.len(), 11);
        assert_eq!(known.weights(&genome).get(GeneId::Mobility), 5);
    }

    #[test]
    fn genes_that_differ_are_named() {
        let mut rows: Vec<Gene> = GeneTable::built_in().into();
        rows[0].grid = 2;
        rows[2].range[1] += 1;
        rows[4].has_phases = false;
        for n in 0..12 {
            rows.push(Gene {
                name: format!("strange{n}"),
                ..rows[0].clone()
            });
        }
        let error = BuiltIn::new(&rows.into()).unwrap_err();
        let text = error.to_string();
        for part in [
            "does not have: strange0, strange1",
            "strange9, 2 more",
            "gene that this program has with other steps: euler",
            "narrower range: quad3",
            "another role: spread",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
