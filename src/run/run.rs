//! A run: evolution, proof and the champion's file, from wherever the population
//! stands, until it is done or stopped.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crossbeam_channel::Receiver;

use super::champion::{ChampionFile, champion_file, champion_name, option_file};
use super::command::Command;
use super::event_loop::{Ended, LoopError, drive, evolve};
use super::game_source::{GameSource, OpenFleet, SourceFault};
use super::live_population::LivePopulation;
use super::proof::planned::{
    Opponents, Players, ProofError, is_proved, planned_matches, proof_workload, prove,
};
use super::reporter::Reporter;
use crate::api::{SourceError, Status};
use crate::evolve::{FileId, Stage};
use crate::genome::{BuiltIn, UnknownGenes};
use crate::search::EngineVersion;
use crate::store::{Entry, Population, StoreError};
use crate::util::atomic_file;
use crate::weights::WeightFile;

/// What a run is given.
pub struct Run {
    /// The population's name.
    pub name: String,
    /// Games at the same time, where threads of this process play.
    pub threads: usize,
    /// The fleet that plays instead of them.
    pub fleet: Option<Box<dyn OpenFleet>>,
    /// Those whom the champion is measured against.
    pub opponents: Opponents,
    /// Set by a signal or a command, it ends the run.
    pub stop: Arc<AtomicBool>,
    /// Commands from the page and the control socket.
    pub commands: Receiver<Command>,
    /// Where other threads read the newest state.
    pub live: Arc<LivePopulation>,
}

/// Is told how a run goes, several times a second.
pub trait Observer: Send {
    /// Takes the newest status.
    fn status(&mut self, status: &Status);

    /// Games were finished since the last time, and what could be applied was.
    /// Called by the thread that applies matches, and never without a finished
    /// game, so that its absence shows a run that hangs.
    fn heartbeat(&mut self) {}
}

/// What a run brought.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOutcome {
    /// How it ended.
    pub ended: Ended,
    /// The champion's file, once the proof is complete.
    pub champion: Option<(PathBuf, ChampionFile)>,
    /// The part of all threads' time that was spent in games; `None` where no
    /// match was played.
    pub busy: Option<f64>,
    /// The part of the time in which matches had to wait for the store.
    pub storing: Option<f64>,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The matches of the evolution.
    #[error(transparent)]
    Run(#[from] LoopError<StoreError>),
    /// The proof.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The fleet that should play.
    #[error(transparent)]
    Fleet(#[from] SourceFault),
    /// This program does not have the genes of the population.
    #[error(transparent)]
    Genes(#[from] UnknownGenes),
    /// The champion's file.
    #[error("cannot write {}: {source}", path.display())]
    Champion {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
}

impl Run {
    /// Runs. The population is saved and closed in any case.
    ///
    /// # Errors
    /// Where the store, the games, the proof or the champion's file failed; what
    /// was applied before stays applied.
    pub fn work(
        &self,
        mut population: Population,
        observer: &mut dyn Observer,
    ) -> Result<RunOutcome, RunError> {
        let found = self.work_open(&mut population, observer);
        let closed = self.close(population);
        let outcome = found?;
        closed?;
        Ok(outcome)
    }

    /// Saves and closes a population; its status can be asked for still.
    ///
    /// # Errors
    /// It cannot be saved.
    pub fn close(&self, population: Population) -> Result<(), StoreError> {
        self.live.remember();
        population.close()
    }

    /// Runs, and leaves the population open. It is saved where this succeeds.
    ///
    /// # Errors
    /// Where the store, the games, the proof or the champion's file failed; what
    /// was applied before stays applied.
    pub fn work_open(
        &self,
        population: &mut Population,
        observer: &mut dyn Observer,
    ) -> Result<RunOutcome, RunError> {
        let mut outcome = RunOutcome {
            ended: Ended::Over,
            champion: None,
            busy: None,
            storing: None,
        };
        let mut reporter = Reporter::new(self, population, observer)?;
        let fleet = self.open_fleet(population)?;
        if population.state().stage() != Stage::Over {
            let begin = Instant::now();
            let params = population.params().clone();
            let version = engine_version(population)?.1;
            outcome.ended = match &fleet {
                Some(fleet) => drive(population, &**fleet, &self.stop, &mut reporter)?,
                None => evolve(
                    population,
                    &params,
                    version,
                    self.threads,
                    &self.stop,
                    &mut reporter,
                )?,
            };
            let spent = begin.elapsed().as_secs_f64();
            let busy = reporter.busy.as_secs_f64() / spent / self.threads as f64;
            outcome.busy = fleet.is_none().then_some(busy);
            outcome.storing = Some(population.writer_load().waited.as_secs_f64() / spent);
            population.flush()?;
        }
        if outcome.ended == Ended::Over {
            outcome.ended = self.prove(population, fleet.as_deref(), &mut reporter)?;
        }
        if outcome.ended == Ended::Over {
            outcome.champion = Some(self.write_champion(population)?);
            reporter.context.proved = true;
        }
        // A run that has ended is not about to stop any more.
        reporter.context.running = false;
        reporter.context.stopping = false;
        reporter.show(population);
        Ok(outcome)
    }

    /// The fleet that plays, unless nothing is left to play.
    fn open_fleet(&self, population: &Population) -> Result<Option<Box<dyn GameSource>>, RunError> {
        let Some(fleet) = &self.fleet else {
            return Ok(None);
        };
        let all = planned_matches(population, &self.opponents)?;
        let is_over = population.state().stage() == Stage::Over;
        if is_over && is_proved(&all, population.measurements()) {
            return Ok(None);
        }
        let (params, text) = (population.params(), population.params_text());
        let version = engine_version(population)?.1;
        let genes = &population.plan().genome.table;
        Ok(Some(fleet.open(&self.name, params, text, genes, version)?))
    }

    fn prove(
        &self,
        population: &mut Population,
        fleet: Option<&dyn GameSource>,
        reporter: &mut Reporter<'_>,
    ) -> Result<Ended, RunError> {
        let all = planned_matches(population, &self.opponents)?;
        reporter.context.proof = proof_workload(population, &self.opponents)?;
        if !is_proved(&all, population.measurements()) {
            self.record_engine(population)?;
        }
        let mut watch = |population: &Population, games: u64| {
            if games > reporter.context.proof[0] {
                reporter.context.proof[0] = games;
                reporter.observer.heartbeat();
            }
            let stops = self.must_stop();
            if reporter.is_due() {
                self.live.show_fleet(fleet.and_then(GameSource::fleet));
                reporter.count(population, games);
                reporter.show(population);
            }
            // A population that cannot be saved is told about by the next pair,
            // but games may be long.
            if stops || population.check().is_err() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let players = fleet.map_or(Players::Threads(self.threads), |fleet| {
            Players::Fleet(fleet, self.threads)
        });
        let is_complete = prove(population, &all, players, &mut watch)?;
        population.check()?;
        if is_complete {
            Ok(Ended::Over)
        } else {
            Ok(Ended::Stopped)
        }
    }

    /// Records that this engine plays the rest of the proof, where one that this
    /// program does not know played until here.
    fn record_engine(&self, population: &mut Population) -> Result<(), StoreError> {
        let before = population.reader().engine()?;
        let player = population.params().player.search.algorithm;
        if before.is_some_and(|before| EngineVersion::from_signature(player, before).is_none()) {
            log::warn!(
                "the matches of the certificate are played by this engine from the first on"
            );
            population.apply(Entry::Engine(EngineVersion::present_signature(player)))?;
        }
        Ok(())
    }

    /// Writes the champion's file, where the population lies.
    fn write_champion(&self, population: &Population) -> Result<(PathBuf, ChampionFile), RunError> {
        population.flush()?;
        let reader = population.reader();
        let (engine, _) = engine_version(population)?;
        let measured: Vec<_> = population.measurements().complete().cloned().collect();
        let (state, params) = (population.state(), population.params());
        let births = |file| Ok(reader.file(file)?.map(|(birth, _)| birth));
        let name = champion_name(population.layout(), &self.name);
        let plan = population.plan();
        let file = match option_file(&name, state, params, plan, &measured) {
            Some(file) => ChampionFile::Options(file),
            None => {
                let genes = BuiltIn::new(&plan.genome.table)?;
                let file = champion_file(&name, state, params, &genes, &births, &measured, engine)?;
                let file = file.expect("the evolution is over, so there is a champion");
                ChampionFile::Weights(Box::new(file))
            }
        };
        let path = population.layout().champion();
        atomic_file::save(&path, file.to_toml(), true).map_err(|source| RunError::Champion {
            path: path.clone(),
            source,
        })?;
        Ok((path, file))
    }

    /// Whether the run is asked to stop, or the process where the run is over.
    /// Weights are not taken in any more.
    pub fn must_stop(&self) -> bool {
        self.handle_commands(&mut |_| {
            Err(SourceError::Refused(String::from("the evolution is over")))
        });
        self.stop.load(Ordering::Relaxed)
    }

    /// Carries out the commands that have come; `import` takes weights in.
    pub(super) fn handle_commands(
        &self,
        import: &mut dyn FnMut(&WeightFile) -> Result<FileId, SourceError>,
    ) {
        for command in self.commands.try_iter() {
            match command {
                Command::Stop => self.stop.store(true, Ordering::Relaxed),
                Command::Import(file, answer) => {
                    // The client may have gone away.
                    let _ = answer.send(import(&file));
                }
            }
        }
    }
}

/// The signature of the engine that plays the games of a population, and the
/// version that it belongs to: those that it began with, unless this program
/// does not know them.
pub(super) fn engine_version(population: &Population) -> Result<(u64, EngineVersion), StoreError> {
    let player = population.params().player.search.algorithm;
    let signature = population.reader().engine()?;
    let signature = signature.unwrap_or(EngineVersion::present_signature(player));
    let version = EngineVersion::from_signature(player, signature);
    Ok((signature, version.unwrap_or_default()))
}
