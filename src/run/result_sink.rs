//! Where the results of an event loop go: a population keeps them on disk, a
//! fold only applies them in memory.

use crate::evolve::{Plan, State};
use crate::params::Params;
use crate::store::{Entry, Fold, FoldError, MatchRecord, Population, StoreError};

/// What an event loop needs of the keeper of its results.
pub trait ResultSink {
    /// Why a result cannot be kept.
    type Error;

    /// The state that all results so far have led to.
    fn state(&self) -> &State;

    /// The plan that the state follows.
    fn plan(&self) -> &Plan;

    /// The parameters that are valid now.
    fn params(&self) -> &Params;

    /// The last matches that were taken, the oldest first; at most `count`. A
    /// keeper that is always there from the beginning may have forgotten them.
    ///
    /// # Errors
    /// Where they cannot be read.
    fn recent_matches(&self, count: usize) -> Result<Vec<MatchRecord>, Self::Error> {
        let _ = count;
        Ok(Vec::new())
    }

    /// Takes the next result.
    ///
    /// # Errors
    /// Where it does not follow from the state, or cannot be kept.
    fn add(&mut self, entry: Entry) -> Result<(), Self::Error>;
}

impl ResultSink for Population {
    type Error = StoreError;

    fn state(&self) -> &State {
        Population::state(self)
    }

    fn plan(&self) -> &Plan {
        Population::plan(self)
    }

    fn params(&self) -> &Params {
        Population::params(self)
    }

    fn recent_matches(&self, count: usize) -> Result<Vec<MatchRecord>, StoreError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        self.flush()?;
        let mut found = self.reader().matches_backwards(u64::MAX, count)?;
        found.reverse();
        Ok(found)
    }

    fn add(&mut self, entry: Entry) -> Result<(), StoreError> {
        self.apply(entry).map(|_| ())
    }
}

impl ResultSink for Fold {
    type Error = FoldError;

    fn state(&self) -> &State {
        &self.state
    }

    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn add(&mut self, entry: Entry) -> Result<(), FoldError> {
        self.apply(&entry).map(|_| ())
    }
}
