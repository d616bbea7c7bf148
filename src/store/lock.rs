//! One process owns a population. The lock is the operating system's, on an open
//! file: it ends with its process, whatever the file says.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::error::{StoreError, io_error};
use super::layout::Layout;

/// A population's lock; dropping it releases it.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock and writes this process's number into the file.
    ///
    /// # Errors
    ///
    /// [`StoreError::InUse`] if another process holds it, and
    /// [`StoreError::Io`] if the file is a symbolic link or no file.
    pub(super) fn take(layout: &Layout) -> Result<Lock, StoreError> {
        let path = layout.lock();
        let mut file = open(&path).map_err(|source| io_error("open", &path, source))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(in_use(&mut file, layout)),
            Err(TryLockError::Error(source)) => return Err(io_error("lock", &path, source)),
        }
        let written = file
            .set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| writeln!(file, "{}", std::process::id()));
        written.map_err(|source| io_error("write", &path, source))?;
        Ok(Lock { _file: file })
    }

    /// The process that holds the lock (`Some(None)` if its number is not
    /// known); `None` if the lock is free. Writes nothing.
    pub(super) fn holder(layout: &Layout) -> Option<Option<u32>> {
        let mut file = open_existing(&layout.lock(), OpenOptions::new().read(true)).ok()?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let _ = file.read_to_string(&mut text);
                Some(text.trim().parse().ok())
            }
            _ => None,
        }
    }
}

/// Keeps a population from being owned while it is read, without writing anything;
/// dropping it ends that.
#[derive(Debug)]
pub(super) struct SharedLock {
    _file: File,
}

impl SharedLock {
    /// Takes the lock.
    ///
    /// # Errors
    ///
    /// [`StoreError::InUse`] if a process owns the population, and
    /// [`StoreError::Io`] if there is no lock file, or none that can be read.
    pub(super) fn take(layout: &Layout) -> Result<SharedLock, StoreError> {
        let path = layout.lock();
        let file = open_existing(&path, OpenOptions::new().read(true));
        let mut file = file.map_err(|source| io_error("open", &path, source))?;
        match file.try_lock_shared() {
            Ok(()) => Ok(SharedLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(in_use(&mut file, layout)),
            Err(TryLockError::Error(source)) => Err(io_error("lock", &path, source)),
        }
    }
}

/// The error for a lock that another process holds.
fn in_use(file: &mut File, layout: &Layout) -> StoreError {
    let mut text = String::new();
    // The holder may not have written its number yet.
    let _ = file.read_to_string(&mut text);
    StoreError::InUse {
        name: layout.name(),
        process: text.trim().parse().ok(),
    }
}

/// Opens the lock file, which is created if it does not exist. A symbolic link is
/// refused: the process's number would overwrite a file elsewhere.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    // Creating a new file never follows a link.
    match options.clone().create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => open_existing(path, &options),
        opened => opened,
    }
}

/// Opens a file that exists, unless it is a symbolic link or no regular file.
/// Nothing is written, so a link that takes its place meanwhile does no harm: the
/// file that was opened is compared with the one that has the name.
fn open_existing(path: &Path, options: &OpenOptions) -> io::Result<File> {
    check_regular(&fs::symlink_metadata(path)?)?;
    let file = options.open(path)?;
    let named = fs::symlink_metadata(path)?;
    check_regular(&named)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let opened = file.metadata()?;
        if (opened.dev(), opened.ino()) != (named.dev(), named.ino()) {
            return Err(io::Error::other("it was replaced while it was opened"));
        }
    }
    Ok(file)
}

fn check_regular(found: &Metadata) -> io::Result<()> {
    if found.is_symlink() {
        return Err(io::Error::other(
            "it is a symbolic link, which is not followed; remove it",
        ));
    }
    if !found.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    Ok(())
}
