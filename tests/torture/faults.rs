//! Faults of the system, one at each call that concerns a file of the population:
//! the run copes and ends with the right champion, or it ends with one message
//! and the exit code 1, and the same command goes on.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::io_shim::Shim;
use super::io_shim::fault::Fault;
use super::parallel;
use super::victim::{Ended, Victim, Way, copy};

/// Longer than any of these runs takes on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A population that faults befall, by the name of its condition; `None` where
/// there is none yet.
pub(super) type Beginning = (&'static str, Option<PathBuf>);

/// The conditions in which faults befall a population, made from one that is on
/// its way.
pub(super) fn beginnings(victim: &Victim, half: &Path) -> anyhow::Result<Vec<Beginning>> {
    let no_store = victim.copy_of(half, "no-store")?;
    fs::remove_dir_all(no_store.join("store"))?;
    let no_journal = victim.copy_of(half, "no-journal")?;
    fs::remove_file(no_journal.join("journal"))?;
    let whole = victim.copy_of(half, "whole")?;
    let ended = victim.run(&whole, &Way::Threads(1))?;
    victim.must_be_done(&whole, &ended)?;
    Ok(vec![
        ("a new population", None),
        ("on its way", Some(half.to_owned())),
        ("without its store", Some(no_store)),
        ("without its journal", Some(no_journal)),
        ("at its end", Some(whole)),
    ])
}

/// One fault in one run.
#[derive(Clone, Copy, Debug)]
struct Place {
    beginning: usize,
    fault: Fault,
    /// The number of the call, from 1 on.
    at: usize,
    /// Whether every later call fails, too.
    stays: bool,
}

/// What came of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Coped,
    Explained,
    /// The run had fewer such calls than the one before.
    NotReached,
}

pub(super) struct Faults<'a> {
    victim: &'a Victim,
    shim: &'a Shim,
    beginnings: &'a [Beginning],
}

impl<'a> Faults<'a> {
    pub(super) fn new(victim: &'a Victim, shim: &'a Shim, beginnings: &'a [Beginning]) -> Self {
        Faults {
            victim,
            shim,
            beginnings,
        }
    }

    /// Tries `sample` faults that are drawn at random, or all of them.
    pub(super) fn torture(&self, sample: Option<usize>, seed: u64) -> anyhow::Result<String> {
        let mut places = self.places()?;
        let all = places.len();
        if let Some(sample) = sample {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            while places.len() > sample {
                places.swap_remove(rng.random_range(0..places.len()));
            }
        }
        let outcomes: Mutex<BTreeMap<Outcome, u64>> = Mutex::default();
        let bad = parallel::filter_map(&places, |place| match self.befall(*place) {
            Ok(outcome) => {
                let mut outcomes = outcomes.lock().ok()?;
                *outcomes.entry(outcome).or_default() += 1;
                None
            }
            Err(error) => Some(format!("{}: {error:#}", self.describe(*place))),
        });
        if !bad.is_empty() {
            let shown: Vec<&str> = bad.iter().take(20).map(String::as_str).collect();
            bail!(
                "{} of {} faults:\n    {}",
                bad.len(),
                places.len(),
                shown.join("\n    ")
            );
        }
        let outcomes = outcomes.into_inner().unwrap_or_default();
        let count = |outcome| outcomes.get(&outcome).copied().unwrap_or(0);
        Ok(format!(
            "of {all} possible ones; {} ended in one message, {} did no harm, {} were not reached; \
             afterwards each to the same champion",
            count(Outcome::Explained),
            count(Outcome::Coped),
            count(Outcome::NotReached),
        ))
    }

    /// Every fault at every call that undisturbed runs do.
    fn places(&self) -> anyhow::Result<Vec<Place>> {
        let mut places = Vec::new();
        for beginning in 0..self.beginnings.len() {
            for fault in Fault::ALL {
                let place = Place {
                    beginning,
                    fault,
                    at: 0,
                    stays: false,
                };
                let (root, ended, calls) = self.start(place)?;
                let dir = root.join("p");
                self.victim.must_be_done(&dir, &ended)?;
                fs::remove_dir_all(root)?;
                for at in 1..=calls.len() {
                    places.push(Place { at, ..place });
                    // What stays is a disk that is full, gone or read-only.
                    if matches!(fault, Fault::Broken | Fault::Full | Fault::ReadOnly) {
                        let stays = true;
                        places.push(Place { at, stays, ..place });
                    }
                }
            }
        }
        Ok(places)
    }

    /// Runs with a fault, from a copy of the beginning. Gives the directory, the
    /// end, and the calls that the fault could befall.
    fn start(&self, place: Place) -> anyhow::Result<(PathBuf, Ended, Vec<String>)> {
        let root = self.victim.dir("fault");
        fs::create_dir_all(&root)?;
        let dir = root.join("p");
        if let Some(from) = &self.beginnings[place.beginning].1 {
            copy(from, &dir)?;
        }
        let log = root.with_extension("log");
        let Place {
            fault, at, stays, ..
        } = place;
        let way = self.shim.failing(&root, &log, fault, at, stays);
        let ended = self.victim.start(&dir, &way)?.wait(PATIENCE)?;
        let calls = fs::read_to_string(&log)?;
        fs::remove_file(log)?;
        Ok((root, ended, calls.lines().map(String::from).collect()))
    }

    fn befall(&self, place: Place) -> anyhow::Result<Outcome> {
        let (root, ended, calls) = self.start(place)?;
        let dir = root.join("p");
        let hit = calls.iter().find_map(|call| call.strip_prefix("HIT "));
        let context = || hit.unwrap_or("not reached").to_owned();
        ended.check().with_context(context)?;
        let outcome = if ended.code == Some(0) {
            self.victim
                .must_be_done(&dir, &ended)
                .with_context(context)?;
            if hit.is_some() {
                Outcome::Coped
            } else {
                Outcome::NotReached
            }
        } else {
            must_have_one_message(&ended).with_context(context)?;
            Outcome::Explained
        };
        if !matches!(place.fault, Fault::Broken) {
            let aside = moved_aside(&dir).with_context(context)?;
            // What was missing or broken before may have been moved aside.
            let before = match &self.beginnings[place.beginning].1 {
                Some(from) => moved_aside(from)?,
                None => 0,
            };
            ensure!(
                aside <= before,
                "{}: a healthy file was moved aside: {}",
                context(),
                ended.describe()
            );
        }
        let after = self.victim.run(&dir, &Way::Threads(1));
        let after = after.and_then(|after| self.victim.must_be_done(&dir, &after));
        after.with_context(|| format!("{}, afterwards ({})", context(), ended.describe()))?;
        fs::remove_dir_all(root)?;
        Ok(outcome)
    }

    fn describe(&self, place: Place) -> String {
        let Place { fault, at, .. } = place;
        let stays = if place.stays { " from then on" } else { "" };
        let beginning = self.beginnings[place.beginning].0;
        format!("{beginning}: {} at call {at}{stays}", fault.name())
    }
}

/// The exit code is 1, and standard error has one error and nothing that looks
/// like another.
fn must_have_one_message(ended: &Ended) -> anyhow::Result<()> {
    ensure!(
        ended.code == Some(1),
        "no exit code 1: {}",
        ended.describe()
    );
    let ours = ended.stderr.matches("loatune: error: ").count();
    let logged = ended.stderr.contains("[ERROR]");
    ensure!(
        ours == 1 && !logged,
        "not one message: {}",
        ended.describe()
    );
    Ok(())
}

/// How many files of a population were moved aside.
fn moved_aside(dir: &Path) -> anyhow::Result<usize> {
    if !dir.is_dir() {
        return Ok(0);
    }
    let names = fs::read_dir(dir)?.collect::<Result<Vec<_>, _>>()?;
    let names = names.iter().map(|file| file.file_name());
    let aside = names.filter(|name| name.to_string_lossy().contains(".broken-"));
    Ok(aside.count())
}
