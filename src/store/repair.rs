//! Making a population whole on demand: everything that opening it does, then
//! the store anew from the journal, and, only where it is asked for, a cut of a
//! journal that nothing else can mend.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::{Notice, StoreError, io_error};
use super::journal::{Frames, Tail};
use super::layout::Layout;
use super::lock::Lock;
use super::open;
use super::rebuild;
use super::tables::Counts;

/// What a repair brought.
#[derive(Debug)]
pub struct Repaired {
    /// What was done, in order.
    pub notices: Vec<Notice>,
    /// What the population holds now.
    pub counts: Counts,
    /// Entries of the journal that were given up, where that can be known from
    /// the store: they will be played again.
    pub cut: Option<Cut>,
}

/// Where a journal was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Good entries before the damage.
    pub entries: u64,
    /// Where the damage begins.
    pub offset: u64,
    /// Bytes that were given up.
    pub bytes: u64,
    /// Where the whole file is kept.
    pub kept: PathBuf,
}

/// Repairs the population in `dir`. `cut`: where neither the journal nor the
/// store is whole, go on from the last good entry before the damage.
pub fn repair(dir: &Path, cut: bool) -> Result<Repaired, StoreError> {
    let layout = Layout::new(dir);
    if !layout.journal().exists() && !layout.store().exists() {
        return Err(StoreError::Missing {
            name: layout.name(),
            dir: dir.to_owned(),
        });
    }
    let _lock = Lock::take(&layout)?;
    let go_on = &|| false;
    let mut was_cut = None;
    let (opened, mut notices) = match open::open(&layout, go_on) {
        Err(StoreError::Damaged { .. }) if cut => {
            was_cut = cut_journal(&layout)?;
            // The store may go farther than the journal now, or be of no use:
            // it is made anew in any case.
            let aside = set_aside(&layout)?;
            let (opened, mut notices) = open::open(&layout, go_on)?;
            notices.extend(aside);
            (opened, notices)
        }
        found => found?,
    };
    let is_new = notices.iter().any(|notice| notice.0.contains("rebuilt"));
    drop((opened.journal, opened.store));
    let counts = match is_new {
        true => opened.head.counts,
        false => {
            let why = "a repair was asked for";
            let again = rebuild::replace_store(&layout, Some(why), go_on, &mut notices)?;
            again.head.counts
        }
    };
    Ok(Repaired {
        notices,
        counts,
        cut: was_cut,
    })
}

/// Cuts the journal before its first bad frame; the whole file is kept. `None`
/// where there is no such frame: then the store is at fault.
fn cut_journal(layout: &Layout) -> Result<Option<Cut>, StoreError> {
    let path = layout.journal();
    let mut frames = Frames::open(&path)?;
    while frames.next_frame()?.is_some() {}
    let (offset, tip) = (frames.offset(), frames.tip());
    if tip.entries == 0 {
        return Err(StoreError::Damaged {
            name: layout.name(),
            journal: String::from("it has no good entry to go on from"),
            store: String::from("it cannot be used"),
            advice: String::from("What to do: bring one of them back from a copy"),
        });
    }
    if matches!(frames.tail()?, Tail::Whole) {
        return Ok(None);
    }
    let kept = Layout::broken(&path);
    let size = fs::copy(&path, &kept).map_err(|source| io_error("copy", &path, source))?;
    // Cutting is what a journal does with everything after its end.
    super::journal::Journal::at(&path, offset, tip)?;
    Ok(Some(Cut {
        entries: tip.entries,
        offset,
        bytes: size - offset,
        kept,
    }))
}

/// Moves the store aside.
fn set_aside(layout: &Layout) -> Result<Option<Notice>, StoreError> {
    let path = layout.store();
    if fs::symlink_metadata(&path).is_err() {
        return Ok(None);
    }
    let aside = Layout::broken(&path);
    fs::rename(&path, &aside).map_err(|source| io_error("rename", &path, source))?;
    Ok(Some(Notice(format!(
        "The old store is kept as {}.",
        aside.display()
    ))))
}
