//! Repairs a population on demand: everything that opening it does, then a new
//! store from the journal, and, only where it is asked for, a cut of a journal
//! that cannot be repaired otherwise.

use std::fs;
use std::path::{Path, PathBuf};

use super::disk::copy_synced;
use super::error::{Notice, StoreError, io_error};
use super::journal::{FrameReader, JournalTail};
use super::layout::Layout;
use super::lock::Lock;
use super::open;
use super::rebuild;
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
    if !layout.journal().exists() && !layout.store().exists() {
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
    let is_new = notices.iter().any(|notice| notice.0.contains("rebuilt"));
    drop((opened.journal, opened.store));
    let counts = if is_new {
        opened.head.counts
    } else {
        let why = "a repair was asked for";
        let again = rebuild::replace_store(&layout, Some(why), never_stop, &mut notices)?;
        again.head.counts
    };
    Ok(Repaired {
        notices,
        counts,
        cut: was_cut,
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
