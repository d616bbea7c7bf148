//! Plays the two games of a task on one thread, and says which opening they must
//! have. Workers play with it, and the coordinator checks with it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::wire::PlayedPair;
use crate::arena::openings::{NoOpening, Start};
use crate::arena::{PairHalf, Worker};
use crate::run::{GameSettings, RunWorker, Task};
use crate::store::StoredGame;

/// A task, and the number of its order.
pub(super) struct PairJob {
    pub(super) order: u64,
    pub(super) task: Box<Task>,
}

/// What came of a task.
pub(super) struct PairDone {
    pub(super) order: u64,
    /// The time that it took, in microseconds.
    pub(super) micros: u64,
    pub(super) pair: PlayedPair,
}

/// The players and openings of one thread.
pub(super) struct PairPlayer<'a>(RunWorker<'a>);

impl<'a> PairPlayer<'a> {
    /// A player whose searches end when `halt` is set. The settings are those of
    /// built-in players ([`GameSettings::built_in`]).
    pub(super) fn new(settings: &'a GameSettings, halt: &Arc<AtomicBool>) -> PairPlayer<'a> {
        let worker = RunWorker::new(settings, halt);
        PairPlayer(worker.expect("built-in players start no program"))
    }

    /// The opening that the games of a task begin with.
    pub(super) fn start(&mut self, task: &Task) -> Result<Start, NoOpening> {
        self.0.start(task)
    }

    /// Plays both games; `None` where they were halted.
    fn play_pair(&mut self, task: &Task) -> Option<PlayedPair> {
        let mut seed = 0;
        let mut games = Vec::with_capacity(2);
        for half in PairHalf::BOTH {
            match self.0.play_task(task, half)? {
                Err(NoOpening(_)) => return Some(PlayedPair::NoOpening),
                Ok(record) => {
                    seed = record.seed;
                    games.push(StoredGame::from(&record));
                }
            }
        }
        let games = games.try_into().expect("there are two halves");
        Some(PlayedPair::Games { seed, games })
    }
}

impl Worker for PairPlayer<'_> {
    type Job = PairJob;
    type Output = PairDone;

    fn play(&mut self, PairJob { order, task }: PairJob) -> Option<PairDone> {
        let begin = Instant::now();
        let pair = self.play_pair(&task)?;
        let micros = begin.elapsed().as_micros().try_into().unwrap_or(u64::MAX);
        Some(PairDone {
            order,
            micros,
            pair,
        })
    }
}
