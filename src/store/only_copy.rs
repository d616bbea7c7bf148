//! A store that is opened without a journal is the only copy of its population,
//! and sled may ruin it: a read that fails while it opens makes it cut off or
//! overwrite what it could not read. So it gets a copy of itself to begin with.
//!
//! The copy is made under an unfinished name and renamed to `store.kept` when it
//! is on the disk. As long as there is no journal, it is the store, whatever
//! became of the other one; once there is a journal, it is worthless.

use std::fs;
use std::path::Path;

use super::disk::{copy_synced, remove, rename, sync_dir};
use super::error::{StoreError, io_error};
use super::journal::{FrameReader, JournalError};
use super::layout::Layout;

/// Opens a population by `open`, and brings a store that is the only copy back as
/// it was where that fails.
pub(super) fn protected<T>(
    layout: &Layout,
    open: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let kept = layout.kept_store();
    if has_journal(layout)? {
        remove(&kept)?;
        return open();
    }
    if fs::symlink_metadata(&kept).is_ok() {
        bring_back(layout)?;
    }
    if !layout.store().is_dir() {
        return open();
    }
    let unfinished = Layout::unfinished(&layout.store());
    copy_dir(&layout.store(), &unfinished)?;
    rename(&unfinished, &kept)?;
    sync_dir(layout.dir())?;
    match open() {
        Ok(opened) => {
            remove(&kept)?;
            Ok(opened)
        }
        Err(error) => {
            bring_back(layout)?;
            Err(error)
        }
    }
}

/// Puts the copy in the place of the store.
fn bring_back(layout: &Layout) -> Result<(), StoreError> {
    remove(&layout.store())?;
    rename(&layout.kept_store(), &layout.store())?;
    sync_dir(layout.dir())
}

/// Whether there is a journal from which a store can be rebuilt, as far as its
/// header tells.
fn has_journal(layout: &Layout) -> Result<bool, StoreError> {
    match FrameReader::open(&layout.journal()) {
        Ok(_) | Err(JournalError::Newer { .. }) => Ok(true),
        Err(JournalError::Header { .. }) => Ok(false),
        Err(error) if error.is_missing() => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Copies a directory with everything in it, and waits for the disk.
fn copy_dir(from: &Path, to: &Path) -> Result<(), StoreError> {
    let failed = |source| io_error("copy", from, source);
    fs::create_dir(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_dir() {
            copy_dir(&path, &target)?;
        } else if kind.is_file() {
            copy_synced(&path, &target)?;
        }
    }
    sync_dir(to)
}
