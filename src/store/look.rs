//! Opening a population to look at it. A population that can be written and
//! needs no repair is opened in place. Any other is left as it is: a copy in a
//! [`Scratch`] directory is put right and opened instead.
//!
//! | what is found | what is opened |
//! |---|---|
//! | journal and store agree, or the store only lags behind | the population |
//! | something must be put right first | a copy of journal and store |
//! | files that this user or this disk does not let write | a copy of journal and store |
//! | the same, and another process writes the store | a copy of the journal alone |

use std::fs;
use std::io;
use std::path::Path;

use super::disk::{copy_content, copy_tree};
use super::error::{Notice, StoreError, io_error};
use super::layout::Layout;
use super::lock::{Lock, SharedLock};
use super::open::{self, Healthy, Opened, StopCheck};
use super::scratch::Scratch;

/// A population that was opened to look at it.
pub(super) struct Looked {
    pub(super) layout: Layout,
    pub(super) lock: Lock,
    pub(super) opened: Opened,
    /// The directory of the copy, where one was made.
    pub(super) scratch: Option<Scratch>,
    pub(super) notices: Vec<Notice>,
}

/// Opens a population whose lock this process holds.
pub(super) fn look_owned(
    layout: &Layout,
    lock: Lock,
    stop: StopCheck<'_>,
) -> Result<Looked, StoreError> {
    match open::open_healthy(layout, stop) {
        Ok(Healthy::Opened(opened, notices)) => Ok(Looked {
            layout: layout.clone(),
            lock,
            opened: *opened,
            scratch: None,
            notices,
        }),
        // The lock is held until the copy is made.
        Ok(Healthy::NeedsRepair(why)) => look_at_copy(layout, Some(why), true, stop),
        Err(error) if error.forbids_writing() => {
            log::info!("{error}: a copy is looked at");
            look_at_copy(layout, None, true, stop)
        }
        Err(error) => Err(error),
    }
}

/// Opens a copy of a population whose lock cannot be written.
pub(super) fn look_unowned(layout: &Layout, stop: StopCheck<'_>) -> Result<Looked, StoreError> {
    // Held until the copy is made: whoever wants to begin waits.
    let at_rest = SharedLock::take(layout);
    let is_at_rest = !matches!(at_rest, Err(StoreError::InUse { .. }));
    look_at_copy(layout, None, is_at_rest, stop)
}

/// Copies the population, puts the copy right, and opens it. `why` says what is
/// wrong with the population. The store is copied only where nobody writes it:
/// it can be made again from the journal, which only grows.
fn look_at_copy(
    layout: &Layout,
    why: Option<String>,
    is_at_rest: bool,
    stop: StopCheck<'_>,
) -> Result<Looked, StoreError> {
    let scratch = Scratch::new();
    let scratch = scratch.map_err(|source| io_error("write", &std::env::temp_dir(), source))?;
    let copy = Layout::new(&scratch.path().join(layout.name()));
    fs::create_dir(copy.dir()).map_err(|source| io_error("create", copy.dir(), source))?;
    if is_at_rest {
        let copied = copy_tree(&layout.store(), &copy.store(), &|_| true);
        ignore_missing(copied, &layout.store())?;
    }
    for (from, to) in [
        (layout.journal(), copy.journal()),
        (layout.params(), copy.params()),
        (layout.champion(), copy.champion()),
    ] {
        ignore_missing(copy_content(&from, &to), &from)?;
    }
    let lock = Lock::take(&copy)?;
    let original = |error| in_original(error, copy.dir(), layout.dir());
    let (opened, _) = open::open(&copy, stop).map_err(original)?;
    let mut notices = Vec::new();
    if let Some(why) = why {
        notices.push(Notice(format!(
            "Population {} must be put right, which `loatune run` does when it goes on, and \
             `loatune repair` at once ({why}). Nothing of it was changed: this is what a copy says.",
            layout.name()
        )));
    } else if !is_at_rest {
        let process = Lock::holder(layout).flatten().map_or_else(
            || String::from("another process"),
            |process| format!("process {process}"),
        );
        notices.push(Notice(format!(
            "Population {} is open in {process}, which this user may not ask: this is what its \
             journal says so far.",
            layout.name()
        )));
    }
    Ok(Looked {
        layout: copy,
        lock,
        opened,
        scratch: Some(scratch),
        notices,
    })
}

/// An error about the copy, in words about the population.
fn in_original(error: StoreError, copy: &Path, original: &Path) -> StoreError {
    let [copy, original] = [copy, original].map(|path| path.display().to_string());
    let put = |text: String| text.replace(&copy, &original);
    match error {
        StoreError::Damaged {
            name,
            journal,
            store,
            advice,
        } => StoreError::Damaged {
            name,
            journal: put(journal),
            store: put(store),
            advice: put(advice),
        },
        other => other,
    }
}

/// A part of a population that does not exist cannot be copied, which the opening
/// of the copy tells.
fn ignore_missing<T>(copied: io::Result<T>, from: &Path) -> Result<(), StoreError> {
    use io::ErrorKind as Kind;
    match copied {
        Err(error) if !matches!(error.kind(), Kind::NotFound | Kind::NotADirectory) => {
            Err(io_error("copy", from, error))
        }
        _ => Ok(()),
    }
}
