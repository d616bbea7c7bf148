//! Access to a population that a command looks at: through the daemon that
//! works on it, or by opening its store.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::api::{Source, SourceError};
use crate::cli::args::PopulationDir;
use crate::cli::output::BadUsage;
use crate::run::{Latest, LivePopulation, RunContext};
use crate::serve::control;
use crate::store::{Population, StoreError};

/// How long opening waits for another process that has the population open.
const OPEN_TIMEOUT: Duration = Duration::from_secs(3);

/// Between two tries to open a population that is in use.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// A population that can be asked about itself.
pub(super) struct OpenPopulation {
    /// Answers questions: the daemon, or the store in this process.
    pub(super) source: Arc<dyn Source>,
    /// Whether a daemon works on it.
    pub(super) running: bool,
    /// The store, where this process has opened it; `None` with a daemon.
    pub(super) population: Option<Population>,
}

impl OpenPopulation {
    /// Connects to the daemon of a population, or opens its store where no
    /// daemon answers.
    ///
    /// # Errors
    /// There is no such population, or it cannot be opened.
    pub(super) fn open(dir: &PopulationDir) -> anyhow::Result<OpenPopulation> {
        if let Some(daemon) = control::connect(&dir.directory) {
            return Ok(OpenPopulation {
                source: Arc::new(daemon),
                running: true,
                population: None,
            });
        }
        let (live, population) = open_idle(dir)?;
        Ok(OpenPopulation {
            source: Arc::new(live),
            running: false,
            population: Some(population),
        })
    }
}

/// Opens a population on which no process works, and a source of answers about
/// it.
///
/// # Errors
/// There is no such population, or it cannot be opened.
pub(super) fn open_idle(dir: &PopulationDir) -> anyhow::Result<(LivePopulation, Population)> {
    if !Population::exists(&dir.directory) {
        return Err(BadUsage::new(dir.not_found_message()).into());
    }
    let population = open_store_unless(dir, &|| false)?;
    let context = RunContext {
        proved: population.layout().champion().exists(),
        ..RunContext::default()
    };
    let latest = Latest::new(&dir.name, &population, &context);
    let live = LivePopulation::new(&dir.name, population.reader(), latest, None);
    Ok((live, population))
}

/// Opens the store, gives up when `stop` returns true, and logs what had to be
/// put right. Other commands have a population open for a moment only, so a
/// store that is in use is tried again unless a daemon answers.
///
/// # Errors
/// The store is in use, broken or unreadable, or `stop` returned true.
pub(super) fn open_store_unless(
    dir: &PopulationDir,
    stop: &dyn Fn() -> bool,
) -> anyhow::Result<Population> {
    let begin = Instant::now();
    let (population, notices) = loop {
        match Population::open_interruptible(&dir.directory, stop) {
            Err(StoreError::InUse { .. })
                if begin.elapsed() < OPEN_TIMEOUT
                    && !stop()
                    && control::connect(&dir.directory).is_none() =>
            {
                std::thread::sleep(RETRY_INTERVAL);
            }
            found => break found?,
        }
    };
    for notice in notices {
        log::warn!("{notice}");
    }
    Ok(population)
}

/// Turns a source's answer into a command's result: what the source refuses is
/// bad usage.
///
/// # Errors
/// The problem that the source named.
pub(super) fn answer<T>(found: Result<T, SourceError>) -> anyhow::Result<T> {
    found.map_err(|problem| match problem {
        SourceError::Refused(_) => BadUsage::new(problem).into(),
        SourceError::Failed(_) => anyhow::Error::new(problem),
    })
}
