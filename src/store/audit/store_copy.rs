//! The store's part of an audit: a copy of the store, compared with what the
//! journal's entries write.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::Audit;
use crate::evolve::Totals;
use crate::store::codec::{CodecError, decode};
use crate::store::disk::copy_tree;
use crate::store::error::{StoreError, io_error};
use crate::store::fold::Fold;
use crate::store::journal::JournalPosition;
use crate::store::layout::Layout;
use crate::store::lock::Lock;
use crate::store::sled_store::{Store, TableError, guarded, missing};
use crate::store::tables::{Change, Checkpoint, Head, STATE_KEY, Table, WRITTEN_BY, key_number};

/// A copy of a store, and what the journal has said of it so far.
pub(super) struct StoreCopy {
    store: Store,
    /// The path of the store itself, for messages.
    original: String,
    head: Head,
    checkpoint: Option<Checkpoint>,
    /// The totals, which are rewritten, as they must be where the store ends: key
    /// and value.
    totals: BTreeMap<Vec<u8>, Vec<u8>>,
    /// How many values each table must have, in the order of [`Table::ALL`].
    expected: [u64; Table::ALL.len()],
    /// Entries of the journal that were compared so far.
    reached: u64,
}

impl StoreCopy {
    /// Copies and opens the store. `None` where there is nothing to compare;
    /// the audit says why.
    pub(super) fn make(
        layout: &Layout,
        scratch: &Path,
        audit: &mut Audit,
    ) -> Result<Option<StoreCopy>, StoreError> {
        let path = layout.store();
        let to = scratch.join("store");
        let in_use = |process: Option<u32>| {
            let process = process.map_or_else(String::new, |process| format!(" {process}"));
            format!(
                "process{process} works on the population: its store was not compared, the \
                 journal was read as far as it went"
            )
        };
        if let Some(process) = Lock::holder(layout) {
            audit.running = true;
            audit.notes.push(in_use(process));
            return Ok(None);
        }
        let copied = copy_tree(&path, &to, &|_| true);
        if let Some(process) = Lock::holder(layout) {
            audit.running = true;
            audit.notes.push(in_use(process));
            return Ok(None);
        }
        match copied {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                audit.add_difference(String::from("store: it is missing"));
                return Ok(None);
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                audit.add_difference(String::from("store: it is no directory"));
                return Ok(None);
            }
            Err(error) => return Err(io_error("copy", &path, error)),
        }
        let original = path.display().to_string();
        let found = Store::open(&to).and_then(|store| StoreCopy::from_open(store, &path));
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error @ TableError::Older { .. }) => {
                audit.notes.push(format!(
                    "the store was not compared: {error}; the next run makes it anew from the journal"
                ));
                Ok(None)
            }
            Err(error) if error.is_damage() => {
                let text = error
                    .to_string()
                    .replace(&to.display().to_string(), &original);
                audit.add_difference(format!("store: {text}"));
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// A store that is open, which may be the original itself.
    pub(super) fn from_open(store: Store, original: &Path) -> Result<StoreCopy, TableError> {
        let (head, checkpoint) = guarded(original, || {
            let head = store.head()?;
            let head = head.ok_or_else(|| missing(Table::Meta, "it is empty"))?;
            let checkpoint = match store.get_by_key(Table::Checkpoint, STATE_KEY) {
                // Another version of the program wrote it.
                Err(TableError::Value {
                    source: CodecError::Schema { .. },
                    ..
                }) => None,
                found => found?,
            };
            Ok((head, checkpoint))
        })?;
        Ok(StoreCopy {
            store,
            original: original.display().to_string(),
            head,
            checkpoint,
            totals: BTreeMap::new(),
            expected: [0; Table::ALL.len()],
            reached: 0,
        })
    }

    /// The store again.
    pub(super) fn into_store(self) -> Store {
        self.store
    }

    /// Compares what an entry writes, unless the store ends before it.
    pub(super) fn compare(
        &mut self,
        change: &Change,
        position: JournalPosition,
        fold: &Fold,
        audit: &mut Audit,
    ) {
        if position.entries > self.head.entries {
            return;
        }
        self.reached = position.entries;
        for (table, key, value) in &change.writes {
            if *table == Table::Totals {
                self.totals.insert(key.clone(), value.clone());
                continue;
            }
            self.expected[*table as usize] += 1;
            self.compare_value(*table, key, value, audit);
        }
        if let Some(kept) = self.checkpoint.as_ref()
            && kept.entries == position.entries
            && kept.written_by == WRITTEN_BY
        {
            audit.compared += 1;
            if kept.chain != position.chain || kept.state != fold.state {
                audit.add_difference(format!(
                    "store checkpoint: the state after {} entries is not what they lead to",
                    position.entries
                ));
            }
        }
        if self.head.entries == position.entries && self.head != change.head {
            audit.add_difference(format!(
                "store meta head: the store has {:?}, the journal tells {:?}",
                self.head, change.head
            ));
        }
    }

    fn compare_value(&self, table: Table, key: &[u8], value: &[u8], audit: &mut Audit) {
        audit.compared += 1;
        let found = guarded(Path::new(&self.original), || {
            self.store.raw_value(table, key)
        });
        let number = key_number(key).unwrap_or_default();
        match found {
            Ok(Some(found)) if found == value => {}
            Ok(Some(found)) => audit.add_difference(difference(table, number, &found, value)),
            Ok(None) => audit.add_difference(format!("store {table} {number}: it is not there")),
            Err(error) => audit.add_difference(format!("store {table} {number}: {error}")),
        }
    }

    /// Compares what is known only after the last entry: totals and counts.
    pub(super) fn compare_rest(&self, audit: &mut Audit) {
        if self.head.entries > audit.entries {
            audit.add_difference(format!(
                "store: it has {} entries, the journal's good part only {}",
                self.head.entries, audit.entries
            ));
            return;
        }
        if self.reached != self.head.entries {
            return;
        }
        for (key, value) in &self.totals {
            self.compare_value(Table::Totals, key, value, audit);
        }
        let mut expected = self.expected;
        expected[Table::Totals as usize] = self.totals.len() as u64;
        for table in Table::ALL {
            if matches!(table, Table::Meta | Table::Checkpoint) {
                continue;
            }
            let expected = expected[table as usize];
            match guarded(Path::new(&self.original), || self.store.count(table)) {
                Ok(found) if found == expected => {}
                Ok(found) => audit.add_difference(format!(
                    "store {table}: {found} values, the journal tells of {expected}"
                )),
                Err(error) => audit.add_difference(format!("store {table}: {error}")),
            }
        }
        if self.checkpoint.as_ref().is_some_and(|kept| {
            kept.written_by == WRITTEN_BY && (kept.entries == 0 || kept.entries > self.head.entries)
        }) {
            audit.add_difference(String::from(
                "store checkpoint: it is of no entry that is there",
            ));
        }
        let behind = audit.entries - self.head.entries;
        if behind > 0 {
            audit.notes.push(format!(
                "the last {behind} of {} entries are in the journal only: the next run puts them \
                 into the store",
                audit.entries
            ));
        }
    }
}

/// The message for a value that differs from what the journal says.
fn difference(table: Table, number: u64, found: &[u8], expected: &[u8]) -> String {
    match (table, decode::<Totals>(found), decode::<Totals>(expected)) {
        (Table::Totals, Ok(found), Ok(expected)) => {
            format!(
                "store totals of file #{number}: the store has {found:?}, the journal tells {expected:?}"
            )
        }
        _ => format!("store {table} {number}: it is not what the journal tells"),
    }
}
