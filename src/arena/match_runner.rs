//! The games of a schedule, played by a worker pool and counted one pair after
//! the other.
//!
//! Results, and where a match stops, do not depend on the number of threads:
//! the workers play ahead, and a reorder buffer puts their games in order
//! before any is counted. The two games of a pair may run on two threads.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::contender::Contender;
use super::external::StartError;
use super::game::play_game;
use super::openings::{NoOpening, Opener, Openings};
use super::record::GameRecord;
use super::reorder_buffer::{PairHalf, ReorderBuffer};
use super::schedule::{GamePair, Schedule};
use super::spec::PlayerSpec;
use super::worker_pool::{PoolError, PoolEvent, Worker, WorkerPanic, WorkerPool};
use crate::game::Rules;

/// How the games of a schedule are played.
pub struct MatchRunner<'a> {
    /// The players that the schedule's numbers mean.
    pub players: &'a [PlayerSpec],
    /// Who plays whom.
    pub schedule: &'a Schedule,
    /// Where the games begin.
    pub openings: &'a Openings,
    /// The rules of all games.
    pub rules: Rules,
    /// Games at the same time, at least 1.
    pub threads: usize,
}

/// A pair that was played: A was Black in the first game, White in the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedPair {
    /// Its number in the schedule.
    pub number: u64,
    /// Who played, and the opening.
    pub pair: GamePair,
    /// The two games, in the order of [`PairHalf::BOTH`].
    pub games: [GameRecord; 2],
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All pairs were played.
    Complete,
    /// The caller that counts the pairs had enough.
    Enough,
    /// The caller interrupted it.
    Interrupted,
}

/// Why games cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A player cannot be started.
    #[error(transparent)]
    Player(#[from] StartError),
    /// There is no opening for a pair.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// A thread has panicked.
    #[error(transparent)]
    Worker(#[from] WorkerPanic),
}

/// How long a wait for a game lasts before the caller is asked whether to go on.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Jobs in the hands of the workers, for each thread: one that is played and
/// two that wait, so that no thread is idle while results are counted.
const JOBS_PER_THREAD: usize = 3;

impl MatchRunner<'_> {
    /// Plays. `counted` sees every pair in the order of the schedule and may
    /// end the match; `waiting` is called between games, several times a
    /// second, with the number of games played, and may interrupt the match.
    ///
    /// # Errors
    /// Where a player or a thread cannot be started or fails, or a pair has no
    /// opening.
    pub fn play(
        &self,
        counted: &mut dyn FnMut(PlayedPair) -> ControlFlow<()>,
        waiting: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Ended, MatchError> {
        let halt = Arc::new(AtomicBool::new(false));
        let mut workers = Vec::new();
        for _ in 0..self.threads.max(1) {
            workers.push(self.worker(&halt)?);
        }
        WorkerPool::run(workers, &halt, |pool| self.drive(pool, counted, waiting))?
    }

    fn worker(&self, halt: &Arc<AtomicBool>) -> Result<TeamWorker<'_>, StartError> {
        let start = |player: &PlayerSpec| player.contender(halt);
        Ok(TeamWorker {
            rules: self.rules,
            team: self.players.iter().map(start).collect::<Result<_, _>>()?,
            opener: self.openings.opener(&self.rules),
            halt: Arc::clone(halt),
        })
    }

    /// Keeps the workers supplied, and counts what they play in order.
    fn drive(
        &self,
        pool: &WorkerPool<Job, PlayedGame>,
        counted: &mut dyn FnMut(PlayedPair) -> ControlFlow<()>,
        waiting: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Ended, MatchError> {
        let most = JOBS_PER_THREAD * self.threads.max(1);
        let mut jobs = Jobs::new(self.schedule);
        let mut buffer = ReorderBuffer::default();
        let (mut in_flight, mut played, mut number) = (0, 0, 0);
        while let Some(pair) = self.schedule.pair(number) {
            while in_flight < most
                && let Some(job) = jobs.next()
            {
                pool.submit(job);
                in_flight += 1;
            }
            match pool.wait(LOOK_UP) {
                PoolEvent::Finished(game) => {
                    in_flight -= 1;
                    played += 1;
                    buffer.add(game.number, game.half, game.record?);
                }
                PoolEvent::Idle => {}
                PoolEvent::Panicked(panic) => return Err(panic.into()),
            }
            let mut turn = Some(pair);
            while let Some(pair) = turn
                && let Some(games) = buffer.take(number)
            {
                let pair = PlayedPair {
                    number,
                    pair,
                    games,
                };
                if counted(pair).is_break() {
                    return Ok(Ended::Enough);
                }
                number += 1;
                turn = self.schedule.pair(number);
            }
            if waiting(played).is_break() {
                return Ok(Ended::Interrupted);
            }
        }
        Ok(Ended::Complete)
    }
}

/// One game to play.
struct Job {
    number: u64,
    pair: GamePair,
    half: PairHalf,
}

/// A game that was played, unless there is no opening for it.
struct PlayedGame {
    number: u64,
    half: PairHalf,
    record: Result<GameRecord, NoOpening>,
}

/// The games of a schedule, in order.
struct Jobs<'a> {
    schedule: &'a Schedule,
    next: u64,
    half: PairHalf,
}

impl<'a> Jobs<'a> {
    fn new(schedule: &'a Schedule) -> Jobs<'a> {
        Jobs {
            schedule,
            next: 0,
            half: PairHalf::First,
        }
    }
}

impl Iterator for Jobs<'_> {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        let (number, half) = (self.next, self.half);
        let pair = self.schedule.pair(number)?;
        (self.next, self.half) = match half {
            PairHalf::First => (number, PairHalf::Second),
            PairHalf::Second => (number + 1, PairHalf::First),
        };
        Some(Job { number, pair, half })
    }
}

/// A worker with all players of the match, each started once a thread.
struct TeamWorker<'a> {
    rules: Rules,
    team: Vec<Box<dyn Contender>>,
    opener: Opener<'a>,
    halt: Arc<AtomicBool>,
}

impl Worker for TeamWorker<'_> {
    type Job = Job;
    type Output = PlayedGame;

    fn play(&mut self, job: Job) -> Option<PlayedGame> {
        let Job { number, pair, half } = job;
        let record = match self.opener.get(pair.opening) {
            Err(error) => Err(error),
            Ok(start) => {
                let [a, b] = self
                    .team
                    .get_disjoint_mut(pair.players)
                    .expect("a schedule pairs two different players of the team");
                let seats: [&mut dyn Contender; 2] = half.seats([&mut **a, &mut **b]);
                let stop = || self.halt.load(Ordering::Relaxed);
                Ok(play_game(seats, &self.rules, &start, &stop)?)
            }
        };
        Some(PlayedGame {
            number,
            half,
            record,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::arena::MoveLimits;
    use crate::arena::openings::RandomOpenings;
    use crate::random::Stream;

    fn session(schedule: &Schedule, threads: usize, most: usize) -> (Vec<PlayedPair>, Ended) {
        let limits = MoveLimits {
            depth: Some(1),
            ..MoveLimits::default()
        };
        let players = ["default", "random:1", "random:2"]
            .map(|name| PlayerSpec::parse(name, limits, Path::new("")).unwrap());
        let openings = Openings::random(RandomOpenings::default(), 1, Stream::Match);
        let runner = MatchRunner {
            players: &players,
            schedule,
            openings: &openings,
            rules: Rules::default(),
            threads,
        };
        let mut pairs = Vec::new();
        let mut counted = |pair| {
            pairs.push(pair);
            if pairs.len() < most {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let ended = runner.play(&mut counted, &mut |_| ControlFlow::Continue(()));
        (pairs, ended.unwrap())
    }

    #[test]
    fn pairs_come_in_order_whatever_the_threads() {
        let schedule = Schedule::round_robin(3, 5);
        let (pairs, ended) = session(&schedule, 1, usize::MAX);
        assert_eq!((pairs.len(), ended), (15, Ended::Complete));
        for (number, played) in pairs.iter().enumerate() {
            assert_eq!(played.number, number as u64);
            let [first, second] = &played.games;
            assert_eq!(first.players[0], second.players[1]);
            assert_eq!((first.seed, first.first), (second.seed, second.first));
            assert_eq!(first.moves[..4], second.moves[..4]);
            for record in &played.games {
                record.replay(&Rules::default()).unwrap();
            }
        }
        for threads in [2, 5] {
            assert_eq!(session(&schedule, threads, usize::MAX).0, pairs);
        }
        // Enough is enough at the same pair.
        for threads in [1, 4] {
            let (some, ended) = session(&schedule, threads, 4);
            assert_eq!(ended, Ended::Enough);
            assert_eq!(some, pairs[..4]);
        }
    }

    #[test]
    fn an_interruption_ends_a_session_without_end() {
        let limits = MoveLimits::default();
        let players = ["default@minimax:9", "default"]
            .map(|name| PlayerSpec::parse(name, limits, Path::new("")).unwrap());
        let openings = Openings::random(RandomOpenings::default(), 1, Stream::Match);
        let runner = MatchRunner {
            players: &players,
            schedule: &Schedule::single_match(u64::MAX),
            openings: &openings,
            rules: Rules::default(),
            threads: 2,
        };
        let never = &mut |_| panic!("no game can be over");
        let ended = runner.play(never, &mut |_| ControlFlow::Break(()));
        assert_eq!(ended.unwrap(), Ended::Interrupted);
    }
}
