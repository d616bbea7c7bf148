//! Access to a population that a command looks at: through the daemon that
//! works on it, or by opening its store, which changes nothing that people would
//! miss.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::api::{Source, SourceError};
use crate::cli::args::PopulationDir;
use crate::cli::output::BadUsage;
use crate::cli::population::run::published_opponents;
use crate::run::proof::{Opponents, panel_members, proof_workload};
use crate::run::{Latest, LivePopulation, RunContext};
use crate::serve::control;
use crate::store::{Claim, Notice, Population, StoreError};

/// How long a command waits for another process that has the population open
/// and listens to no command: one that starts, one that ends, or another
/// command.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Between two tries to reach or open a population that is in use.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// How often a command begins anew because the process that it asked has ended.
const MAX_TRIES: u32 = 20;

/// A population that can be asked about itself.
pub(super) struct OpenPopulation {
    /// Answers questions: the daemon, or the store in this process.
    pub(super) source: Arc<dyn Source>,
    /// Whether a daemon works on it.
    pub(super) running: bool,
    /// Keeps the store open, where this process has opened it.
    _population: Option<Population>,
}

impl OpenPopulation {
    /// Connects to the daemon of a population, or opens its store where no
    /// daemon answers.
    ///
    /// # Errors
    /// There is no such population, or it cannot be opened.
    pub(super) fn open(dir: &PopulationDir) -> anyhow::Result<OpenPopulation> {
        let population = match reach(dir, &|| false, &Population::look)? {
            Reached::Daemon(daemon) => {
                return Ok(OpenPopulation {
                    source: Arc::new(daemon),
                    running: true,
                    _population: None,
                });
            }
            Reached::Free(found) => with_warnings(found),
        };
        Ok(OpenPopulation {
            source: Arc::new(at_rest(dir, &population)?),
            running: is_held_by_another_user(dir, &population),
            _population: Some(population),
        })
    }

    /// Opens a population and asks it. Where the daemon ends before it has
    /// answered everything, the questions are asked again: they must change
    /// nothing.
    ///
    /// # Errors
    /// The population cannot be opened, or the error of `question`.
    pub(super) fn ask<T>(
        dir: &PopulationDir,
        question: impl Fn(&OpenPopulation) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let mut tries = 1;
        loop {
            match OpenPopulation::open(dir).and_then(|open| question(&open)) {
                Err(error) if has_ended(&error) && tries < MAX_TRIES => {
                    tries += 1;
                    std::thread::sleep(RETRY_INTERVAL);
                }
                found => return found,
            }
        }
    }
}

fn has_ended(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(SourceError::Ended(_)))
}

/// What a population that exists is found with.
pub(super) enum Reached<T> {
    /// A daemon that listens.
    Daemon(control::DaemonClient),
    /// No daemon, and what was to be done with it is done.
    Free(T),
}

/// Reaches the daemon, or does with a free population what `take` does, which
/// takes its lock. A process that holds the lock and listens to no command
/// starts, ends, or is another command that takes a moment: it is waited for.
///
/// # Errors
/// There is no such population, it stays in use, or `stop` returned true.
pub(super) fn reach<T>(
    dir: &PopulationDir,
    stop: &dyn Fn() -> bool,
    take: &dyn Fn(&Path) -> Result<T, StoreError>,
) -> anyhow::Result<Reached<T>> {
    check_searchable(dir)?;
    let begin = Instant::now();
    loop {
        if let Some(daemon) = control::connect(&dir.directory) {
            return Ok(Reached::Daemon(daemon));
        }
        let process = match take(&dir.directory) {
            Ok(taken) => return Ok(Reached::Free(taken)),
            Err(StoreError::InUse { process, .. }) => process,
            Err(StoreError::Missing { .. }) => match Population::owner(&dir.directory) {
                // It is being created.
                Some(process) => process,
                // It may just have been.
                None if Population::exists(&dir.directory)? => continue,
                None => return Err(BadUsage::new(dir.not_found_message()).into()),
            },
            Err(error) => return Err(error.into()),
        };
        if stop() {
            return Err(StoreError::Stopped.into());
        }
        let is_foreign = control::is_of_another_user(&dir.directory);
        if is_foreign || begin.elapsed() > BUSY_TIMEOUT {
            return Err(unreachable_error(dir, process));
        }
        std::thread::sleep(RETRY_INTERVAL);
    }
}

/// The daemon that works on a population; `None` where the population is free.
/// A process that starts or ends is waited for.
///
/// # Errors
/// Another process has the population open and does not listen.
pub(super) fn find_daemon(dir: &PopulationDir) -> anyhow::Result<Option<control::DaemonClient>> {
    check_searchable(dir)?;
    let begin = Instant::now();
    loop {
        if let Some(daemon) = control::connect(&dir.directory) {
            return Ok(Some(daemon));
        }
        let Some(process) = Population::owner(&dir.directory) else {
            return Ok(None);
        };
        if begin.elapsed() > BUSY_TIMEOUT {
            return Err(unreachable_error(dir, process));
        }
        std::thread::sleep(RETRY_INTERVAL);
    }
}

fn unreachable_error(dir: &PopulationDir, process: Option<u32>) -> anyhow::Error {
    let process = named(process);
    if control::is_of_another_user(&dir.directory) {
        return anyhow::anyhow!(
            "population {} is in use by {process} of another user, who alone can ask it and stop it",
            dir.name
        );
    }
    anyhow::anyhow!(
        "population {} is in use by {process}, which listens to no command; try again when it \
         has ended",
        dir.name
    )
}

/// Refuses a population that this user may not look into.
fn check_searchable(dir: &PopulationDir) -> anyhow::Result<()> {
    let inside = std::fs::symlink_metadata(dir.directory.join("."));
    match inside {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(anyhow::anyhow!(
            "cannot look into {}, which belongs to another user: {error}",
            dir.directory.display()
        )),
        _ => Ok(()),
    }
}

/// Whether a process works on a population of which this one can only see a copy,
/// because it is another user's.
fn is_held_by_another_user(dir: &PopulationDir, population: &Population) -> bool {
    population.is_copy() && Population::owner(&dir.directory).is_some()
}

/// A source of answers about a population on which no process of this user works.
///
/// # Errors
/// The planned matches of its proof cannot be read.
pub(super) fn at_rest(
    dir: &PopulationDir,
    population: &Population,
) -> anyhow::Result<LivePopulation> {
    // Files of opponents that cannot be read are the run's to complain about.
    let opponents = Opponents {
        published: published_opponents().unwrap_or_default(),
        panel: panel_members(population, Path::new("")).unwrap_or_default(),
    };
    let context = RunContext {
        running: is_held_by_another_user(dir, population),
        proved: population.layout().champion().exists(),
        proof: proof_workload(population, &opponents)?,
        ..RunContext::default()
    };
    let latest = Latest::new(&dir.name, population, &context);
    Ok(LivePopulation::new(
        &dir.name,
        population.reader(),
        latest,
        None,
    ))
}

/// Opens a population on which no process works, to look at it, with a source of
/// answers about it.
///
/// # Errors
/// Another process works on it, or it cannot be opened.
pub(super) fn open_idle(dir: &PopulationDir) -> anyhow::Result<(LivePopulation, Population)> {
    let found = match reach(dir, &|| false, &Population::look)? {
        Reached::Free(found) => found,
        Reached::Daemon(_) => Population::look(&dir.directory)?,
    };
    let population = with_warnings(found);
    Ok((at_rest(dir, &population)?, population))
}

/// Takes the lock of a population that no process works on.
fn claim(dir: &PopulationDir, stop: &dyn Fn() -> bool) -> anyhow::Result<Claim> {
    Ok(match reach(dir, stop, &Claim::new)? {
        Reached::Free(claim) => claim,
        // A daemon that still answers may have given the lock back already.
        Reached::Daemon(daemon) => {
            Claim::new(&dir.directory).map_err(|error| still_shown(error, &daemon))?
        }
    })
}

/// The error where a process has the population open: one that works on it, or
/// one that only shows it.
fn still_shown(error: StoreError, daemon: &control::DaemonClient) -> anyhow::Error {
    match (&error, daemon.status()) {
        (StoreError::InUse { name, process }, Ok(status)) if !status.running => {
            let process = named(*process);
            let page = status
                .page
                .map_or_else(String::new, |page| format!(" on {page}"));
            anyhow::anyhow!(
                "{process} shows the population {name}{page}, and nothing can work on it \
                 meanwhile; end that process first"
            )
        }
        _ => error.into(),
    }
}

fn named(process: Option<u32>) -> String {
    process.map_or_else(
        || String::from("another process"),
        |process| format!("process {process}"),
    )
}

/// Opens a population to show it for long. Where that is possible, commands reach
/// this process from the moment at which it has the lock. A population that must
/// be put right or cannot be written is shown from a copy.
///
/// # Errors
/// Another process works on it, it cannot be opened, or `stop` was set.
pub(super) fn open_to_show(
    dir: &PopulationDir,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<(Population, Option<control::Server>)> {
    let is_stopped = || stop.load(Ordering::Relaxed);
    match claim(dir, &is_stopped) {
        Ok(claim) => {
            let server = control::Server::start_opening(&dir.directory, Arc::clone(stop)).ok();
            Ok((with_warnings(claim.look(&is_stopped)?), server))
        }
        Err(error) if forbids_writing(&error) => {
            Ok((with_warnings(Population::look(&dir.directory)?), None))
        }
        Err(error) => Err(error),
    }
}

fn forbids_writing(error: &anyhow::Error) -> bool {
    let error: Option<&StoreError> = error.downcast_ref();
    error.is_some_and(StoreError::forbids_writing)
}

/// Opens a population to work on it. Commands reach this process from the
/// moment at which it has the lock; `loatune stop` sets `stop`.
///
/// # Errors
/// Another process works on it, it cannot be opened, or `stop` was set.
pub(super) fn open_to_work(
    dir: &PopulationDir,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<(Population, control::Server)> {
    let is_stopped = || stop.load(Ordering::Relaxed);
    let claim = claim(dir, &is_stopped)?;
    let server = control::Server::start_opening(&dir.directory, Arc::clone(stop));
    let server = server.map_err(|error| cannot_listen(dir, &error))?;
    Ok((open_claimed(claim, &is_stopped)?, server))
}

/// The error where no commands can be listened to.
pub(super) fn cannot_listen(dir: &PopulationDir, error: &std::io::Error) -> anyhow::Error {
    let directory = dir.directory.display();
    anyhow::anyhow!("cannot listen in {directory} for `loatune status` and `stop`: {error}")
}

/// Opens the store, gives up when `stop` returns true, and logs what had to be
/// put right.
fn open_claimed(claim: Claim, stop: &dyn Fn() -> bool) -> anyhow::Result<Population> {
    Ok(with_warnings(claim.open(stop)?))
}

/// Logs what there is to say of a population that was opened.
pub(super) fn with_warnings((population, notices): (Population, Vec<Notice>)) -> Population {
    for notice in notices {
        log::warn!("{notice}");
    }
    population
}

/// Turns a source's answer into a command's result: what the source refuses is
/// bad usage.
///
/// # Errors
/// The problem that the source named.
pub(super) fn answer<T>(found: Result<T, SourceError>) -> anyhow::Result<T> {
    found.map_err(|problem| match problem {
        SourceError::Refused(_) => BadUsage::new(problem).into(),
        SourceError::Failed(_) | SourceError::Ended(_) => anyhow::Error::new(problem),
    })
}
