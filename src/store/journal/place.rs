//! Whether an open journal is still the file that has its name. A process may go
//! on writing into a file that was deleted, and nobody would find it again.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::error::{JournalError, io_error};

/// Compares the open file with the one that the path leads to.
pub(super) fn check(file: &File, path: &Path) -> Result<(), JournalError> {
    let replaced = |what| JournalError::Replaced {
        path: path.to_owned(),
        what,
    };
    let named = match fs::metadata(path) {
        Ok(named) => named,
        Err(error) if is_missing(&error) => return Err(replaced("deleted or moved away")),
        Err(error) => return Err(io_error("read", path, error)),
    };
    let opened = file
        .metadata()
        .map_err(|error| io_error("read", path, error))?;
    if is_same(&opened, &named) {
        Ok(())
    } else {
        Err(replaced("replaced by another file"))
    }
}

fn is_missing(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}

#[cfg(unix)]
fn is_same(opened: &fs::Metadata, named: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (opened.dev(), opened.ino()) == (named.dev(), named.ino())
}

/// Elsewhere an open file cannot be replaced.
#[cfg(not(unix))]
fn is_same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}
