//! Verifying a population: is everything that it says true?
//!
//! Owns what a verification consists of: the journal and the store looked
//! through ([`crate::store::audit`]), every stored game played through again,
//! matches searched again where that is asked for, and the files beside the
//! store. Nothing of the population is written.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::champion::champion_file;
use super::worker::{GameSettings, RunWorker};
use crate::arena::PairHalf;
use crate::evolve::{Pairing, Stage};
use crate::params::Params;
use crate::search::signature;
use crate::store::{
    Audit, Entry, FoldedJournal, FrameReader, Layout, MatchRecord, StoreError, audit, decode,
};

/// Matches that are looked at together.
const BATCH: usize = 1024;

/// Which matches are searched again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replay {
    /// No match: games are only played through.
    Nothing,
    /// This number of matches, evenly spread over the run.
    Some(u64),
    /// Every match.
    All,
}

/// What a verification is given.
pub struct Verification<'a> {
    /// The directory of the population.
    pub dir: &'a Path,
    /// The population's name, which the champion's file carries.
    pub name: &'a str,
    /// Which matches are searched again.
    pub replay: Replay,
    /// Matches that are looked at together, at least 1.
    pub threads: usize,
    /// Set from outside, it ends the verification.
    pub stop: &'a Arc<AtomicBool>,
}

/// The progress of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyProgress {
    /// Matches of the journal.
    pub matches: u64,
    /// Those that have been looked at.
    pub done: u64,
    /// Games played through.
    pub checked: u64,
    /// Games searched again.
    pub replayed: u64,
}

/// What was found.
#[derive(Debug)]
pub struct Report {
    /// Journal and store, and all differences.
    pub audit: Audit,
    /// How much was looked at.
    pub progress: VerifyProgress,
    /// Whether there is a champion's file that was compared.
    pub champion: bool,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The population cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no room for a copy of the store.
    #[error("cannot make a directory for a copy of the store: {0}")]
    Scratch(std::io::Error),
    /// The threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl Verification<'_> {
    /// Verifies. `watch` is told the progress.
    ///
    /// # Errors
    /// Where the population cannot be read, or a copy of its store cannot be made.
    pub fn run(&self, watch: &mut dyn FnMut(&VerifyProgress)) -> Result<Report, VerifyError> {
        let scratch = tempfile::Builder::new().prefix("loatune-verify-").tempdir();
        let scratch = scratch.map_err(VerifyError::Scratch)?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.max(1))
            .build()?;
        let mut games = Games {
            verification: self,
            pool,
            batch: Vec::new(),
            params: None,
            foreign: BTreeMap::new(),
            progress: VerifyProgress {
                matches: matches(self.dir)?,
                ..VerifyProgress::default()
            },
        };
        let mut audit = audit(self.dir, scratch.path(), &mut |now, record, audit| {
            games.add(now, record, audit, watch)
        })?;
        games.look(&mut audit, watch)?;
        audit.notes.extend(games.foreign_notes());
        let champion = self.champion(&mut audit)?;
        Ok(Report {
            audit,
            progress: games.progress,
            champion,
        })
    }

    /// Compares the files beside the store.
    fn champion(&self, audit: &mut Audit) -> Result<bool, StoreError> {
        let layout = Layout::new(self.dir);
        let Some(end) = &audit.folded else {
            return Ok(false);
        };
        let mut differences = Vec::new();
        let mut notes = Vec::new();
        match fs::read_to_string(layout.params()) {
            Ok(text) => differences.extend(first_line("params.toml", &text, &end.began_with)),
            Err(error) => differences.push(format!("params.toml: {error}")),
        }
        let text = match fs::read(layout.champion()) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                differences.push(format!("champion.toml: {error}"));
                None
            }
        };
        let is_over = end.fold.state.stage() == Stage::Over;
        let mut compared = false;
        match text {
            Some(text) if is_over => {
                let engine = end.engine.unwrap_or(signature::SIGNATURE);
                let (state, params) = (&end.fold.state, &end.fold.params);
                let births = |file| Ok(end.births.get(&file).cloned());
                let file = champion_file(
                    self.name,
                    state,
                    params,
                    &births,
                    &end.measured_matches,
                    engine,
                )?;
                let told = file.map_or_else(String::new, |file| file.to_toml());
                differences.extend(first_line("champion.toml", &text, &told));
                compared = true;
            }
            Some(_) => notes.push(String::from(
                "champion.toml is older than the evolution, which goes on: it was not compared",
            )),
            None if is_over => notes.push(String::from(
                "the evolution is over, but there is no champion.toml: the next run writes it",
            )),
            None => {}
        }
        for difference in differences {
            audit.add_difference(difference);
        }
        audit.notes.extend(notes);
        Ok(compared)
    }
}

/// Matches of a journal, as far as it is good.
fn matches(dir: &Path) -> Result<u64, StoreError> {
    let mut found = 0;
    let Ok(mut frames) = FrameReader::open(&Layout::new(dir).journal()) else {
        return Ok(0);
    };
    while let Some(payload) = frames.next_frame()? {
        found += u64::from(matches!(decode(payload), Ok(Entry::Match(_))));
    }
    Ok(found)
}

/// A match to be looked at.
struct Job {
    pairing: Pairing,
    record: MatchRecord,
    again: bool,
}

/// The games of a journal, in batches.
struct Games<'a> {
    verification: &'a Verification<'a>,
    pool: rayon::ThreadPool,
    batch: Vec<Job>,
    /// Those of the batch.
    params: Option<Params>,
    /// Matches that were not searched again, by the engine that played them.
    foreign: BTreeMap<Option<u64>, u64>,
    progress: VerifyProgress,
}

impl Games<'_> {
    fn add(
        &mut self,
        now: &FoldedJournal,
        record: &MatchRecord,
        audit: &mut Audit,
        watch: &mut dyn FnMut(&VerifyProgress),
    ) -> Result<(), StoreError> {
        if self.batch.len() == BATCH || self.params.as_ref() != Some(&now.fold.params) {
            self.look(audit, watch)?;
            self.params = Some(now.fold.params.clone());
        }
        // Where there is none, the fold refuses the record.
        if let Some(&pairing) = now.fold.state.pending().front() {
            let mut again = self.is_chosen(self.progress.done + self.batch.len() as u64);
            if again && now.engine != Some(signature::SIGNATURE) {
                again = false;
                *self.foreign.entry(now.engine).or_default() += 1;
            }
            self.batch.push(Job {
                pairing,
                record: record.clone(),
                again,
            });
        }
        Ok(())
    }

    /// What is said of the matches of other engines.
    fn foreign_notes(&self) -> Vec<String> {
        let note = |(engine, count): (&Option<u64>, &u64)| {
            let who = engine.map_or_else(
                || String::from("an engine whose signature is not known"),
                |engine| format!("the engine with the signature {engine}"),
            );
            format!(
                "{count} matches were played by {who}: they were not searched again by this one, \
                 whose signature is {}",
                signature::SIGNATURE
            )
        };
        self.foreign.iter().map(note).collect()
    }

    fn is_chosen(&self, number: u64) -> bool {
        match self.verification.replay {
            Replay::Nothing => false,
            Replay::All => true,
            Replay::Some(count) => {
                let all = u128::from(self.progress.matches.max(1));
                let before = |number: u64| u128::from(number) * u128::from(count) / all;
                before(number + 1) > before(number)
            }
        }
    }

    fn look(
        &mut self,
        audit: &mut Audit,
        watch: &mut dyn FnMut(&VerifyProgress),
    ) -> Result<(), StoreError> {
        let Some(params) = &self.params else {
            return Ok(());
        };
        let stop = self.verification.stop;
        let settings = GameSettings::new(params);
        let found: Vec<Option<Vec<String>>> = self.pool.install(|| {
            let worker = || RunWorker::new(&settings, stop);
            let check = |worker: &mut RunWorker<'_>, job: &Job| job.check(worker, params);
            self.batch.par_iter().map_init(worker, check).collect()
        });
        for (job, found) in self.batch.iter().zip(found) {
            let found = found.ok_or(StoreError::Stopped)?;
            found
                .into_iter()
                .for_each(|what| audit.add_difference(what));
            self.progress.done += 1;
            self.progress.checked += 2;
            self.progress.replayed += if job.again { 2 } else { 0 };
        }
        self.batch.clear();
        watch(&self.progress);
        if stop.load(Ordering::Relaxed) {
            Err(StoreError::Stopped)
        } else {
            Ok(())
        }
    }
}

impl Job {
    /// What is wrong with it; `None` where it was stopped.
    fn check(&self, worker: &mut RunWorker<'_>, params: &Params) -> Option<Vec<String>> {
        let number = self.record.number;
        let mut found = Vec::new();
        if self.record.is_final != self.pairing.is_final {
            found.push(format!(
                "match {number}: it is said to be in the final or not, wrongly"
            ));
        }
        match self.record.game_records() {
            Err(error) => found.push(error.to_string()),
            Ok(records) => {
                for (n, record) in records.iter().enumerate() {
                    if let Err(error) = record.replay(&params.rules) {
                        found.push(format!("match {number}, game {}: {error}", n + 1));
                    }
                }
            }
        }
        if !self.again {
            return Some(found);
        }
        let mut games = Vec::new();
        for half in PairHalf::BOTH {
            match worker.play_match(&self.pairing, half)? {
                Ok(record) => games.push(record),
                Err(error) => {
                    found.push(format!("match {number}: {error}"));
                    return Some(found);
                }
            }
        }
        let games: Result<[_; 2], _> = games.try_into();
        let Ok(games) = games else {
            return Some(found);
        };
        match MatchRecord::new(&self.pairing, &games) {
            Err(error) => found.push(error.to_string()),
            Ok(now) => found.extend(difference(&self.record, &now)),
        }
        Some(found)
    }
}

/// How a match that was searched again differs from the stored one.
fn difference(stored: &MatchRecord, now: &MatchRecord) -> Option<String> {
    if stored == now {
        return None;
    }
    let number = stored.number;
    if stored.seed != now.seed {
        return Some(format!(
            "match {number}: its opening has the seed {}, it should be {}",
            stored.seed, now.seed
        ));
    }
    for (n, (stored, now)) in stored.games.iter().zip(&now.games).enumerate() {
        let game = n + 1;
        let plies = stored.moves.iter().zip(&now.moves);
        if let Some(ply) = plies.clone().position(|(stored, now)| stored != now) {
            return Some(format!(
                "match {number}, game {game}: searched again, it goes another way at ply {}",
                ply + 1
            ));
        }
        if stored != now {
            let what = if stored.moves.len() == now.moves.len() {
                "the moves are the same, but not the values, nodes or result"
            } else {
                "it is of another length"
            };
            return Some(format!(
                "match {number}, game {game}: searched again, {what}"
            ));
        }
    }
    Some(format!("match {number}: searched again, it is another one"))
}

/// The first line in which a file differs from what it should be.
fn first_line(name: &str, found: &str, told: &str) -> Option<String> {
    if found == told {
        return None;
    }
    let (mut ours, mut theirs) = (found.lines(), told.lines());
    let mut number = 1;
    loop {
        match (ours.next(), theirs.next()) {
            (Some(a), Some(b)) if a == b => number += 1,
            (None, None) => return Some(format!("{name}: other line endings than it should have")),
            (a, b) => {
                let text = |line: Option<&str>| {
                    line.map_or_else(|| String::from("nothing"), |line| format!("{line:?}"))
                };
                return Some(format!(
                    "{name} line {number}: it has {}, it should be {}",
                    text(a),
                    text(b)
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs() {
        assert_eq!(first_line("f", "a\nb\n", "a\nb\n"), None);
        let found = first_line("f", "a\nb\n", "a\nc\n").unwrap_or_default();
        assert_eq!(found, "f line 2: it has \"b\", it should be \"c\"");
        let found = first_line("f", "a\n", "a\nc\n").unwrap_or_default();
        assert_eq!(found, "f line 2: it has nothing, it should be \"c\"");
        assert!(first_line("f", "a\r\n", "a\n").is_some());
    }
}
