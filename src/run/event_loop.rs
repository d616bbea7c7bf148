//! The main loop: matches are played ahead, and applied strictly in the order
//! of their numbers.
//!
//! No barrier: while the oldest match is awaited, the threads play the others
//! of the window. What is applied, and when the run ends, depends on neither
//! the number of threads nor their speed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::reorder_buffer::Early;
use super::result_sink::Ledger;
use super::worker_pool::{Crew, Played, Setup, Waited};
use crate::arena::GameRecord;
use crate::arena::openings::NoOpening;
use crate::evolve::Pairing;
use crate::params::Params;
use crate::store::{Entry, MatchRecord, RecordError};

/// How long a wait for a game lasts before the world is looked at.
const LOOK_UP: Duration = Duration::from_millis(20);

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// One file is left, and the title is decided.
    Over,
    /// It was asked to stop.
    Stopped,
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// What was played cannot be kept.
    #[error(transparent)]
    Ledger(E),
    /// There is no opening for a match.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// Two games make no match, which they should.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The threads cannot be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many.
        threads: usize,
        /// The reason.
        source: rayon::ThreadPoolBuildError,
    },
    /// A thread has panicked, which it should not.
    #[error(
        "a thread that plays games has failed; this is a fault of the program. \
         Nothing that was applied is lost: run the same command to go on"
    )]
    Broken,
}

/// Whoever looks at a run while it goes on.
pub trait Watcher<L> {
    /// Called several times a second, between two matches. May add to the
    /// ledger what comes from outside.
    fn look(&mut self, ledger: &mut L, crew: &Crew) -> Result<(), RunError<L::Error>>
    where
        L: Ledger;

    /// A game was played that it asked the crew for, beside the matches.
    fn measured(&mut self, ledger: &mut L, played: Played) -> Result<(), RunError<L::Error>>
    where
        L: Ledger,
    {
        let _ = (ledger, played);
        Ok(())
    }
}

/// Nobody.
impl<L: Ledger> Watcher<L> for () {
    fn look(&mut self, _: &mut L, _: &Crew) -> Result<(), RunError<L::Error>> {
        Ok(())
    }
}

/// Plays until the title is decided, or until `stop` is set: games in flight
/// are left then, and played again when the run goes on.
pub fn evolve<L: Ledger + Send>(
    ledger: &mut L,
    params: &Params,
    threads: usize,
    stop: &Arc<AtomicBool>,
    watcher: &mut (dyn Watcher<L> + Send),
) -> Result<Ended, RunError<L::Error>>
where
    L::Error: Send,
{
    let setup = Setup::new(params);
    let lead = |crew: &Crew| lead(ledger, crew, stop, watcher);
    let ended = Crew::work(&setup, threads, stop, lead);
    ended.map_err(|source| RunError::Threads { threads, source })?
}

fn lead<L: Ledger>(
    ledger: &mut L,
    crew: &Crew,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher<L>,
) -> Result<Ended, RunError<L::Error>> {
    let mut early = Early::default();
    let mut handed_out = 0;
    loop {
        // 1. What is drawn is handed out, in order.
        for pairing in ledger.state().pending() {
            if pairing.number >= handed_out {
                crew.hand_out(pairing);
                handed_out = pairing.number + 1;
            }
        }
        let Some(&next) = ledger.state().pending().front() else {
            return Ok(Ended::Over);
        };

        // 2. Somebody finishes a game.
        match crew.wait(LOOK_UP) {
            Waited::Played(played) if played.is_measure => watcher.measured(ledger, *played)?,
            Waited::Played(played) => early.add(*played)?,
            Waited::Nothing => {}
            Waited::Broken => return Err(RunError::Broken),
        }

        // 3. The oldest match is applied once both its games are there, and
        //    those after it, too. Each draws a match to come.
        let mut turn = Some(next);
        while let Some(pairing) = turn
            && let Some(games) = early.take(pairing.number)
        {
            apply(ledger, &pairing, &games)?;
            turn = ledger.state().pending().front().copied();
        }

        // 4. The world is looked at, and may want an end.
        watcher.look(ledger, crew)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(Ended::Stopped);
        }
    }
}

fn apply<L: Ledger>(
    ledger: &mut L,
    pairing: &Pairing,
    games: &[GameRecord; 2],
) -> Result<(), RunError<L::Error>> {
    let record = MatchRecord::of(pairing, games)?;
    ledger.add(Entry::Match(record)).map_err(RunError::Ledger)
}
