//! A worker: plays the matches of whatever run its fleet has, one run after the
//! other, until it is stopped.
//!
//! | thread | does |
//! |---|---|
//! | the caller's | hands orders to the players and their games to the network |
//! | `fleet network` | talks to the broker |
//! | `games N` | play |

mod network;
mod session;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, select};

use self::network::{NetEvent, Network};
use super::connection::Broker;
use super::pair_player::PairPlayer;
use super::subjects::worker_token;
use super::wire::{Answer, Charter};
use crate::arena::{PoolError, WorkerPanic, WorkerPool};
use crate::params::Params;
use crate::run::GameSettings;
use crate::search::EngineVersion;

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// The broker.
    pub broker: Broker,
    /// The worker's name; its process's number is added.
    pub name: String,
    /// Games at the same time.
    pub threads: usize,
}

/// What a worker does now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkerStatus {
    /// In words: whom it plays for, or what it waits for.
    pub doing: String,
    /// Whether the broker was lost and is not back yet.
    pub is_lost: bool,
    /// Games played.
    pub games: u64,
    /// Games a second, over the last seconds.
    pub games_per_second: f64,
    /// The load average of the host; `None` where it has none.
    pub load: Option<f64>,
}

/// Why a worker ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerEnd {
    /// It was asked to.
    Stopped,
    /// The coordinator found a result of it to be false.
    Barred(String),
}

/// Why a worker failed.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The broker does not let it in.
    #[error("{0}")]
    Broker(String),
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
    /// The threads that play cannot be started.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// A thread has panicked.
    #[error(transparent)]
    Panic(#[from] WorkerPanic),
}

/// Between two looks at the stop flag.
const LOOK_UP: Duration = Duration::from_millis(50);

/// The time for games to be finished once the worker is asked to stop. Matches
/// that take longer are given back.
const FINISH: Duration = Duration::from_millis(900);

/// Works until `stop` is set, or the worker is not wanted any more. `tell` is
/// called several times a second.
///
/// # Errors
/// The broker does not let it in, or a thread fails.
pub fn work(
    settings: &WorkerSettings,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&WorkerStatus),
) -> Result<WorkerEnd, WorkerError> {
    let name = worker_token(&format!("{}-{}", settings.name, std::process::id()));
    let mut network = Network::start(&settings.broker, &name, settings.threads)?;
    let mut count = Count::new();
    loop {
        if stop.load(Ordering::Relaxed) {
            network.stop();
            return Ok(WorkerEnd::Stopped);
        }
        match network.events.recv_timeout(LOOK_UP) {
            Ok(NetEvent::Session(charter, params)) => {
                count.status.doing = format!("plays for {}", charter.population);
                let ended = session(
                    settings,
                    &charter,
                    &params,
                    &mut network,
                    stop,
                    tell,
                    &mut count,
                )?;
                if let Some(end) = ended {
                    return Ok(end);
                }
            }
            Ok(NetEvent::Barred(why)) => return Ok(WorkerEnd::Barred(why)),
            Ok(NetEvent::Fatal(why)) => return Err(WorkerError::Broker(why)),
            Ok(NetEvent::Doing(doing)) => count.status.doing = doing,
            Ok(NetEvent::Connected(is_there)) => count.status.is_lost = !is_there,
            // What a session left behind.
            Ok(NetEvent::Order(_) | NetEvent::SessionOver) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(WorkerError::Broker(String::from(
                    "the network's thread has ended",
                )));
            }
        }
        count.look(&network);
        tell(&count.status);
    }
}

/// Plays for one run; what comes back ends the worker.
fn session(
    settings: &WorkerSettings,
    charter: &Charter,
    params: &Params,
    network: &mut Network,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&WorkerStatus),
    count: &mut Count,
) -> Result<Option<WorkerEnd>, WorkerError> {
    let player = params.player.search.algorithm;
    let version = EngineVersion::from_signature(player, charter.engine).unwrap_or_default();
    let games = match GameSettings::built_in(params, &charter.genes, version) {
        Ok(games) => games,
        // The coordinator's engine would not be ours then.
        Err(error) => return Err(WorkerError::Broker(error.to_string())),
    };
    let halt = Arc::new(AtomicBool::new(false));
    let players = (0..settings.threads.max(1)).map(|_| PairPlayer::new(&games, &halt));
    let events = network.events.clone();
    let ended = WorkerPool::run(players.collect(), &halt, |pool| {
        let mut in_hand = 0_usize;
        let mut stopping: Option<Instant> = None;
        loop {
            select! {
                recv(events) -> event => match event {
                    Ok(NetEvent::Order(job)) => {
                        in_hand += 1;
                        pool.submit(job);
                    }
                    Ok(NetEvent::SessionOver) => return Ok(None),
                    Ok(NetEvent::Barred(why)) => return Ok(Some(WorkerEnd::Barred(why))),
                    Ok(NetEvent::Fatal(why)) => return Err(WorkerError::Broker(why)),
                    Ok(NetEvent::Doing(doing)) => count.status.doing = doing,
                    Ok(NetEvent::Connected(is_there)) => count.status.is_lost = !is_there,
                    Ok(NetEvent::Session(..)) => {}
                    Err(_) => return Err(WorkerError::Broker(String::from(
                        "the network's thread has ended",
                    ))),
                },
                recv(pool.finished()) -> done => {
                    let done = done.map_err(|_| io::Error::other("all players are gone"))??;
                    in_hand -= 1;
                    count.status.games += 2;
                    network.answer(Answer {
                        order: done.order,
                        micros: done.micros,
                        pair: done.pair,
                    });
                },
                default(LOOK_UP) => {}
            }
            count.look(network);
            tell(&count.status);
            if stop.load(Ordering::Relaxed) {
                let since = *stopping.get_or_insert_with(|| {
                    network.drain();
                    Instant::now()
                });
                if in_hand == 0 || since.elapsed() >= FINISH {
                    return Ok(Some(WorkerEnd::Stopped));
                }
            }
        }
    })?;
    if let Ok(Some(WorkerEnd::Stopped)) = ended {
        // What was not finished is given back.
        network.stop();
    }
    ended
}

/// Counts games against the clock.
struct Count {
    status: WorkerStatus,
    looked: Instant,
    games: u64,
}

/// Between two counts.
const COUNT_EVERY: Duration = Duration::from_secs(2);

impl Count {
    fn new() -> Count {
        Count {
            status: WorkerStatus {
                doing: String::from("connects"),
                load: load(),
                ..WorkerStatus::default()
            },
            looked: Instant::now(),
            games: 0,
        }
    }

    fn look(&mut self, network: &Network) {
        let spent = self.looked.elapsed();
        if spent < COUNT_EVERY {
            return;
        }
        let played = self.status.games - self.games;
        self.status.games_per_second = played as f64 / spent.as_secs_f64();
        self.status.load = load();
        (self.looked, self.games) = (Instant::now(), self.status.games);
        network.status(&self.status);
    }
}

/// The host's load average over one minute.
fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
