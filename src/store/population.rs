//! An open population: the fold in memory, the writer thread, and the lock.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::disk::{parents_of_new, sync_parents};
use super::error::{Notice, StoreError, io_error};
use super::fold::Fold;
use super::layout::Layout;
use super::lock::Lock;
use super::look::{Looked, look_owned, look_unowned};
use super::measurements::Measurements;
use super::open::{self, Opened};
use super::reader::Reader;
use super::record::{Begin, Entry};
use super::scratch::Scratch;
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
/// use loatune::genome::{GeneTable, Genome};
/// use loatune::store::{Begin, Entry, Population};
///
/// let temporary = tempfile::tempdir()?;
/// let dir = temporary.path().join("example");
/// let begin = Begin {
///     params: String::from("[evolution]\npopulation = 8\n"),
///     genes: GeneTable::built_in(),
///     seeds: Vec::new(),
/// };
/// let mut population = Population::create(&dir, &begin)?;
/// population.apply(Entry::Immigrant {
///     name: String::from("a friend"),
///     weights: Genome::default_of(&begin.genes),
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
    // Fields are dropped in this order: the writer thread, the store, then the
    // lock, when nothing is written any more, and the directory of a copy last.
    writer: Writer,
    store: Arc<WriteBuffer>,
    _lock: Lock,
    layout: Layout,
    fold: Fold,
    /// Matches at the last checkpoint.
    checkpoint_at: u64,
    /// Where the population lies that is a copy.
    scratch: Option<Scratch>,
}

/// The lock of a population that is not open yet. Who holds it may tell others
/// that the population is being opened, which can take minutes.
#[derive(Debug)]
pub struct Claim {
    layout: Layout,
    lock: Lock,
}

impl Claim {
    /// Takes the lock of a population.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`] if there is none, [`StoreError::InUse`] if
    /// another process owns it.
    pub fn new(dir: &Path) -> Result<Claim, StoreError> {
        let layout = Layout::new(dir);
        if !Population::exists(dir)? {
            return Err(StoreError::Missing {
                name: layout.name(),
                dir: dir.to_owned(),
            });
        }
        let lock = Lock::take(&layout)?;
        Ok(Claim { layout, lock })
    }

    /// Opens the population unless `stop` returns true meanwhile.
    ///
    /// # Errors
    ///
    /// See [`Population::open_interruptible`].
    pub fn open(self, stop: &dyn Fn() -> bool) -> Result<(Population, Vec<Notice>), StoreError> {
        let Claim { layout, lock } = self;
        let (opened, notices) = open::open(&layout, stop)?;
        for notice in &notices {
            log::info!("population {}: {notice}", layout.name());
        }
        Ok((Population::start(layout, lock, opened)?, notices))
    }

    /// Opens the population to look at it; see [`Population::look`].
    ///
    /// # Errors
    ///
    /// See [`Population::open_interruptible`].
    pub fn look(self, stop: &dyn Fn() -> bool) -> Result<(Population, Vec<Notice>), StoreError> {
        Population::from_look(look_owned(&self.layout, self.lock, stop)?)
    }
}

impl Population {
    /// Whether there is a population in `dir`, usable or damaged. One that this
    /// user may not look at is there, so that none is begun in its place.
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`] if the disk cannot say.
    pub fn exists(dir: &Path) -> Result<bool, StoreError> {
        let layout = Layout::new(dir);
        for path in [layout.journal(), layout.store(), layout.kept_store()] {
            if is_there(&path)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The process that owns the population, or creates it (`Some(None)` if its
    /// number is not known); `None` if it is free. Changes nothing.
    pub fn owner(dir: &Path) -> Option<Option<u32>> {
        Lock::holder(&Layout::new(dir))
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
        if Population::exists(dir)? {
            return Err(StoreError::Exists {
                name: layout.name(),
                dir: dir.to_owned(),
            });
        }
        let remains = layout.remains();
        if let Some(left) = remains.map_err(|source| io_error("read", dir, source))? {
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
        Claim::new(dir)?.open(stop)
    }

    /// Opens a population to look at it. Where it must be put right first, or
    /// cannot be written, it is left as it is: this is then a copy, which is gone
    /// when it is dropped.
    ///
    /// # Errors
    ///
    /// See [`Population::open`].
    pub fn look(dir: &Path) -> Result<(Population, Vec<Notice>), StoreError> {
        match Claim::new(dir) {
            Ok(claim) => claim.look(&|| false),
            Err(error) if error.forbids_writing() => {
                log::info!("{error}: a copy is looked at");
                Population::from_look(look_unowned(&Layout::new(dir), &|| false)?)
            }
            Err(error) => Err(error),
        }
    }

    fn from_look(looked: Looked) -> Result<(Population, Vec<Notice>), StoreError> {
        let Looked {
            layout,
            lock,
            opened,
            scratch,
            notices,
        } = looked;
        let population = Population::start(layout, lock, opened)?;
        Ok((
            Population {
                scratch,
                ..population
            },
            notices,
        ))
    }

    /// Whether this is a copy, because the population itself must not be changed.
    pub fn is_copy(&self) -> bool {
        self.scratch.is_some()
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
            scratch: None,
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

    /// The text of the parameters that are valid now, as it was recorded, with
    /// its comments.
    pub fn params_text(&self) -> &str {
        &self.fold.params_text
    }

    /// The plan that follows from the parameters.
    pub fn plan(&self) -> &Plan {
        &self.fold.plan
    }

    /// The state after the last entry that was applied.
    pub fn state(&self) -> &State {
        &self.fold.state
    }

    /// The matches outside of the evolution.
    pub fn measurements(&self) -> &Measurements {
        &self.fold.measurements
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

fn is_there(path: &Path) -> Result<bool, StoreError> {
    match path.try_exists() {
        Ok(found) => Ok(found),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(true),
        Err(source) => Err(StoreError::Io {
            action: "look for",
            path: path.to_owned(),
            source,
        }),
    }
}
