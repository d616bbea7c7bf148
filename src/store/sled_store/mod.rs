//! sled: the only module that knows it.
//!
//! Owns the open database: transactions, reading, and the answers to sled's
//! defects. Version 0.34.7 is pinned exactly; its defects are answered here and
//! in [`open`](super::open):
//!
//! * a kill while it opens can leave `snap.*.generating`, after which it never
//!   opens again: [`Store::open`] deletes them first;
//! * it may panic on a broken file: it is opened inside `catch_unwind`
//!   ([`guarded`]), and the panic's message is kept from the screen for the
//!   thread that opens it, and only while it does;
//! * it panics where the disk fails as it is closed: [`Store`] closes it inside
//!   `catch_unwind`, too. Nothing is lost by that: what must be safe is synced
//!   before, by [`Store::sync`], whose error is returned;
//! * it may lose data silently when its file is cut: [`Store::census`] counts
//!   what is there, and the start-up compares it with the journal;
//! * `flush` does not wait for the disk. That is left so while a population
//!   runs: the journal has waited, and rebuilds whatever a power cut breaks.
//!   [`Store::sync`], at the end, does wait;
//! * space of values that are rewritten comes back late: births and matches
//!   are written once, what is rewritten is small, and a store that grew too
//!   large is copied at the start.

mod census;
mod error;
mod guard;
mod read;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use sled::transaction::{ConflictableTransactionError, TransactionError, TransactionalTree};
use sled::{Transactional, Tree};

use self::error::unreadable;
use self::guard::{is_lock, remove_half_snapshots};
use super::blocks;
use super::codec::encode;
use super::tables::{Change, FORMAT, FORMAT_KEY, HEAD_KEY, Head, Table, key, key_number};

pub use self::error::TableError;
pub(super) use self::error::missing;
pub(super) use self::guard::guarded;
pub(super) use self::read::decode_value;

/// Bytes that sled may keep in memory beside the pages that were used last.
/// Values are hardly read again after they were written.
const CACHE_BYTES: u64 = 1 << 20;

/// How often [`Store::evict_from_cache`] accesses a key: as often as a part of
/// sled's cache is used before it looks at its size.
const EVICTION_ACCESSES: usize = 64;

/// How often, every 10 ms, a lock is tried that a store closed just before may
/// still hold.
const LOCK_TRIES: u32 = 50;

/// An open store.
#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    /// `None` only while it is dropped.
    db: Option<sled::Db>,
    /// In the order of [`Table::ALL`].
    trees: Vec<Tree>,
}

impl Drop for Store {
    fn drop(&mut self) {
        let (db, trees) = (self.db.take(), std::mem::take(&mut self.trees));
        let closed = guarded(&self.path, || {
            drop((trees, db));
            Ok(())
        });
        if let Err(error) = closed {
            log::debug!("{error}");
        }
    }
}

impl Store {
    /// Opens a store, or makes an empty one.
    pub(super) fn open(path: &Path) -> Result<Store, TableError> {
        remove_half_snapshots(path)?;
        guarded(path, || {
            let mut tries = 0;
            let failed = |source| TableError::Sled {
                path: path.to_owned(),
                source,
            };
            let opened = loop {
                let config = sled::Config::new()
                    .path(path)
                    .cache_capacity(CACHE_BYTES)
                    .flush_every_ms(None);
                match config.open() {
                    Ok(opened) => break opened,
                    Err(error) if is_lock(&error) && tries < LOCK_TRIES => {
                        tries += 1;
                        thread::sleep(Duration::from_millis(10));
                    }
                    Err(error) => return Err(failed(error)),
                }
            };
            let mut store = Store {
                path: path.to_owned(),
                db: Some(opened),
                trees: Vec::new(),
            };
            for table in Table::ALL {
                let tree = store.db().open_tree(table.name());
                store.trees.push(tree.map_err(failed)?);
            }
            store.check_format()?;
            Ok(store)
        })
    }

    fn db(&self) -> &sled::Db {
        self.db
            .as_ref()
            .expect("a store is open until it is dropped")
    }

    fn tree(&self, table: Table) -> &Tree {
        &self.trees[table as usize]
    }

    fn failed(&self, source: sled::Error) -> TableError {
        TableError::Sled {
            path: self.path.clone(),
            source,
        }
    }

    /// Refuses a store of another format; an empty store gets this one.
    fn check_format(&self) -> Result<(), TableError> {
        let meta = self.tree(Table::Meta);
        let found = meta.get(FORMAT_KEY).map_err(|error| self.failed(error))?;
        match found {
            Some(bytes) => match <[u8; 4]>::try_from(bytes.as_ref()).map(u32::from_be_bytes) {
                Ok(FORMAT) => Ok(()),
                Ok(found) if found > FORMAT => Err(TableError::Newer {
                    path: self.path.clone(),
                    found,
                }),
                Ok(found @ 1..) => Err(TableError::Older { found }),
                _ => Err(missing(Table::Meta, "no format version that is known")),
            },
            None if meta.is_empty() => {
                let version = FORMAT.to_be_bytes().to_vec();
                let put = meta.insert(FORMAT_KEY, version);
                put.map(drop).map_err(|error| self.failed(error))
            }
            None => Err(missing(Table::Meta, "no format version")),
        }
    }

    /// How far the store goes; `None` for an empty store.
    pub(super) fn head(&self) -> Result<Option<Head>, TableError> {
        self.get_by_key(Table::Meta, HEAD_KEY)
    }

    /// Writes a change in one transaction.
    ///
    /// # Errors
    ///
    /// [`TableError::Order`] if the change does not begin where the store ends;
    /// nothing is written then.
    pub(super) fn commit(&self, change: &Change) -> Result<(), TableError> {
        let (meta, at_head) = (Table::Meta, HEAD_KEY);
        let head = encode(&change.head).map_err(|source| unreadable(meta, at_head, source))?;
        let (plain, blocks) = split_writes(change)?;
        let write = |trees: &Vec<TransactionalTree>| {
            let at = &trees[meta as usize];
            let before = match at.get(at_head)? {
                Some(bytes) => {
                    let head: Head = decode_value(meta, at_head, &bytes).map_err(abort)?;
                    head.entries
                }
                None => 0,
            };
            if before != change.base_entries {
                return Err(abort(TableError::Order {
                    found: before,
                    expected: change.base_entries,
                }));
            }
            for (table, key, value) in &plain {
                trees[*table as usize].insert(*key, *value)?;
            }
            for ((table, block), values) in &blocks {
                let (tree, key) = (&trees[*table as usize], key(*block));
                let before = tree.get(&key)?;
                let merged = blocks::merge(before.as_deref(), values)
                    .map_err(|source| abort(unreadable(*table, &key, source)))?;
                tree.insert(key, merged)?;
            }
            at.insert(at_head, head.as_slice())?;
            Ok(())
        };
        let done = self.trees[..].transaction(write);
        done.map_err(|error| match error {
            TransactionError::Abort(error) => error,
            TransactionError::Storage(error) => self.failed(error),
        })
    }

    /// Makes sled drop the pages that a change wrote from its cache.
    ///
    /// sled's cache has 256 parts, and a part looks at its size only after 64
    /// accesses to its pages. A page that is filled once is accessed less often
    /// than that: some hundred thousand matches would stay in memory before the
    /// first of them is evicted. So each key is accessed 64 times, and a part
    /// keeps only the page that was used last.
    pub(super) fn evict_from_cache(&self, change: &Change) -> Result<(), TableError> {
        for (table, block) in split_writes(change)?.1.into_keys() {
            for _ in 0..EVICTION_ACCESSES {
                let used = self.tree(table).contains_key(key(block));
                used.map_err(|error| self.failed(error))?;
            }
        }
        Ok(())
    }

    /// Writes one value that has a key of its own, outside of any entry.
    pub(super) fn put(&self, table: Table, key: &[u8], value: &[u8]) -> Result<(), TableError> {
        let put = self.tree(table).insert(key, value);
        put.map(drop).map_err(|error| self.failed(error))
    }

    /// Hands everything to the operating system: safe against a kill.
    pub(super) fn flush(&self) -> Result<(), TableError> {
        let flushed = self.db().flush();
        flushed.map(drop).map_err(|error| self.failed(error))
    }

    /// Waits until the disk has everything: safe against a power cut.
    pub(super) fn sync(&self) -> Result<(), TableError> {
        self.flush()?;
        let path = self.path.join("db");
        let synced = File::open(&path).and_then(|file| file.sync_data());
        synced.map_err(|source| TableError::Io { path, source })
    }

    /// Bytes on the disk.
    pub(super) fn size(&self) -> Result<u64, TableError> {
        self.db().size_on_disk().map_err(|error| self.failed(error))
    }

    /// Writes another format version, as another program would.
    pub(super) fn set_format(&self, version: u32) -> Result<(), TableError> {
        self.put(Table::Meta, FORMAT_KEY, &version.to_be_bytes())?;
        self.sync()
    }
}

/// The writes of a change: those with a key of their own, and the values of
/// each block, by their place there.
type SplitWrites<'a> = (
    Vec<(Table, &'a [u8], &'a [u8])>,
    BTreeMap<(Table, u64), Vec<(u8, &'a [u8])>>,
);

fn split_writes(change: &Change) -> Result<SplitWrites<'_>, TableError> {
    let (mut plain, mut blocks) = SplitWrites::default();
    for (table, key, value) in &change.writes {
        let Some(size) = table.block_size() else {
            plain.push((*table, key.as_slice(), value.as_slice()));
            continue;
        };
        let number = key_number(key);
        let number = number.ok_or_else(|| missing(*table, "a key that is no number"))?;
        let (block, place) = blocks::locate(number, size);
        let values = blocks.entry((*table, block)).or_default();
        values.push((place, value.as_slice()));
    }
    Ok((plain, blocks))
}

fn abort(error: TableError) -> ConflictableTransactionError<TableError> {
    ConflictableTransactionError::Abort(error)
}
