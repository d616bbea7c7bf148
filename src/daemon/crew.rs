//! The crew: threads that play the games of drawn matches, ahead of those
//! that count.
//!
//! A game depends on its pairing and nothing else, so it does not matter who
//! plays it or when. The crew neither puts games in order nor judges them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use crate::arena::openings::{NoOpening, Opener, RandomOpenings};
use crate::arena::{Builtin, Contender, GameRecord, MoveLimits, Openings, Stream, play_game};
use crate::eval::Weights;
use crate::evolve::Pairing;
use crate::params::{Params, PlayerParams};
use crate::rules::Rules;

/// How the games of a run are played.
pub struct Setup {
    rules: Rules,
    player: PlayerParams,
    evolution: Openings,
    last: Openings,
}

/// A game to be played, or one that was: the pairing's first or second.
struct Job {
    pairing: Box<Pairing>,
    second: bool,
}

/// A game that was played.
pub struct Played {
    /// The number of its match.
    pub number: u64,
    /// 0 or 1.
    pub game: usize,
    /// The game, unless there is no opening for it.
    pub record: Result<GameRecord, NoOpening>,
}

/// What came of waiting for a game.
pub enum Waited {
    /// Somebody has finished one.
    Played(Box<Played>),
    /// Nobody has, so far.
    Nothing,
    /// Nobody ever will: a thread has failed.
    Broken,
}

/// Threads at work. Lives as long as [`Crew::work`] runs.
pub struct Crew {
    jobs: Sender<Job>,
    played: Receiver<Played>,
    shared: Arc<Shared>,
}

/// What the threads tell beside their games.
#[derive(Default)]
struct Shared {
    /// Nanoseconds spent in games.
    busy: AtomicU64,
    /// A thread has panicked: its game will never come.
    broken: AtomicBool,
}

struct Alarm<'a>(&'a Shared);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.store(true, Ordering::Relaxed);
        }
    }
}

impl Setup {
    /// How the parameters say that games are played.
    pub fn new(params: &Params) -> Setup {
        let random = RandomOpenings {
            plies: params.openings.plies,
            bound: params.openings.bound,
        };
        let openings = |stream| Openings::random(random, params.run.seed, stream);
        Setup {
            rules: params.rules,
            player: params.player,
            evolution: openings(Stream::Evolution),
            last: openings(Stream::Final),
        }
    }

    /// A player without weights of its own yet, whose searches end when `halt`
    /// is set.
    fn player(&self, halt: &Arc<AtomicBool>) -> Builtin {
        let limits = MoveLimits::of(&self.player);
        Builtin::new("", self.player.search, &Weights::default(), limits)
            .with_table(self.player.table_kib)
            .with_halt(Arc::clone(halt))
    }
}

impl Crew {
    /// Starts `threads` threads, hands the crew to `lead`, and ends them when
    /// that returns. A game that is being played then is left unfinished once
    /// `halt` is set.
    pub fn work<R: Send>(
        setup: &Setup,
        threads: usize,
        halt: &Arc<AtomicBool>,
        lead: impl FnOnce(&Crew) -> R + Send,
    ) -> Result<R, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.max(1))
            .thread_name(|n| format!("games {n}"))
            .build()?;
        let (jobs, next) = unbounded();
        let (send, played) = unbounded();
        let shared = Arc::<Shared>::default();
        let crew = Crew {
            jobs,
            played,
            shared: Arc::clone(&shared),
        };
        Ok(pool.in_place_scope(|scope| {
            for _ in 0..threads.max(1) {
                let (next, send, shared) = (next.clone(), send.clone(), &*shared);
                scope.spawn(move |_| setup.play_all(&next, &send, shared, halt));
            }
            drop((next, send));
            let found = lead(&crew);
            // Without a sender the threads find no further work.
            drop(crew);
            found
        }))
    }

    /// Gives out the two games of a match.
    pub fn hand_out(&self, pairing: &Pairing) {
        for second in [false, true] {
            // Without threads there is nobody to take it, and `wait` says so.
            let _ = self.jobs.send(Job {
                pairing: Box::new(*pairing),
                second,
            });
        }
    }

    /// Waits for a game.
    pub fn wait(&self, most: Duration) -> Waited {
        match self.played.recv_timeout(most) {
            Ok(played) => Waited::Played(Box::new(played)),
            Err(RecvTimeoutError::Timeout) if self.shared.broken.load(Ordering::Relaxed) => {
                Waited::Broken
            }
            Err(RecvTimeoutError::Timeout) => Waited::Nothing,
            Err(RecvTimeoutError::Disconnected) => Waited::Broken,
        }
    }

    /// The time that all threads together have spent in games.
    pub fn busy(&self) -> Duration {
        Duration::from_nanos(self.shared.busy.load(Ordering::Relaxed))
    }
}

/// Where games are played, one after the other: the players and openings of
/// one thread.
pub struct Desk<'a> {
    rules: &'a Rules,
    evolution: Opener<'a>,
    last: Opener<'a>,
    players: [Builtin; 2],
    halt: &'a AtomicBool,
}

impl<'a> Desk<'a> {
    /// A desk; searches end when `halt` is set.
    pub fn new(setup: &'a Setup, halt: &'a Arc<AtomicBool>) -> Desk<'a> {
        Desk {
            rules: &setup.rules,
            evolution: setup.evolution.opener(&setup.rules),
            last: setup.last.opener(&setup.rules),
            players: [setup.player(halt), setup.player(halt)],
            halt,
        }
    }

    /// Plays the first or the second game of a match; `None` where it was
    /// halted.
    pub fn play(
        &mut self,
        pairing: &Pairing,
        second: bool,
    ) -> Option<Result<GameRecord, NoOpening>> {
        for (player, n) in self.players.iter_mut().zip([0, 1]) {
            player.become_player(&pairing.files[n].to_string(), &pairing.weights[n]);
        }
        let opener = match pairing.is_final {
            true => &mut self.last,
            false => &mut self.evolution,
        };
        let start = match opener.get(pairing.number) {
            Err(error) => return Some(Err(error)),
            Ok(start) => start,
        };
        let [a, b] = &mut self.players;
        let seats: [&mut dyn Contender; 2] = if second { [b, a] } else { [a, b] };
        let stop = || self.halt.load(Ordering::Relaxed);
        play_game(seats, self.rules, &start, &stop).map(Ok)
    }
}

impl Setup {
    /// One thread's work.
    fn play_all(
        &self,
        next: &Receiver<Job>,
        send: &Sender<Played>,
        shared: &Shared,
        halt: &Arc<AtomicBool>,
    ) {
        let _alarm = Alarm(shared);
        let mut desk = Desk::new(self, halt);
        while let Ok(job) = next.recv() {
            if halt.load(Ordering::Relaxed) {
                continue;
            }
            let begin = Instant::now();
            let pairing = &*job.pairing;
            let Some(record) = desk.play(pairing, job.second) else {
                continue;
            };
            let spent = begin.elapsed().as_nanos().try_into().unwrap_or(u64::MAX);
            shared.busy.fetch_add(spent, Ordering::Relaxed);
            let played = Played {
                number: pairing.number,
                game: usize::from(job.second),
                record,
            };
            // Nobody listens once the lead has returned.
            if send.send(played).is_err() {
                return;
            }
        }
    }
}
