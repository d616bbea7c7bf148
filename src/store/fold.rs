//! Folds entries into states: the one way to run, resume, verify and rebuild an
//! evolution. Nothing here touches the disk.

use super::record::{Begin, Entry};
use crate::document::FileError;
use crate::evolve::{Plan, Refused, State, Step};
use crate::params::Params;

/// An evolution after some of its entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The parameters that are valid now.
    pub params: Params,
    /// The plan that follows from the parameters.
    pub plan: Plan,
    /// The state after the last entry.
    pub state: State,
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
}

impl Fold {
    /// The fold of the beginning, and what it changed.
    ///
    /// # Errors
    ///
    /// [`FoldError::Params`] if the parameters cannot be used.
    pub fn begin(begin: &Begin) -> Result<(Fold, Step), FoldError> {
        let params = parse(&begin.params, 0)?;
        let plan = Plan::new(&params, &begin.seeds);
        let (state, step) = State::new(&plan);
        let fold = Fold {
            params,
            plan,
            state,
            entries: 1,
        };
        Ok((fold, step))
    }

    /// The fold of a checkpoint: the state after `entries` entries. `params` is
    /// the text of the last change before it, else of the beginning.
    pub(super) fn resume(
        begin: &Begin,
        params: &str,
        state: State,
        entries: u64,
    ) -> Result<Fold, FoldError> {
        let params = parse(params, entries)?;
        let plan = Plan::new(&params, &begin.seeds);
        Ok(Fold {
            params,
            plan,
            state,
            entries,
        })
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
        let step = match entry {
            Entry::Match(record) => {
                let result = record.result();
                self.state.apply(&self.plan, &result).map_err(refused)?
            }
            Entry::Immigrant { weights, .. } => {
                let step = self.state.immigrate(&self.plan, weights);
                step.map_err(refused)?
            }
            Entry::Changed { params, keys } => {
                let params = parse(params, self.entries)?;
                let plan = Plan::new(&params, &self.plan.seeds);
                let step = self
                    .state
                    .change_plan(&plan, keys.clone())
                    .map_err(refused)?;
                self.params = params;
                self.plan = plan;
                step
            }
            Entry::Measured(_) | Entry::Engine(_) => Step::default(),
        };
        self.entries += 1;
        Ok(step)
    }
}

fn parse(text: &str, entry: u64) -> Result<Params, FoldError> {
    Params::parse(text, "params.toml").map_err(|source| FoldError::Params {
        entry,
        source: Box::new(source),
    })
}
