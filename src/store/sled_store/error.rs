//! What can be wrong with a store.

use std::io;
use std::path::PathBuf;

use super::guard::is_lock_text;
use crate::store::codec::CodecError;
use crate::store::tables::{FORMAT, Table, key_number};

/// Why a store cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// sled reported an error.
    #[error("{}: {source}", path.display())]
    Sled {
        /// The directory of the store.
        path: PathBuf,
        /// What sled reported.
        source: sled::Error,
    },
    /// sled panicked.
    #[error("{}: sled gave up: {message}", path.display())]
    Panicked {
        /// The directory of the store.
        path: PathBuf,
        /// The message of the panic.
        message: String,
    },
    /// A file operation failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// Why the operation failed.
        source: io::Error,
    },
    /// A newer program wrote the store.
    #[error(
        "{} has the format version {found}, this program knows {FORMAT}: \
         use the newer loatune that wrote it",
        path.display()
    )]
    Newer {
        /// The directory of the store.
        path: PathBuf,
        /// The format version of the store.
        found: u32,
    },
    /// An older program wrote the store, in another format.
    #[error("it has the older format version {found}, this program writes {FORMAT}")]
    Older {
        /// The format version of the store.
        found: u32,
    },
    /// A value cannot be read or written.
    #[error("{table} {key}: {source}")]
    Value {
        /// The name of the table.
        table: &'static str,
        /// The key, in decimal where it is a number.
        key: String,
        /// What is wrong with the bytes.
        source: CodecError,
    },
    /// Something that must be in a table is not there.
    #[error("{table}: {what}")]
    Missing {
        /// The name of the table.
        table: &'static str,
        /// What was looked for.
        what: String,
    },
    /// A change does not begin where the store ends.
    #[error("the store has {found} entries, {expected} were expected")]
    Order {
        /// Entries that the store has.
        found: u64,
        /// Entries that the change follows.
        expected: u64,
    },
}

impl TableError {
    /// The error of the operating system, where that is the reason.
    pub(in crate::store) fn io_source(&self) -> Option<&io::Error> {
        match self {
            TableError::Sled {
                source: sled::Error::Io(source),
                ..
            }
            | TableError::Io { source, .. } => Some(source),
            _ => None,
        }
    }

    /// Whether the files of the store are at fault, so that rebuilding them
    /// helps; not access rights, a full disk, a lock, a lack of memory or of
    /// file descriptors, a call that was interrupted, or the age of this program.
    pub(in crate::store) fn is_damage(&self) -> bool {
        use io::ErrorKind as Kind;
        if matches!(self, TableError::Newer { .. }) {
            return false;
        }
        let Some(source) = self.io_source() else {
            return true;
        };
        !matches!(
            source.kind(),
            Kind::PermissionDenied
                | Kind::ReadOnlyFilesystem
                | Kind::StorageFull
                | Kind::QuotaExceeded
                | Kind::FileTooLarge
                | Kind::WouldBlock
                | Kind::OutOfMemory
                | Kind::Interrupted
                | Kind::ResourceBusy
                | Kind::TimedOut
                | Kind::StaleNetworkFileHandle
        ) && !is_lock_text(source)
            && !lacks_descriptors(source)
    }
}

/// Whether the process or the system has no file descriptor left. Such an error
/// has no kind of its own, and sled's copy of one has only its text.
fn lacks_descriptors(source: &io::Error) -> bool {
    const ENFILE: i32 = 23;
    const EMFILE: i32 = 24;
    cfg!(unix)
        && [ENFILE, EMFILE].into_iter().any(|code| {
            source.raw_os_error() == Some(code)
                || source.to_string().contains(&format!("code: {code},"))
        })
}

/// The error of a value that cannot be read or written.
pub(super) fn unreadable(table: Table, key: &[u8], source: CodecError) -> TableError {
    TableError::Value {
        table: table.name(),
        key: key_number(key).map_or_else(
            || String::from_utf8_lossy(key).into_owned(),
            |number| number.to_string(),
        ),
        source,
    }
}

/// The error of something that must be in a table and is not.
pub(in crate::store) fn missing(table: Table, what: &str) -> TableError {
    TableError::Missing {
        table: table.name(),
        what: what.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn what_passes_is_no_damage() {
        const EINTR: i32 = 4;
        for code in [EINTR, 23, 24] {
            let source = sled::Error::Io(io::Error::from_raw_os_error(code));
            // As sled reports what happened on another thread.
            let copy = source.clone();
            for source in [source, copy] {
                let path = PathBuf::from("store");
                assert!(!TableError::Sled { path, source }.is_damage());
            }
        }
        let path = PathBuf::from("store");
        let source = sled::Error::Io(io::Error::from_raw_os_error(5));
        assert!(TableError::Sled { path, source }.is_damage());
    }
}
