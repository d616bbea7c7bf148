//! Rebuilding: a store from a journal, a journal from a store, and a store copied
//! to take less space. The new file lies beside its place until it is whole.

use std::path::Path;

use super::codec::{CodecError, Stored, decode, encode};
use super::disk::{remove, remove_empty, rename, sync_dir};
use super::error::{Notice, StoreError};
use super::fold::Fold;
use super::inspect::{ReadableJournal, UsableStore, advice};
use super::journal::{FrameReader, Journal, JournalPosition};
use super::layout::Layout;
use super::open::{Opened, StopCheck, check_stop};
use super::record::{Begin, Entry, MatchRecord};
use super::sled_store::{Store, TableError, missing};
use super::tables::{Applied, Change, Head, Table};
use crate::evolve::Step;

/// Entries that are written in one transaction, or with one wait for the disk,
/// while a file is rebuilt.
const BATCH: usize = 256;

/// A store is compacted when it takes more bytes than this …
const COMPACT_FLOOR: u64 = 64 << 20;

/// … and so many times the bytes of its keys and values beyond it.
const COMPACT_FACTOR: u64 = 8;

/// Moves a broken store aside and rebuilds it from the journal. `why` says what
/// is wrong with the store; `None` if it does not exist.
pub(super) fn replace_store(
    layout: &Layout,
    why: Option<&str>,
    stop: StopCheck<'_>,
    notices: &mut Vec<Notice>,
) -> Result<Opened, StoreError> {
    let path = layout.store();
    let made = build_store(layout, stop)?;
    let what = match why {
        None => String::from("The store was missing"),
        Some(why) => {
            let aside = Layout::broken_name(&path);
            rename(&path, &aside)?;
            let aside = aside.display();
            format!("The store could not be used ({why}) and was moved to {aside}")
        }
    };
    let opened = made.put_in_place(layout)?;
    notices.push(Notice(format!(
        "{what}. It was rebuilt from the journal, with {}.",
        matches_text(&opened.head)
    )));
    Ok(opened)
}

/// Builds the store of a population that has none.
pub(super) fn rebuild_store(layout: &Layout) -> Result<Opened, StoreError> {
    build_store(layout, &|| false)?.put_in_place(layout)
}

/// A whole store that is not yet renamed to its place.
struct NewStore {
    fold: Fold,
    head: Head,
    /// The byte at which the journal ends that it was built from.
    offset: u64,
    position: JournalPosition,
}

/// Folds the journal into a new store beside its place.
fn build_store(layout: &Layout, stop: StopCheck<'_>) -> Result<NewStore, StoreError> {
    let path = Layout::unfinished(&layout.store());
    remove(&path)?;
    let store = Store::open(&path)?;
    let mut frames = FrameReader::open(&layout.journal())?;
    let begin: Begin = next_payload(&mut frames)?;
    let (mut fold, step) = Fold::begin(&begin)?;
    let mut batch = Batch::new(&store, None);
    batch.add(frames.position(), Applied::Begin(&begin), &step, &fold)?;
    while let Some(payload) = frames.next_frame()? {
        check_stop(stop)?;
        let entry: Entry = decode(payload).map_err(unreadable)?;
        let step = fold.apply(&entry)?;
        batch.add(frames.position(), Applied::Entry(&entry), &step, &fold)?;
    }
    let head = batch.finish()?;
    let head = head.ok_or_else(|| missing(Table::Meta, "it is empty"))?;
    write_checkpoint(&store, &head, &fold)?;
    Ok(NewStore {
        fold,
        head,
        offset: frames.offset(),
        position: frames.position(),
    })
}

impl NewStore {
    /// Renames the store to its place and opens it there.
    fn put_in_place(self, layout: &Layout) -> Result<Opened, StoreError> {
        let path = layout.store();
        remove_empty(&path)?;
        rename(&Layout::unfinished(&path), &path)?;
        sync_dir(layout.dir())?;
        Ok(Opened {
            fold: self.fold,
            journal: Journal::open_at(&layout.journal(), self.offset, self.position)?,
            store: Store::open(&path)?,
            head: self.head,
        })
    }
}

/// Writes the journal again from what the store holds, if that folds and its
/// chain ends where the store's head says.
pub(super) fn replace_journal(
    layout: &Layout,
    found: UsableStore,
    journal: Result<&ReadableJournal, Option<&str>>,
    stop: StopCheck<'_>,
    notices: &mut Vec<Notice>,
) -> Result<Opened, StoreError> {
    let UsableStore { store, head, .. } = found;
    let path = layout.journal();
    let what = match journal {
        Ok(journal) => journal.describe(),
        Err(Some(why)) => why.to_owned(),
        Err(None) => String::from("it is missing"),
    };
    let prefix = journal.ok().map(|journal| journal.position);
    let made = write_journal(&store, &head, prefix, &Layout::unfinished(&path), stop);
    let (fold, new) = match made {
        Ok(made) => made,
        // The disk failed, not what is on it.
        Err(error @ (StoreError::Journal(_) | StoreError::Io { .. } | StoreError::Stopped)) => {
            return Err(error);
        }
        Err(error) => {
            let store = error.to_string();
            return Err(match journal {
                Ok(journal) => journal.damaged_error(layout, &store),
                Err(_) => StoreError::Damaged {
                    name: layout.name(),
                    journal: what,
                    store,
                    advice: advice(layout),
                },
            });
        }
    };
    let aside = match journal {
        Err(None) => String::new(),
        _ => {
            let aside = Layout::broken_name(&path);
            rename(&path, &aside)?;
            format!(", the old one is kept as {}", aside.display())
        }
    };
    let (length, position) = (new.length(), new.position());
    drop(new);
    rename(&Layout::unfinished(&path), &path)?;
    sync_dir(layout.dir())?;
    notices.push(Notice(format!(
        "The journal could not be used ({what}). It was written again from the store, with \
         {}{aside}.",
        matches_text(&head)
    )));
    Ok(Opened {
        fold,
        journal: Journal::open_at(&path, length, position)?,
        store,
        head,
    })
}

/// The store's entries as a new journal. `prefix` is how the old one began.
fn write_journal(
    store: &Store,
    head: &Head,
    prefix: Option<JournalPosition>,
    path: &Path,
    stop: StopCheck<'_>,
) -> Result<(Fold, Journal), StoreError> {
    let mut journal = Journal::create(path)?;
    let begin = store.get::<Begin>(Table::Entries, 0)?;
    let begin = begin.ok_or_else(|| missing(Table::Entries, "the beginning is not there"))?;
    let mut fold = Fold::begin(&begin)?.0;
    let mut others = store.other_entries().peekable();
    let mut matches = store.values_from::<MatchRecord>(Table::Matches, 0);
    let mut payloads = vec![payload(&begin)?];
    let mut is_prefix = true;
    let mut write = |payloads: &mut Vec<Vec<u8>>| -> Result<(), StoreError> {
        for position in journal.append_unnamed(payloads)? {
            let old = prefix.filter(|old| old.entries == position.entries);
            is_prefix &= old.is_none_or(|old| old.chain == position.chain);
        }
        payloads.clear();
        Ok(())
    };
    for number in 1..head.entries {
        check_stop(stop)?;
        let entry = match others.next_if(|other| {
            // An error is taken at once, wherever it belongs.
            other.as_ref().map_or(true, |(place, _)| *place == number)
        }) {
            Some(other) => other?.1,
            None => match matches.next() {
                Some(found) => Entry::Match(found?.1),
                None => {
                    let what = format!("entry {number} is not there");
                    return Err(missing(Table::Matches, &what).into());
                }
            },
        };
        fold.apply(&entry)?;
        payloads.push(payload(&entry)?);
        if payloads.len() == BATCH {
            write(&mut payloads)?;
        }
    }
    if !payloads.is_empty() {
        write(&mut payloads)?;
    }
    if !is_prefix || journal.position().chain != head.chain {
        let what = if is_prefix {
            "its entries are not those that it counts"
        } else {
            "it does not tell the same story as the journal's good part"
        };
        return Err(missing(Table::Meta, what).into());
    }
    Ok((fold, journal))
}

/// Copies a store that takes far more space than what it holds.
pub(super) fn compact(
    layout: &Layout,
    store: Store,
    bytes: u64,
    notices: &mut Vec<Notice>,
) -> Result<Store, StoreError> {
    let before = store.size()?;
    if before < COMPACT_FLOOR + COMPACT_FACTOR * bytes {
        return Ok(store);
    }
    let store = rewrite_store(layout, store)?;
    notices.push(Notice(format!(
        "The store was made smaller: {} MiB instead of {} MiB.",
        store.size()? >> 20,
        before >> 20
    )));
    Ok(store)
}

/// Replaces a store by a copy, which is as small as can be. A kill between the
/// removal and the renaming leaves the journal to rebuild it from.
pub(super) fn rewrite_store(layout: &Layout, store: Store) -> Result<Store, StoreError> {
    let path = layout.store();
    let new_path = Layout::unfinished(&path);
    let new = Store::open(&new_path)?;
    store.copy_to(&new)?;
    drop((store, new));
    remove(&path)?;
    rename(&new_path, &path)?;
    sync_dir(layout.dir())?;
    Ok(Store::open(&path)?)
}

/// Collects changes and writes [`BATCH`] of them in one transaction.
pub(super) struct Batch<'a> {
    store: &'a Store,
    head: Option<Head>,
    change: Option<Change>,
    /// Entries in `change`.
    size: usize,
    /// The head after the last transaction.
    written: Option<Head>,
}

impl Batch<'_> {
    pub(super) fn new(store: &Store, head: Option<Head>) -> Batch<'_> {
        Batch {
            store,
            head,
            change: None,
            size: 0,
            written: None,
        }
    }

    pub(super) fn add(
        &mut self,
        position: JournalPosition,
        applied: Applied<'_>,
        step: &Step,
        fold: &Fold,
    ) -> Result<(), StoreError> {
        let next = Change::new(
            self.head.as_ref(),
            position,
            applied,
            step,
            fold.plan.window,
        );
        let next = next.map_err(unreadable)?;
        self.head = Some(next.head);
        match &mut self.change {
            Some(change) => change.merge(next),
            None => self.change = Some(next),
        }
        self.size += 1;
        if self.size == BATCH {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), StoreError> {
        if let Some(change) = self.change.take() {
            self.store.commit(&change)?;
            self.written = Some(change.head);
        }
        self.size = 0;
        Ok(())
    }

    /// Writes the rest and returns the head, if anything was written.
    pub(super) fn finish(mut self) -> Result<Option<Head>, StoreError> {
        self.write()?;
        Ok(self.written)
    }
}

/// Writes the state as the checkpoint and waits for the disk.
fn write_checkpoint(store: &Store, head: &Head, fold: &Fold) -> Result<(), StoreError> {
    let kept = super::tables::checkpoint(head, fold.state.clone());
    let (table, key, value) = kept.map_err(unreadable)?;
    store.put(table, &key, &value)?;
    Ok(store.sync()?)
}

/// Decodes the next payload of a journal that was read through before.
pub(super) fn next_payload<T: Stored>(frames: &mut FrameReader) -> Result<T, StoreError> {
    let payload = frames.next_frame()?;
    decode(payload.unwrap_or_default()).map_err(unreadable)
}

/// Encodes a payload of the journal.
pub(super) fn payload<T: Stored>(value: &T) -> Result<Vec<u8>, StoreError> {
    encode(value).map_err(unreadable)
}

/// The error of an entry that cannot be encoded or decoded.
pub(super) fn unreadable(source: CodecError) -> StoreError {
    StoreError::Table(TableError::Value {
        table: "journal",
        key: String::from("entry"),
        source,
    })
}

/// `1 match`, `2 matches`.
fn matches_text(head: &Head) -> String {
    let matches = head.counts.matches;
    format!("{matches} match{}", if matches == 1 { "" } else { "es" })
}
