//! The event loop of a run: matches are played ahead, and applied strictly in
//! the order of their numbers.
//!
//! There is no barrier: while the oldest match is awaited, the workers play the
//! others of the window. What is applied, and when the run ends, depends on
//! neither the number of threads nor their speed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::result_sink::ResultSink;
use super::worker::{GameSettings, Played, RunPool, RunWorker, submit_match};
use crate::arena::openings::NoOpening;
use crate::arena::{GameRecord, PoolError, PoolEvent, ReorderBuffer, WorkerPanic, WorkerPool};
use crate::evolve::Pairing;
use crate::params::Params;
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
    /// A result cannot be kept.
    #[error(transparent)]
    Sink(E),
    /// There is no opening for a match.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// Two games make no match, which they should.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// A thread has panicked, which it should not.
    #[error("{0}. Nothing that was applied is lost: run the same command to go on")]
    Worker(#[from] WorkerPanic),
}

/// What happens beside the matches.
pub trait LoopHandler<S: ResultSink> {
    /// Called several times a second, between two matches. May add to the sink
    /// what comes from outside, and give out games beside the matches.
    ///
    /// # Errors
    /// An error ends the loop.
    fn tick(&mut self, sink: &mut S, pool: &RunPool) -> Result<(), LoopError<S::Error>>;

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
    fn tick(&mut self, _: &mut S, _: &RunPool) -> Result<(), LoopError<S::Error>> {
        Ok(())
    }
}

/// Plays until the title is decided, or until `stop` is set: games in flight
/// are dropped then, and played again when the run goes on.
///
/// # Errors
/// Where results cannot be kept, threads cannot be started or fail, or a match
/// has no opening. What was applied before stays applied.
pub fn evolve<S: ResultSink>(
    sink: &mut S,
    params: &Params,
    threads: usize,
    stop: &AtomicBool,
    handler: &mut dyn LoopHandler<S>,
) -> Result<Ended, LoopError<S::Error>> {
    let settings = GameSettings::new(params);
    let halt = Arc::new(AtomicBool::new(false));
    let workers = (0..threads.max(1)).map(|_| RunWorker::new(&settings, &halt));
    let drive = |pool: &RunPool| drive(sink, pool, stop, handler);
    WorkerPool::run(workers.collect(), &halt, drive)?
}

fn drive<S: ResultSink>(
    sink: &mut S,
    pool: &RunPool,
    stop: &AtomicBool,
    handler: &mut dyn LoopHandler<S>,
) -> Result<Ended, LoopError<S::Error>> {
    let mut buffer = ReorderBuffer::default();
    let mut submitted = 0;
    loop {
        // 1. Matches that are drawn go to the workers, in order.
        for pairing in sink.state().pending() {
            if pairing.number >= submitted {
                submit_match(pool, pairing);
                submitted = pairing.number + 1;
            }
        }
        let Some(&next) = sink.state().pending().front() else {
            return Ok(Ended::Over);
        };

        // 2. A worker finishes a game.
        match pool.wait(LOOK_UP) {
            PoolEvent::Finished(played) if played.is_measurement => {
                handler.measured(sink, played)?;
            }
            PoolEvent::Finished(played) => {
                buffer.add(played.number, played.half, played.record?);
            }
            PoolEvent::Idle => {}
            PoolEvent::Panicked(panic) => return Err(panic.into()),
        }

        // 3. The oldest match is applied once both its games are there, and
        //    those after it, too. Each draws a match to come.
        let mut turn = Some(next);
        while let Some(pairing) = turn
            && let Some(games) = buffer.take(pairing.number)
        {
            apply(sink, &pairing, &games)?;
            turn = sink.state().pending().front().copied();
        }

        // 4. Commands from outside are handled, and may ask for an end.
        handler.tick(sink, pool)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(Ended::Stopped);
        }
    }
}

fn apply<S: ResultSink>(
    sink: &mut S,
    pairing: &Pairing,
    games: &[GameRecord; 2],
) -> Result<(), LoopError<S::Error>> {
    let record = MatchRecord::new(pairing, games)?;
    sink.add(Entry::Match(record)).map_err(LoopError::Sink)
}
