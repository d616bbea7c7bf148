//! Why a journal cannot be used.

use std::io;
use std::path::{Path, PathBuf};

use super::format::{MAX_PAYLOAD, VERSION};

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file operation failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The operation, as a verb for the message.
        action: &'static str,
        /// The path of the journal.
        path: PathBuf,
        /// Why the operation failed.
        source: io::Error,
    },
    /// The file does not begin with the header of a journal.
    #[error("{} does not begin with the header of a journal", path.display())]
    Header {
        /// The file that should be a journal.
        path: PathBuf,
    },
    /// A newer program wrote the journal.
    #[error(
        "{} has the format version {found}, this program knows {VERSION}: \
         use the newer loatune that wrote it",
        path.display()
    )]
    Newer {
        /// The path of the journal.
        path: PathBuf,
        /// The format version of the journal.
        found: u32,
    },
    /// A bad frame is followed by a good one, so it is not a torn tail.
    #[error(
        "{} is damaged at byte {offset}; what follows is good again from byte {next} on",
        path.display()
    )]
    Damaged {
        /// The path of the journal.
        path: PathBuf,
        /// The byte at which the bad frame begins.
        offset: u64,
        /// The byte at which the good frame begins.
        next: u64,
    },
    /// The file that is written is not the one that has the journal's name.
    #[error(
        "{} was {what} while this process worked on it",
        path.display()
    )]
    Replaced {
        /// The path of the journal.
        path: PathBuf,
        /// What happened to it, as a participle.
        what: &'static str,
    },
    /// An entry is too large to be written, or empty; its size in bytes.
    #[error("an entry of {0} bytes is too large for the journal, the most is {MAX_PAYLOAD}")]
    TooLong(usize),
}

impl JournalError {
    /// Whether the journal does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(self, JournalError::Io { source, .. }
            if source.kind() == io::ErrorKind::NotFound)
    }
}

pub(super) fn io_error(action: &'static str, path: &Path, source: io::Error) -> JournalError {
    JournalError::Io {
        action,
        path: path.to_owned(),
        source,
    }
}
