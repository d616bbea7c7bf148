//! The worker of a run: two built-in players that take the weights of any two
//! files, and the openings of the evolution, the final and the proof.
//!
//! A game depends on its job and nothing else, so it does not matter which
//! worker plays it or when. Threads and channels are the
//! [`WorkerPool`](crate::arena::WorkerPool)'s.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use super::foreign::Foreign;
use super::game_source::Task;
use crate::arena::openings::{NoOpening, Opener, RandomOpenings, Start};
use crate::arena::{
    Builtin, Contender, External, GameRecord, MoveLimits, Openings, PairHalf, PlayerSpec,
    StartError, Worker, WorkerPool, play_game,
};
use crate::eval::Weights;
use crate::evolve::Pairing;
use crate::game::Rules;
use crate::genome::{BuiltIn, GeneDifference, GeneTable, Genome, UnknownGenes};
use crate::params::{Params, PlayerParams};
use crate::random::Stream;
use crate::search::EngineVersion;

/// How the games of a run are played.
pub struct GameSettings {
    rules: Rules,
    player: PlayerParams,
    players: PlayerGenes,
    version: EngineVersion,
    evolution: Openings,
    final_stage: Openings,
    proof: Openings,
}

/// Who plays, and what the genes of the population mean to it.
enum PlayerGenes {
    BuiltIn(BuiltIn),
    Foreign(Foreign),
}

/// A pair of games beside the evolution, on openings that it never sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measurement {
    /// Its number, from 0, in its own match.
    pub pair: u64,
    /// The genomes of both players; the first is Black in the first game.
    pub weights: [Genome; 2],
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

impl Played {
    /// A game of a task.
    pub fn new(task: &Task, half: PairHalf, record: Result<GameRecord, NoOpening>) -> Played {
        let (is_measurement, number) = match task {
            Task::Match(pairing) => (false, pairing.number),
            Task::Measurement(measurement) => (true, measurement.pair),
        };
        Played {
            is_measurement,
            number,
            half,
            record,
        }
    }
}

/// The pool that plays the games of a run.
pub type RunPool = WorkerPool<Job, Played>;

impl GameSettings {
    /// How the parameters say that games are played, by this version of the
    /// engine and with these genes.
    ///
    /// # Errors
    /// The genes that this program does not have.
    pub fn new(
        params: &Params,
        genes: &GeneTable,
        version: EngineVersion,
    ) -> Result<GameSettings, UnknownGenes> {
        let players = match Foreign::new(params, genes) {
            Some(engine) => PlayerGenes::Foreign(engine),
            None => PlayerGenes::BuiltIn(BuiltIn::new(genes)?),
        };
        let random = RandomOpenings {
            plies: params.openings.plies,
            bound: params.openings.bound,
        };
        let openings = |stream| Openings::random(random, params.run.seed, stream);
        Ok(GameSettings {
            rules: params.rules,
            player: params.player,
            players,
            version,
            evolution: openings(Stream::Evolution),
            final_stage: openings(Stream::Final),
            proof: openings(Stream::Certificate),
        })
    }

    /// The same for players that are built in, and no others: a fleet starts no
    /// programs that somebody else names.
    ///
    /// # Errors
    /// The genes that this program does not have; all of them where they are
    /// another program's options.
    pub fn built_in(
        params: &Params,
        genes: &GeneTable,
        version: EngineVersion,
    ) -> Result<GameSettings, UnknownGenes> {
        if params.genome.engine.is_empty() {
            return GameSettings::new(params, genes, version);
        }
        let names = genes.iter().map(|gene| gene.name.clone());
        let unknown = names.map(|name| (name, GeneDifference::Unknown));
        Err(UnknownGenes(unknown.collect()))
    }

    /// A player without weights of its own yet.
    fn player(&self, halt: &Arc<AtomicBool>) -> Builtin {
        let limits = MoveLimits::from(&self.player);
        Builtin::new("", self.player.search, &Weights::source(), limits)
            .with_table(self.player.table_kib)
            .with_version(self.version)
            .with_halt(Arc::clone(halt))
    }
}

/// Gives out both games of a task.
pub(super) fn submit(pool: &RunPool, task: &Task) {
    for half in PairHalf::BOTH {
        let task = Box::new(task.clone());
        pool.submit(Job { task, half });
    }
}

/// The players of one thread, which become any two files.
enum Players<'a> {
    BuiltIn(&'a BuiltIn, Box<[Builtin; 2]>),
    Foreign(&'a Foreign, Box<[External; 2]>),
}

/// The players and openings of one thread.
pub struct RunWorker<'a> {
    rules: &'a Rules,
    evolution: Opener<'a>,
    final_stage: Opener<'a>,
    proof: Opener<'a>,
    players: Players<'a>,
    halt: Arc<AtomicBool>,
}

impl<'a> RunWorker<'a> {
    /// A worker whose searches end when `halt` is set.
    ///
    /// # Errors
    /// Where another program that plays cannot be started.
    pub fn new(
        settings: &'a GameSettings,
        halt: &Arc<AtomicBool>,
    ) -> Result<RunWorker<'a>, StartError> {
        let players = match &settings.players {
            PlayerGenes::BuiltIn(genes) => {
                let both = [settings.player(halt), settings.player(halt)];
                Players::BuiltIn(genes, Box::new(both))
            }
            PlayerGenes::Foreign(engine) => {
                Players::Foreign(engine, Box::new([engine.start(halt)?, engine.start(halt)?]))
            }
        };
        Ok(RunWorker {
            rules: &settings.rules,
            evolution: settings.evolution.opener(&settings.rules),
            final_stage: settings.final_stage.opener(&settings.rules),
            proof: settings.proof.opener(&settings.rules),
            players,
            halt: Arc::clone(halt),
        })
    }

    /// Where the games of a task begin.
    ///
    /// # Errors
    /// There is no opening for it.
    pub fn start(&mut self, task: &Task) -> Result<Start, NoOpening> {
        match task {
            Task::Match(pairing) if pairing.is_final => self.final_stage.get(pairing.number),
            Task::Match(pairing) => self.evolution.get(pairing.number),
            Task::Measurement(measurement) => self.proof.get(measurement.pair),
        }
    }

    /// Plays a game of a task; `None` where it was halted.
    pub fn play_task(
        &mut self,
        task: &Task,
        half: PairHalf,
    ) -> Option<Result<GameRecord, NoOpening>> {
        match task {
            Task::Match(pairing) => self.play_match(pairing, half),
            Task::Measurement(measurement) => self.play_measurement(measurement, half),
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
    pub fn play_measurement(
        &mut self,
        measurement: &Measurement,
        half: PairHalf,
    ) -> Option<Result<GameRecord, NoOpening>> {
        let start = self.proof.get(measurement.pair);
        let names = <[String; 2]>::default();
        self.game(&names, &measurement.weights, start, half)
    }

    /// The same for a game against a player of another kind, which `opponent` is
    /// with its weights. Another program has no such games.
    pub fn play_panel(
        &mut self,
        measurement: &Measurement,
        opponent: &PlayerSpec,
        half: PairHalf,
    ) -> Option<Result<GameRecord, NoOpening>> {
        let start = match self.proof.get(measurement.pair) {
            Err(error) => return Some(Err(error)),
            Ok(start) => start,
        };
        let Players::BuiltIn(genes, both) = &mut self.players else {
            return None;
        };
        let file = &mut both[0];
        file.become_player("", &genes.weights(&measurement.weights[0]));
        let opponent = opponent.contender(&self.halt);
        let mut opponent = opponent.expect("a built-in player starts");
        let seats: [&mut dyn Contender; 2] = half.seats([file, &mut *opponent]);
        let stop = || self.halt.load(Ordering::Relaxed);
        play_game(seats, self.rules, &start, &stop).map(Ok)
    }

    fn game(
        &mut self,
        names: &[String; 2],
        genomes: &[Genome; 2],
        start: Result<Start, NoOpening>,
        half: PairHalf,
    ) -> Option<Result<GameRecord, NoOpening>> {
        let start = match start {
            Err(error) => return Some(Err(error)),
            Ok(start) => start,
        };
        let stop = || self.halt.load(Ordering::Relaxed);
        match &mut self.players {
            Players::BuiltIn(genes, both) => {
                let [a, b] = &mut **both;
                a.become_player(&names[0], &genes.weights(&genomes[0]));
                b.become_player(&names[1], &genes.weights(&genomes[1]));
                let seats: [&mut dyn Contender; 2] = half.seats([a, b]);
                play_game(seats, self.rules, &start, &stop).map(Ok)
            }
            Players::Foreign(engine, players) => {
                let [a, b] = &mut **players;
                a.become_player(&names[0], engine.values(&genomes[0]));
                b.become_player(&names[1], engine.values(&genomes[1]));
                let mut game =
                    engine.play(half.seats([&mut *a, &mut *b]), self.rules, &start, &stop)?;
                // A fault may be an accident; two are the program's own.
                for is_last in [false, true] {
                    let Some(fault) = game.outcome.fault() else {
                        break;
                    };
                    if stop() {
                        return None;
                    }
                    a.restart();
                    b.restart();
                    if is_last {
                        engine.count_fault(&mut game.outcome);
                        break;
                    }
                    log::warn!("`{}`: {fault}; the game is played again", engine.command);
                    game =
                        engine.play(half.seats([&mut *a, &mut *b]), self.rules, &start, &stop)?;
                }
                Some(Ok(game))
            }
        }
    }
}

impl Worker for RunWorker<'_> {
    type Job = Job;
    type Output = Played;

    fn play(&mut self, Job { task, half }: Job) -> Option<Played> {
        let record = self.play_task(&task, half)?;
        Some(Played::new(&task, half, record))
    }
}
