//! Start-up: from whatever lies in a directory to a journal, a store and a
//! state that agree.
//!
//! 1. Take the lock.
//! 2. Delete what was only half made: `*.new`, and sled's half snapshots.
//! 3. Copy the store if there is no journal: it is the only copy then.
//! 4. Open the store, guarded against panics of sled. A newer format is refused,
//!    and nothing is changed.
//! 5. Read the journal through: its end, and its chain where the store and its
//!    checkpoint stand.
//! 6. Compare.
//!
//!    | journal | store | what is done |
//!    |---|---|---|
//!    | good | the same, or behind | the store catches up |
//!    | good | missing, broken, or with other entries | rebuilt from the journal |
//!    | missing, damaged, or behind | good | the journal is rebuilt from the store |
//!    | damaged | behind the damage | an error: neither has every entry |
//!    | missing or damaged | missing or broken | an error, and nothing is changed |
//! 7. Fold: from the checkpoint if it belongs to this journal, else from the
//!    beginning.
//! 8. Copy a store that takes far more space than what it holds.
//!
//! Broken files are moved aside, never deleted; their replacement is written
//! beside them and renamed. So a kill at any moment leaves a case of the table.

use std::fs::{self, File};
use std::io::{self, Write};

use super::disk::{remove, rename, sync_dir};
use super::error::{Notice, StoreError, io_error};
use super::fold::Fold;
use super::inspect::{
    Inspected, ReadableJournal, UsableStore, advice, entries_text, inspect_journal, inspect_store,
};
use super::journal::{FrameReader, Journal, JournalTail};
use super::layout::Layout;
use super::only_copy::protected;
use super::rebuild::{
    Batch, compact, next_payload, payload, rebuild_store, replace_journal, replace_store,
};
use super::record::{Begin, Entry};
use super::sled_store::Store;
use super::tables::{Applied, Checkpoint, Head, Table, WRITTEN_BY};

/// The parts of a population, all of which agree.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) fold: Fold,
    pub(super) journal: Journal,
    pub(super) store: Store,
    pub(super) head: Head,
}

/// Asked between two entries whether to stop. Stopping leaves what a kill
/// leaves.
pub(super) type StopCheck<'a> = &'a dyn Fn() -> bool;

pub(super) fn check_stop(stop: StopCheck<'_>) -> Result<(), StoreError> {
    if stop() {
        Err(StoreError::Stopped)
    } else {
        Ok(())
    }
}

/// Creates a population: the journal, with which it exists; the parameters for
/// people to read; then the store, rebuilt as if it had been lost.
pub(super) fn create(layout: &Layout, begin: &Begin) -> Result<Opened, StoreError> {
    Fold::begin(begin)?;
    let path = layout.journal();
    let new_path = Layout::unfinished(&path);
    Journal::create(&new_path)?.append(&[payload(begin)?])?;
    rename(&new_path, &path)?;
    // The journal's name is safe before another file says that there was a
    // population: parameters alone look like one that is gone.
    sync_dir(layout.dir())?;
    write_params(layout, &begin.params)?;
    sync_dir(layout.dir())?;
    let opened = rebuild_store(layout)?;
    sync_dir(layout.dir())?;
    Ok(opened)
}

/// Writes the parameters that a population began with, for people to read.
pub(super) fn write_params(layout: &Layout, params: &str) -> Result<(), StoreError> {
    let text = layout.params();
    let new_text = Layout::unfinished(&text);
    let written = File::create(&new_text).and_then(|mut file| {
        file.write_all(params.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|source| io_error("write", &new_text, source))?;
    rename(&new_text, &text)
}

/// Restores the text of the parameters if it was changed. Nothing reads it but
/// people, who should not be misled.
fn restore_params(layout: &Layout, params: &str) -> Result<Option<Notice>, StoreError> {
    let path = layout.params();
    match fs::read(&path) {
        Ok(text) if text == params.as_bytes() => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            write_params(layout, params)?;
            return Ok(None);
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => {}
        // It may be what it should be.
        Err(error) => {
            log::debug!("cannot read {}: {error}", path.display());
            return Ok(None);
        }
    }
    let aside = Layout::broken_name(&path);
    rename(&path, &aside)?;
    write_params(layout, params)?;
    Ok(Some(Notice(format!(
        "{} was not what the population began with: it was written again, the old one is kept as \
         {}. (Parameters are changed by flags and --accept-changes.)",
        path.display(),
        aside.display()
    ))))
}

/// Opens a population whose lock this process holds; see the table above.
pub(super) fn open(
    layout: &Layout,
    stop: StopCheck<'_>,
) -> Result<(Opened, Vec<Notice>), StoreError> {
    remove_unfinished(layout)?;
    protected(layout, || open_files(layout, stop))
}

fn open_files(layout: &Layout, stop: StopCheck<'_>) -> Result<(Opened, Vec<Notice>), StoreError> {
    let mut notices = Vec::new();
    let store = inspect_store(layout)?;
    check_stop(stop)?;
    let journal = inspect_journal(layout, &store, stop)?;
    let opened = match (store, journal) {
        (Inspected::Usable(store), Inspected::Usable(journal)) if journal.continues(&store) => {
            notices.extend(journal.torn_notice());
            catch_up(layout, store, &journal, stop, &mut notices)?
        }
        (Inspected::Usable(store), Inspected::Usable(journal)) if journal.contradicts(&store) => {
            notices.extend(journal.torn_notice());
            drop(store);
            let why = "it does not tell the same story as the journal";
            replace_store(layout, Some(why), stop, &mut notices)?
        }
        (Inspected::Usable(store), Inspected::Usable(journal)) => match &journal.tail {
            JournalTail::Damaged(_) if journal.position.entries > store.head.entries => {
                let behind = format!("it has only {}", entries_text(store.head.entries));
                return Err(journal.damaged_error(layout, &behind));
            }
            _ => replace_journal(layout, store, Ok(&journal), stop, &mut notices)?,
        },
        (Inspected::Usable(store), Inspected::Unusable(why)) => {
            replace_journal(layout, store, Err(why.as_deref()), stop, &mut notices)?
        }
        (Inspected::Unusable(why), Inspected::Usable(journal)) => {
            if matches!(journal.tail, JournalTail::Damaged(_)) || journal.position.entries == 0 {
                let why = why.unwrap_or_else(|| String::from("it is missing"));
                return Err(journal.damaged_error(layout, &why));
            }
            notices.extend(journal.torn_notice());
            replace_store(layout, why.as_deref(), stop, &mut notices)?
        }
        (Inspected::Unusable(store), Inspected::Unusable(journal)) => {
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

/// A population as it was found by a command that repairs nothing.
pub(super) enum Healthy {
    /// It is open.
    Opened(Box<Opened>, Vec<Notice>),
    /// Something must be repaired first: what.
    NeedsRepair(String),
}

/// Opens a population whose lock this process holds, if that needs no repair.
/// The store may lag behind a journal that is whole: it catches up. Nothing else
/// is written or removed.
pub(super) fn open_healthy(layout: &Layout, stop: StopCheck<'_>) -> Result<Healthy, StoreError> {
    let store = inspect_store(layout)?;
    check_stop(stop)?;
    let journal = inspect_journal(layout, &store, stop)?;
    let or_missing = |why: Option<String>| why.unwrap_or_else(|| String::from("it is missing"));
    let why = match (store, journal) {
        (Inspected::Usable(store), Inspected::Usable(journal))
            if journal.continues(&store) && journal.tail == JournalTail::Clean =>
        {
            let mut notices = Vec::new();
            let opened = apply_missing(layout, store, &journal, stop, &mut notices)?.0;
            return Ok(Healthy::Opened(Box::new(opened), notices));
        }
        (Inspected::Usable(store), Inspected::Usable(journal)) => format!(
            "the store has {}; the journal: {}",
            entries_text(store.head.entries),
            journal.describe()
        ),
        (Inspected::Unusable(why), _) => format!("the store: {}", or_missing(why)),
        (_, Inspected::Unusable(why)) => format!("the journal: {}", or_missing(why)),
    };
    Ok(Healthy::NeedsRepair(why))
}

/// Removes files that a kill left unfinished.
fn remove_unfinished(layout: &Layout) -> Result<(), StoreError> {
    for path in [layout.journal(), layout.params()] {
        remove(&Layout::unfinished(&path))?;
    }
    remove(&Layout::unfinished(&layout.store()))?;
    for unfinished in layout.unfinished_champions() {
        remove(&unfinished)?;
    }
    Ok(())
}

/// Opens a store that agrees with the journal, applies the entries that only the
/// journal has, and makes the store smaller if it takes too much space.
fn catch_up(
    layout: &Layout,
    found: UsableStore,
    journal: &ReadableJournal,
    stop: StopCheck<'_>,
    notices: &mut Vec<Notice>,
) -> Result<Opened, StoreError> {
    let (opened, bytes) = apply_missing(layout, found, journal, stop, notices)?;
    let store = compact(layout, opened.store, bytes, notices)?;
    Ok(Opened { store, ..opened })
}

/// Applies the entries to a store that only the journal has. Also returns the
/// bytes of all keys and values, about.
fn apply_missing(
    layout: &Layout,
    found: UsableStore,
    journal: &ReadableJournal,
    stop: StopCheck<'_>,
    notices: &mut Vec<Notice>,
) -> Result<(Opened, u64), StoreError> {
    let path = layout.journal();
    let UsableStore {
        store,
        mut head,
        bytes,
        checkpoint,
    } = found;
    let behind = journal.position.entries.saturating_sub(head.entries);
    let resumed = match (checkpoint, journal.checkpoint_at) {
        (Some(kept), Some(at)) => resume(&store, &head, kept)?.map(|fold| (fold, at)),
        _ => None,
    };
    let (mut fold, mut frames) = match resumed {
        Some((fold, place)) => (fold, FrameReader::open_at(&path, place)?),
        None => {
            log::info!("population {}: folding the whole journal", layout.name());
            let mut frames = FrameReader::open(&path)?;
            let begin = next_payload(&mut frames)?;
            (Fold::begin(&begin)?.0, frames)
        }
    };
    let mut batch = Batch::new(&store, Some(head));
    while fold.entries() < journal.position.entries {
        check_stop(stop)?;
        let entry: Entry = next_payload(&mut frames)?;
        let is_new = fold.entries() >= head.entries;
        let step = fold.apply(&entry)?;
        if is_new {
            batch.add(frames.position(), Applied::Entry(&entry), &step, &fold)?;
        }
    }
    if let Some(last) = batch.finish()? {
        head = last;
        store.sync()?;
        notices.push(Notice(format!(
            "The last {behind} of {} were in the journal only: the store has them now.",
            entries_text(journal.position.entries)
        )));
    }
    let journal = Journal::open_at(&path, journal.offset, journal.position)?;
    let opened = Opened {
        fold,
        journal,
        store,
        head,
    };
    Ok((opened, bytes))
}

/// The fold of a checkpoint, with the parameters that were valid then and the
/// matches outside of the evolution that were played; `None` if another program
/// wrote it or it does not fit the store.
fn resume(store: &Store, head: &Head, kept: Checkpoint) -> Result<Option<Fold>, StoreError> {
    if kept.written_by != WRITTEN_BY || kept.entries > head.entries || kept.entries == 0 {
        return Ok(None);
    }
    let Some(begin) = store.get::<Begin>(Table::Entries, 0)? else {
        return Ok(None);
    };
    if !kept.state.has_genes(&begin.genes) {
        return Ok(None);
    }
    let others = store.other_entries().map(|found| Ok(found?));
    let is_before = |found: &Result<(u64, Entry), StoreError>| {
        found.as_ref().map_or(true, |(n, _)| *n < kept.entries)
    };
    let others = others.take_while(is_before);
    match Fold::resume::<StoreError>(&begin, others, kept.state, kept.entries) {
        // The journal tells whether the entries are wrong, or only the store's.
        Err(StoreError::Fold(_)) => Ok(None),
        fold => fold.map(Some),
    }
}
