//! File operations in a population's directory: rename, remove, sync.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::error::{StoreError, io_error};

pub(super) fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    fs::rename(from, to).map_err(|source| io_error("rename", from, source))
}

/// Removes a file or a directory with everything in it, if it exists.
pub(super) fn remove(path: &Path) -> Result<(), StoreError> {
    let kind = match fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(io_error("read", path, error)),
    };
    let removed = if kind.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    removed.map_err(|source| io_error("remove", path, source))
}

/// Removes an empty directory, if it exists: on some systems it would be in the
/// way of a rename.
pub(super) fn remove_empty(path: &Path) -> Result<(), StoreError> {
    match fs::remove_dir(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(io_error("remove", path, error))
        }
        _ => Ok(()),
    }
}

/// Waits until the names in a directory are on the disk.
pub(super) fn sync_dir(dir: &Path) -> Result<(), StoreError> {
    let synced = File::open(dir).and_then(|dir| dir.sync_all());
    synced.map_err(|source| io_error("write", dir, source))
}
