//! One process owns a population. The lock is the operating system's, on an open
//! file: it ends with its process, whatever the file says.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};

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
    /// [`StoreError::InUse`] if another process holds it.
    pub(super) fn take(layout: &Layout) -> Result<Lock, StoreError> {
        let path = layout.lock();
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options
            .open(&path)
            .map_err(|source| io_error("open", &path, source))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                // The holder may not have written its number yet.
                let _ = file.read_to_string(&mut text);
                return Err(StoreError::InUse {
                    name: layout.name(),
                    process: text.trim().parse().ok(),
                });
            }
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
        let mut file = File::open(layout.lock()).ok()?;
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
