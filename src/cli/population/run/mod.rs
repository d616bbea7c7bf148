//! `loatune run`: begins a population or goes on with it, until a champion is
//! found or a signal comes. Wires the run to the control socket, the page, the
//! progress line and systemd; the work itself is done by `crate::run`.

mod champion_report;
mod changed_params;
mod progress;
mod start;
pub(super) mod systemd_notify;

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use crossbeam_channel::unbounded;

use self::progress::RunProgress;
use self::systemd_notify::SystemdNotifier;
use crate::cli::args::{
    AllGroups, DEFAULT_POPULATION, FleetFlags, ParamFlags, PopulationArg, PopulationDir,
};
use crate::cli::interrupt;
use crate::cli::output::{BadUsage, Stopped, notice, write_json, write_text};
use crate::cli::population::page::PageSettings;
use crate::eval::Weights;
use crate::params::{Source, find_key};
use crate::run::proof::{Opponents, panel_members, proof_workload};
use crate::run::{self, Ended, Latest, LivePopulation, RunContext, RunError};
use crate::serve::fleet::Coordinator;
use crate::serve::http::Server;
use crate::store::{JournalError, Layout, Population, StoreError, TableError};
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
the parameters it was begun with, unless a flag, a variable or a key of the file
that was edited meanwhile says otherwise; a key at its default changes nothing.
Other parameters are refused, unless --accept-changes is given, until the final
begins. A finished population is taken further with a larger --budget: it goes on
from its champion, whose file stays as champion-1.toml and which the next champion
must play.

The first Ctrl-C or SIGTERM, and `loatune stop`, end it in order: no match is
begun any more, games that are being played are left and played again later, what
was applied is saved. That takes less than two seconds. A signal after that ends
it at once; nothing that was saved is lost by that either.

--log-file takes what would go to standard error, each line with its time; only
the error or the word about going on with which the command ends is printed there
still. SIGHUP opens the file anew, so logs may be rotated. Without --log-file
SIGHUP is left to the system. As a service: see `loatune systemd --help`.

With --fleet the matches are played by `loatune worker` on other machines, and by
none of this process's threads: these play some of them again, to check the
workers. The champion is the same. See docs/fleet.md.

Where somebody looks at the page in a browser when the run ends, it stays until
Ctrl-C; without a terminal, for as long as somebody looks. --linger keeps it in any
case. A service ends at once. `loatune serve` shows the page again.

Exit codes: 0 done, 1 failure, 2 bad usage or parameters, 3 stopped (the same
command goes on), 130 or 143 after a second signal, which ends it at once.

Examples:
  loatune run
  loatune run --quick
  loatune run --population deep --depth 4 --budget 200000
  loatune run --population mine --seed-from mine.toml --threads 8
  loatune run --population mine --budget 300000 --accept-changes   (not finished yet)
  loatune run --population mine --budget 600000   (finished: goes on from its champion)
  loatune run --population wide --files 320 --window 128 --fleet nats://broker:4222
  loatune run --population next --seed-from populations/mine/champion.toml

JSON, at the end: the status (see `loatune status --help`), then champion_file.")]
pub(crate) struct Run {
    #[command(flatten)]
    population: PopulationArg,
    /// A trial run of about a minute, in the population `quick` if no other is
    /// named
    #[arg(long)]
    quick: bool,
    /// Draw half of the first population around the weights of FILE, or of a
    /// published champion by its name
    #[arg(long, value_name = "FILE", num_args = 1..)]
    seed_from: Vec<String>,
    /// Go on with other parameters than before, until the final has begun; the
    /// change is recorded
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
    /// Keep the page after the end until Ctrl-C, also where nobody looks at it
    #[arg(long, conflicts_with = "no_http")]
    linger: bool,
    /// Write diagnostics to FILE instead of standard error; SIGHUP opens it anew
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    fleet: FleetFlags,
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
        let broker = self.fleet.broker()?;
        let default = if self.quick {
            QUICK_POPULATION
        } else {
            DEFAULT_POPULATION
        };
        let dir = self.population.resolve(default)?;
        // Published files may be broken: read them before anything is created.
        let published = published_opponents()?;
        let stop = interrupt::stop_flag()?;
        let exists = Population::exists(&dir.directory)?;
        let started = if exists {
            self.resume(&dir, &stop)
        } else {
            self.begin(&dir, &stop)
        };
        let (mut population, wanted, control) = match started {
            Err(error) if is_stopped(&error) => {
                return Err(self.stopped(&dir, "before it went on").into());
            }
            started => started.map_err(|error| advise(error, &dir, exists))?,
        };
        let opponents = Opponents {
            published,
            panel: panel_members(&population, Path::new("")).map_err(BadUsage::new)?,
        };
        let threads = wanted.params.run.thread_count();

        let fleet = broker.map(|broker| {
            Box::new(Coordinator {
                broker,
                params: wanted.params.fleet,
                threads,
                logbook: Layout::new(&dir.directory).fleet_log(),
            }) as Box<dyn run::OpenFleet>
        });

        let (send, commands) = unbounded();
        let context = RunContext {
            running: true,
            threads,
            proof: proof_workload(&population, &opponents)?,
            ..RunContext::default()
        };
        let latest = Latest::new(&dir.name, &population, &context);
        let reader = population.reader();
        let live = Arc::new(LivePopulation::new(&dir.name, reader, latest, Some(send)));
        control.set_source(Arc::clone(&live) as _);

        let http = &wanted.params.http;
        let page = PageSettings {
            http,
            address_is_chosen: find_key("http.address")
                .is_some_and(|key| is_explicit(wanted.source(key))),
            open: self.open,
            directory: &dir.directory,
            rules: wanted.params.rules,
            show_again: show_again(&dir),
        };
        let server = if http.enabled && !self.no_http {
            Some(page.start(&live)?)
        } else {
            None
        };

        let work = run::Run {
            name: dir.name.clone(),
            threads,
            fleet,
            opponents,
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
        let outcome = work.work_open(&mut population, &mut notifier);
        notifier.finish();
        // The page may go on to show a population that has its champion.
        let is_finished = matches!(&outcome, Ok(outcome) if outcome.ended == Ended::Over);
        let page = server.filter(|server| is_finished && self.keeps(server));
        let (open, closed) = match page {
            Some(_) => (Some(population), Ok(())),
            None => (None, work.close(population)),
        };
        let outcome = outcome.map_err(usage_error).inspect_err(|error| {
            if self.log_file.is_some() {
                log::error!("{error}");
            }
        })?;
        closed?;
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
        if !status.at_bounds.is_empty() {
            notice(&format!(
                "at a bound: {}",
                super::status::bounds_text(&status.at_bounds)
            ));
        }
        if self.json {
            let mut value = serde_json::to_value(&status)?;
            value["champion_file"] = path.display().to_string().into();
            write_json(out, &value)?;
        } else {
            let report = champion_report::text(&path, &champion, &dir.as_flag());
            write_text(out, &report)?;
        }
        if let (Some(server), Some(population)) = (page, open) {
            out.flush()?;
            self.keep_page(&work, &server, &dir);
            server.shutdown();
            work.close(population)?;
        }
        Ok(())
    }

    /// Whether the page stays after the end: where that was asked for, or where
    /// somebody looks at it and the command is no service.
    fn keeps(&self, server: &Server) -> bool {
        self.linger || (!is_service() && server.is_watched())
    }

    /// Serves the page of a finished run until it is told to stop. Where nobody
    /// could press Ctrl-C, and `--linger` is not given, it ends when nobody looks
    /// any more.
    fn keep_page(&self, work: &run::Run, server: &Server, dir: &PopulationDir) {
        let stays = self.linger || io::stderr().is_terminal();
        let until = if stays {
            "until Ctrl-C"
        } else {
            "while somebody looks at it, or until Ctrl-C"
        };
        notice(&format!(
            "the page stays at {} {until}; to show it again: {}",
            server.url(),
            show_again(dir)
        ));
        while !work.must_stop() && (stays || server.is_watched()) {
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The last message of a run that was asked to stop: how to go on.
    fn stopped(&self, dir: &PopulationDir, when: &str) -> Stopped {
        let message = format!(
            "stopped {when}, all that was played is saved; to go on: loatune run{}{}{}",
            dir.as_flag(),
            self.flags.file_as_flag(),
            self.fleet.as_flags()
        );
        if self.log_file.is_some() {
            log::warn!("{message}");
        }
        Stopped(message)
    }
}

/// The command that shows the population when the run is over.
fn show_again(dir: &PopulationDir) -> String {
    format!("loatune serve{}", dir.as_flag())
}

/// Whether a service manager has started the command: it waits for the end.
fn is_service() -> bool {
    ["NOTIFY_SOCKET", "INVOCATION_ID"]
        .iter()
        .any(|name| std::env::var_os(name).is_some())
}

/// Says what to do where files cannot be read or written, of a population that
/// existed before or was to be created.
fn advise(error: anyhow::Error, dir: &PopulationDir, existed: bool) -> anyhow::Error {
    let name = &dir.name;
    match error.downcast_ref() {
        Some(StoreError::Io { source, .. })
            if existed && source.kind() == ErrorKind::PermissionDenied =>
        {
            error.context(format!(
                "cannot open population {name}, which this user may not write: only its owner \
                 can go on with it (`loatune status`, `export` and `serve` show it); what was \
                 saved is still there: put this right and start again"
            ))
        }
        Some(
            StoreError::Io { .. }
            | StoreError::Journal(JournalError::Io { .. })
            | StoreError::Table(
                TableError::Io { .. } | TableError::Sled { .. } | TableError::Panicked { .. },
            ),
        ) => error.context(if existed {
            format!(
                "cannot open population {name}; what was saved is still there: put this right and \
                 start again"
            )
        } else {
            format!("cannot create population {name}; put this right and start again")
        }),
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
pub(super) fn published_opponents() -> anyhow::Result<Vec<(String, Weights)>> {
    let found = published(Path::new(PUBLISHED)).map_err(BadUsage::new)?;
    let weights = |(name, file): (String, WeightFile)| (name, file.weights);
    Ok(found.into_iter().map(weights).collect())
}

/// Marks settings that cannot work as bad usage.
fn usage_error(error: RunError) -> anyhow::Error {
    match &error {
        RunError::Run(
            run::LoopError::Opening(_) | run::LoopError::Games(run::SourceFault::Refused(_)),
        ) => BadUsage::new(error).into(),
        _ => error.into(),
    }
}
