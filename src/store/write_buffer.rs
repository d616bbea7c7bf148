//! A store, and what is safe in the journal but not in the store yet.
//!
//! sled takes many entries together at a fraction of the cost, in time and in
//! room, of taking them one by one. So entries wait here once they are in the
//! journal, and readers find them as if they were stored. A kill takes only
//! what the journal gives back at the next start.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use serde::de::DeserializeOwned;

use super::sled_store::{Store, TableError, value};
use super::tables::{Change, Head, Table, key, number_of};

/// An open store with what waits for it.
#[derive(Debug)]
pub(super) struct Shelf {
    store: Store,
    waiting: RwLock<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    /// What is to be written.
    change: Option<Change>,
    /// The values in it that have a number, as readers will find them.
    values: BTreeMap<(Table, u64), Vec<u8>>,
}

impl Shelf {
    pub(super) fn new(store: Store) -> Shelf {
        Shelf {
            store,
            waiting: RwLock::default(),
        }
    }

    fn waiting(&self) -> RwLockReadGuard<'_, Waiting> {
        self.waiting.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a change that the journal has.
    pub(super) fn add(&self, change: Change) {
        let waiting = self.waiting.write();
        let mut waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        for (table, key, value) in &change.writes {
            if let Some(number) = number_of(key) {
                waiting.values.insert((*table, number), value.clone());
            }
        }
        match &mut waiting.change {
            Some(before) => before.then(change),
            None => waiting.change = Some(change),
        }
    }

    /// Entries that wait.
    pub(super) fn count(&self) -> u64 {
        let waiting = self.waiting();
        let change = waiting.change.as_ref();
        change.map_or(0, |change| change.head.entries - change.after)
    }

    /// Writes everything that waits, all of it or nothing.
    pub(super) fn settle(&self) -> Result<(), TableError> {
        // Readers may look at both while it is written.
        if let Some(change) = &self.waiting().change {
            self.store.commit(change)?;
            self.store.flush()?;
            self.store.let_go(change)?;
        }
        let waiting = self.waiting.write();
        *waiting.unwrap_or_else(PoisonError::into_inner) = Waiting::default();
        Ok(())
    }

    /// Writes everything, and one value more, and waits for the disk.
    pub(super) fn finish(&self, last: Option<(Table, Vec<u8>, Vec<u8>)>) -> Result<(), TableError> {
        self.settle()?;
        if let Some((table, key, value)) = last {
            self.store.put(table, &key, &value)?;
        }
        self.store.sync()
    }

    /// How far it goes; `None` for an empty store.
    pub(super) fn head(&self) -> Result<Option<Head>, TableError> {
        let waiting = self.waiting().change.as_ref().map(|change| change.head);
        match waiting {
            Some(head) => Ok(Some(head)),
            None => self.store.head(),
        }
    }

    /// A value by its number.
    pub(super) fn get<T: DeserializeOwned>(
        &self,
        table: Table,
        number: u64,
    ) -> Result<Option<T>, TableError> {
        if let Some(bytes) = self.waiting().values.get(&(table, number)) {
            return value(table, &key(number), bytes).map(Some);
        }
        self.store.get(table, number)
    }

    /// Values from a number on, in order, with their numbers.
    pub(super) fn from<T: DeserializeOwned>(
        &self,
        table: Table,
        from: u64,
    ) -> impl Iterator<Item = Result<(u64, T), TableError>> {
        // In this order: what is written meanwhile is found in both.
        let mut waiting = self.values(table, from..u64::MAX).into_iter();
        let mut stored = self.store.from(table, from).fuse();
        let mut next = from;
        std::iter::from_fn(move || {
            if let Some(found) = stored.next() {
                if let Ok((number, _)) = &found {
                    next = number + 1;
                }
                return Some(found);
            }
            waiting.find(|(number, _)| *number >= next).map(read(table))
        })
    }

    /// Values from a number to before another, backwards, with their numbers.
    pub(super) fn backwards<T: DeserializeOwned>(
        &self,
        table: Table,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = Result<(u64, T), TableError>> {
        let waiting = self.values(table, numbers.clone());
        // Whatever waits comes after all that is stored.
        let end = waiting.first().map_or(numbers.end, |first| first.0);
        let stored = self.store.backwards(table, numbers.start..end);
        waiting.into_iter().rev().map(read(table)).chain(stored)
    }

    fn values(&self, table: Table, numbers: Range<u64>) -> Vec<(u64, Vec<u8>)> {
        if numbers.is_empty() {
            return Vec::new();
        }
        let waiting = self.waiting();
        let places = (table, numbers.start)..(table, numbers.end);
        let found = waiting.values.range(places);
        let found = found.map(|((_, number), value)| (*number, value.clone()));
        found.collect()
    }
}

fn read<T: DeserializeOwned>(
    table: Table,
) -> impl FnMut((u64, Vec<u8>)) -> Result<(u64, T), TableError> {
    move |(number, bytes)| Ok((number, value(table, &key(number), &bytes)?))
}
