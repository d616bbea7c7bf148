//! Where the games of a run are played: by threads of this process, or by a
//! fleet of other machines. The event loop, the hall's matches and the proof
//! know this interface alone, so what they apply, and in which order, does not
//! depend on who plays.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::worker::{Measurement, Played, RunPool, submit};
use crate::api::FleetView;
use crate::arena::{PoolEvent, WorkerPanic};
use crate::evolve::Pairing;
use crate::genome::{GeneTable, Genome};
use crate::params::Params;
use crate::search::EngineVersion;

/// Two games of one opening that are to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// A match of the evolution or of its final.
    Match(Pairing),
    /// A pair of games beside the evolution.
    Measurement(Measurement),
}

impl Task {
    /// The genomes of both players.
    pub fn genomes(&self) -> &[Genome; 2] {
        match self {
            Task::Match(pairing) => &pairing.weights,
            Task::Measurement(measurement) => &measurement.weights,
        }
    }
}

/// What came of waiting for a game.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all of them are the large variant, and few exist at a time"
)]
pub enum GameEvent {
    /// A game was played.
    Finished(Played),
    /// No game was finished in the given time.
    Idle,
}

/// Why no more games will come.
#[derive(Debug, thiserror::Error)]
pub enum SourceFault {
    /// A thread of this process has panicked, which it should not.
    #[error("{0}. Nothing that was applied is lost: run the same command to go on")]
    Worker(#[from] WorkerPanic),
    /// The fleet cannot be used, or cannot be trusted any more.
    #[error("{0}")]
    Fleet(String),
    /// The fleet's broker refuses this run as it was started.
    #[error("{0}")]
    Refused(String),
}

impl From<String> for SourceFault {
    fn from(text: String) -> SourceFault {
        SourceFault::Fleet(text)
    }
}

/// Plays the tasks of a run.
pub trait GameSource {
    /// Gives out both games of a task. They come back in any order, among those
    /// of other tasks.
    fn submit(&self, task: &Task);

    /// Waits for a game, `at_most` so long.
    ///
    /// # Errors
    /// Where no more games will come.
    fn wait(&self, at_most: Duration) -> Result<GameEvent, SourceFault>;

    /// The time that was spent in games so far. It grows when games are
    /// finished, so that its standing still shows a run that hangs.
    fn busy(&self) -> Duration;

    /// Forgets all tasks that were given out: none of their games comes back.
    fn discard(&self) {}

    /// The fleet that plays; `None` where threads of this process do.
    fn fleet(&self) -> Option<FleetView> {
        None
    }
}

/// Makes a fleet the source of the games of a population.
pub trait OpenFleet {
    /// Begins to give out work. `params_text` is the text of the population's
    /// parameters, from which the workers read theirs; `genes` are those that its
    /// genomes have.
    ///
    /// # Errors
    /// Where the fleet cannot be used.
    fn open(
        &self,
        population: &str,
        params: &Params,
        params_text: &str,
        genes: &GeneTable,
        version: EngineVersion,
    ) -> Result<Box<dyn GameSource>, SourceFault>;
}

impl GameSource for RunPool {
    fn submit(&self, task: &Task) {
        submit(self, task);
    }

    fn wait(&self, at_most: Duration) -> Result<GameEvent, SourceFault> {
        match RunPool::wait(self, at_most) {
            PoolEvent::Finished(played) => Ok(GameEvent::Finished(played)),
            PoolEvent::Idle => Ok(GameEvent::Idle),
            PoolEvent::Panicked(panic) => Err(panic.into()),
        }
    }

    fn busy(&self) -> Duration {
        RunPool::busy(self)
    }
}
