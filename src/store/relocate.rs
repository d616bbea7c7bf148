//! A population under another name: copied or renamed while nobody works on it.
//!
//! Both hold the lock. A copy is made beside its place under a hidden name and
//! renamed when all of it is on the disk, so there is a whole population under the
//! new name or none. What belongs to one place only stays there: the lock, the
//! socket, the token of the page, unfinished files, and what was moved aside.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::disk::{copy_tree, parents_of_new, remove, rename, sync_parents};
use super::error::{StoreError, io_error};
use super::layout::Layout;
use super::lock::{Lock, SharedLock};
use super::population::Population;

/// Copies the population in `from` to `to`. It is on the disk when this returns.
///
/// # Errors
///
/// [`StoreError::Missing`] if there is no population, [`StoreError::Occupied`] if
/// there is something under the new name, [`StoreError::InUse`] if another process
/// owns the population, and errors of the disk. The new name is then still free.
pub fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    check_names(from, to)?;
    let source = Layout::new(from);
    // A population that cannot be written may be copied all the same.
    let (_owned, _shared) = match Lock::take(&source) {
        Ok(lock) => (Some(lock), None),
        Err(error) if error.forbids_writing() => (None, read_lock(&source)?),
        Err(error) => return Err(error),
    };
    let parents = parents_of_new(to);
    let above = to.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(above).map_err(|source| io_error("create", above, source))?;
    check_not_inside(from, above)?;
    let name = Layout::new(to).name();
    remove_abandoned(above, &name);
    let draft = Draft::new(above, &name)?;
    let copied = copy_tree(from, &draft.path, &|name| !is_left_behind(name));
    copied.map_err(|source| io_error("copy", from, source))?;
    sync_tree(&draft.path).map_err(|source| io_error("write", &draft.path, source))?;
    draft.publish(to)?;
    sync_parents(&parents)
}

/// Renames the population in `from` to `to`, which may be another directory of the
/// same file system.
///
/// # Errors
///
/// As those of [`copy()`]; the population then has its old name.
pub fn move_to(from: &Path, to: &Path) -> Result<(), StoreError> {
    check_names(from, to)?;
    let _lock = Lock::take(&Layout::new(from))?;
    let mut parents = parents_of_new(to);
    let above = to.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(above).map_err(|source| io_error("create", above, source))?;
    rename(from, to)?;
    parents.extend(parents_of_new(from));
    sync_parents(&parents)
}

/// There must be a population under the one name, and nothing under the other.
fn check_names(from: &Path, to: &Path) -> Result<(), StoreError> {
    let name = |dir| Layout::new(dir).name();
    if !Population::exists(from)? {
        return Err(StoreError::Missing {
            name: name(from),
            dir: from.to_owned(),
        });
    }
    if fs::symlink_metadata(to).is_ok() {
        return Err(StoreError::Occupied { dir: to.to_owned() });
    }
    Ok(())
}

/// A copy inside of its original would have itself to copy.
fn check_not_inside(from: &Path, above: &Path) -> Result<(), StoreError> {
    let whole = |path: &Path| {
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        fs::canonicalize(path).map_err(|source| io_error("read", path, source))
    };
    if whole(above)?.starts_with(whole(from)?) {
        let source = io::Error::other("the new name lies inside of it");
        return Err(io_error("copy", from, source));
    }
    Ok(())
}

/// The lock of a population that cannot be written, if it has one.
fn read_lock(layout: &Layout) -> Result<Option<SharedLock>, StoreError> {
    match SharedLock::take(layout) {
        Ok(lock) => Ok(Some(lock)),
        Err(error @ StoreError::InUse { .. }) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Whether a file belongs to the place where the population lies, or to nothing.
fn is_left_behind(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    matches!(&*name, "lock" | "control.sock" | "token" | "page.html")
        || name.contains(".broken-")
        || name.contains(".new")
        || name.ends_with(".tmp")
}

/// Waits until a directory and everything in it is on the disk.
fn sync_tree(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_tree(&entry.path())?;
        } else {
            let file = File::options().write(true).open(entry.path())?;
            file.sync_all()?;
        }
    }
    File::open(dir)?.sync_all()
}

/// A copy that is being made. Dropped before it is published, it is removed.
struct Draft {
    path: PathBuf,
    lock: Option<Lock>,
}

impl Draft {
    /// An empty directory that this process owns: `.NAME.PROCESS.copy`.
    fn new(above: &Path, name: &str) -> Result<Draft, StoreError> {
        let path = above.join(format!(".{name}.{}.copy", std::process::id()));
        fs::create_dir(&path).map_err(|source| io_error("create", &path, source))?;
        let mut draft = Draft { path, lock: None };
        draft.lock = Some(Lock::take(&Layout::new(&draft.path))?);
        Ok(draft)
    }

    /// Gives the copy its name; it is owned until that is done.
    fn publish(mut self, to: &Path) -> Result<(), StoreError> {
        rename(&self.path, to)?;
        self.path = PathBuf::new();
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            // The next copy of this name removes what cannot be removed now.
            let _ = remove(&self.path);
        }
    }
}

/// Whether a directory's name is that of a copy that is being made.
pub fn is_unfinished_copy(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".copy")
}

/// Removes copies to this name that were not finished, because their process was
/// killed: their lock is free.
fn remove_abandoned(above: &Path, name: &str) {
    let above = if above.as_os_str().is_empty() {
        Path::new(".")
    } else {
        above
    };
    let entries = fs::read_dir(above).into_iter().flatten().flatten();
    for entry in entries {
        let found = entry.file_name().to_string_lossy().into_owned();
        let is_of_name = found
            .strip_prefix('.')
            .and_then(|rest| rest.strip_prefix(name))
            .and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".copy"))
            .is_some_and(|process| process.parse::<u32>().is_ok());
        if is_of_name && SharedLock::take(&Layout::new(&entry.path())).is_ok() {
            let _ = remove(&entry.path());
        }
    }
}
