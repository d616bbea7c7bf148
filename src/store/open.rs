//! Start-up: from whatever lies in a directory to a journal, a store and a
//! state that agree.
//!
//! 1. Take the lock.
//! 2. Delete what was only half made: `*.new`, and sled's half snapshots.
//! 3. Open the store, guarded. A newer format is refused, and nothing is
//!    touched.
//! 4. Read the journal through: where it ends, and its chain where the store
//!    and its checkpoint stand.
//! 5. Compare.
//!
//!    | journal | store | what is done |
//!    |---|---|---|
//!    | good | the same, or behind | the store catches up |
//!    | good | missing, broken, or another story | rebuilt from the journal |
//!    | missing, damaged, or behind | good | the journal is rebuilt from the store |
//!    | damaged | behind the damage | an error: nothing tells the whole story |
//!    | missing or damaged | missing or broken | an error, and nothing is touched |
//! 6. Fold: from the checkpoint if it belongs to this journal, else from the
//!    beginning.
//! 7. Copy a store that takes far more room than what it holds.
//!
//! What is broken is moved aside, never deleted; what takes its place is made
//! beside it and renamed. So a kill at any moment leaves a case of the table.

use std::fs::{self, File};
use std::io::{self, Write};

use super::disk::{remove, rename, sync_dir};
use super::error::{Notice, StoreError, io_error};
use super::fold::Fold;
use super::inspect::{Found, GoodJournal, GoodStore, advice, entries, find_journal, find_store};
use super::journal::{Frames, Journal, Tail};
use super::layout::Layout;
use super::rebuild::{
    Batch, compact, next_payload, payload, rebuild_store, replace_journal, replace_store,
};
use super::record::{Begin, Entry};
use super::sled_store::Store;
use super::tables::{Applied, Checkpoint, Head, Table, WRITTEN_BY};

/// What a population is made of, when all of it agrees.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) fold: Fold,
    pub(super) journal: Journal,
    pub(super) store: Store,
    pub(super) head: Head,
}

/// Whether somebody wants an end: asked between two entries. What is left then
/// is what a kill leaves.
pub(super) type Stop<'a> = &'a dyn Fn() -> bool;

pub(super) fn unless(stop: Stop<'_>) -> Result<(), StoreError> {
    match stop() {
        true => Err(StoreError::Stopped),
        false => Ok(()),
    }
}

/// Makes a population: the journal, which makes it one, its parameters to
/// read, then the store, as if it had been lost.
pub(super) fn create(layout: &Layout, begin: &Begin) -> Result<Opened, StoreError> {
    Fold::begin(begin)?;
    let path = layout.journal();
    let new_path = Layout::new_of(&path);
    Journal::create(&new_path)?.append(&[payload(begin)?])?;
    rename(&new_path, &path)?;
    write_params(layout, &begin.params)?;
    sync_dir(layout.dir())?;
    let opened = rebuild_store(layout)?;
    sync_dir(layout.dir())?;
    Ok(opened)
}

/// Writes the parameters that a population began with, for people to read.
pub(super) fn write_params(layout: &Layout, params: &str) -> Result<(), StoreError> {
    let text = layout.params();
    let new_text = Layout::new_of(&text);
    let written = File::create(&new_text).and_then(|mut file| {
        file.write_all(params.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|source| io_error("write", &new_text, source))?;
    rename(&new_text, &text)
}

/// Makes the text of the parameters what it was. It decides nothing, but it
/// should not tell people what is not so.
fn restore_params(layout: &Layout, params: &str) -> Result<Option<Notice>, StoreError> {
    let path = layout.params();
    match fs::read(&path) {
        Ok(text) if text == params.as_bytes() => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            write_params(layout, params)?;
            return Ok(None);
        }
        _ => {}
    }
    let aside = Layout::broken(&path);
    rename(&path, &aside)?;
    write_params(layout, params)?;
    Ok(Some(Notice(format!(
        "{} was not what the population began with: it was written again, the old one is kept as \
         {}. (Parameters are changed by flags and --accept-changes.)",
        path.display(),
        aside.display()
    ))))
}

/// Opens a population whose lock is taken.
pub(super) fn open(layout: &Layout, stop: Stop<'_>) -> Result<(Opened, Vec<Notice>), StoreError> {
    let mut notices = Vec::new();
    clear(layout)?;
    let store = find_store(layout)?;
    unless(stop)?;
    let journal = find_journal(layout, &store, stop)?;
    let opened = match (store, journal) {
        (Found::Good(store), Found::Good(journal)) if journal.continues(&store) => {
            notices.extend(journal.torn_notice());
            catch_up(layout, store, &journal, stop, &mut notices)?
        }
        (Found::Good(store), Found::Good(journal)) if journal.contradicts(&store) => {
            notices.extend(journal.torn_notice());
            drop(store);
            let why = "it does not tell the same story as the journal";
            replace_store(layout, Some(why), stop, &mut notices)?
        }
        (Found::Good(store), Found::Good(journal)) => match &journal.tail {
            Tail::Damaged(_) if journal.tip.entries > store.head.entries => {
                let behind = format!("it has only {}", entries(store.head.entries));
                return Err(journal.lost(layout, &behind));
            }
            _ => replace_journal(layout, store, Ok(&journal), stop, &mut notices)?,
        },
        (Found::Good(store), Found::Bad(why)) => {
            replace_journal(layout, store, Err(why.as_deref()), stop, &mut notices)?
        }
        (Found::Bad(why), Found::Good(journal)) => {
            if matches!(journal.tail, Tail::Damaged(_)) || journal.tip.entries == 0 {
                let why = why.unwrap_or_else(|| String::from("it is missing"));
                return Err(journal.lost(layout, &why));
            }
            notices.extend(journal.torn_notice());
            replace_store(layout, why.as_deref(), stop, &mut notices)?
        }
        (Found::Bad(store), Found::Bad(journal)) => {
            let or_missing = |why: Option<String>| why.unwrap_or_else(|| "it is missing".into());
            return Err(StoreError::Damaged {
                name: layout.name(),
                journal: or_missing(journal),
                store: or_missing(store),
                advice: advice(layout),
            });
        }
    };
    if let Some(begin) = opened.store.get::<Begin>(Table::Entries, 0)? {
        notices.extend(restore_params(layout, &begin.params)?);
    }
    Ok((opened, notices))
}

/// Removes what was only half made.
fn clear(layout: &Layout) -> Result<(), StoreError> {
    for path in [layout.journal(), layout.params()] {
        remove(&Layout::new_of(&path))?;
    }
    remove(&Layout::new_of(&layout.store()))?;
    for draft in layout.drafts() {
        remove(&draft)?;
    }
    Ok(())
}

/// Goes on with a store that agrees with the journal, and applies what only
/// the journal has.
fn catch_up(
    layout: &Layout,
    found: GoodStore,
    journal: &GoodJournal,
    stop: Stop<'_>,
    notices: &mut Vec<Notice>,
) -> Result<Opened, StoreError> {
    let path = layout.journal();
    let GoodStore {
        store,
        mut head,
        bytes,
        checkpoint,
    } = found;
    let behind = journal.tip.entries.saturating_sub(head.entries);
    let resumed = match (checkpoint, journal.checkpoint_at) {
        (Some(kept), Some(at)) => resume(&store, &head, kept)?.map(|fold| (fold, at)),
        _ => None,
    };
    let (mut fold, mut frames) = match resumed {
        Some((fold, (offset, tip))) => (fold, Frames::open_at(&path, offset, tip)?),
        None => {
            log::info!("population {}: folding the whole journal", layout.name());
            let mut frames = Frames::open(&path)?;
            let begin = next_payload(&mut frames)?;
            (Fold::begin(&begin)?.0, frames)
        }
    };
    let mut batch = Batch::new(&store, Some(head));
    while fold.entries() < journal.tip.entries {
        unless(stop)?;
        let entry: Entry = next_payload(&mut frames)?;
        let is_new = fold.entries() >= head.entries;
        let step = fold.apply(&entry)?;
        if is_new {
            batch.add(frames.tip(), Applied::Entry(&entry), &step, &fold)?;
        }
    }
    if let Some(last) = batch.finish()? {
        head = last;
        store.sync()?;
        notices.push(Notice(format!(
            "The last {behind} of {} were in the journal only: the store has them now.",
            entries(journal.tip.entries)
        )));
    }
    let store = compact(layout, store, bytes, notices)?;
    let journal = Journal::at(&path, journal.offset, journal.tip)?;
    Ok(Opened {
        fold,
        journal,
        store,
        head,
    })
}

/// The state of a checkpoint, with the parameters that were valid then; `None`
/// where it does not fit.
fn resume(store: &Store, head: &Head, kept: Checkpoint) -> Result<Option<Fold>, StoreError> {
    if kept.written_by != WRITTEN_BY || kept.entries > head.entries || kept.entries == 0 {
        return Ok(None);
    }
    let Some(begin) = store.get::<Begin>(Table::Entries, 0)? else {
        return Ok(None);
    };
    let mut params = begin.params.clone();
    for entry in store.backwards::<Entry>(Table::Entries, 1..kept.entries) {
        if let (_, Entry::Changed { params: text, .. }) = entry? {
            params = text;
            break;
        }
    }
    let fold = Fold::resume(&begin, &params, kept.state, kept.entries)?;
    Ok(Some(fold))
}
