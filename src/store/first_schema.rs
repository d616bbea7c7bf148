//! Values of the first schema, in which genomes have eleven genes and do not
//! say so: the values of both phases follow one another, without their number.
//!
//! Populations of those genes are still written in it, so that what was stored
//! before stays what it is, byte for byte. These forms never change.

use serde::{Deserialize, Serialize};

use super::record::{Begin, Entry, MatchRecord, MeasuredMatch, MeasuredPair, Purpose};
use super::stored_game::StoredGame;
use crate::evolve::{Birth, FileId, Origin};
use crate::genome::{GeneTable, Genome};
use crate::stats::Tally;

/// How many genes a genome has.
const GENES: usize = 11;

#[derive(Serialize, Deserialize)]
pub(super) struct FirstGenome {
    opening: [i32; GENES],
    endgame: [i32; GENES],
}

#[derive(Serialize, Deserialize)]
pub(super) struct FirstBegin {
    params: String,
    seeds: Vec<FirstGenome>,
}

#[derive(Serialize, Deserialize)]
pub(super) enum FirstEntry {
    Match(MatchRecord),
    Immigrant { name: String, weights: FirstGenome },
    Changed { params: String, keys: Vec<String> },
    Measured(FirstMeasuredMatch),
    Engine(u64),
    MeasuredPair(FirstMeasuredPair),
}

#[derive(Serialize, Deserialize)]
pub(super) struct FirstMeasuredMatch {
    file: FileId,
    opponent: String,
    weights: FirstGenome,
    purpose: Purpose,
    tally: Tally,
}

#[derive(Serialize, Deserialize)]
pub(super) struct FirstMeasuredPair {
    file: FileId,
    opponent: String,
    weights: FirstGenome,
    purpose: Purpose,
    number: u64,
    seed: u64,
    games: [StoredGame; 2],
}

#[derive(Serialize, Deserialize)]
pub(super) struct FirstBirth {
    file: FileId,
    origin: Origin,
    parents: Vec<FileId>,
    twin: Option<FileId>,
    at: u64,
    weights: FirstGenome,
}

impl FirstGenome {
    /// The genome in this form; `None` if it has another number of genes.
    fn new(genome: &Genome) -> Option<FirstGenome> {
        Some(FirstGenome {
            opening: genome.opening.as_slice().try_into().ok()?,
            endgame: genome.endgame.as_slice().try_into().ok()?,
        })
    }
}

impl From<FirstGenome> for Genome {
    fn from(first: FirstGenome) -> Genome {
        Genome {
            opening: first.opening.to_vec(),
            endgame: first.endgame.to_vec(),
        }
    }
}

impl FirstBegin {
    pub(super) fn new(begin: &Begin) -> Option<FirstBegin> {
        if begin.genes != GeneTable::first() {
            return None;
        }
        let seeds: Option<Vec<_>> = begin.seeds.iter().map(FirstGenome::new).collect();
        Some(FirstBegin {
            params: begin.params.clone(),
            seeds: seeds?,
        })
    }
}

impl From<FirstBegin> for Begin {
    fn from(first: FirstBegin) -> Begin {
        Begin {
            params: first.params,
            genes: GeneTable::first(),
            seeds: first.seeds.into_iter().map(Genome::from).collect(),
        }
    }
}

impl FirstEntry {
    pub(super) fn new(entry: &Entry) -> Option<FirstEntry> {
        Some(match entry.clone() {
            Entry::Match(record) => FirstEntry::Match(record),
            Entry::Immigrant { name, weights } => FirstEntry::Immigrant {
                name,
                weights: FirstGenome::new(&weights)?,
            },
            Entry::Changed { params, keys } => FirstEntry::Changed { params, keys },
            Entry::Measured(it) => FirstEntry::Measured(FirstMeasuredMatch {
                weights: FirstGenome::new(&it.weights)?,
                file: it.file,
                opponent: it.opponent,
                purpose: it.purpose,
                tally: it.tally,
            }),
            Entry::Engine(signature) => FirstEntry::Engine(signature),
            Entry::MeasuredPair(it) => FirstEntry::MeasuredPair(FirstMeasuredPair {
                weights: FirstGenome::new(&it.weights)?,
                file: it.file,
                opponent: it.opponent,
                purpose: it.purpose,
                number: it.number,
                seed: it.seed,
                games: it.games,
            }),
            // These joined later.
            Entry::Extended { .. } | Entry::Scholar(_) => return None,
        })
    }
}

impl From<FirstEntry> for Entry {
    fn from(first: FirstEntry) -> Entry {
        match first {
            FirstEntry::Match(record) => Entry::Match(record),
            FirstEntry::Immigrant { name, weights } => Entry::Immigrant {
                name,
                weights: weights.into(),
            },
            FirstEntry::Changed { params, keys } => Entry::Changed { params, keys },
            FirstEntry::Measured(it) => Entry::Measured(MeasuredMatch {
                file: it.file,
                opponent: it.opponent,
                weights: it.weights.into(),
                purpose: it.purpose,
                tally: it.tally,
            }),
            FirstEntry::Engine(signature) => Entry::Engine(signature),
            FirstEntry::MeasuredPair(it) => Entry::MeasuredPair(MeasuredPair {
                file: it.file,
                opponent: it.opponent,
                weights: it.weights.into(),
                purpose: it.purpose,
                number: it.number,
                seed: it.seed,
                games: it.games,
            }),
        }
    }
}

impl FirstBirth {
    pub(super) fn new(birth: &Birth) -> Option<FirstBirth> {
        Some(FirstBirth {
            file: birth.file,
            origin: birth.origin,
            parents: birth.parents.clone(),
            twin: birth.twin,
            at: birth.at,
            weights: FirstGenome::new(&birth.weights)?,
        })
    }
}

impl From<FirstBirth> for Birth {
    fn from(first: FirstBirth) -> Birth {
        Birth {
            file: first.file,
            origin: first.origin,
            parents: first.parents,
            twin: first.twin,
            at: first.at,
            weights: first.weights.into(),
        }
    }
}
