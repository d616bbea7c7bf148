//! `loatune run`: the main job.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use crossbeam_channel::unbounded;

use super::champion_report;
use super::error::{BadUsage, Stopped};
use super::interrupt;
use super::logging::tell;
use super::output::{put, put_json};
use super::page::Page;
use super::param_flags::{AllGroups, ParamFlags};
use super::population::{self, Place, PopulationArg, USUAL};
use super::run_progress::RunProgress;
use super::service::Service;
use crate::eval::Weights;
use crate::evolve::Stage;
use crate::params::{Difference, Effective, Layers, Params, QUICK, Source, find_key};
use crate::run::{self, Ended, Latest, LivePopulation, RunContext, RunError};
use crate::search::signature;
use crate::serve::control;
use crate::store::{Begin, Entry, Population, StoreError, TableError};
use crate::weights::WeightFile;
use crate::weights::{PUBLISHED, published};

/// The population of a trial run where none is named.
const QUICK_NAME: &str = "quick";

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
pub(super) struct Run {
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
    /// Serve no page
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
    /// Where diagnostics go, if not to standard error.
    pub(super) fn log_file(&self) -> Option<&Path> {
        self.log_file.as_deref()
    }

    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let usual = if self.quick { QUICK_NAME } else { USUAL };
        let place = self.population.place(usual)?;
        // Before anything is made: they may be broken.
        let published = opponents()?;
        let stop = interrupt::stop_flag()?;
        let (population, wanted) = match Population::exists(&place.directory) {
            true => match self.resume(&place, &stop) {
                Err(error) if is_stopped(&error) => {
                    return Err(self.stopped(&place, "before it went on").into());
                }
                found => found.map_err(|error| advise(error, &place))?,
            },
            false => self.begin(&place).map_err(|error| advise(error, &place))?,
        };
        let threads = wanted.params.run.thread_count();

        let (send, commands) = unbounded();
        let circumstances = RunContext {
            running: true,
            threads,
            ..RunContext::default()
        };
        let now = Latest::new(&place.name, &population, &circumstances);
        let reader = population.reader();
        let live = Arc::new(LivePopulation::new(&place.name, reader, now, Some(send)));
        let control = control::Server::start(&place.directory, Arc::clone(&live) as _);
        let _control = control.map_err(|error| {
            let directory = place.directory.display();
            anyhow::anyhow!("cannot listen in {directory} for `loatune status` and `stop`: {error}")
        })?;

        let http = &wanted.params.http;
        let page = Page {
            http,
            is_wanted: find_key("http.address").is_some_and(|key| is_chosen(wanted.source(key))),
            open: self.open,
            directory: &place.directory,
            rules: wanted.params.rules,
        };
        let _server = match http.enabled && !self.no_http {
            true => Some(page.start(&live)?),
            false => None,
        };

        let work = run::Run {
            name: place.name.clone(),
            threads,
            published,
            stop,
            commands,
            live: Arc::clone(&live),
        };
        let interval = Duration::from_secs(self.report_every);
        let progress = match self.log_file {
            Some(_) => RunProgress::logged(interval),
            None => RunProgress::new(interval),
        };
        let mut service = Service::new(progress);
        let sitting = work.work(population, &mut service);
        service.finish();
        let sitting = sitting.map_err(explain)?;
        let status = live.last_status();
        if let (Some(busy), Some(storing)) = (sitting.busy, sitting.storing) {
            log::info!(
                "{:.1} % of the threads' time was spent in games; matches waited {:.2} % of the \
                 time for the store",
                100.0 * busy,
                100.0 * storing
            );
        }
        if sitting.ended == Ended::Stopped {
            if self.json {
                put_json(out, &status)?;
            }
            let after = format!("after {} of {} games", status.games, status.budget);
            return Err(self.stopped(&place, &after).into());
        }
        let Some((path, champion)) = sitting.champion else {
            return Ok(());
        };
        if self.json {
            let mut value = serde_json::to_value(&status)?;
            value["champion_file"] = path.display().to_string().into();
            return put_json(out, &value);
        }
        put(out, &champion_report::text(&path, &champion, &place.flag()))
    }

    /// The word with which a run ends that was asked to stop.
    fn stopped(&self, place: &Place, when: &str) -> Stopped {
        let quick = self.quick && !self.population.is_given();
        let flag = match quick {
            true => String::from(" --quick"),
            false => place.flag(),
        };
        let message =
            format!("stopped {when}, all that was played is saved; to go on: loatune run{flag}");
        if self.log_file.is_some() {
            log::warn!("{message}");
        }
        Stopped(message)
    }

    fn preset(&self) -> Option<&'static crate::params::Preset> {
        self.quick.then_some(&QUICK)
    }

    fn begin(&self, place: &Place) -> anyhow::Result<(Population, Effective)> {
        let wanted = self.flags.effective(self.preset())?;
        let params = &wanted.params;
        let begin = Begin {
            params: params.to_toml(),
            seeds: seeds(&self.seed_from)?,
        };
        let mut population = Population::create(&place.directory, &begin)?;
        population.apply(Entry::Engine(signature::SIGNATURE))?;
        tell(&format!(
            "new population {} in {}: {} files, {} games, seed {}",
            place.name,
            place.directory.display(),
            params.evolution.population,
            params.evolution.budget,
            params.run.seed
        ));
        Ok((population, wanted))
    }

    fn resume(&self, place: &Place, stop: &AtomicBool) -> anyhow::Result<(Population, Effective)> {
        let mut population = population::open_unless(place, &|| stop.load(Ordering::Relaxed))?;
        let ours = population.params().clone();
        let layers = Layers::from_population(ours.clone());
        let wanted = self.flags.over(layers, self.preset())?;
        let differences = deciding(&ours, &wanted.params);
        if !differences.is_empty() {
            if !self.accept_changes {
                return Err(refuse(place, &differences, &wanted).into());
            }
            let keys: Vec<String> = differences.iter().map(ToString::to_string).collect();
            let entry = Entry::Changed {
                params: wanted.params.to_toml(),
                keys: keys.clone(),
            };
            population.apply(entry).map_err(BadUsage::new)?;
            population.flush()?;
            log::warn!(
                "from match {} on: {}",
                population.state().matches(),
                keys.join(", ")
            );
        }
        let before = population.reader().engine()?;
        if before != Some(signature::SIGNATURE) && population.state().stage() != Stage::Over {
            if let Some(before) = before {
                log::warn!(
                    "another engine played until here (signature {before}, now {}): the rest of \
                     the run is not what it would have been",
                    signature::SIGNATURE
                );
            }
            population.apply(Entry::Engine(signature::SIGNATURE))?;
        }
        if !self.seed_from.is_empty() && population.state().matches() > 0 {
            log::warn!(
                "--seed-from counts only for a new population; `loatune import` adds weights to \
                 one that has begun"
            );
        }
        tell(&format!(
            "going on with population {} in {}: {} of {} games",
            place.name,
            place.directory.display(),
            population.state().games(),
            population.params().evolution.budget
        ));
        Ok((population, wanted))
    }
}

/// Says what to do where files cannot be read or written.
fn advise(error: anyhow::Error, place: &Place) -> anyhow::Error {
    match error.downcast_ref() {
        Some(
            StoreError::Io { .. }
            | StoreError::Table(TableError::Io { .. } | TableError::Sled { .. }),
        ) => error.context(format!(
            "cannot open population {}; what was saved is still there: put this right and start \
             again",
            place.name
        )),
        _ => error,
    }
}

fn is_stopped(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(StoreError::Stopped))
}

/// Whether somebody chose a value, and did not just keep a file of defaults.
fn is_chosen(source: &Source) -> bool {
    matches!(source, Source::Variable(_) | Source::Flag(_))
}

/// What would change the result.
fn deciding(ours: &Params, wanted: &Params) -> Vec<Difference> {
    let all = ours.differences(wanted).into_iter();
    all.filter(|difference| difference.key.affects_result)
        .collect()
}

fn refuse(place: &Place, differences: &[Difference], wanted: &Effective) -> BadUsage {
    let line =
        |difference: &Difference| format!("\n  {difference} ({})", wanted.source(difference.key));
    let lines: String = differences.iter().map(line).collect();
    BadUsage::new(format!(
        "population {} was begun with other parameters:{lines}\n\
         Leave them as they were (they are in {}), begin another population with \
         --population NAME, or go on with the new values from here with --accept-changes",
        place.name,
        place.directory.join("params.toml").display()
    ))
}

/// The weights that half of the first population is drawn around.
fn seeds(files: &[String]) -> anyhow::Result<Vec<Weights>> {
    let read = |file: &String| {
        let found = crate::weights::named_weights(file).map_err(BadUsage::new)?;
        Ok(found.weights)
    };
    files.iter().map(read).collect()
}

/// Champions that a new one must play.
fn opponents() -> anyhow::Result<Vec<(String, Weights)>> {
    let found = published(Path::new(PUBLISHED)).map_err(BadUsage::new)?;
    let weights = |(name, file): (String, WeightFile)| (name, file.weights);
    Ok(found.into_iter().map(weights).collect())
}

/// Settings that cannot work are bad usage.
fn explain(error: RunError) -> anyhow::Error {
    match &error {
        RunError::Run(run::LoopError::Opening(_)) => BadUsage::new(error).into(),
        _ => error.into(),
    }
}
