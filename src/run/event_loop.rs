//! The event loop of a run: matches are played ahead, and applied strictly in
//! the order of their numbers.
//!
//! There is no barrier: while the oldest match is awaited, the workers play the
//! others of the window. What is applied, and when the run ends, depends on
//! neither the number of threads nor their speed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::engine_lesson::LessonError;
use super::fault_limit::{FaultLimit, KeepsFailing};
use super::game_source::{GameEvent, GameSource, SourceFault, Task};
use super::lessons::Lessons;
use super::result_sink::ResultSink;
use super::worker::{GameSettings, Played, RunPool, RunWorker};
use crate::arena::openings::NoOpening;
use crate::arena::{PoolError, ReorderBuffer, StartError, WorkerPool};
use crate::genome::UnknownGenes;
use crate::params::Params;
use crate::search::EngineVersion;
use crate::store::{Entry, MatchRecord, RecordError};

/// How long a wait for a game lasts before the handler is called.
const LOOK_UP: Duration = Duration::from_millis(20);

/// How an evolution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// One file is left, and the title is decided.
    Over,
    /// It was asked to stop.
    Stopped,
}

/// Why an evolution cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LoopError<E> {
    /// This program does not have the genes of the population.
    #[error(transparent)]
    Genes(#[from] UnknownGenes),
    /// The program that plays cannot be started.
    #[error(transparent)]
    Engine(#[from] StartError),
    /// The program that plays keeps failing.
    #[error(transparent)]
    Faults(#[from] KeepsFailing),
    /// A result cannot be kept.
    #[error(transparent)]
    Sink(E),
    /// There is no opening for a match.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// Two games make no match, which they should.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Nothing can be learned from the games.
    #[error(transparent)]
    Lesson(#[from] LessonError),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// No more games will come.
    #[error(transparent)]
    Games(#[from] SourceFault),
}

/// What happens beside the matches.
pub trait LoopHandler<S: ResultSink> {
    /// Called several times a second, between two matches. May add to the sink
    /// what comes from outside, and give out games beside the matches.
    ///
    /// # Errors
    /// An error ends the loop.
    fn tick(&mut self, sink: &mut S, games: &dyn GameSource) -> Result<(), LoopError<S::Error>>;

    /// A game was played that the handler gave out, beside the matches.
    ///
    /// # Errors
    /// An error ends the loop.
    fn measured(&mut self, sink: &mut S, played: Played) -> Result<(), LoopError<S::Error>> {
        let _ = (sink, played);
        Ok(())
    }
}

/// No handler: only matches are played.
impl<S: ResultSink> LoopHandler<S> for () {
    fn tick(&mut self, _: &mut S, _: &dyn GameSource) -> Result<(), LoopError<S::Error>> {
        Ok(())
    }
}

/// Plays with a `version` of the engine until the title is decided, or until `stop` is set: games in flight
/// are dropped then, and played again when the run goes on.
///
/// # Errors
/// Where results cannot be kept, threads cannot be started or fail, or a match
/// has no opening. What was applied before stays applied.
pub fn evolve<S: ResultSink>(
    sink: &mut S,
    params: &Params,
    version: EngineVersion,
    threads: usize,
    stop: &AtomicBool,
    handler: &mut dyn LoopHandler<S>,
) -> Result<Ended, LoopError<S::Error>> {
    let genes = &sink.plan().genome.table;
    let settings = GameSettings::new(params, genes, version)?;
    let halt = Arc::new(AtomicBool::new(false));
    let workers = (0..threads.max(1)).map(|_| RunWorker::new(&settings, &halt));
    let workers: Result<Vec<_>, StartError> = workers.collect();
    let drive = |pool: &RunPool| drive(sink, pool, stop, handler);
    WorkerPool::run(workers?, &halt, drive)?
}

/// [`evolve`] with games that come from anywhere.
///
/// # Errors
/// Where results cannot be kept, no more games come, or a match has no opening.
/// What was applied before stays applied.
pub fn drive<S: ResultSink>(
    sink: &mut S,
    games: &dyn GameSource,
    stop: &AtomicBool,
    handler: &mut dyn LoopHandler<S>,
) -> Result<Ended, LoopError<S::Error>> {
    let mut lessons = Lessons::new(sink).map_err(LoopError::Sink)?;
    let mut buffer = ReorderBuffer::default();
    let mut submitted = 0;
    let mut faults = FaultLimit::new(sink.params().engine.fault);
    loop {
        // 1. Matches that are drawn go to the workers, in order.
        for pairing in sink.state().pending() {
            if pairing.number >= submitted {
                games.submit(&Task::Match(pairing.clone()));
                submitted = pairing.number + 1;
            }
        }
        if sink.state().pending().is_empty() {
            return Ok(Ended::Over);
        }

        // 2. A worker finishes a game.
        match games.wait(LOOK_UP)? {
            GameEvent::Finished(played) if played.is_measurement => {
                handler.measured(sink, played)?;
            }
            GameEvent::Finished(played) => {
                buffer.add(played.number, played.half, played.record?);
            }
            GameEvent::Idle => {}
        }

        // 3. The oldest match is applied once both its games are there, and
        //    those after it, too. Each draws a match to come.
        loop {
            // Matches wait while a lesson is due.
            if let Some(lesson) = sink.state().lesson(sink.plan()) {
                let Some(learned) = lessons.poll(&lesson, sink.plan())? else {
                    break;
                };
                sink.add(Entry::Scholar(learned)).map_err(LoopError::Sink)?;
                continue;
            }
            let Some(pairing) = sink.state().pending().front().cloned() else {
                break;
            };
            let Some(pair) = buffer.take(pairing.number) else {
                break;
            };
            faults.add(&pair)?;
            let record = MatchRecord::new(&pairing, &pair)?;
            lessons.add(record.clone());
            sink.add(Entry::Match(record)).map_err(LoopError::Sink)?;
        }

        // 4. Commands from outside are handled, and may ask for an end.
        handler.tick(sink, games)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(Ended::Stopped);
        }
    }
}
