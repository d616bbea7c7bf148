//! The worker of a run: two built-in players that take the weights of any two
//! files, and the openings of the evolution, the final and the proof.
//!
//! A game depends on its job and nothing else, so it does not matter which
//! worker plays it or when. Threads and channels are the
//! [`WorkerPool`](crate::arena::WorkerPool)'s.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::arena::openings::{NoOpening, Opener, RandomOpenings, Start};
use crate::arena::{
    Builtin, Contender, GameRecord, MoveLimits, Openings, PairHalf, Worker, WorkerPool, play_game,
};
use crate::eval::Weights;
use crate::evolve::Pairing;
use crate::game::Rules;
use crate::params::{Params, PlayerParams};
use crate::random::Stream;

/// How the games of a run are played.
pub struct GameSettings {
    rules: Rules,
    player: PlayerParams,
    evolution: Openings,
    final_stage: Openings,
    proof: Openings,
}

/// A pair of games beside the evolution, on openings that it never sees.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// Its number, from 0, in its own match.
    pub pair: u64,
    /// The weights of both players; the first is Black in the first game.
    pub weights: [Weights; 2],
}

/// What a game belongs to.
enum Task {
    Match(Pairing),
    Measurement(Measurement),
}

/// One game to play.
pub struct Job {
    task: Box<Task>,
    half: PairHalf,
}

/// A game that was played.
pub struct Played {
    /// Whether it belongs to a [`Measurement`], not to a match of the run.
    pub is_measurement: bool,
    /// The number of its match, or of its pair.
    pub number: u64,
    /// Which of the two games it is.
    pub half: PairHalf,
    /// The game, unless there is no opening for it.
    pub record: Result<GameRecord, NoOpening>,
}

/// The pool that plays the games of a run.
pub type RunPool = WorkerPool<Job, Played>;

impl GameSettings {
    /// How the parameters say that games are played.
    pub fn new(params: &Params) -> GameSettings {
        let random = RandomOpenings {
            plies: params.openings.plies,
            bound: params.openings.bound,
        };
        let openings = |stream| Openings::random(random, params.run.seed, stream);
        GameSettings {
            rules: params.rules,
            player: params.player,
            evolution: openings(Stream::Evolution),
            final_stage: openings(Stream::Final),
            proof: openings(Stream::Certificate),
        }
    }

    /// A player without weights of its own yet.
    fn player(&self, halt: &Arc<AtomicBool>) -> Builtin {
        let limits = MoveLimits::from(&self.player);
        Builtin::new("", self.player.search, &Weights::default(), limits)
            .with_table(self.player.table_kib)
            .with_halt(Arc::clone(halt))
    }
}

/// Gives out both games of a match.
pub(super) fn submit_match(pool: &RunPool, pairing: &Pairing) {
    submit(pool, || Task::Match(*pairing));
}

/// Gives out both games of a pair that is no match of the run.
pub(super) fn submit_measurement(pool: &RunPool, measurement: &Measurement) {
    submit(pool, || Task::Measurement(*measurement));
}

fn submit(pool: &RunPool, task: impl Fn() -> Task) {
    for half in PairHalf::BOTH {
        let task = Box::new(task());
        pool.submit(Job { task, half });
    }
}

/// The players and openings of one thread.
pub struct RunWorker<'a> {
    rules: &'a Rules,
    evolution: Opener<'a>,
    final_stage: Opener<'a>,
    proof: Opener<'a>,
    players: [Builtin; 2],
    halt: Arc<AtomicBool>,
}

impl<'a> RunWorker<'a> {
    /// A worker whose searches end when `halt` is set.
    pub fn new(settings: &'a GameSettings, halt: &Arc<AtomicBool>) -> RunWorker<'a> {
        RunWorker {
            rules: &settings.rules,
            evolution: settings.evolution.opener(&settings.rules),
            final_stage: settings.final_stage.opener(&settings.rules),
            proof: settings.proof.opener(&settings.rules),
            players: [settings.player(halt), settings.player(halt)],
            halt: Arc::clone(halt),
        }
    }

    /// Plays a game of a match; `None` where it was halted.
    pub fn play_match(
        &mut self,
        pairing: &Pairing,
        half: PairHalf,
    ) -> Option<Result<GameRecord, NoOpening>> {
        let names = pairing.files.map(|file| file.to_string());
        let opener = if pairing.is_final {
            &mut self.final_stage
        } else {
            &mut self.evolution
        };
        let start = opener.get(pairing.number);
        self.game(&names, &pairing.weights, start, half)
    }

    /// The same for a game beside the evolution.
    fn play_measurement(
        &mut self,
        measurement: &Measurement,
        half: PairHalf,
    ) -> Option<Result<GameRecord, NoOpening>> {
        let start = self.proof.get(measurement.pair);
        let names = <[String; 2]>::default();
        self.game(&names, &measurement.weights, start, half)
    }

    fn game(
        &mut self,
        names: &[String; 2],
        weights: &[Weights; 2],
        start: Result<Start, NoOpening>,
        half: PairHalf,
    ) -> Option<Result<GameRecord, NoOpening>> {
        let start = match start {
            Err(error) => return Some(Err(error)),
            Ok(start) => start,
        };
        for ((player, name), weights) in self.players.iter_mut().zip(names).zip(weights) {
            player.become_player(name, weights);
        }
        let [a, b] = &mut self.players;
        let seats: [&mut dyn Contender; 2] = half.seats([a, b]);
        let stop = || self.halt.load(Ordering::Relaxed);
        play_game(seats, self.rules, &start, &stop).map(Ok)
    }
}

impl Worker for RunWorker<'_> {
    type Job = Job;
    type Output = Played;

    fn play(&mut self, Job { task, half }: Job) -> Option<Played> {
        let (is_measurement, number, record) = match &*task {
            Task::Match(pairing) => (false, pairing.number, self.play_match(pairing, half)?),
            Task::Measurement(measurement) => {
                let record = self.play_measurement(measurement, half)?;
                (true, measurement.pair, record)
            }
        };
        Some(Played {
            is_measurement,
            number,
            half,
            record,
        })
    }
}
