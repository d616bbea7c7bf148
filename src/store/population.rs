//! An open population.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::error::{Notice, StoreError, io_error};
use super::fold::Fold;
use super::layout::Layout;
use super::lock::Lock;
use super::open::{self, Opened};
use super::reader::Reader;
use super::record::{Begin, Entry};
use super::write_buffer::Shelf;
use super::writer::{Load, Writer};
use crate::evolve::{Plan, State, Step};
use crate::params::Params;

/// A population that this process owns. Dropped without
/// [`Population::close`], it still writes what was applied; a kill may cost
/// what no [`Population::flush`] waited for.
#[derive(Debug)]
pub struct Population {
    // In the order in which they are dropped: the thread that writes, the
    // store, and the lock when nobody writes any more.
    writer: Writer,
    store: Arc<Shelf>,
    _lock: Lock,
    layout: Layout,
    fold: Fold,
    /// Matches at the last checkpoint.
    kept: u64,
}

impl Population {
    /// Whether there is a population in `dir`, in whatever condition.
    pub fn exists(dir: &Path) -> bool {
        let layout = Layout::new(dir);
        layout.journal().exists() || layout.store().exists()
    }

    /// Makes a population; it is safe on the disk when this returns.
    pub fn create(dir: &Path, begin: &Begin) -> Result<Population, StoreError> {
        let layout = Layout::new(dir);
        // Before anything is touched.
        Fold::begin(begin)?;
        fs::create_dir_all(dir).map_err(|source| io_error("create", dir, source))?;
        let lock = Lock::take(&layout)?;
        if Population::exists(dir) {
            return Err(StoreError::Exists {
                name: layout.name(),
                dir: dir.to_owned(),
            });
        }
        if let Some(left) = layout.remains() {
            return Err(StoreError::Gone {
                name: layout.name(),
                dir: dir.to_owned(),
                left,
            });
        }
        let opened = open::create(&layout, begin)?;
        Population::of(layout, lock, opened)
    }

    /// Opens a population, and says what had to be put right.
    pub fn open(dir: &Path) -> Result<(Population, Vec<Notice>), StoreError> {
        Population::open_unless(dir, &|| false)
    }

    /// The same, until `stop` says so: then it is [`StoreError::Stopped`].
    pub fn open_unless(
        dir: &Path,
        stop: &dyn Fn() -> bool,
    ) -> Result<(Population, Vec<Notice>), StoreError> {
        let layout = Layout::new(dir);
        if !Population::exists(dir) {
            return Err(StoreError::Missing {
                name: layout.name(),
                dir: dir.to_owned(),
            });
        }
        let lock = Lock::take(&layout)?;
        let (opened, notices) = open::open(&layout, stop)?;
        for notice in &notices {
            log::info!("population {}: {notice}", layout.name());
        }
        Ok((Population::of(layout, lock, opened)?, notices))
    }

    fn of(layout: Layout, lock: Lock, opened: Opened) -> Result<Population, StoreError> {
        let Opened {
            fold,
            journal,
            store,
            head,
        } = opened;
        let store = Arc::new(Shelf::new(store));
        let writer = Writer::start(&layout.name(), journal, Arc::clone(&store), head)?;
        let kept = fold.state.matches();
        Ok(Population {
            writer,
            store,
            _lock: lock,
            layout,
            fold,
            kept,
        })
    }

    /// Where it lies.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The parameters that are valid now.
    pub fn params(&self) -> &Params {
        &self.fold.params
    }

    /// What follows from them for the evolution.
    pub fn plan(&self) -> &Plan {
        &self.fold.plan
    }

    /// Where the evolution is.
    pub fn state(&self) -> &State {
        &self.fold.state
    }

    /// Applies an entry and hands it to the thread that writes. It cannot be
    /// lost once a later [`Population::flush`] has returned. What the
    /// evolution refuses changes nothing.
    pub fn apply(&mut self, entry: Entry) -> Result<Step, StoreError> {
        self.writer.check()?;
        let step = self.fold.apply(&entry)?;
        let matches = self.fold.state.matches();
        let every = u64::from(self.fold.params.run.checkpoint.max(1));
        let is_due = matches - self.kept.min(matches) >= every;
        if is_due {
            self.kept = matches;
        }
        let checkpoint = is_due.then(|| self.fold.state.clone());
        let window = self.fold.plan.window;
        self.writer
            .commit(entry, step.clone(), window, checkpoint)?;
        Ok(step)
    }

    /// What went wrong with the writing, if anything did.
    pub fn check(&self) -> Result<(), StoreError> {
        self.writer.check()
    }

    /// Waits until everything that was applied is safe.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.writer.flush()
    }

    /// Saves everything, with the state as it is, and lets others in.
    pub fn close(self) -> Result<(), StoreError> {
        let Population {
            writer,
            store,
            _lock,
            fold,
            ..
        } = self;
        let closed = writer.close(Some(fold.state));
        drop(store);
        closed
    }

    /// A window onto what is stored.
    pub fn reader(&self) -> Reader {
        Reader::new(&self.store)
    }

    /// The times that writing took.
    pub fn load(&self) -> Load {
        self.writer.load()
    }
}
