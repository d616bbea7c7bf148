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
use super::game::{TimeUsed, TimedGame, play_timed_game};
use super::openings::{NoOpening, Opener, Openings};
use super::record::GameRecord;
use super::referee::Referee;
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
#[derive(Clone, Debug)]
pub struct PlayedPair {
    /// Its number in the schedule.
    pub number: u64,
    /// Who played, and the opening.
    pub pair: GamePair,
    /// The two games, in the order of [`PairHalf::BOTH`].
    pub games: [GameRecord; 2],
    /// What Black and White took in each.
    pub time: [[TimeUsed; 2]; 2],
    /// Moves of Black and White in each that came from an opening book.
    pub book_moves: [[u32; 2]; 2],
}

/// Players that are started on every thread, before their first game.
pub struct StartedMatch<'a> {
    runner: &'a MatchRunner<'a>,
    workers: Vec<TeamWorker<'a>>,
    halt: Arc<AtomicBool>,
    names: Arc<[String]>,
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
        self.start()?.play(&Referee::default(), 0, counted, waiting)
    }

    /// Starts the players of all threads, and plays nothing yet.
    ///
    /// # Errors
    /// Where another program cannot be started.
    pub fn start(&self) -> Result<StartedMatch<'_>, StartError> {
        let halt = Arc::new(AtomicBool::new(false));
        let mut teams = Vec::new();
        for _ in 0..self.threads.max(1) {
            let start = |player: &PlayerSpec| player.contender(&halt);
            let team = self.players.iter().map(start);
            teams.push(team.collect::<Result<Vec<_>, _>>()?);
        }
        let names: Arc<[String]> = names(self.players, &teams[0]).into();
        let worker = |team| TeamWorker {
            runner: self,
            referee: Referee::default(),
            team,
            opener: self.openings.opener(&self.rules),
            halt: Arc::clone(&halt),
            names: Arc::clone(&names),
        };
        Ok(StartedMatch {
            runner: self,
            workers: teams.into_iter().map(worker).collect(),
            halt: Arc::clone(&halt),
            names: Arc::clone(&names),
        })
    }

    /// Keeps the workers supplied, and counts what they play in order, from
    /// pair `first` on.
    fn drive(
        &self,
        pool: &WorkerPool<Job, PlayedGame>,
        first: u64,
        counted: &mut dyn FnMut(PlayedPair) -> ControlFlow<()>,
        waiting: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Ended, MatchError> {
        let most = JOBS_PER_THREAD * self.threads.max(1);
        let mut jobs = Jobs::new(self.schedule, first);
        let mut buffer = ReorderBuffer::default();
        let (mut in_flight, mut played, mut number) = (0, 0, first);
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
                    buffer.add(game.number, game.half, game.game?);
                }
                PoolEvent::Idle => {}
                PoolEvent::Panicked(panic) => return Err(panic.into()),
            }
            let mut turn = Some(pair);
            while let Some(pair) = turn
                && let Some(games) = buffer.take(number)
            {
                let time = games.each_ref().map(|game| game.time);
                let book_moves = games.each_ref().map(|game| game.book_moves);
                let pair = PlayedPair {
                    number,
                    pair,
                    games: games.map(|game| game.record),
                    time,
                    book_moves,
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

impl StartedMatch<'_> {
    /// What the players are called in reports: programs as they call
    /// themselves, unless two would be called the same.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Plays from pair `first` on, as [`MatchRunner::play`] does.
    ///
    /// # Errors
    /// Where a thread cannot be started or fails, or a pair has no opening.
    pub fn play(
        self,
        referee: &Referee,
        first: u64,
        counted: &mut dyn FnMut(PlayedPair) -> ControlFlow<()>,
        waiting: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Ended, MatchError> {
        let StartedMatch {
            runner,
            mut workers,
            halt,
            ..
        } = self;
        for worker in &mut workers {
            worker.referee = *referee;
        }
        WorkerPool::run(workers, &halt, |pool| {
            runner.drive(pool, first, counted, waiting)
        })?
    }
}

/// The names of started players; a name that two would have is replaced by what
/// the user called them.
fn names(players: &[PlayerSpec], team: &[Box<dyn Contender>]) -> Vec<String> {
    let own = |n: usize| team[n].name();
    let name = |n: usize| {
        let is_twice = (0..team.len()).any(|other| other != n && own(other) == own(n));
        let name = if is_twice { &players[n].text } else { own(n) };
        name.to_owned()
    };
    (0..team.len()).map(name).collect()
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
    game: Result<TimedGame, NoOpening>,
}

/// The games of a schedule, in order.
struct Jobs<'a> {
    schedule: &'a Schedule,
    next: u64,
    half: PairHalf,
}

impl<'a> Jobs<'a> {
    fn new(schedule: &'a Schedule, first: u64) -> Jobs<'a> {
        Jobs {
            schedule,
            next: first,
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
    runner: &'a MatchRunner<'a>,
    referee: Referee,
    team: Vec<Box<dyn Contender>>,
    opener: Opener<'a>,
    halt: Arc<AtomicBool>,
    names: Arc<[String]>,
}

impl Worker for TeamWorker<'_> {
    type Job = Job;
    type Output = PlayedGame;

    fn play(&mut self, job: Job) -> Option<PlayedGame> {
        let Job { number, pair, half } = job;
        let runner = self.runner;
        let game = match self.opener.get(pair.opening) {
            Err(error) => Err(error),
            Ok(start) => {
                let [a, b] = self
                    .team
                    .get_disjoint_mut(pair.players)
                    .expect("a schedule pairs two different players of the team");
                let seats: [&mut dyn Contender; 2] = half.seats([&mut **a, &mut **b]);
                let limits = pair.players.map(|player| &runner.players[player].limits);
                let limits = half.seats(limits);
                let stop = || self.halt.load(Ordering::Relaxed);
                let rules = &runner.rules;
                let mut game = play_timed_game(seats, limits, rules, &start, &self.referee, &stop)?;
                let names = pair.players.map(|player| self.names[player].clone());
                game.record.players = half.seats(names);
                Ok(game)
            }
        };
        Some(PlayedGame { number, half, game })
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
        let games = |pairs: &[PlayedPair]| -> Vec<[GameRecord; 2]> {
            pairs.iter().map(|pair| pair.games.clone()).collect()
        };
        for threads in [2, 5] {
            let (again, _) = session(&schedule, threads, usize::MAX);
            assert_eq!(games(&again), games(&pairs));
        }
        // Enough is enough at the same pair.
        for threads in [1, 4] {
            let (some, ended) = session(&schedule, threads, 4);
            assert_eq!(ended, Ended::Enough);
            assert_eq!(games(&some), games(&pairs[..4]));
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
