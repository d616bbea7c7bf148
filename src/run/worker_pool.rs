//! The crew: threads that play the games of drawn matches, ahead of those
//! that count, and games that measure somebody.
//!
//! A game depends on its task and nothing else, so it does not matter who
//! plays it or when. The crew neither puts games in order nor judges them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use crate::arena::openings::{NoOpening, Opener, RandomOpenings, Start};
use crate::arena::{Builtin, Contender, GameRecord, MoveLimits, Openings, play_game};
use crate::eval::Weights;
use crate::evolve::Pairing;
use crate::game::Rules;
use crate::params::{Params, PlayerParams};
use crate::random::Stream;

/// How the games of a run are played.
pub struct Setup {
    rules: Rules,
    player: PlayerParams,
    evolution: Openings,
    last: Openings,
    proof: Openings,
}

/// A pair of games beside the evolution, on openings that it never sees.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Its number, from 0, in its own match.
    pub pair: u64,
    /// Who plays; the first is Black in the first game.
    pub weights: [Weights; 2],
}

/// What a game belongs to.
enum Task {
    Match(Pairing),
    Measure(Measure),
}

/// A game to be played: its task's first or second.
struct Job {
    task: Box<Task>,
    second: bool,
}

/// A game that was played.
pub struct Played {
    /// Whether it belongs to a [`Measure`], not to a match of the run.
    pub is_measure: bool,
    /// The number of its match, or of its pair.
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
            proof: openings(Stream::Certificate),
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
        self.send(|| Task::Match(*pairing));
    }

    /// Gives out two games that are no match of the run.
    pub fn measure(&self, measure: &Measure) {
        self.send(|| Task::Measure(*measure));
    }

    fn send(&self, task: impl Fn() -> Task) {
        for second in [false, true] {
            let task = Box::new(task());
            // Without threads there is nobody to take it, and `wait` says so.
            let _ = self.jobs.send(Job { task, second });
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
    proof: Opener<'a>,
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
            proof: setup.proof.opener(&setup.rules),
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
        let names = pairing.files.map(|file| file.to_string());
        let opener = match pairing.is_final {
            true => &mut self.last,
            false => &mut self.evolution,
        };
        let start = opener.get(pairing.number);
        self.game(&names, &pairing.weights, start, second)
    }

    /// The same for a game beside the evolution.
    fn measure(
        &mut self,
        measure: &Measure,
        second: bool,
    ) -> Option<Result<GameRecord, NoOpening>> {
        let start = self.proof.get(measure.pair);
        self.game(&<[String; 2]>::default(), &measure.weights, start, second)
    }

    fn game(
        &mut self,
        names: &[String; 2],
        weights: &[Weights; 2],
        start: Result<Start, NoOpening>,
        second: bool,
    ) -> Option<Result<GameRecord, NoOpening>> {
        let start = match start {
            Err(error) => return Some(Err(error)),
            Ok(start) => start,
        };
        for ((player, name), weights) in self.players.iter_mut().zip(names).zip(weights) {
            player.become_player(name, weights);
        }
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
            let (is_measure, number, record) = match &*job.task {
                Task::Match(pairing) => (false, pairing.number, desk.play(pairing, job.second)),
                Task::Measure(measure) => (true, measure.pair, desk.measure(measure, job.second)),
            };
            let Some(record) = record else {
                continue;
            };
            let spent = begin.elapsed().as_nanos().try_into().unwrap_or(u64::MAX);
            shared.busy.fetch_add(spent, Ordering::Relaxed);
            let played = Played {
                is_measure,
                number,
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
