//! `loatune run`: begins a population or goes on with it, until a champion is
//! found or a signal comes. Wires the run to the control socket, the page, the
//! progress line and systemd; the work itself is done by `crate::run`.

mod champion_report;
mod progress;
mod start;
mod systemd_notify;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use crossbeam_channel::unbounded;

use self::progress::RunProgress;
use self::systemd_notify::SystemdNotifier;
use crate::cli::args::{AllGroups, DEFAULT_POPULATION, ParamFlags, PopulationArg, PopulationDir};
use crate::cli::interrupt;
use crate::cli::output::{BadUsage, Stopped, write_json, write_text};
use crate::cli::population::page::PageSettings;
use crate::eval::Weights;
use crate::params::{Source, find_key};
use crate::run::{self, Ended, Latest, LivePopulation, RunContext, RunError};
use crate::serve::control;
use crate::store::{Population, StoreError, TableError};
use crate::weights::{PUBLISHED, WeightFile, published};

/// The population of a trial run where none is named.
const QUICK_POPULATION: &str = "quick";

/// Evolve weights until one survives: begins a population or goes on with it
///
/// Works unattended. It may be stopped at any time, by Ctrl-C, `loatune stop`,
/// a kill or a power cut: the same command goes on where it stood, and the
/// champion is the same, byte for byte, as without the interruption and for any
/// number of threads.
#[derive(Debug, Args)]
#[command(after_help = "\
The champion's weights, with the certificate of its strength, end up in
populations/NAME/champion.toml; `loatune export` writes them elsewhere or in
another format. `loatune status` looks at a run from another terminal.

Parameters come from flags, LOATUNE_ variables, the file and the built-in
defaults, in this order; `loatune params show` tells them all. A population keeps
the parameters it was begun with: others are refused, unless --accept-changes is
given.

The first Ctrl-C or SIGTERM, and `loatune stop`, end it in order: no match is
begun any more, games that are being played are left and played again later, what
was applied is saved. That takes less than two seconds. A signal after that ends
it at once; nothing that was saved is lost by that either.

--log-file takes what would go to standard error, each line with its time; only
the error or the word about going on with which the command ends is printed there
still. SIGHUP opens the file anew, so logs may be rotated. Without --log-file
SIGHUP is left to the system. As a service: see `loatune systemd --help`.

Exit codes: 0 done, 1 failure, 2 bad usage or parameters, 3 stopped (the same
command goes on), 130 or 143 after a second signal, which ends it at once.

Examples:
  loatune run
  loatune run --quick
  loatune run --population deep --depth 4 --budget 200000
  loatune run --population mine --seed-from mine.toml --threads 8
  loatune run --population mine --budget 300000 --accept-changes

JSON, at the end: the status (see `loatune status --help`), then champion_file.")]
pub(crate) struct Run {
    #[command(flatten)]
    population: PopulationArg,
    /// A trial run of about a minute, in the population `quick` if no other is
    /// named
    #[arg(long)]
    quick: bool,
    /// Draw half of the first population around the weights of FILE
    #[arg(long, value_name = "FILE", num_args = 1..)]
    seed_from: Vec<String>,
    /// Go on with other parameters than before; the change is recorded
    #[arg(long)]
    accept_changes: bool,
    /// Seconds between two lines of progress where there is no terminal
    #[arg(long, value_name = "S", default_value_t = 30,
        value_parser = clap::value_parser!(u64).range(1..=86_400))]
    report_every: u64,
    /// Serve no page, whatever the parameters say; not beside --http-enabled
    #[arg(long)]
    no_http: bool,
    /// Open the page in a browser
    #[arg(long, conflicts_with = "no_http")]
    open: bool,
    /// Write diagnostics to FILE instead of standard error; SIGHUP opens it anew
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: ParamFlags<AllGroups>,
}

impl Run {
    /// The file for diagnostics, where they do not go to standard error.
    pub(crate) fn log_file(&self) -> Option<&Path> {
        self.log_file.as_deref()
    }

    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.no_http && self.flags.is_flag("http.enabled") {
            let message = "--no-http and --http-enabled are about the same: give one of them";
            return Err(BadUsage::new(message).into());
        }
        let default = if self.quick {
            QUICK_POPULATION
        } else {
            DEFAULT_POPULATION
        };
        let dir = self.population.resolve(default)?;
        // Published files may be broken: read them before anything is created.
        let published = published_opponents()?;
        let stop = interrupt::stop_flag()?;
        let started = if Population::exists(&dir.directory) {
            self.resume(&dir, &stop)
        } else {
            self.begin(&dir)
        };
        let (population, wanted) = match started {
            Err(error) if is_stopped(&error) => {
                return Err(self.stopped(&dir, "before it went on").into());
            }
            started => started.map_err(|error| advise(error, &dir))?,
        };
        let threads = wanted.params.run.thread_count();

        let (send, commands) = unbounded();
        let context = RunContext {
            running: true,
            threads,
            ..RunContext::default()
        };
        let latest = Latest::new(&dir.name, &population, &context);
        let reader = population.reader();
        let live = Arc::new(LivePopulation::new(&dir.name, reader, latest, Some(send)));
        let control = control::Server::start(&dir.directory, Arc::clone(&live) as _);
        let _control = control.map_err(|error| {
            let directory = dir.directory.display();
            anyhow::anyhow!("cannot listen in {directory} for `loatune status` and `stop`: {error}")
        })?;

        let http = &wanted.params.http;
        let page = PageSettings {
            http,
            address_is_chosen: find_key("http.address")
                .is_some_and(|key| is_explicit(wanted.source(key))),
            open: self.open,
            directory: &dir.directory,
            rules: wanted.params.rules,
        };
        let _server = if http.enabled && !self.no_http {
            Some(page.start(&live)?)
        } else {
            None
        };

        let work = run::Run {
            name: dir.name.clone(),
            threads,
            published,
            stop,
            commands,
            live: Arc::clone(&live),
        };
        let interval = Duration::from_secs(self.report_every);
        let progress = match self.log_file {
            Some(_) => RunProgress::with_log(interval),
            None => RunProgress::new(interval),
        };
        let mut notifier = SystemdNotifier::new(progress);
        let outcome = work.work(population, &mut notifier);
        notifier.finish();
        let outcome = outcome.map_err(usage_error)?;
        let status = live.last_status();
        if let (Some(busy), Some(storing)) = (outcome.busy, outcome.storing) {
            log::info!(
                "{:.1} % of the threads' time was spent in games; matches waited {:.2} % of the \
                 time for the store",
                100.0 * busy,
                100.0 * storing
            );
        }
        if outcome.ended == Ended::Stopped {
            if self.json {
                write_json(out, &status)?;
            }
            let after = format!("after {} of {} games", status.games, status.budget);
            return Err(self.stopped(&dir, &after).into());
        }
        let Some((path, champion)) = outcome.champion else {
            return Ok(());
        };
        if self.json {
            let mut value = serde_json::to_value(&status)?;
            value["champion_file"] = path.display().to_string().into();
            return write_json(out, &value);
        }
        write_text(
            out,
            &champion_report::text(&path, &champion, &dir.as_flag()),
        )
    }

    /// The last message of a run that was asked to stop: how to go on.
    fn stopped(&self, dir: &PopulationDir, when: &str) -> Stopped {
        let quick = self.quick && !self.population.is_given();
        let flag = if quick {
            String::from(" --quick")
        } else {
            dir.as_flag()
        };
        let message =
            format!("stopped {when}, all that was played is saved; to go on: loatune run{flag}");
        if self.log_file.is_some() {
            log::warn!("{message}");
        }
        Stopped(message)
    }
}

/// Says what to do where files cannot be read or written.
fn advise(error: anyhow::Error, dir: &PopulationDir) -> anyhow::Error {
    match error.downcast_ref() {
        Some(
            StoreError::Io { .. }
            | StoreError::Table(TableError::Io { .. } | TableError::Sled { .. }),
        ) => error.context(format!(
            "cannot open population {}; what was saved is still there: put this right and start \
             again",
            dir.name
        )),
        _ => error,
    }
}

fn is_stopped(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(StoreError::Stopped))
}

/// Whether a flag or a variable sets a value; a file may just repeat defaults.
fn is_explicit(source: &Source) -> bool {
    matches!(source, Source::Variable(_) | Source::Flag(_))
}

/// The published champions, which a new champion must play.
///
/// # Errors
/// One of their files is no weight file.
fn published_opponents() -> anyhow::Result<Vec<(String, Weights)>> {
    let found = published(Path::new(PUBLISHED)).map_err(BadUsage::new)?;
    let weights = |(name, file): (String, WeightFile)| (name, file.weights);
    Ok(found.into_iter().map(weights).collect())
}

/// Marks settings that cannot work as bad usage.
fn usage_error(error: RunError) -> anyhow::Error {
    match &error {
        RunError::Run(run::LoopError::Opening(_)) => BadUsage::new(error).into(),
        _ => error.into(),
    }
}
