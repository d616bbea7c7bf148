//! Auditing a population without changing it: the journal frame by frame,
//! folded from the beginning (`journal`), and the store value by value against
//! what follows from that (`store_copy`).
//!
//! sled writes when it is opened, so a copy of the store is compared. While
//! another process owns the population, its store is left alone and the journal
//! is read as far as it went at the start.

mod journal;
mod store_copy;

use std::collections::BTreeMap;
use std::path::Path;

use self::journal::read_journal;
use self::store_copy::StoreCopy;
use super::error::StoreError;
use super::fold::Fold;
use super::journal::{FrameReader, JournalError};
use super::layout::Layout;
use super::population::Population;
use super::record::{MatchRecord, MeasuredPair};
use super::sled_store::Store;
use super::tables::Counts;
use crate::evolve::{Birth, FileId, Learned};

/// How many differences are named; the others are only counted.
pub const MAX_NAMED_DIFFERENCES: usize = 20;

/// The findings of an audit.
#[derive(Debug, Default)]
pub struct Audit {
    /// What is not as it should be: the first [`MAX_NAMED_DIFFERENCES`] in the
    /// order in which they were found.
    pub differences: Vec<String>,
    /// How many differences there are, the unnamed ones included.
    pub difference_count: u64,
    /// What a kill may leave, and the next run repairs by itself.
    pub notes: Vec<String>,
    /// Good entries of the journal, the beginning included.
    pub entries: u64,
    /// What the good entries add up to.
    pub counts: Counts,
    /// Values of the store that were compared.
    pub compared: u64,
    /// Whether another process owns the population.
    pub running: bool,
    /// What the good entries lead to; `None` where there is none.
    pub folded: Option<FoldedJournal>,
}

/// What the entries of a journal lead to.
#[derive(Debug)]
pub struct FoldedJournal {
    /// The state and its parameters after the last entry.
    pub fold: Fold,
    /// The birth of every individual and elder.
    pub births: BTreeMap<FileId, Birth>,
    /// The text of the parameters that the population began with.
    pub began_with: String,
    /// The signature of the engine that played last; `None` in journals that
    /// do not record it.
    pub engine: Option<u64>,
}

impl Audit {
    /// Adds a difference; it is named if there is room for its name.
    pub fn add_difference(&mut self, what: String) {
        self.difference_count += 1;
        if self.differences.len() < MAX_NAMED_DIFFERENCES {
            self.differences.push(what);
        }
    }

    /// Whether no difference was found.
    pub fn is_clean(&self) -> bool {
        self.difference_count == 0
    }
}

/// An entry of a journal that an audit cannot judge by itself.
#[derive(Clone, Copy, Debug)]
pub enum AuditedEntry<'a> {
    /// A match of the evolution.
    Match(&'a MatchRecord),
    /// A pair of a match outside of it.
    Pair(&'a MeasuredPair),
    /// A finished population was taken further.
    Extended,
    /// Something was learned from the games before it.
    Scholar(&'a Learned),
}

/// Called with every such entry of a journal before it is applied, with what
/// the entries before it lead to; an error ends the audit.
pub type EntryVisitor<'a> =
    &'a mut dyn FnMut(&FoldedJournal, AuditedEntry<'_>, &mut Audit) -> Result<(), StoreError>;

/// Compares a store that is open with the journal, value by value. Returns the
/// store and the first difference.
pub(super) fn compare_open(
    layout: &Layout,
    store: Store,
) -> Result<(Store, Option<String>), StoreError> {
    let mut audit = Audit::default();
    let mut opened = StoreCopy::from_open(store, &layout.store())?;
    let mut frames = FrameReader::open(&layout.journal())?;
    let skip = &mut |_: &FoldedJournal, _: AuditedEntry<'_>, _: &mut Audit| Ok(());
    read_journal(&mut frames, Some(&mut opened), skip, &mut audit)?;
    opened.compare_rest(&mut audit);
    Ok((opened.into_store(), audit.differences.into_iter().next()))
}

/// Audits the population in `dir`; the copy of its store is made in `scratch`.
///
/// # Errors
///
/// [`StoreError::Missing`] if there is no population, an error of the disk, and
/// whatever `visit` returns. Differences are no errors: the audit lists them.
pub fn audit(dir: &Path, scratch: &Path, visit: EntryVisitor<'_>) -> Result<Audit, StoreError> {
    let layout = Layout::new(dir);
    if !Population::exists(dir)? {
        return Err(StoreError::Missing {
            name: layout.name(),
            dir: dir.to_owned(),
        });
    }
    let mut audit = Audit::default();
    let mut copy = StoreCopy::make(&layout, scratch, &mut audit)?;
    match FrameReader::open(&layout.journal()) {
        Ok(mut frames) => read_journal(&mut frames, copy.as_mut(), visit, &mut audit)?,
        Err(error) if error.is_missing() => {
            audit.add_difference(String::from("journal: it is missing"));
        }
        Err(error @ JournalError::Header { .. }) => {
            audit.add_difference(format!("journal: {error}"));
        }
        Err(error) => return Err(error.into()),
    }
    if let Some(copy) = &copy {
        copy.compare_rest(&mut audit);
    }
    Ok(audit)
}
