//! Many games at once, counted one pair after the other.
//!
//! Each thread has its own players and takes the next game that nobody has
//! taken, so no thread waits for another. What comes back is put in order
//! before anyone sees it: results, and where a match stops, do not depend on
//! the number of threads. The two games of a pair may run on two threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::contender::Contender;
use super::external::StartError;
use super::game::play_game;
use super::openings::{NoOpening, Openings};
use super::record::GameRecord;
use super::schedule::{Pair, Schedule};
use super::spec::PlayerSpec;
use crate::rules::Rules;

/// What a session of games is about.
pub struct Hall<'a> {
    /// The players that the schedule's numbers mean.
    pub players: &'a [PlayerSpec],
    /// Who plays whom.
    pub schedule: &'a Schedule,
    /// Where the games begin.
    pub openings: &'a Openings,
    /// The rules of all games.
    pub rules: Rules,
    /// At least 1.
    pub threads: usize,
}

/// A pair that was played: A was Black in the first game, White in the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedPair {
    /// Its number in the schedule.
    pub number: u64,
    /// Who played, and the opening.
    pub pair: Pair,
    /// The two games.
    pub games: [GameRecord; 2],
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All pairs were played.
    Complete,
    /// Whoever counted the pairs had enough.
    Enough,
    /// It was interrupted.
    Interrupted,
}

/// Why there are no games.
#[derive(Debug, thiserror::Error)]
pub enum HallError {
    /// A player cannot be started.
    #[error(transparent)]
    Player(#[from] StartError),
    /// There is no opening for a pair.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// The threads cannot be started.
    #[error("cannot start {threads} threads")]
    Threads {
        /// How many.
        threads: usize,
        /// The reason.
        source: rayon::ThreadPoolBuildError,
    },
}

/// What a thread sends: the number of the game (twice the pair's, and one more
/// for the second game) and what came of it.
type Sent = (u64, Result<GameRecord, NoOpening>);

/// How often a silent wait looks for an interruption.
const LOOK_UP: Duration = Duration::from_millis(50);

impl Hall<'_> {
    /// Plays. `counted` sees every pair in the order of the schedule and may
    /// end the session; `waiting` is called between games, several times a
    /// second, with the number of games played, and interrupts the session by
    /// saying so.
    pub fn play(
        &self,
        counted: &mut dyn FnMut(PlayedPair) -> ControlFlow<()>,
        waiting: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Ended, HallError> {
        let halt = Arc::new(AtomicBool::new(false));
        let threads = self.threads.max(1);
        let mut teams = Vec::new();
        for _ in 0..threads {
            teams.push(self.team(&halt)?);
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|source| HallError::Threads { threads, source })?;
        let next = AtomicU64::new(0);
        let (send, receive) = mpsc::channel();
        pool.in_place_scope(|scope| {
            for team in teams {
                let (send, next, halt) = (send.clone(), &next, &*halt);
                scope.spawn(move |_| self.work(team, next, halt, &send));
            }
            drop(send);
            let ended = self.count(&receive, counted, waiting);
            halt.store(true, Ordering::Relaxed);
            ended
        })
    }

    /// All players, for one thread.
    fn team(&self, halt: &Arc<AtomicBool>) -> Result<Vec<Box<dyn Contender>>, HallError> {
        let start = |player: &PlayerSpec| Ok(player.contender(halt)?);
        self.players.iter().map(start).collect()
    }

    /// One thread's work: the next game, until there is none.
    fn work(
        &self,
        mut team: Vec<Box<dyn Contender>>,
        next: &AtomicU64,
        halt: &AtomicBool,
        send: &mpsc::Sender<Sent>,
    ) {
        let stop = || halt.load(Ordering::Relaxed);
        let mut opener = self.openings.opener(&self.rules);
        while !stop() {
            let game = next.fetch_add(1, Ordering::Relaxed);
            let Some(pair) = self.schedule.pair(game / 2) else {
                return;
            };
            let played = match opener.get(pair.opening) {
                Err(error) => Err(error),
                Ok(start) => {
                    let [a, b] = pair.players;
                    let Ok([a, b]) = team.get_disjoint_mut([a, b]) else {
                        return;
                    };
                    let (a, b): (&mut dyn Contender, &mut dyn Contender) = (&mut **a, &mut **b);
                    let players = if game.is_multiple_of(2) {
                        [a, b]
                    } else {
                        [b, a]
                    };
                    let Some(record) = play_game(players, &self.rules, &start, &stop) else {
                        return;
                    };
                    Ok(record)
                }
            };
            // Nobody listens once the session has ended.
            if send.send((game, played)).is_err() {
                return;
            }
        }
    }

    /// Puts what the threads send in order.
    fn count(
        &self,
        receive: &mpsc::Receiver<Sent>,
        counted: &mut dyn FnMut(PlayedPair) -> ControlFlow<()>,
        waiting: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Ended, HallError> {
        let mut early = BTreeMap::new();
        let mut number = 0;
        let mut played = 0;
        while let Some(pair) = self.schedule.pair(number) {
            let both = [2 * number, 2 * number + 1];
            if both.iter().all(|game| early.contains_key(game)) {
                let [first, second] =
                    both.map(|game| early.remove(&game).expect("both games are there"));
                let games = [first?, second?];
                let flow = counted(PlayedPair {
                    number,
                    pair,
                    games,
                });
                if flow.is_break() {
                    return Ok(Ended::Enough);
                }
                number += 1;
                continue;
            }
            match receive.recv_timeout(LOOK_UP) {
                Ok((game, result)) => {
                    played += u64::from(result.is_ok());
                    early.insert(game, result);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Ended::Interrupted),
            }
            if waiting(played).is_break() {
                return Ok(Ended::Interrupted);
            }
        }
        Ok(Ended::Complete)
    }
}
