//! The games of a journal, in batches, and the lessons between them.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::job::{Job, Played};
use super::{Replay, Verification, VerifyProgress};
use crate::evolve::Learned;
use crate::genome::{BuiltIn, GeneTable, UnknownGenes};
use crate::params::Params;
use crate::run::engine_lesson::LessonError;
use crate::run::proof::player_in_journal;
use crate::run::school::School;
use crate::run::worker::{GameSettings, Measurement, RunWorker};
use crate::search::EngineVersion;
use crate::store::{Audit, AuditedEntry, FoldedJournal, MeasuredPair, Purpose, StoreError};
use crate::weights::Conditions;

/// Matches that are looked at together.
const BATCH: usize = 1024;

/// The games of a journal, in batches.
pub(super) struct Games<'a> {
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
    pub(super) wrong: u64,
    pub(super) progress: VerifyProgress,
}

impl<'a> Games<'a> {
    /// The games of a journal with so many matches and pairs.
    pub(super) fn new(
        verification: &'a Verification<'a>,
        pool: rayon::ThreadPool,
        matches: u64,
    ) -> Games<'a> {
        Games {
            verification,
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
                matches,
                ..VerifyProgress::default()
            },
        }
    }

    /// Takes in the next entry; a full batch is looked at.
    pub(super) fn add(
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
        let player = now.fold.params.player.search.algorithm;
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
            } else if let (true, Some((engine, present))) = (again, played.unknown_engine()) {
                again = false;
                *self.foreign.entry((Some(engine), present)).or_default() += 1;
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
        let Purpose::Panel { engine } = pair.purpose else {
            return Some(Played::Pair(measurement, pair.clone()));
        };
        // Without the genes nothing is searched again.
        let genes = BuiltIn::new(&now.fold.plan.genome.table).ok();
        let opponent = genes.map(|genes| {
            let conditions = Conditions::from(&now.fold.params);
            player_in_journal(pair, engine, &genes.weights(&pair.weights), &conditions)
        });
        match opponent.transpose() {
            Ok(opponent) => {
                let opponent = opponent.flatten().map(Box::new);
                Some(Played::Panel(measurement, pair.clone(), opponent))
            }
            Err(error) => {
                self.wrong += 1;
                audit.add_difference(format!("{}: {error}", pair.name()));
                None
            }
        }
    }

    /// What is said of the matches of other engines.
    pub(super) fn foreign_notes(&self) -> Vec<String> {
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

    /// Looks at the batch.
    pub(super) fn look(
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
