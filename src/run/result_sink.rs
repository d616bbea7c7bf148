//! Where the results of an event loop go: a population keeps them on disk, a
//! fold only applies them in memory.

use crate::evolve::State;
use crate::store::{Entry, Fold, FoldError, Population, StoreError};

/// What an event loop needs of the keeper of its results.
pub trait ResultSink {
    /// Why a result cannot be kept.
    type Error;

    /// The state that all results so far have led to.
    fn state(&self) -> &State;

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

    fn add(&mut self, entry: Entry) -> Result<(), StoreError> {
        self.apply(entry).map(|_| ())
    }
}

impl ResultSink for Fold {
    type Error = FoldError;

    fn state(&self) -> &State {
        &self.state
    }

    fn add(&mut self, entry: Entry) -> Result<(), FoldError> {
        self.apply(&entry).map(|_| ())
    }
}
