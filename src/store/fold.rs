//! Folds entries into states: the one way to run, resume, verify and rebuild an
//! evolution. Nothing here touches the disk.

use super::measurements::{Measurements, PairRefused};
use super::record::{Begin, Entry};
use crate::document::FileError;
use crate::evolve::{Plan, Refused, State, Step};
use crate::genome::GeneTable;
use crate::params::Params;

/// An evolution after some of its entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The parameters that are valid now.
    pub params: Params,
    /// The text that the parameters were read from.
    pub params_text: String,
    /// The plan that follows from the parameters.
    pub plan: Plan,
    /// The state after the last entry.
    pub state: State,
    /// The matches outside of the evolution.
    pub measurements: Measurements,
    /// Entries applied, the beginning included.
    entries: u64,
}

/// An entry that does not follow from those before it.
#[derive(Debug, thiserror::Error)]
pub enum FoldError {
    /// This program does not understand the parameters.
    #[error("entry {entry} has parameters that cannot be used: {source}")]
    Params {
        /// The number of the entry, from 0.
        entry: u64,
        /// What is wrong with the parameters.
        source: Box<FileError>,
    },
    /// The evolution refuses the entry.
    #[error("entry {entry} does not follow from those before it: {source}")]
    Refused {
        /// The number of the entry, from 0.
        entry: u64,
        /// Why it is refused.
        source: Refused,
    },
    /// The genes of the population, or the genome of a player, cannot be.
    #[error("entry {entry}: {what}")]
    Genes {
        /// The number of the entry, from 0.
        entry: u64,
        /// What is wrong.
        what: String,
    },
    /// A pair of games does not follow from those of its match.
    #[error("entry {entry} does not follow from those before it: {source}")]
    Pair {
        /// The number of the entry, from 0.
        entry: u64,
        /// Why it is refused.
        source: PairRefused,
    },
}

impl Fold {
    /// The fold of the beginning, and what it changed.
    ///
    /// # Errors
    ///
    /// [`FoldError::Params`] if the parameters cannot be used.
    pub fn begin(begin: &Begin) -> Result<(Fold, Step), FoldError> {
        let (params, plan) = begun(begin)?;
        let (state, step) = State::new(&plan);
        let fold = Fold {
            params,
            params_text: begin.params.clone(),
            plan,
            state,
            measurements: Measurements::default(),
            entries: 1,
        };
        Ok((fold, step))
    }

    /// The fold of a checkpoint: the state after `entries` entries. `others` are
    /// those of them that are no matches and not the beginning.
    pub(super) fn resume<E: From<FoldError>>(
        begin: &Begin,
        others: impl Iterator<Item = Result<(u64, Entry), E>>,
        state: State,
        entries: u64,
    ) -> Result<Fold, E> {
        let (params, plan) = begun(begin)?;
        let mut fold = Fold {
            params,
            params_text: begin.params.clone(),
            plan,
            state,
            measurements: Measurements::default(),
            entries,
        };
        for other in others {
            let (number, entry) = other?;
            if let Entry::Changed { params, .. } | Entry::Extended { params, .. } = &entry {
                let new = parse(params, number, &begin.genes)?;
                fold.change_params(params, new);
            }
            fold.measure(&entry, number)?;
        }
        Ok(fold)
    }

    /// Entries so far, the beginning included.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Applies the next entry.
    ///
    /// # Errors
    ///
    /// [`FoldError`] if the entry is refused; the fold is unchanged then.
    pub fn apply(&mut self, entry: &Entry) -> Result<Step, FoldError> {
        let refused = |source| FoldError::Refused {
            entry: self.entries,
            source,
        };
        if let Some(genome) = entry.genome() {
            let checked = self.plan.genome.table.check_length(genome);
            checked.map_err(|what| FoldError::Genes {
                entry: self.entries,
                what,
            })?;
        }
        let step = match entry {
            Entry::Match(record) => {
                let result = record.result();
                self.state.apply(&self.plan, &result).map_err(refused)?
            }
            Entry::Immigrant { weights, .. } => {
                let step = self.state.immigrate(&self.plan, weights);
                step.map_err(refused)?
            }
            Entry::Changed { params: text, keys } | Entry::Extended { params: text, keys } => {
                let table = &self.plan.genome.table;
                let params = parse(text, self.entries, table)?;
                let plan = Plan::with_genes(&params, table, &self.plan.seeds);
                let keys = keys.clone();
                let step = match entry {
                    Entry::Extended { .. } => self.state.extend(&plan, keys),
                    _ => self.state.change_plan(&plan, keys),
                };
                let step = step.map_err(refused)?;
                self.change_params(text, params);
                step
            }
            Entry::Scholar(learned) => {
                let step = self.state.enrol(&self.plan, learned);
                step.map_err(refused)?
            }
            Entry::Measured(_) | Entry::Engine(_) | Entry::MeasuredPair(_) => {
                self.measure(entry, self.entries)?;
                Step::default()
            }
        };
        self.entries += 1;
        Ok(step)
    }

    /// Makes other parameters the valid ones; `text` is how they were written.
    fn change_params(&mut self, text: &str, params: Params) {
        self.measurements.change_params(&self.params, &params);
        self.plan = Plan::with_genes(&params, &self.plan.genome.table, &self.plan.seeds);
        self.params = params;
        text.clone_into(&mut self.params_text);
    }

    /// What entry `number` does to the matches outside of the evolution, where it
    /// is about them.
    fn measure(&mut self, entry: &Entry, number: u64) -> Result<(), FoldError> {
        match entry {
            Entry::Measured(measured) => self.measurements.add_match(measured),
            Entry::Engine(signature) => self.measurements.change_engine(*signature),
            Entry::MeasuredPair(pair) => {
                let added = self.measurements.add_pair(pair, &self.params);
                added.map_err(|source| FoldError::Pair {
                    entry: number,
                    source,
                })?;
            }
            Entry::Match(_)
            | Entry::Immigrant { .. }
            | Entry::Changed { .. }
            | Entry::Extended { .. }
            | Entry::Scholar(_) => {}
        }
        Ok(())
    }
}

/// The parameters and the plan that a population begins with.
fn begun(begin: &Begin) -> Result<(Params, Plan), FoldError> {
    let wrong = |what: String| FoldError::Genes { entry: 0, what };
    begin.genes.validate().map_err(wrong)?;
    for seed in &begin.seeds {
        begin.genes.check_length(seed).map_err(wrong)?;
    }
    let params = parse(&begin.params, 0, &begin.genes)?;
    let plan = Plan::with_genes(&params, &begin.genes, &begin.seeds);
    Ok((params, plan))
}

/// Reads the parameters of an entry of a population with these genes.
pub(super) fn parse(text: &str, entry: u64, genes: &GeneTable) -> Result<Params, FoldError> {
    Params::parse_recorded(text, "params.toml", genes).map_err(|source| FoldError::Params {
        entry,
        source: Box::new(source),
    })
}
