//! What can be wrong with a population, and what the user is told when it was
//! repaired.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::fold::FoldError;
use super::journal::JournalError;
use super::sled_store::TableError;

/// Why a population cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no population.
    #[error(
        "there is no population {name}: {} has neither a journal nor a store",
        dir.display()
    )]
    Missing {
        /// The name of the population.
        name: String,
        /// The directory that was looked into.
        dir: PathBuf,
    },
    /// There is a population already.
    #[error(
        "population {name} exists already: go on with it, choose another name or remove {}",
        dir.display()
    )]
    Exists {
        /// The name of the population.
        name: String,
        /// The directory of the population.
        dir: PathBuf,
    },
    /// There is something under the name that a population is to get.
    #[error("{} exists already: choose another name", dir.display())]
    Occupied {
        /// What is there.
        dir: PathBuf,
    },
    /// The population has fewer matches than are to be kept.
    #[error("the population {name} has only {matches} matches")]
    TooFew {
        /// The name of the population.
        name: String,
        /// Its matches.
        matches: u64,
    },
    /// Another process owns the population.
    #[error("{}", InUse { name, process: *process })]
    InUse {
        /// The name of the population.
        name: String,
        /// The number of the process, if it is known.
        process: Option<u32>,
    },
    /// A file operation failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The operation, as a verb for the message.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// Why the operation failed.
        source: io::Error,
    },
    /// Neither the journal nor the store has every entry.
    #[error(
        "population {name} is damaged and was left as it is.\n  \
         journal: {journal}\n  store: {store}\n{advice}"
    )]
    Damaged {
        /// The name of the population.
        name: String,
        /// What is wrong with the journal.
        journal: String,
        /// What is wrong with the store.
        store: String,
        /// What the user can do.
        advice: String,
    },
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The store cannot be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The evolution refuses an entry.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// Something could not be saved. Every later call returns the same error.
    #[error("{0}; nothing after it was saved: put that right and start again")]
    Write(WriteFailure),
    /// The caller asked to stop before everything was read. Nothing is lost.
    #[error("stopped while the population was being opened; nothing is lost")]
    Stopped,
    /// Journal and store are gone, but other files of a population are there.
    #[error(
        "{} has {left}, but neither a journal nor a store: the population {name} that was there \
         is gone, and none is begun in its place.\nWhat to do: bring the journal or the store \
         back from a copy; or move the directory away, or choose another name, to begin anew",
        dir.display()
    )]
    Gone {
        /// The name of the population.
        name: String,
        /// The directory of the population.
        dir: PathBuf,
        /// The name of a file that is left.
        left: String,
    },
    /// The population was closed before this call.
    #[error("the population is closed")]
    Closed,
}

impl StoreError {
    /// Whether the reason is that nothing may, or can, be written there.
    pub fn forbids_writing(&self) -> bool {
        use io::ErrorKind as Kind;
        let source = match self {
            StoreError::Io { source, .. } => Some(source),
            StoreError::Table(error) => error.io_source(),
            StoreError::Journal(JournalError::Io { source, .. }) => Some(source),
            _ => None,
        };
        source.is_some_and(|source| {
            matches!(
                source.kind(),
                Kind::PermissionDenied
                    | Kind::ReadOnlyFilesystem
                    | Kind::StorageFull
                    | Kind::QuotaExceeded
            )
        })
    }
}

/// What could not be saved, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot save population {name}: {why}")]
pub struct WriteFailure {
    /// The name of the population.
    pub name: String,
    /// The message of the error that ended the writing.
    pub why: String,
}

/// A sentence for the user about something that was repaired at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice(pub String);

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The message of [`StoreError::InUse`].
struct InUse<'a> {
    name: &'a str,
    process: Option<u32>,
}

impl fmt::Display for InUse<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "population {} is in use by ", self.name)?;
        match self.process {
            Some(process) => write!(f, "process {process}")?,
            None => f.write_str("another process")?,
        }
        f.write_str("; `loatune status`, `export` and `stop` talk to it")
    }
}

pub(super) fn io_error(action: &'static str, path: &Path, source: io::Error) -> StoreError {
    StoreError::Io {
        action,
        path: path.to_owned(),
        source,
    }
}
