//! A run: evolution, proof and the champion's file, from wherever the population
//! stands, until it is done or stopped.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crossbeam_channel::Receiver;

use super::champion::champion_file;
use super::command::Command;
use super::event_loop::{Ended, LoopError, evolve};
use super::live_population::{Latest, LivePopulation};
use super::proof::planned::{PlannedMatch, ProofError, planned_matches, prove};
use super::reporter::Reporter;
use super::status::status;
use crate::api::{SourceError, Status};
use crate::eval::Weights;
use crate::evolve::{FileId, Stage};
use crate::search::signature;
use crate::store::{Population, StoreError};
use crate::util::atomic_file;
use crate::weights::WeightFile;

/// What a run is given.
pub struct Run {
    /// The population's name.
    pub name: String,
    /// Games at the same time.
    pub threads: usize,
    /// Champions that the new one is measured against.
    pub published: Vec<(String, Weights)>,
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
    pub champion: Option<(PathBuf, WeightFile)>,
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
        let found = self.run_inner(&mut population, observer);
        self.live.remember();
        let closed = population.close();
        let outcome = found?;
        closed?;
        Ok(outcome)
    }

    fn run_inner(
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
        if population.state().stage() != Stage::Over {
            let begin = Instant::now();
            let params = population.params().clone();
            outcome.ended = evolve(population, &params, self.threads, &self.stop, &mut reporter)?;
            let spent = begin.elapsed().as_secs_f64();
            outcome.busy = Some(reporter.busy.as_secs_f64() / spent / self.threads as f64);
            outcome.storing = Some(population.writer_load().waited.as_secs_f64() / spent);
            population.flush()?;
        }
        if outcome.ended == Ended::Over {
            outcome.ended = self.prove(population, &mut reporter)?;
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

    fn prove(
        &self,
        population: &mut Population,
        reporter: &mut Reporter<'_>,
    ) -> Result<Ended, RunError> {
        let all = planned_matches(population, &self.published)?;
        reporter.context.proof[1] = all.iter().map(|planned| planned.games).sum();
        let (params, plan) = (population.params().clone(), population.plan().clone());
        let state = population.state().clone();
        let mut watch = |games: u64, _: &PlannedMatch, _: &_| {
            if games > reporter.context.proof[0] {
                reporter.context.proof[0] = games;
                reporter.observer.heartbeat();
            }
            let stops = self.must_stop();
            if reporter.is_due() {
                reporter.count(state.games() + games);
                reporter.update_forecast(&state, &plan);
                let status = status(&self.name, &params, &plan, &state, &reporter.context);
                reporter.publish(Latest {
                    status,
                    state: state.clone(),
                    params: params.clone(),
                });
            }
            if stops {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        if prove(population, &all, self.threads, &mut watch)? {
            Ok(Ended::Over)
        } else {
            Ok(Ended::Stopped)
        }
    }

    /// Writes the champion's file, where the population lies.
    fn write_champion(&self, population: &Population) -> Result<(PathBuf, WeightFile), RunError> {
        population.flush()?;
        let reader = population.reader();
        let engine = reader.engine()?.unwrap_or(signature::SIGNATURE);
        let measured = reader.measured_matches()?;
        let (state, params) = (population.state(), population.params());
        let births = |file| Ok(reader.file(file)?.map(|(birth, _)| birth));
        let file = champion_file(&self.name, state, params, &births, &measured, engine)?
            .expect("the evolution is over, so there is a champion");
        let path = population.layout().champion();
        atomic_file::save(&path, file.to_toml(), true).map_err(|source| RunError::Champion {
            path: path.clone(),
            source,
        })?;
        Ok((path, file))
    }

    /// Whether the run is asked to stop. Weights are not taken in any more.
    fn must_stop(&self) -> bool {
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
