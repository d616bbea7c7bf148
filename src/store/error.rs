//! What can be wrong with a population, and what the user is told when it
//! could be put right.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::fold::FoldError;
use super::journal::JournalError;
use super::sled_store::TableError;

/// Why a population cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is none.
    #[error(
        "there is no population {name}: {} has neither a journal nor a store",
        dir.display()
    )]
    Missing {
        /// Its name.
        name: String,
        /// Where it was looked for.
        dir: PathBuf,
    },
    /// There is one already.
    #[error(
        "population {name} exists already: go on with it, choose another name or remove {}",
        dir.display()
    )]
    Exists {
        /// Its name.
        name: String,
        /// Where it is.
        dir: PathBuf,
    },
    /// Another process has it.
    #[error("{}", InUse { name, process: *process })]
    InUse {
        /// The population.
        name: String,
        /// The process, where that is known.
        process: Option<u32>,
    },
    /// The disk says no.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With which file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// Neither the journal nor the store tells everything.
    #[error(
        "population {name} is damaged and was left as it is.\n  \
         journal: {journal}\n  store: {store}\n{advice}"
    )]
    Damaged {
        /// The population.
        name: String,
        /// What is wrong with the journal.
        journal: String,
        /// What is wrong with the store.
        store: String,
        /// What the user can do.
        advice: String,
    },
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The store.
    #[error(transparent)]
    Table(#[from] TableError),
    /// An entry that the evolution refuses.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// Something could not be saved. Every later call says so, too.
    #[error("{0}; nothing after it was saved: put that right and start again")]
    Write(WriteFailure),
    /// It was asked to stop before everything was read. Nothing is lost.
    #[error("stopped while the population was being opened; nothing is lost")]
    Stopped,
    /// What makes a population is not there any more.
    #[error(
        "{} has {left}, but neither a journal nor a store: the population {name} that was there \
         is gone, and none is begun in its place.\nWhat to do: bring the journal or the store \
         back from a copy; or move the directory away, or choose another name, to begin anew",
        dir.display()
    )]
    Gone {
        /// The population.
        name: String,
        /// Where it was.
        dir: PathBuf,
        /// What is left of it.
        left: String,
    },
    /// The population was closed, and a reader is still asking.
    #[error("the population is closed")]
    Closed,
}

/// What could not be saved, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot save population {name}: {why}")]
pub struct WriteFailure {
    /// The population.
    pub name: String,
    /// What happened.
    pub why: String,
}

/// A sentence for the user about something that was put right at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice(pub String);

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

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
