//! Looking at a whole store: counting what it holds, and copying it.

use super::Store;
use super::error::{TableError, missing};
use crate::store::tables::{Head, Table};

/// Bytes of a key that is a number.
const KEY_BYTES: usize = 8;

/// Pairs of key and value that are copied in one batch.
const COPY_BATCH: usize = 256;

impl Store {
    /// Counts the values of every table and compares with the head: sled may
    /// lose data silently when its file is cut. Returns about how many bytes
    /// all keys and values have.
    ///
    /// # Errors
    ///
    /// [`TableError::Missing`] where a count is wrong or a number is not there.
    pub(in crate::store) fn census(&self, head: &Head) -> Result<u64, TableError> {
        let counts = &head.counts;
        let (mut bytes, mut others) = (0, 0);
        for (table, expected, is_consecutive) in [
            (Table::Files, Some(counts.files), false),
            (Table::Totals, Some(counts.files), false),
            (Table::Matches, Some(counts.matches), true),
            (Table::Events, Some(counts.events), true),
            (Table::Samples, Some(counts.samples), false),
            (Table::Entries, None, false),
            (Table::Pairs, None, false),
        ] {
            let mut found = 0;
            for pair in self.tree(table) {
                for (number, value) in self.pair_values(table, pair)? {
                    bytes += (KEY_BYTES + value.len()) as u64;
                    if is_consecutive && number != found {
                        return Err(missing(table, &format!("number {found} is not there")));
                    }
                    found += 1;
                }
            }
            match expected {
                Some(expected) => check_count(table, found, expected)?,
                None => others += found,
            }
        }
        // Every entry that is no match is in one of two tables.
        let expected = head.entries.saturating_sub(counts.matches);
        check_count(Table::Entries, others, expected)?;
        Ok(bytes)
    }

    /// Copies everything into an empty store and waits for the disk.
    pub(in crate::store) fn copy_to(&self, other: &Store) -> Result<(), TableError> {
        for table in Table::ALL {
            let mut batch = sled::Batch::default();
            let mut size = 0;
            for pair in self.tree(table) {
                let (key, value) = pair.map_err(|error| self.failed(error))?;
                batch.insert(key, value);
                size += 1;
                if size == COPY_BATCH {
                    let full = std::mem::take(&mut batch);
                    let put = other.tree(table).apply_batch(full);
                    put.map_err(|error| other.failed(error))?;
                    size = 0;
                }
            }
            let put = other.tree(table).apply_batch(batch);
            put.map_err(|error| other.failed(error))?;
        }
        other.sync()
    }
}

fn check_count(table: Table, found: u64, expected: u64) -> Result<(), TableError> {
    if found == expected {
        return Ok(());
    }
    let what = format!("{found} values instead of {expected}");
    Err(missing(table, &what))
}
