//! sled, and nobody else knows it.
//!
//! Version 0.34.7 is exact and its defects are answered here and in
//! [`open`](super::open):
//!
//! * a kill while it opens can leave `snap.*.generating`, after which it never
//!   opens again: [`Store::open`] deletes them first;
//! * it may panic on a broken file: it is opened inside `catch_unwind`, and
//!   what it would print is kept out of the user's sight for the thread that
//!   opens it, and only while it does;
//! * it may lose data silently when its file is cut: [`Store::census`] counts
//!   what is there, and the start-up compares it with the journal;
//! * `flush` does not wait for the disk. That is left so while a population
//!   runs: the journal has waited, and rebuilds whatever a power cut breaks.
//!   [`Store::sync`], at the end, does wait;
//! * space of values that are rewritten comes back late: births and matches
//!   are written once, what is rewritten is small, and a store that grew too
//!   large is copied at the start.

use std::any::Any;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::thread;
use std::time::Duration;

use serde::de::DeserializeOwned;
use sled::transaction::{ConflictableTransactionError, TransactionError, TransactionalTree};
use sled::{IVec, Transactional, Tree};

use super::blocks;
use super::codec::{CodecError, decode, encode};
use super::tables::{self, Change, FORMAT, FORMAT_KEY, HEAD_KEY, Head, Table, key, number_of};

/// What sled may keep in memory beside the pages that were used last. What is
/// written is hardly read again.
const CACHE: u64 = 1 << 20;

/// How often a key is used after it was written: as often as a part of sled's
/// cache wants before it looks at its size.
const USES: usize = 64;

/// Bytes of a key that is a number.
const KEY: usize = 8;

/// How often a lock is asked for that a store closed just before may hold.
const TRIES: u32 = 50;

/// What is wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// sled says no.
    #[error("{}: {source}", path.display())]
    Sled {
        /// The store.
        path: PathBuf,
        /// Why.
        source: sled::Error,
    },
    /// sled gave up.
    #[error("{}: sled gave up: {message}", path.display())]
    Panicked {
        /// The store.
        path: PathBuf,
        /// What it said.
        message: String,
    },
    /// A file operation failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Written by a newer program.
    #[error(
        "{} has the format version {found}, this program knows {FORMAT}: \
         use the newer loatune that wrote it",
        path.display()
    )]
    Newer {
        /// The store.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// Written by an older program.
    #[error("it has the older format version {found}, this program writes {FORMAT}")]
    Older {
        /// Its version.
        found: u32,
    },
    /// A value cannot be read.
    #[error("{table} {key}: {source}")]
    Value {
        /// The tree.
        table: &'static str,
        /// The key, as a number where it is one.
        key: String,
        /// What is wrong with it.
        source: CodecError,
    },
    /// Something is not there.
    #[error("{table}: {what}")]
    Missing {
        /// The tree.
        table: &'static str,
        /// What was looked for.
        what: String,
    },
    /// An entry that was applied already, or too early.
    #[error("the store has {found} entries, {expected} were expected")]
    Order {
        /// What it has.
        found: u64,
        /// What it should have.
        expected: u64,
    },
}

impl TableError {
    /// Whether the store itself is at fault: not its owner's rights, a full
    /// disk or the age of this program.
    pub(super) fn is_damage(&self) -> bool {
        use io::ErrorKind as Kind;
        let source = match self {
            TableError::Newer { .. } => return false,
            TableError::Sled {
                source: sled::Error::Io(source),
                ..
            }
            | TableError::Io { source, .. } => source,
            _ => return true,
        };
        !matches!(
            source.kind(),
            Kind::PermissionDenied
                | Kind::ReadOnlyFilesystem
                | Kind::StorageFull
                | Kind::QuotaExceeded
                | Kind::FileTooLarge
                | Kind::WouldBlock
                | Kind::OutOfMemory
        ) && !is_lock_text(source)
    }
}

/// An open store.
#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    db: sled::Db,
    /// In the order of [`Table::ALL`].
    trees: Vec<Tree>,
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
            let db = loop {
                let config = sled::Config::new()
                    .path(path)
                    .cache_capacity(CACHE)
                    .flush_every_ms(None);
                match config.open() {
                    Ok(db) => break db,
                    Err(error) if is_lock(&error) && tries < TRIES => {
                        tries += 1;
                        thread::sleep(Duration::from_millis(10));
                    }
                    Err(error) => return Err(failed(error)),
                }
            };
            let trees = Table::ALL.map(|table| db.open_tree(table.name()));
            let trees: Result<Vec<Tree>, sled::Error> = trees.into_iter().collect();
            let trees = trees.map_err(failed)?;
            let path = path.to_owned();
            let store = Store { path, db, trees };
            store.check_format()?;
            Ok(store)
        })
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

    /// Refuses a newer format; an empty store gets this one.
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

    /// How far it goes; `None` for an empty store.
    pub(super) fn head(&self) -> Result<Option<Head>, TableError> {
        self.get_at(Table::Meta, HEAD_KEY)
    }

    /// Writes a change, all of it or nothing.
    pub(super) fn commit(&self, change: &Change) -> Result<(), TableError> {
        let (meta, at_head) = (Table::Meta, HEAD_KEY);
        let head = encode(&change.head).map_err(|source| unreadable(meta, at_head, source))?;
        let (plain, blocks) = sorted(change)?;
        let write = |trees: &Vec<TransactionalTree>| {
            let at = &trees[meta as usize];
            let before = match at.get(at_head)? {
                Some(bytes) => {
                    let head: Head = value(meta, at_head, &bytes).map_err(abort)?;
                    head.entries
                }
                None => 0,
            };
            if before != change.after {
                return Err(abort(TableError::Order {
                    found: before,
                    expected: change.after,
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

    /// Lets go of what was in memory before a change.
    ///
    /// sled's cache has 256 parts, and a part looks at its size only when its
    /// pages were used 64 times since. A page that is filled and left is used
    /// less often than that: some hundred thousand matches would lie in memory
    /// before the first of them is let go. So each key is used as often as that,
    /// and a part keeps the page that was used last.
    pub(super) fn let_go(&self, change: &Change) -> Result<(), TableError> {
        for (table, block) in sorted(change)?.1.into_keys() {
            for _ in 0..USES {
                let used = self.tree(table).contains_key(key(block));
                used.map_err(|error| self.failed(error))?;
            }
        }
        Ok(())
    }

    /// Writes one value, which has a key of its own, outside of any entry.
    pub(super) fn put(&self, table: Table, key: &[u8], value: &[u8]) -> Result<(), TableError> {
        let put = self.tree(table).insert(key, value);
        put.map(drop).map_err(|error| self.failed(error))
    }

    /// Hands everything to the system: safe against a kill.
    pub(super) fn flush(&self) -> Result<(), TableError> {
        let flushed = self.db.flush();
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
        self.db.size_on_disk().map_err(|error| self.failed(error))
    }

    /// A value by its own key.
    pub(super) fn get_at<T: DeserializeOwned>(
        &self,
        table: Table,
        key: &[u8],
    ) -> Result<Option<T>, TableError> {
        let found = self.bytes(table, key)?;
        found.map(|bytes| value(table, key, &bytes)).transpose()
    }

    /// A value as it is stored. `key` is what it would have on its own.
    pub(super) fn bytes(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, TableError> {
        let place = table.block().zip(number_of(key));
        let place = place.map(|(size, number)| blocks::locate(number, size));
        let found = match place {
            Some((block, _)) => self.tree(table).get(tables::key(block)),
            None => self.tree(table).get(key),
        };
        let Some(bytes) = found.map_err(|error| self.failed(error))? else {
            return Ok(None);
        };
        let Some((_, place)) = place else {
            return Ok(Some(bytes.to_vec()));
        };
        let item = blocks::item(&bytes, place);
        let item = item.map_err(|source| unreadable(table, key, source))?;
        Ok(item.map(<[u8]>::to_vec))
    }

    /// How many values a table has.
    pub(super) fn count(&self, table: Table) -> Result<u64, TableError> {
        let mut count = 0;
        for pair in self.tree(table) {
            count += self.values(table, pair)?.len() as u64;
        }
        Ok(count)
    }

    /// Says that a program of another version wrote it.
    pub(super) fn mark(&self, version: u32) -> Result<(), TableError> {
        self.put(Table::Meta, FORMAT_KEY, &version.to_be_bytes())?;
        self.sync()
    }

    /// A value by its number.
    pub(super) fn get<T: DeserializeOwned>(
        &self,
        table: Table,
        number: u64,
    ) -> Result<Option<T>, TableError> {
        self.get_at(table, &key(number))
    }

    /// Values from a number on, in order, with their numbers.
    pub(super) fn from<T: DeserializeOwned>(
        &self,
        table: Table,
        from: u64,
    ) -> impl Iterator<Item = Result<(u64, T), TableError>> {
        let first = key(from / table.block().unwrap_or(1));
        let found = self.tree(table).range(first..);
        let found = found.flat_map(move |pair| each(self.values(table, pair)));
        numbered(table, found, from..u64::MAX)
    }

    /// Values from a number to before another, backwards, with their numbers.
    pub(super) fn backwards<T: DeserializeOwned>(
        &self,
        table: Table,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = Result<(u64, T), TableError>> {
        let size = table.block().unwrap_or(1);
        let end = numbers.end.max(numbers.start);
        let keys = key(numbers.start / size)..key(end.div_ceil(size));
        let found = self.tree(table).range(keys).rev();
        let found = found.flat_map(move |pair| each(self.values(table, pair)).rev());
        numbered(table, found, numbers)
    }

    /// The values under a key, as they are stored, with their numbers.
    fn values(
        &self,
        table: Table,
        pair: sled::Result<(IVec, IVec)>,
    ) -> Result<Vec<(u64, IVec)>, TableError> {
        let (key, bytes) = pair.map_err(|error| self.failed(error))?;
        let number = number_of(&key);
        let number = number.ok_or_else(|| missing(table, "a key that is no number"))?;
        let Some(size) = table.block() else {
            return Ok(vec![(number, bytes)]);
        };
        let items = blocks::items(&bytes);
        let items = items.map_err(|source| unreadable(table, &key, source))?;
        let numbered = |(place, value): (u8, &[u8])| {
            let first = number.checked_mul(size)?;
            let inside = u64::from(place) < size;
            let number = first.checked_add(u64::from(place)).filter(|_| inside)?;
            Some((number, IVec::from(value)))
        };
        let values: Option<Vec<_>> = items.into_iter().map(numbered).collect();
        values.ok_or_else(|| missing(table, "a block with a place that it does not have"))
    }

    /// Counts what is there against what the head says; about the bytes of all
    /// keys and values.
    pub(super) fn census(&self, head: &Head) -> Result<u64, TableError> {
        let counts = &head.counts;
        let mut bytes = 0;
        for (table, expected, in_a_row) in [
            (Table::Files, counts.files, false),
            (Table::Totals, counts.files, false),
            (Table::Matches, counts.matches, true),
            (
                Table::Entries,
                head.entries.saturating_sub(counts.matches),
                false,
            ),
            (Table::Events, counts.events, true),
            (Table::Samples, counts.samples, false),
        ] {
            let mut found = 0;
            for pair in self.tree(table) {
                for (number, value) in self.values(table, pair)? {
                    bytes += (KEY + value.len()) as u64;
                    if in_a_row && number != found {
                        return Err(missing(table, &format!("number {found} is not there")));
                    }
                    found += 1;
                }
            }
            if found != expected {
                let what = format!("{found} values instead of {expected}");
                return Err(missing(table, &what));
            }
        }
        Ok(bytes)
    }

    /// Copies everything into an empty store.
    pub(super) fn copy_to(&self, other: &Store) -> Result<(), TableError> {
        for table in Table::ALL {
            let mut batch = sled::Batch::default();
            let mut size = 0;
            for pair in self.tree(table) {
                let (key, value) = pair.map_err(|error| self.failed(error))?;
                batch.insert(key, value);
                size += 1;
                if size == 256 {
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

/// A change's writes by what they need: those with a key of their own, and the
/// values of each block.
type Sorted<'a> = (
    Vec<(Table, &'a [u8], &'a [u8])>,
    BTreeMap<(Table, u64), Vec<(u8, &'a [u8])>>,
);

fn sorted(change: &Change) -> Result<Sorted<'_>, TableError> {
    let (mut plain, mut blocks) = Sorted::default();
    for (table, key, value) in &change.writes {
        let Some(size) = table.block() else {
            plain.push((*table, key.as_slice(), value.as_slice()));
            continue;
        };
        let number = number_of(key);
        let number = number.ok_or_else(|| missing(*table, "a key that is no number"))?;
        let (block, place) = blocks::locate(number, size);
        let values = blocks.entry((*table, block)).or_default();
        values.push((place, value.as_slice()));
    }
    Ok((plain, blocks))
}

/// Each of some values, or the one error.
fn each<T>(
    values: Result<Vec<T>, TableError>,
) -> impl DoubleEndedIterator<Item = Result<T, TableError>> {
    let (values, error) = match values {
        Ok(values) => (values, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    values.into_iter().map(Ok).chain(error.map(Err))
}

/// What is inside of a range, read.
fn numbered<T: DeserializeOwned>(
    table: Table,
    found: impl Iterator<Item = Result<(u64, IVec), TableError>>,
    numbers: Range<u64>,
) -> impl Iterator<Item = Result<(u64, T), TableError>> {
    found.filter_map(move |found| match found {
        Ok((number, _)) if !numbers.contains(&number) => None,
        Ok((number, bytes)) => {
            let read = value(table, &key(number), &bytes);
            Some(read.map(|value| (number, value)))
        }
        Err(error) => Some(Err(error)),
    })
}

pub(super) fn value<T: DeserializeOwned>(
    table: Table,
    key: &[u8],
    bytes: &[u8],
) -> Result<T, TableError> {
    decode(bytes).map_err(|source| unreadable(table, key, source))
}

fn unreadable(table: Table, key: &[u8], source: CodecError) -> TableError {
    TableError::Value {
        table: table.name(),
        key: number_of(key).map_or_else(
            || String::from_utf8_lossy(key).into_owned(),
            |number| number.to_string(),
        ),
        source,
    }
}

pub(super) fn missing(table: Table, what: &str) -> TableError {
    TableError::Missing {
        table: table.name(),
        what: what.to_owned(),
    }
}

fn abort(error: TableError) -> ConflictableTransactionError<TableError> {
    ConflictableTransactionError::Abort(error)
}

fn is_lock(error: &sled::Error) -> bool {
    matches!(error, sled::Error::Io(source)
        if source.kind() == io::ErrorKind::WouldBlock || is_lock_text(source))
}

/// Whether it is sled's own word for a lock that is taken.
fn is_lock_text(source: &io::Error) -> bool {
    source.to_string().contains("could not acquire lock")
}

/// Deletes what a kill while sled opened may have left.
fn remove_half_snapshots(path: &Path) -> Result<(), TableError> {
    let failed = |path: &Path, source| TableError::Io {
        path: path.to_owned(),
        source,
    };
    let files = match fs::read_dir(path) {
        Ok(files) => files,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(path, error)),
    };
    for file in files {
        let file = file.map_err(|error| failed(path, error))?;
        let name = file.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("snap.") && name.ends_with(".generating") {
            let path = file.path();
            fs::remove_file(&path).map_err(|error| failed(&path, error))?;
        }
    }
    Ok(())
}

thread_local! {
    /// Whether this thread is inside [`guarded`].
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs what may panic inside sled. The panic's message goes into the error,
/// not onto the screen; panics of other threads are reported as ever.
pub(super) fn guarded<T>(
    path: &Path,
    run: impl FnOnce() -> Result<T, TableError>,
) -> Result<T, TableError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.try_with(Cell::get).unwrap_or(false) {
                usual(info);
            }
        }));
    });
    let before = GUARDED.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(run));
    GUARDED.set(before);
    done.unwrap_or_else(|cause| {
        Err(TableError::Panicked {
            path: path.to_owned(),
            message: message_of(&*cause),
        })
    })
}

fn message_of(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| cause.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}
