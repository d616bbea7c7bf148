//! Repairs a population on demand: everything that opening it does, then a new
//! store from the journal if a value in it is not what the journal tells, and,
//! only where it is asked for, a cut of a journal that cannot be repaired
//! otherwise. A store that is good stays. [`rehearse`] finds out on a copy which
//! of these would help. [`rewind`] gives up what came after a match.

use std::fs;
use std::path::{Path, PathBuf};

use super::audit;
use super::codec::decode;
use super::disk::{copy_content, copy_synced, copy_tree};
use super::error::{Notice, StoreError, io_error};
use super::journal::{FrameReader, JournalTail};
use super::layout::Layout;
use super::lock::Lock;
use super::open;
use super::population::Population;
use super::rebuild;
use super::record::Entry;
use super::tables::Counts;

/// What a repair did.
#[derive(Debug)]
pub struct Repaired {
    /// What was repaired, in order.
    pub notices: Vec<Notice>,
    /// What the population holds now.
    pub counts: Counts,
    /// Where the journal was cut, if it was; the matches after it are played
    /// again.
    pub cut: Option<JournalCut>,
}

/// Where a journal was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalCut {
    /// Good entries before the damage.
    pub entries: u64,
    /// The byte at which the damage begins.
    pub offset: u64,
    /// Bytes that were cut off.
    pub bytes: u64,
    /// The copy of the journal as it was.
    pub kept: PathBuf,
}

/// Repairs the population in `dir`. With `cut`, where neither the journal nor the
/// store is whole, it goes on from the last good entry before the damage.
///
/// # Errors
///
/// [`StoreError::Missing`] if there is no population, [`StoreError::InUse`] if
/// another process owns it, [`StoreError::Damaged`] if it cannot be repaired, and
/// errors of the disk.
pub fn repair(dir: &Path, cut: bool) -> Result<Repaired, StoreError> {
    let layout = Layout::new(dir);
    if !Population::exists(dir)? {
        return Err(StoreError::Missing {
            name: layout.name(),
            dir: dir.to_owned(),
        });
    }
    let _lock = Lock::take(&layout)?;
    let never_stop = &|| false;
    let mut was_cut = None;
    let (opened, mut notices) = match open::open(&layout, never_stop) {
        Err(StoreError::Damaged { .. }) if cut => {
            was_cut = cut_journal(&layout)?;
            // The store may now have more entries than the journal, or be
            // broken: it is rebuilt in any case.
            let aside = set_aside(&layout)?;
            let (opened, mut notices) = open::open(&layout, never_stop)?;
            notices.extend(aside);
            (opened, notices)
        }
        found => found?,
    };
    drop(opened.journal);
    let (store, difference) = audit::compare_open(&layout, opened.store)?;
    let counts = match difference {
        None => {
            // What was written to catch up is on the disk before it is called good.
            store.sync()?;
            opened.head.counts
        }
        Some(why) => {
            drop(store);
            let again = rebuild::replace_store(&layout, Some(&why), never_stop, &mut notices)?;
            again.head.counts
        }
    };
    Ok(Repaired {
        notices,
        counts,
        cut: was_cut,
    })
}

/// Gives up everything in the population in `dir` that came after the first
/// `matches` matches. The journal as it was is kept, and so is the store.
///
/// # Errors
///
/// Those of [`repair`], and [`StoreError::TooFew`] if there are not so many
/// matches.
pub fn rewind(dir: &Path, matches: u64) -> Result<Repaired, StoreError> {
    let layout = Layout::new(dir);
    {
        let _lock = Lock::take(&layout)?;
        // A journal and a store that agree, before anything is given up.
        drop(open::open(&layout, &|| false)?);
    }
    let lock = Lock::take(&layout)?;
    let path = layout.journal();
    let mut frames = FrameReader::open(&path)?;
    // The first frame is the beginning, every other one an entry.
    let mut is_beginning = true;
    let (mut found, mut place) = (0, None);
    loop {
        if found == matches && !is_beginning {
            let here = Some((frames.offset(), frames.position()));
            // Before the first match comes what was recorded at the start.
            place = if matches == 0 || place.is_none() {
                here
            } else {
                place
            };
        }
        let Some(frame) = frames.next_frame()? else {
            break;
        };
        if std::mem::take(&mut is_beginning) {
            continue;
        }
        if let Entry::Match(_) = decode::<Entry>(frame).map_err(rebuild::unreadable)? {
            found += 1;
        }
        if found > matches {
            break;
        }
    }
    let Some((offset, position)) = place else {
        return Err(StoreError::TooFew {
            name: layout.name(),
            matches: found,
        });
    };
    let kept = Layout::broken_name(&path);
    let size = copy_synced(&path, &kept)?;
    // First the store: one that has more than the journal would restore it.
    let aside = set_aside(&layout)?;
    super::journal::Journal::open_at(&path, offset, position)?;
    drop(lock);
    let mut repaired = repair(dir, false)?;
    repaired.notices.extend(aside);
    repaired.cut = Some(JournalCut {
        entries: position.entries,
        offset,
        bytes: size - offset,
        kept,
    });
    Ok(repaired)
}

/// What mends a population that is not what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// [`repair`] without a cut.
    Repair,
    /// [`repair`] with a cut, and nothing less.
    Cut,
    /// No repair: the files have to be brought back from elsewhere.
    Copy,
}

/// Finds out which repair mends the journal and the store of the population in
/// `dir`, by trying it on a copy in `scratch`. Nothing in `dir` is changed.
///
/// # Errors
///
/// [`StoreError::Io`] if the copy cannot be made.
pub fn rehearse(dir: &Path, scratch: &Path) -> Result<Remedy, StoreError> {
    let (from, trial) = (Layout::new(dir), scratch.join(Layout::new(dir).name()));
    let to = Layout::new(&trial);
    fs::create_dir_all(&trial).map_err(|source| io_error("create", &trial, source))?;
    let failed = |path: PathBuf| move |source| io_error("copy", &path, source);
    if from.journal().exists() {
        copy_content(&from.journal(), &to.journal()).map_err(failed(from.journal()))?;
    }
    if from.store().is_dir() {
        copy_tree(&from.store(), &to.store(), &|_| true).map_err(failed(from.store()))?;
    }
    // A repair that fails leaves everything as it was.
    Ok(if repair(&trial, false).is_ok() {
        Remedy::Repair
    } else if repair(&trial, true).is_ok() {
        Remedy::Cut
    } else {
        Remedy::Copy
    })
}

/// Cuts the journal before its first bad frame and keeps a copy of the whole
/// file. `None` if there is no bad frame: then only the store is broken.
fn cut_journal(layout: &Layout) -> Result<Option<JournalCut>, StoreError> {
    let path = layout.journal();
    let mut frames = FrameReader::open(&path)?;
    while frames.next_frame()?.is_some() {}
    let (offset, position) = (frames.offset(), frames.position());
    if position.entries == 0 {
        return Err(StoreError::Damaged {
            name: layout.name(),
            journal: String::from("it has no good entry to go on from"),
            store: String::from("it cannot be used"),
            advice: String::from("What to do: bring one of them back from a copy"),
        });
    }
    if matches!(frames.tail()?, JournalTail::Clean) {
        return Ok(None);
    }
    let kept = Layout::broken_name(&path);
    // What is cut off is then in the copy alone.
    let size = copy_synced(&path, &kept)?;
    // Opening the journal at a place cuts off everything after it.
    super::journal::Journal::open_at(&path, offset, position)?;
    Ok(Some(JournalCut {
        entries: position.entries,
        offset,
        bytes: size - offset,
        kept,
    }))
}

/// Moves the store aside, if there is one.
fn set_aside(layout: &Layout) -> Result<Option<Notice>, StoreError> {
    let path = layout.store();
    if fs::symlink_metadata(&path).is_err() {
        return Ok(None);
    }
    let aside = Layout::broken_name(&path);
    fs::rename(&path, &aside).map_err(|source| io_error("rename", &path, source))?;
    Ok(Some(Notice(format!(
        "The old store is kept as {}.",
        aside.display()
    ))))
}
