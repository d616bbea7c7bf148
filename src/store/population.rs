//! An open population: the fold in memory, the writer thread, and the lock.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::disk::{parents_of_new, sync_parents};
use super::error::{Notice, StoreError, io_error};
use super::fold::Fold;
use super::layout::Layout;
use super::lock::Lock;
use super::open::{self, Opened};
use super::reader::Reader;
use super::record::{Begin, Entry};
use super::write_buffer::WriteBuffer;
use super::writer::{Writer, WriterLoad};
use crate::evolve::{Plan, State, Step};
use crate::params::Params;

/// A population that this process owns.
///
/// A population that is dropped without [`Population::close`] still writes what
/// was applied; a kill may lose the entries after the last
/// [`Population::flush`], which are played again.
///
/// ```
/// use loatune::eval::Weights;
/// use loatune::store::{Begin, Entry, Population};
///
/// let temporary = tempfile::tempdir()?;
/// let dir = temporary.path().join("example");
/// let begin = Begin {
///     params: String::from("[evolution]\npopulation = 8\n"),
///     seeds: Vec::new(),
/// };
/// let mut population = Population::create(&dir, &begin)?;
/// population.apply(Entry::Immigrant {
///     name: String::from("a friend"),
///     weights: Weights::default(),
/// })?;
/// let state = population.state().clone();
/// population.close()?;
///
/// let (population, notices) = Population::open(&dir)?;
/// assert!(notices.is_empty());
/// assert_eq!(population.state(), &state);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Population {
    // Fields are dropped in this order: the writer thread, the store, and then
    // the lock, when nothing is written any more.
    writer: Writer,
    store: Arc<WriteBuffer>,
    _lock: Lock,
    layout: Layout,
    fold: Fold,
    /// Matches at the last checkpoint.
    checkpoint_at: u64,
}

impl Population {
    /// Whether there is a population in `dir`, usable or damaged.
    pub fn exists(dir: &Path) -> bool {
        let layout = Layout::new(dir);
        layout.journal().exists() || layout.store().exists()
    }

    /// Creates a population; it is safe on the disk when this returns.
    ///
    /// # Errors
    ///
    /// [`StoreError::Exists`] if there is a population, [`StoreError::Gone`] if
    /// there are the remains of one, [`StoreError::InUse`] if another process
    /// owns it, and errors of the disk and of the parameters.
    pub fn create(dir: &Path, begin: &Begin) -> Result<Population, StoreError> {
        let layout = Layout::new(dir);
        // Parameters that cannot be used are refused before the disk is touched.
        Fold::begin(begin)?;
        let parents = parents_of_new(dir);
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
        sync_parents(&parents)?;
        Population::start(layout, lock, opened)
    }

    /// Opens a population; the notices say what had to be repaired.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`] if there is none, [`StoreError::InUse`] if
    /// another process owns it, [`StoreError::Damaged`] if neither the journal
    /// nor the store is whole, and errors of the disk.
    pub fn open(dir: &Path) -> Result<(Population, Vec<Notice>), StoreError> {
        Population::open_interruptible(dir, &|| false)
    }

    /// Opens a population unless `stop` returns true meanwhile.
    ///
    /// # Errors
    ///
    /// [`StoreError::Stopped`] if `stop` returned true; otherwise see
    /// [`Population::open`].
    pub fn open_interruptible(
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
        Ok((Population::start(layout, lock, opened)?, notices))
    }

    /// Starts the writer thread for journal, store and state that agree.
    fn start(layout: Layout, lock: Lock, opened: Opened) -> Result<Population, StoreError> {
        let Opened {
            fold,
            journal,
            store,
            head,
        } = opened;
        let store = Arc::new(WriteBuffer::new(store));
        let writer = Writer::start(&layout.name(), journal, Arc::clone(&store), head)?;
        let checkpoint_at = fold.state.matches();
        Ok(Population {
            writer,
            store,
            _lock: lock,
            layout,
            fold,
            checkpoint_at,
        })
    }

    /// The paths of the population.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The parameters that are valid now.
    pub fn params(&self) -> &Params {
        &self.fold.params
    }

    /// The plan that follows from the parameters.
    pub fn plan(&self) -> &Plan {
        &self.fold.plan
    }

    /// The state after the last entry that was applied.
    pub fn state(&self) -> &State {
        &self.fold.state
    }

    /// Applies an entry and queues it for the writer thread. It cannot be lost
    /// once a later [`Population::flush`] has returned.
    ///
    /// # Errors
    ///
    /// [`StoreError::Fold`] if the evolution refuses the entry, which changes
    /// nothing; [`StoreError::Write`] if something could not be saved.
    pub fn apply(&mut self, entry: Entry) -> Result<Step, StoreError> {
        self.writer.check()?;
        let step = self.fold.apply(&entry)?;
        let matches = self.fold.state.matches();
        let every = u64::from(self.fold.params.run.checkpoint.max(1));
        let is_due = matches - self.checkpoint_at.min(matches) >= every;
        if is_due {
            self.checkpoint_at = matches;
        }
        let checkpoint = is_due.then(|| self.fold.state.clone());
        let window = self.fold.plan.window;
        self.writer
            .commit(entry, step.clone(), window, checkpoint)?;
        Ok(step)
    }

    /// Reports a failure of the writer thread.
    ///
    /// # Errors
    ///
    /// [`StoreError::Write`] if something could not be saved.
    pub fn check(&self) -> Result<(), StoreError> {
        self.writer.check()
    }

    /// Waits until everything that was applied is safe on the disk.
    ///
    /// # Errors
    ///
    /// [`StoreError::Write`] if something could not be saved.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.writer.flush()
    }

    /// Saves everything, with the state as the checkpoint, and releases the
    /// lock.
    ///
    /// # Errors
    ///
    /// [`StoreError::Write`] if something could not be saved.
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

    /// Read access to the store, for any thread.
    pub fn reader(&self) -> Reader {
        Reader::new(&self.store)
    }

    /// What writing has cost so far.
    pub fn writer_load(&self) -> WriterLoad {
        self.writer.load()
    }
}
