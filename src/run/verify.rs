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

use super::champion::{champion_file, name_in, option_file, option_name_in};
use super::engine_lesson::LessonError;
use super::school::School;
use super::worker::{GameSettings, Measurement, RunWorker};
use crate::arena::PairHalf;
use crate::evolve::{Learned, Pairing, Stage};
use crate::genome::{BuiltIn, GeneTable, UnknownGenes};
use crate::params::Params;
use crate::search::EngineVersion;
use crate::store::{
    Audit, AuditedEntry, Entry, FoldedJournal, FrameReader, Layout, MatchIdentity, MatchRecord,
    MeasuredPair, RecordError, Remedy, Scratch, StoreError, StoredGame, audit, decode, rehearse,
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
    /// The population's name, which a champion's file without one would carry.
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
    /// Matches of the journal, and pairs outside of the evolution.
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
    /// What the user can do about the differences; `None` without any.
    pub advice: Option<Advice>,
}

/// What can be done about differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// A process works on the population: it has to end before anything else.
    Stop,
    /// This, according to a rehearsal with a copy of journal and store.
    Repair(Remedy),
    /// Only files that a run writes anew are wrong.
    Run,
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
        let scratch = Scratch::new().map_err(VerifyError::Scratch)?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.max(1))
            .build()?;
        let mut games = Games {
            verification: self,
            pool,
            batch: Vec::new(),
            settings: None,
            unknown_genes: None,
            engine: String::new(),
            is_repeatable: true,
            unplayable: 0,
            unlearned: 0,
            foreign: BTreeMap::new(),
            school: School::for_any_params(),
            wrong: 0,
            progress: VerifyProgress {
                matches: matches(self.dir)?,
                ..VerifyProgress::default()
            },
        };
        let mut audit = audit(self.dir, scratch.path(), &mut |now, played, audit| {
            games.add(now, played, audit, watch)
        })?;
        games.look(&mut audit, watch)?;
        audit.notes.extend(games.foreign_notes());
        let of_the_store = audit.difference_count - games.wrong;
        let champion = self.champion(&mut audit)?;
        let advice = match (audit.difference_count, of_the_store, games.wrong) {
            (0, ..) => None,
            _ if audit.running => Some(Advice::Stop),
            (_, 0, 0) => Some(Advice::Run),
            // What was saved is what was played, whatever that was.
            (_, 0, _) => Some(Advice::Repair(Remedy::Copy)),
            _ => Some(Advice::Repair(rehearse(
                self.dir,
                &scratch.path().join("rehearsal"),
            )?)),
        };
        Ok(Report {
            advice,
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
        let genes = BuiltIn::new(&end.fold.plan.genome.table);
        let mut compared = false;
        match text {
            Some(text) if is_over => match &genes {
                _ if !end.fold.params.genome.engine.is_empty() => {
                    let default = || format!("{}-champion", self.name);
                    let name = option_name_in(&text).unwrap_or_else(default);
                    let measured: Vec<_> = end.fold.measurements.complete().cloned().collect();
                    let file = option_file(
                        &name,
                        &end.fold.state,
                        &end.fold.params,
                        &end.fold.plan,
                        &measured,
                    );
                    let told = file.map_or_else(String::new, |file| file.to_toml());
                    differences.extend(first_line("champion.toml", &text, &told));
                    compared = true;
                }
                Err(unknown) => {
                    notes.push(format!("champion.toml was not compared: it has {unknown}"));
                }
                Ok(genes) => {
                    let told = self.champion_text(end, genes, &text)?;
                    differences.extend(first_line("champion.toml", &text, &told));
                    compared = true;
                }
            },
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

impl Verification<'_> {
    /// What the champion's file should say; `text` is what it says.
    fn champion_text(
        &self,
        end: &FoldedJournal,
        genes: &BuiltIn,
        text: &str,
    ) -> Result<String, StoreError> {
        let present = EngineVersion::present_signature(end.fold.params.player.search);
        let engine = end.engine.unwrap_or(present);
        let (state, params) = (&end.fold.state, &end.fold.params);
        let births = |file| Ok(end.births.get(&file).cloned());
        // Its name is that of the population when it was written.
        let default = || format!("{}-champion", self.name);
        let name = name_in(text).unwrap_or_else(default);
        let measured: Vec<_> = end.fold.measurements.complete().cloned().collect();
        let file = champion_file(&name, state, params, genes, &births, &measured, engine)?;
        Ok(file.map_or_else(String::new, |file| file.to_toml()))
    }

    /// Compares the file of the champion after which a population was taken
    /// further with what it was then.
    fn former_champion(&self, end: &FoldedJournal, audit: &mut Audit) -> Result<(), StoreError> {
        let Ok(genes) = BuiltIn::new(&end.fold.plan.genome.table) else {
            return Ok(());
        };
        let number = end.fold.state.former_champions().len() + 1;
        let path = Layout::new(self.dir).former_champion(number);
        let name = format!("champion-{number}.toml");
        match fs::read(&path) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                let told = self.champion_text(end, &genes, &text)?;
                if let Some(difference) = first_line(&name, &text, &told) {
                    audit.add_difference(difference);
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                audit.notes.push(format!(
                    "{name}, the champion before the population was taken further, is missing"
                ));
            }
            Err(error) => audit.add_difference(format!("{name}: {error}")),
        }
        Ok(())
    }
}

/// Matches of a journal and pairs outside of the evolution, as far as it is good.
fn matches(dir: &Path) -> Result<u64, StoreError> {
    let mut found = 0;
    let Ok(mut frames) = FrameReader::open(&Layout::new(dir).journal()) else {
        return Ok(0);
    };
    while let Some(payload) = frames.next_frame()? {
        let entry = decode(payload);
        let has_games = matches!(entry, Ok(Entry::Match(_) | Entry::MeasuredPair(_)));
        found += u64::from(has_games);
    }
    Ok(found)
}

/// Two games to be looked at.
struct Job {
    played: Played,
    again: bool,
}

/// What was saved, and what it takes to play it again.
enum Played {
    Match(Pairing, MatchRecord),
    Pair(Measurement, MeasuredPair),
}

impl Played {
    /// Whether a player failed in one of the games.
    fn has_fault(&self) -> bool {
        let games = match self {
            Played::Match(_, record) => &record.games,
            Played::Pair(_, pair) => &pair.games,
        };
        games.iter().any(StoredGame::has_fault)
    }
}

/// The games of a journal, in batches.
struct Games<'a> {
    verification: &'a Verification<'a>,
    pool: rayon::ThreadPool,
    batch: Vec<Job>,
    /// The parameters of the batch, and the version of the engine that played it.
    settings: Option<(Params, GeneTable, EngineVersion)>,
    /// The genes of the batch that this program does not have.
    unknown_genes: Option<UnknownGenes>,
    /// The program that played the batch, where it is another.
    engine: String,
    /// Whether that program promises the same games when it is asked again.
    is_repeatable: bool,
    /// Lessons that were not learned again, because another program has the
    /// features.
    unlearned: u64,
    /// Matches that were not searched again because of their genes.
    unplayable: u64,
    /// Matches that were not searched again, by the signature of the engine that
    /// played them and that of this program's for the same player.
    foreign: BTreeMap<(Option<u64>, u64), u64>,
    /// The matches that lessons learn from.
    school: School,
    /// Differences that were found in games and lessons.
    wrong: u64,
    progress: VerifyProgress,
}

impl Games<'_> {
    fn add(
        &mut self,
        now: &FoldedJournal,
        played: AuditedEntry<'_>,
        audit: &mut Audit,
        watch: &mut dyn FnMut(&VerifyProgress),
    ) -> Result<(), StoreError> {
        if let AuditedEntry::Extended = played {
            self.verification.former_champion(now, audit)?;
            return Ok(());
        }
        if let AuditedEntry::Scholar(learned) = played {
            self.scholar(now, learned, audit);
            return Ok(());
        }
        if let AuditedEntry::Match(record) = played {
            self.school.add(record.clone());
        }
        let player = now.fold.params.player.search;
        let version = now
            .engine
            .and_then(|engine| EngineVersion::from_signature(player, engine));
        let genes = &now.fold.plan.genome.table;
        let settings = (&now.fold.params, genes, version.unwrap_or_default());
        let batch = self
            .settings
            .as_ref()
            .map(|(params, genes, version)| (params, genes, *version));
        if self.batch.len() == BATCH || batch != Some(settings) {
            self.look(audit, watch)?;
            self.unknown_genes = BuiltIn::new(genes).err();
            self.engine.clone_from(&settings.0.genome.engine);
            self.is_repeatable = !settings.0.engine.nondeterministic;
            self.settings = Some((settings.0.clone(), genes.clone(), settings.2));
        }
        let played = match played {
            // Where no match is drawn, the fold refuses the record.
            AuditedEntry::Match(record) => {
                let pairing = now.fold.state.pending().front();
                pairing.map(|pairing| Played::Match(pairing.clone(), record.clone()))
            }
            AuditedEntry::Pair(pair) => self.measured_pair(now, pair, audit),
            AuditedEntry::Extended | AuditedEntry::Scholar(_) => None,
        };
        if let Some(played) = played {
            let mut again = self.is_chosen(self.progress.done + self.batch.len() as u64);
            // Another program that failed need not fail again.
            let is_foreign = !self.engine.is_empty();
            if again && is_foreign && self.is_repeatable && played.has_fault() {
                again = false;
            } else if again && (is_foreign || self.unknown_genes.is_some()) {
                again = is_foreign && self.is_repeatable;
                self.unplayable += u64::from(!again);
            } else if again && version.is_none() {
                again = false;
                let present = EngineVersion::present_signature(player);
                *self.foreign.entry((now.engine, present)).or_default() += 1;
            }
            self.batch.push(Job { played, again });
        }
        Ok(())
    }

    /// Learns again what a scholar was learned from, and compares.
    fn scholar(&mut self, now: &FoldedJournal, learned: &Learned, audit: &mut Audit) {
        let plan = &now.fold.plan;
        // Where no lesson is due, the fold refuses the entry.
        let Some(lesson) = now.fold.state.lesson(plan) else {
            return;
        };
        let preparation = self.school.prepare(&lesson, &now.fold.params, plan);
        // A program is started only where that is asked for. One that printed no
        // features then may have learned to print them.
        let starts_engine = self.verification.replay != Replay::Nothing && learned.games > 0;
        if preparation.needs_engine() && !starts_engine {
            self.unlearned += 1;
            return;
        }
        let again = match self.pool.install(|| preparation.learn()) {
            Ok(again) => again,
            // A game that is none is named where it is played through.
            Err(LessonError::Record(_)) => return,
            Err(error) => {
                audit.notes.push(format!(
                    "the lesson after match {} was not learned again: {error}",
                    lesson.matches
                ));
                return;
            }
        };
        if again != *learned {
            self.wrong += 1;
            audit.add_difference(format!(
                "the lesson after match {}: the games teach {:?} ({} positions), not {:?} ({} \
                 positions)",
                lesson.matches, again.weights, again.positions, learned.weights, learned.positions
            ));
        }
    }

    /// A pair with the weights of both players, unless its file was never born.
    fn measured_pair(
        &mut self,
        now: &FoldedJournal,
        pair: &MeasuredPair,
        audit: &mut Audit,
    ) -> Option<Played> {
        let Some(birth) = now.births.get(&pair.file) else {
            self.wrong += 1;
            audit.add_difference(format!("{}: there is no such file", pair.name()));
            return None;
        };
        let measurement = Measurement {
            pair: pair.number,
            weights: [birth.weights.clone(), pair.weights.clone()],
        };
        Some(Played::Pair(measurement, pair.clone()))
    }

    /// What is said of the matches of other engines.
    fn foreign_notes(&self) -> Vec<String> {
        let note = |((engine, present), count): (&(Option<u64>, u64), &u64)| {
            let who = engine.map_or_else(
                || String::from("an engine whose signature is not known"),
                |engine| format!("the engine with the signature {engine}"),
            );
            format!(
                "{count} matches were played by {who}, which this program does not know (its own \
                 has {present}): they were not searched again",
            )
        };
        let why = match &self.unknown_genes {
            _ if !self.engine.is_empty() && self.is_repeatable => {
                format!("the engine `{}` cannot be started", self.engine)
            }
            _ if !self.engine.is_empty() => {
                String::from("games of this run cannot be played again")
            }
            Some(unknown) => format!("the population has {unknown}"),
            None => String::new(),
        };
        let unplayable = (self.unplayable > 0)
            .then(|| format!("{} matches were not searched again: {why}", self.unplayable));
        let unrepeatable = (!self.is_repeatable).then(|| {
            format!(
                "games of this run cannot be played again: it was begun with --nondeterministic, \
                 and its engine, `{}`, need not choose the same moves",
                self.engine
            )
        });
        let unlearned = (self.unlearned > 0).then(|| {
            let why = "the engine has the features; --replay asks it";
            format!("{} lessons were not learned again: {why}", self.unlearned)
        });
        let notes = self.foreign.iter().map(note).chain(unplayable);
        notes.chain(unrepeatable).chain(unlearned).collect()
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
        let Some((params, genes, version)) = &self.settings else {
            return Ok(());
        };
        let stop = self.verification.stop;
        // Without the genes nothing is searched again, and no program is started
        // where nobody asked for that.
        let settings = GameSettings::new(params, genes, *version);
        let mut settings = settings
            .ok()
            .filter(|_| self.engine.is_empty() || self.batch.iter().any(|job| job.again));
        if let Some(found) = settings.as_ref().filter(|_| !self.engine.is_empty())
            && let Err(error) = RunWorker::new(found, stop)
        {
            log::warn!("{error}");
            settings = None;
            for job in &mut self.batch {
                self.unplayable += u64::from(std::mem::take(&mut job.again));
            }
        }
        let found: Vec<Option<Vec<String>>> = self.pool.install(|| {
            let worker = || RunWorker::new(settings.as_ref()?, stop).ok();
            let check =
                |worker: &mut Option<RunWorker<'_>>, job: &Job| job.check(worker.as_mut(), params);
            self.batch.par_iter().map_init(worker, check).collect()
        });
        for (job, found) in self.batch.iter().zip(found) {
            let found = found.ok_or(StoreError::Stopped)?;
            self.wrong += found.len() as u64;
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

/// Games as they were saved or searched again, with the seed of their opening.
type SeededGames = (u64, [StoredGame; 2]);

impl Job {
    /// What is wrong with it; `None` where it was stopped.
    fn check(&self, worker: Option<&mut RunWorker<'_>>, params: &Params) -> Option<Vec<String>> {
        let mut found = Vec::new();
        if let Played::Match(pairing, record) = &self.played
            && record.is_final != pairing.is_final
        {
            found.push(format!(
                "{}: it is said to be in the final or not, wrongly",
                record.name()
            ));
        }
        let (name, records) = match &self.played {
            Played::Match(_, record) => (record.name(), record.game_records()),
            Played::Pair(_, pair) => (pair.name(), pair.game_records()),
        };
        match records {
            Err(error) => found.push(error.to_string()),
            Ok(records) => {
                for (n, record) in records.iter().enumerate() {
                    if let Err(error) = record.replay(&params.rules) {
                        found.push(format!("{name}, game {}: {error}", n + 1));
                    }
                }
            }
        }
        let Some(worker) = worker.filter(|_| self.again) else {
            return Some(found);
        };
        let mut games = Vec::new();
        for half in PairHalf::BOTH {
            let played = match &self.played {
                Played::Match(pairing, _) => worker.play_match(pairing, half),
                Played::Pair(measurement, _) => worker.play_measurement(measurement, half),
            };
            match played? {
                Ok(record) => games.push(record),
                Err(error) => {
                    found.push(format!("{name}: {error}"));
                    return Some(found);
                }
            }
        }
        let games: Result<[_; 2], _> = games.try_into();
        let Ok(games) = games else {
            return Some(found);
        };
        let again: Result<SeededGames, RecordError> = match &self.played {
            Played::Match(pairing, _) => {
                MatchRecord::new(pairing, &games).map(|now| (now.seed, now.games))
            }
            Played::Pair(_, pair) => {
                let identity: MatchIdentity<'_> = pair.identity();
                let now = MeasuredPair::new(&identity, pair.number, &games);
                now.map(|now| (now.seed, now.games))
            }
        };
        let (seed, stored) = match &self.played {
            Played::Match(_, record) => (record.seed, &record.games),
            Played::Pair(_, pair) => (pair.seed, &pair.games),
        };
        match again {
            Err(error) => found.push(error.to_string()),
            Ok((now_seed, now)) => found.extend(difference(&name, [seed, now_seed], stored, &now)),
        }
        Some(found)
    }
}

/// How games that were searched again differ from the stored ones.
fn difference(
    name: &str,
    [seed, now_seed]: [u64; 2],
    stored: &[StoredGame; 2],
    now: &[StoredGame; 2],
) -> Option<String> {
    if seed != now_seed {
        return Some(format!(
            "{name}: its opening has the seed {seed}, it should be {now_seed}"
        ));
    }
    for (n, (stored, now)) in stored.iter().zip(now).enumerate() {
        let game = n + 1;
        let plies = stored.moves.iter().zip(&now.moves);
        if let Some(ply) = plies.clone().position(|(stored, now)| stored != now) {
            return Some(format!(
                "{name}, game {game}: searched again, it goes another way at ply {}",
                ply + 1
            ));
        }
        if stored != now {
            let what = if stored.moves.len() == now.moves.len() {
                "the moves are the same, but not the values, nodes or result"
            } else {
                "it is of another length"
            };
            return Some(format!("{name}, game {game}: searched again, {what}"));
        }
    }
    None
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
