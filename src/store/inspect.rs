//! Inspects a directory before a population is opened: whether the store can be
//! used, how far the journal goes, and how the two compare. Nothing is repaired
//! here.

use std::fs;
use std::io;
use std::path::Path;

use super::error::{Notice, StoreError, io_error};
use super::journal::{FramePlace, FrameReader, JournalError, JournalPosition, JournalTail};
use super::layout::Layout;
use super::open::{StopCheck, check_stop};
use super::sled_store::{Store, TableError, guarded, missing};
use super::tables::{Checkpoint, Head, STATE_KEY, Table};

/// A journal or a store as it was found.
pub(super) enum Inspected<T> {
    Usable(T),
    /// Why it cannot be used; `None` if it does not exist.
    Unusable(Option<String>),
}

/// A store that opens, with everything in it that its head counts.
pub(super) struct UsableStore {
    pub(super) store: Store,
    pub(super) head: Head,
    /// Bytes of all keys and values, about.
    pub(super) bytes: u64,
    pub(super) checkpoint: Option<Checkpoint>,
}

/// A journal with a good header; its end may be torn or damaged.
pub(super) struct ReadableJournal {
    pub(super) position: JournalPosition,
    /// The byte at which its good part ends.
    pub(super) offset: u64,
    pub(super) tail: JournalTail,
    /// Its chain after as many entries as the store has.
    pub(super) chain_at_head: Option<u32>,
    /// The place after as many entries as the checkpoint has, if their chains
    /// agree.
    pub(super) checkpoint_at: Option<FramePlace>,
}

impl ReadableJournal {
    /// Whether it is undamaged and has all entries of the store.
    pub(super) fn continues(&self, store: &UsableStore) -> bool {
        !matches!(self.tail, JournalTail::Damaged(_))
            && self.chain_at_head == Some(store.head.chain)
    }

    /// Whether it is undamaged and at least as long as the store, but with other
    /// entries.
    pub(super) fn contradicts(&self, store: &UsableStore) -> bool {
        !matches!(self.tail, JournalTail::Damaged(_))
            && self
                .chain_at_head
                .is_some_and(|chain| chain != store.head.chain)
    }

    /// The notice for a torn tail that is cut off.
    pub(super) fn torn_notice(&self) -> Option<Notice> {
        let JournalTail::Torn(bytes) = self.tail else {
            return None;
        };
        Some(Notice(format!(
            "The journal ended in the middle of an entry: its last {bytes} bytes were cut off, \
             {} are whole.",
            entries_text(self.position.entries)
        )))
    }

    /// The condition of the journal, for messages.
    pub(super) fn describe(&self) -> String {
        let whole = entries_text(self.position.entries);
        match self.tail {
            JournalTail::Clean => format!("it has {whole}"),
            JournalTail::Torn(bytes) => {
                format!("it has {whole}, then {bytes} bytes that are no entry")
            }
            JournalTail::Damaged(next) => format!(
                "damaged at byte {}: {whole} before that are good, and so is what follows from \
                 byte {next} on",
                self.offset
            ),
        }
    }

    /// The error for a damaged journal that the store cannot replace, for the
    /// reason `store`.
    pub(super) fn damaged_error(&self, layout: &Layout, store: &str) -> StoreError {
        let mut advice = advice(layout);
        if self.position.entries > 0 {
            advice.push_str(&format!(
                ", or run `loatune repair --cut`: it goes on from the {} of the journal that are \
                 good, keeps the other files aside, and what comes after is played again",
                entries_text(self.position.entries)
            ));
        }
        StoreError::Damaged {
            name: layout.name(),
            journal: self.describe(),
            store: store.to_owned(),
            advice,
        }
    }
}

/// What the user can do when nothing is whole.
pub(super) fn advice(layout: &Layout) -> String {
    let journal = layout.journal();
    format!(
        "What to do: bring {} or {} back from a copy",
        journal.display(),
        layout.store().display()
    )
}

/// Opens the store and counts what it holds.
pub(super) fn inspect_store(layout: &Layout) -> Result<Inspected<UsableStore>, StoreError> {
    let path = layout.store();
    let is_empty = match fs::read_dir(&path) {
        Ok(mut files) => files.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Inspected::Unusable(None));
        }
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Ok(Inspected::Unusable(Some(String::from(
                "it is no directory",
            ))));
        }
        Err(error) => return Err(io_error("read", &path, error)),
    };
    if is_empty {
        return Ok(Inspected::Unusable(Some(String::from(
            "its directory is empty",
        ))));
    }
    match open_and_count(&path) {
        Ok(store) => Ok(Inspected::Usable(store)),
        Err(error) if !error.is_damage() => Err(error.into()),
        Err(error) => Ok(Inspected::Unusable(Some(error.to_string()))),
    }
}

/// Opens a store and compares the number of its values with its head.
fn open_and_count(path: &Path) -> Result<UsableStore, TableError> {
    let store = Store::open(path)?;
    guarded(path, || {
        let head = store.head()?;
        let head = head.ok_or_else(|| missing(Table::Meta, "it is empty"))?;
        let bytes = store.census(&head)?;
        // A checkpoint only saves time, so one that cannot be read is ignored.
        let checkpoint = store
            .get_by_key(Table::Checkpoint, STATE_KEY)
            .unwrap_or(None);
        Ok(UsableStore {
            store,
            head,
            bytes,
            checkpoint,
        })
    })
}

/// Reads the journal through and notes its chain where the store and the
/// checkpoint stand.
pub(super) fn inspect_journal(
    layout: &Layout,
    store: &Inspected<UsableStore>,
    stop: StopCheck<'_>,
) -> Result<Inspected<ReadableJournal>, StoreError> {
    let path = layout.journal();
    let mut frames = match FrameReader::open(&path) {
        Ok(frames) => frames,
        Err(error) if error.is_missing() => return Ok(Inspected::Unusable(None)),
        Err(error @ JournalError::Header { .. }) => {
            return Ok(Inspected::Unusable(Some(error.to_string())));
        }
        Err(error) => return Err(error.into()),
    };
    let (head, checkpoint) = match store {
        Inspected::Usable(store) => (Some(store.head), store.checkpoint.as_ref()),
        Inspected::Unusable(_) => (None, None),
    };
    let mut chain_at_head = None;
    let mut checkpoint_at = None;
    while frames.next_frame()?.is_some() {
        check_stop(stop)?;
        let position = frames.position();
        if head.is_some_and(|head| head.entries == position.entries) {
            chain_at_head = Some(position.chain);
        }
        if checkpoint
            .is_some_and(|kept| (kept.entries, kept.chain) == (position.entries, position.chain))
        {
            checkpoint_at = Some(frames.place());
        }
    }
    let tail = frames.tail()?;
    Ok(Inspected::Usable(ReadableJournal {
        position: frames.position(),
        offset: frames.offset(),
        tail,
        chain_at_head,
        checkpoint_at,
    }))
}

/// `1 entry`, `2 entries`.
pub(super) fn entries_text(count: u64) -> String {
    format!("{count} entr{}", if count == 1 { "y" } else { "ies" })
}
