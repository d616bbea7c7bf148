//! A store with a write buffer in front of it: changes that are safe in the
//! journal but not in the store yet.
//!
//! sled takes many entries together at a fraction of the cost, in time and on
//! the disk, of taking them one by one. So entries wait here once they are in
//! the journal, and readers find them as if they were stored. A kill loses only
//! what the journal gives back at the next start.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use super::codec::Stored;
use super::sled_store::{Store, TableError, decode_value};
use super::tables::{Change, Head, Table, key, key_number};

/// An open store with the changes that wait for it. Readers see both as one.
#[derive(Debug)]
pub(super) struct WriteBuffer {
    store: Store,
    buffered: RwLock<Buffered>,
}

#[derive(Debug, Default)]
struct Buffered {
    /// The waiting changes, merged into one transaction.
    change: Option<Change>,
    /// The values in it that have a number, for readers.
    values: BTreeMap<(Table, u64), Vec<u8>>,
}

impl WriteBuffer {
    pub(super) fn new(store: Store) -> WriteBuffer {
        WriteBuffer {
            store,
            buffered: RwLock::default(),
        }
    }

    fn buffered(&self) -> RwLockReadGuard<'_, Buffered> {
        self.buffered.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a change that is safe in the journal.
    pub(super) fn add(&self, change: Change) {
        let buffered = self.buffered.write();
        let mut buffered = buffered.unwrap_or_else(PoisonError::into_inner);
        for (table, key, value) in &change.writes {
            if let Some(number) = key_number(key) {
                buffered.values.insert((*table, number), value.clone());
            }
        }
        match &mut buffered.change {
            Some(before) => before.merge(change),
            None => buffered.change = Some(change),
        }
    }

    /// How many entries wait.
    pub(super) fn count(&self) -> u64 {
        let buffered = self.buffered();
        let change = buffered.change.as_ref();
        change.map_or(0, |change| change.head.entries - change.base_entries)
    }

    /// Writes everything that waits into the store, in one transaction.
    pub(super) fn flush_buffer(&self) -> Result<(), TableError> {
        // The read lock lets readers go on while the store is written; they find
        // the values in the buffer, the store or both.
        if let Some(change) = &self.buffered().change {
            self.store.commit(change)?;
            self.store.flush()?;
            self.store.evict_from_cache(change)?;
        }
        let buffered = self.buffered.write();
        *buffered.unwrap_or_else(PoisonError::into_inner) = Buffered::default();
        Ok(())
    }

    /// Writes everything that waits and `last`, and waits for the disk.
    pub(super) fn finish(&self, last: Option<(Table, Vec<u8>, Vec<u8>)>) -> Result<(), TableError> {
        self.flush_buffer()?;
        if let Some((table, key, value)) = last {
            self.store.put(table, &key, &value)?;
        }
        self.store.sync()
    }

    /// How far store and buffer go; `None` for an empty store.
    pub(super) fn head(&self) -> Result<Option<Head>, TableError> {
        let buffered = self.buffered().change.as_ref().map(|change| change.head);
        match buffered {
            Some(head) => Ok(Some(head)),
            None => self.store.head(),
        }
    }

    /// A value by its number.
    pub(super) fn get<T: Stored>(
        &self,
        table: Table,
        number: u64,
    ) -> Result<Option<T>, TableError> {
        if let Some(bytes) = self.buffered().values.get(&(table, number)) {
            return decode_value(table, &key(number), bytes).map(Some);
        }
        self.store.get(table, number)
    }

    /// Values from a number on, in ascending order, with their numbers.
    pub(super) fn values_from<T: Stored>(
        &self,
        table: Table,
        first: u64,
    ) -> impl Iterator<Item = Result<(u64, T), TableError>> {
        // The buffer is read first: a value that is written to the store in
        // between is then found twice, not never.
        let mut buffered = self.buffered_values(table, first..u64::MAX).into_iter();
        let mut stored = self.store.values_from(table, first).fuse();
        let mut next = first;
        std::iter::from_fn(move || {
            if let Some(found) = stored.next() {
                if let Ok((number, _)) = &found {
                    next = number + 1;
                }
                return Some(found);
            }
            buffered
                .find(|(number, _)| *number >= next)
                .map(decode_buffered(table))
        })
    }

    /// Values of a range of numbers, in descending order, with their numbers.
    pub(super) fn values_backwards<T: Stored>(
        &self,
        table: Table,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = Result<(u64, T), TableError>> {
        let buffered = self.buffered_values(table, numbers.clone());
        // What is buffered comes after everything that is stored.
        let end = buffered.first().map_or(numbers.end, |first| first.0);
        let stored = self.store.values_backwards(table, numbers.start..end);
        buffered
            .into_iter()
            .rev()
            .map(decode_buffered(table))
            .chain(stored)
    }

    /// Copies of the buffered values of a range of numbers.
    fn buffered_values(&self, table: Table, numbers: Range<u64>) -> Vec<(u64, Vec<u8>)> {
        if numbers.is_empty() {
            return Vec::new();
        }
        let buffered = self.buffered();
        let places = (table, numbers.start)..(table, numbers.end);
        let found = buffered.values.range(places);
        let found = found.map(|((_, number), value)| (*number, value.clone()));
        found.collect()
    }
}

/// Decodes a buffered value.
fn decode_buffered<T: Stored>(
    table: Table,
) -> impl FnMut((u64, Vec<u8>)) -> Result<(u64, T), TableError> {
    move |(number, bytes)| Ok((number, decode_value(table, &key(number), &bytes)?))
}
