//! File operations in a population's directory: rename, remove, sync.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

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
    synced.map_err(|source| io_error("write", dir, source))?;
    #[cfg(test)]
    synced::add(dir);
    Ok(())
}

/// Copies a file, and returns its size when the copy is on the disk with its name.
pub(super) fn copy_synced(from: &Path, to: &Path) -> Result<u64, StoreError> {
    let failed = |source| io_error("copy", from, source);
    let size = fs::copy(from, to).map_err(failed)?;
    // Only a file that is open for writing can be synced on every system; the
    // copy has the permissions of its original.
    let copy = File::options().write(true).open(to).map_err(failed)?;
    copy.sync_all().map_err(failed)?;
    #[cfg(test)]
    synced::add(to);
    sync_dir(to.parent().unwrap_or(Path::new(".")))?;
    Ok(size)
}

/// Copies what is in a file. Unlike the file, the copy may be written.
pub(super) fn copy_content(from: &Path, to: &Path) -> io::Result<File> {
    let mut copy = File::create(to)?;
    io::copy(&mut File::open(from)?, &mut copy)?;
    Ok(copy)
}

/// Copies the files and directories in `from` whose names `takes` accepts, and
/// everything in those directories; what is neither, such as a socket, stays.
/// `to` is created. Nothing is synced.
pub(super) fn copy_tree(from: &Path, to: &Path, takes: &dyn Fn(&OsStr) -> bool) -> io::Result<()> {
    let entries = fs::read_dir(from)?;
    fs::create_dir_all(to)?;
    for entry in entries {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if !takes(&entry.file_name()) {
            continue;
        }
        if kind.is_dir() {
            copy_tree(&entry.path(), &target, &|_| true)?;
        } else if kind.is_file() {
            copy_content(&entry.path(), &target)?;
        }
    }
    Ok(())
}

/// The directories that get a new name when `dir` is created with those above
/// it that do not exist, from the innermost out. The one above `dir` is always
/// among them: an earlier attempt may have created `dir` and not waited for the
/// disk.
pub(super) fn parents_of_new(dir: &Path) -> Vec<PathBuf> {
    let mut parents = Vec::new();
    let mut inner = dir;
    while let Some(outer) = inner.parent() {
        let is_here = outer.as_os_str().is_empty();
        parents.push(if is_here { Path::new(".") } else { outer }.to_owned());
        if is_here || outer.exists() {
            break;
        }
        inner = outer;
    }
    parents
}

/// Waits until the names in directories above a population are on the disk. One
/// that this user may not read cannot be waited for.
pub(super) fn sync_parents(parents: &[PathBuf]) -> Result<(), StoreError> {
    for parent in parents {
        match sync_dir(parent) {
            Err(StoreError::Io { source, .. })
                if source.kind() == io::ErrorKind::PermissionDenied =>
            {
                log::debug!("{} cannot be synced: {source}", parent.display());
            }
            synced => synced?,
        }
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod synced {
    //! What a test's thread has synced, because no file system shows it.

    use std::cell::RefCell;
    use std::path::{Path, PathBuf};

    thread_local! {
        static PATHS: RefCell<Vec<PathBuf>> = const { RefCell::new(Vec::new()) };
    }

    pub(in crate::store) fn add(path: &Path) {
        PATHS.with_borrow_mut(|paths| paths.push(path.to_owned()));
    }

    /// What was synced since the last call.
    pub(in crate::store) fn take() -> Vec<PathBuf> {
        PATHS.take()
    }
}
