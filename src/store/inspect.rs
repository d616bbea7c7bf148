//! What lies in a directory: a store that can be used or not, a journal and how
//! far it goes, and how the two compare.

use std::fs;
use std::io;
use std::path::Path;

use super::error::{Notice, StoreError, io_error};
use super::journal::{Frames, JournalError, Tail, Tip};
use super::layout::Layout;
use super::open::{Stop, unless};
use super::sled_store::{Store, TableError, guarded, missing};
use super::tables::{Checkpoint, Head, STATE_KEY, Table};

/// Something that was looked for.
pub(super) enum Found<T> {
    Good(T),
    /// Why it does not serve; `None` if it is not there.
    Bad(Option<String>),
}

/// A store that opens, with everything in it that its head counts.
pub(super) struct GoodStore {
    pub(super) store: Store,
    pub(super) head: Head,
    /// Bytes of keys and values.
    pub(super) bytes: u64,
    pub(super) checkpoint: Option<Checkpoint>,
}

/// A journal that has a header.
pub(super) struct GoodJournal {
    pub(super) tip: Tip,
    /// Where its good part ends.
    pub(super) offset: u64,
    pub(super) tail: Tail,
    /// Its chain after as many entries as the store has.
    pub(super) chain_at_head: Option<u32>,
    /// The place after as many entries as the checkpoint has, if their chains
    /// agree.
    pub(super) checkpoint_at: Option<(u64, Tip)>,
}

impl GoodJournal {
    /// Whether it has all that the store has, and nothing is wrong with it.
    pub(super) fn continues(&self, store: &GoodStore) -> bool {
        !matches!(self.tail, Tail::Damaged(_)) && self.chain_at_head == Some(store.head.chain)
    }

    /// Whether it is as long as the store, but not the same.
    pub(super) fn contradicts(&self, store: &GoodStore) -> bool {
        !matches!(self.tail, Tail::Damaged(_))
            && self
                .chain_at_head
                .is_some_and(|chain| chain != store.head.chain)
    }

    pub(super) fn torn_notice(&self) -> Option<Notice> {
        let Tail::Torn(bytes) = self.tail else {
            return None;
        };
        Some(Notice(format!(
            "The journal ended in the middle of an entry: its last {bytes} bytes were cut off, \
             {} are whole.",
            entries(self.tip.entries)
        )))
    }

    pub(super) fn describe(&self) -> String {
        let whole = entries(self.tip.entries);
        match self.tail {
            Tail::Whole => format!("it has {whole}"),
            Tail::Torn(bytes) => format!("it has {whole}, then {bytes} bytes that are no entry"),
            Tail::Damaged(next) => format!(
                "damaged at byte {}: {whole} before that are good, and so is what follows from \
                 byte {next} on",
                self.offset
            ),
        }
    }

    pub(super) fn lost(&self, layout: &Layout, store: &str) -> StoreError {
        let mut advice = advice(layout);
        if self.tip.entries > 0 {
            advice.push_str(&format!(
                ", or run `loatune repair --cut`: it goes on from the {} of the journal that are \
                 good, keeps the other files aside, and what comes after is played again",
                entries(self.tip.entries)
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

pub(super) fn advice(layout: &Layout) -> String {
    let journal = layout.journal();
    format!(
        "What to do: bring {} or {} back from a copy",
        journal.display(),
        layout.store().display()
    )
}

pub(super) fn find_store(layout: &Layout) -> Result<Found<GoodStore>, StoreError> {
    let path = layout.store();
    let is_empty = match fs::read_dir(&path) {
        Ok(mut files) => files.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Bad(None)),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Ok(Found::Bad(Some(String::from("it is no directory"))));
        }
        Err(error) => return Err(io_error("read", &path, error)),
    };
    if is_empty {
        return Ok(Found::Bad(Some(String::from("its directory is empty"))));
    }
    match look_into(&path) {
        Ok(store) => Ok(Found::Good(store)),
        Err(error) if !error.is_damage() => Err(error.into()),
        Err(error) => Ok(Found::Bad(Some(error.to_string()))),
    }
}

fn look_into(path: &Path) -> Result<GoodStore, TableError> {
    let store = Store::open(path)?;
    guarded(path, || {
        let head = store.head()?;
        let head = head.ok_or_else(|| missing(Table::Meta, "it is empty"))?;
        let bytes = store.census(&head)?;
        // A checkpoint only saves time: one that cannot be read is not missed.
        let checkpoint = store.get_at(Table::Checkpoint, STATE_KEY).unwrap_or(None);
        Ok(GoodStore {
            store,
            head,
            bytes,
            checkpoint,
        })
    })
}

pub(super) fn find_journal(
    layout: &Layout,
    store: &Found<GoodStore>,
    stop: Stop<'_>,
) -> Result<Found<GoodJournal>, StoreError> {
    let path = layout.journal();
    let mut frames = match Frames::open(&path) {
        Ok(frames) => frames,
        Err(error) if error.is_missing() => return Ok(Found::Bad(None)),
        Err(error @ JournalError::Header { .. }) => {
            return Ok(Found::Bad(Some(error.to_string())));
        }
        Err(error) => return Err(error.into()),
    };
    let (head, checkpoint) = match store {
        Found::Good(store) => (Some(store.head), store.checkpoint.as_ref()),
        Found::Bad(_) => (None, None),
    };
    let mut chain_at_head = None;
    let mut checkpoint_at = None;
    while frames.next_frame()?.is_some() {
        unless(stop)?;
        let tip = frames.tip();
        if head.is_some_and(|head| head.entries == tip.entries) {
            chain_at_head = Some(tip.chain);
        }
        if checkpoint.is_some_and(|kept| (kept.entries, kept.chain) == (tip.entries, tip.chain)) {
            checkpoint_at = Some((frames.offset(), tip));
        }
    }
    let tail = frames.tail()?;
    Ok(Found::Good(GoodJournal {
        tip: frames.tip(),
        offset: frames.offset(),
        tail,
        chain_at_head,
        checkpoint_at,
    }))
}

pub(super) fn entries(count: u64) -> String {
    format!("{count} entr{}", if count == 1 { "y" } else { "ies" })
}
