//! Where a run's results go. A population keeps them on disk; a rehearsal only
//! folds them.

use crate::evolve::State;
use crate::store::{Entry, Fold, FoldError, Population, StoreError};

/// What a run needs of whoever keeps its results.
pub trait Ledger {
    /// Why a result cannot be kept.
    type Error;

    /// The state that all results so far have led to.
    fn state(&self) -> &State;

    /// Takes the next result.
    fn add(&mut self, entry: Entry) -> Result<(), Self::Error>;
}

impl Ledger for Population {
    type Error = StoreError;

    fn state(&self) -> &State {
        Population::state(self)
    }

    fn add(&mut self, entry: Entry) -> Result<(), StoreError> {
        self.apply(entry).map(|_| ())
    }
}

impl Ledger for Fold {
    type Error = FoldError;

    fn state(&self) -> &State {
        &self.state
    }

    fn add(&mut self, entry: Entry) -> Result<(), FoldError> {
        self.apply(&entry).map(|_| ())
    }
}
