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
use crate::game::Rules;

/// What a session of games is about.
pub struct MatchRunner<'a> {
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
pub enum MatchError {
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

/// A thread that panics takes the others with it: nobody is to wait for its
/// game.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

impl MatchRunner<'_> {
    /// Plays. `counted` sees every pair in the order of the schedule and may
    /// end the session; `waiting` is called between games, several times a
    /// second, with the number of games played, and interrupts the session by
    /// saying so.
    pub fn play(
        &self,
        counted: &mut dyn FnMut(PlayedPair) -> ControlFlow<()>,
        waiting: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Ended, MatchError> {
        let halt = Arc::new(AtomicBool::new(false));
        let threads = self.threads.max(1);
        let mut teams = Vec::new();
        for _ in 0..threads {
            teams.push(self.team(&halt)?);
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|source| MatchError::Threads { threads, source })?;
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
    fn team(&self, halt: &Arc<AtomicBool>) -> Result<Vec<Box<dyn Contender>>, MatchError> {
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
        let _alarm = Alarm(halt);
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
    ) -> Result<Ended, MatchError> {
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
        let hall = MatchRunner {
            players: &players,
            schedule,
            openings: &openings,
            rules: Rules::default(),
            threads,
        };
        let mut pairs = Vec::new();
        let mut counted = |pair| {
            pairs.push(pair);
            match pairs.len() < most {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let ended = hall.play(&mut counted, &mut |_| ControlFlow::Continue(()));
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
            assert_eq!((first.seed, &first.first), (second.seed, &second.first));
            assert_eq!(first.moves.get(..23), second.moves.get(..23));
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
        let hall = MatchRunner {
            players: &players,
            schedule: &Schedule::duel(u64::MAX),
            openings: &openings,
            rules: Rules::default(),
            threads: 2,
        };
        let never = &mut |_| panic!("no game can be over");
        let ended = hall.play(never, &mut |_| ControlFlow::Break(()));
        assert_eq!(ended.unwrap(), Ended::Interrupted);
    }
}
