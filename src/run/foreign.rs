//! Another program as the player of a run: its options are the genes.
//!
//! The program speaks the Universal Game Interface. Each worker keeps one
//! process for each side; a player is made of it by telling it the values of
//! its options.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::arena::openings::{NoOpening, RandomOpenings, Start};
use crate::arena::{
    Contender, External, GameOutcome, GameRecord, MoveLimits, Openings, Referee, SpinOption,
    StartError, Timeouts, play_game, play_timed_game,
};
use crate::board::Board;
use crate::game::{Rules, Winner};
use crate::genome::{Gene, GeneTable, Genome};
use crate::params::{ChosenGene, EngineParams, FaultRule, LARGEST, Params};
use crate::random::Stream;
use crate::util::suggest::nearest;

/// Options of type spin that say how a program plays, not what it knows.
const NO_GENES: [&str; 9] = [
    "hash",
    "threads",
    "multipv",
    "moveoverhead",
    "ponder",
    "maxplies",
    "repetition",
    "simultaneous",
    "nomoves",
];

/// Openings from which games are played twice to see whether they are the same.
const TRIALS: u64 = 3;

/// A program whose options are the genes of a population.
#[derive(Clone, Debug)]
pub struct Foreign {
    /// The command that starts it.
    pub command: String,
    limits: MoveLimits,
    timeouts: Timeouts,
    fault: FaultRule,
    genes: GeneTable,
}

/// Why a program cannot be tuned.
#[derive(Debug, thiserror::Error)]
pub enum ForeignError {
    /// It cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It has nothing to tune.
    #[error(
        "the engine `{0}` announces no option that could be a gene: a line `option name NAME type \
         spin default N min N max N` each"
    )]
    NoOptions(String),
    /// An option cannot be a gene.
    #[error("the engine `{command}`: {what}")]
    Option {
        /// The command that starts it.
        command: String,
        /// What is wrong.
        what: String,
    },
    /// There is no opening to try it from.
    #[error(transparent)]
    Opening(#[from] NoOpening),
}

impl Foreign {
    /// The program that the parameters name; `None` where the evaluation of this
    /// program is tuned.
    pub fn new(params: &Params, genes: &GeneTable) -> Option<Foreign> {
        let command = params.genome.engine.trim();
        let EngineParams {
            movetime,
            fault,
            timeout,
            ..
        } = params.engine;
        (!command.is_empty()).then(|| Foreign {
            command: command.to_owned(),
            limits: MoveLimits {
                time: (movetime > 0).then(|| Duration::from_millis(movetime.into())),
                ..MoveLimits::from(&params.player)
            },
            timeouts: timeouts(Duration::from_secs(timeout.into())),
            fault,
            genes: genes.clone(),
        })
    }

    /// Asks the program that the parameters name for its genes: its options of
    /// type spin, but for those that say how it plays.
    ///
    /// # Errors
    /// Where it cannot be started, or its options cannot be genes.
    pub fn ask(params: &Params) -> Result<Option<Foreign>, ForeignError> {
        let Some(mut asked) = Foreign::new(params, &GeneTable::from(Vec::new())) else {
            return Ok(None);
        };
        let engine = asked.start(&Arc::default())?;
        let wrong = |what: String| ForeignError::Option {
            command: asked.command.clone(),
            what,
        };
        let chosen = &params.genome.genes;
        let genes: Result<Vec<Gene>, String> = if chosen.is_empty() {
            gene_options(&engine).map(gene).collect()
        } else {
            let options = engine.spin_options();
            chosen.iter().map(|row| chosen_gene(row, options)).collect()
        };
        let genes = GeneTable::from(genes.map_err(wrong)?);
        if genes.is_empty() {
            return Err(ForeignError::NoOptions(asked.command));
        }
        genes.validate().map_err(wrong)?;
        if genes.iter().all(|gene| gene.range[0] == gene.range[1]) {
            return Err(wrong(String::from("none of its options can vary")));
        }
        asked.genes = genes;
        Ok(Some(asked))
    }

    /// The genes of the population.
    pub fn genes(&self) -> &GeneTable {
        &self.genes
    }

    /// Checks that the program still has every gene, with its range.
    ///
    /// # Errors
    /// Names the first gene that it does not have.
    pub fn check(&self) -> Result<(), ForeignError> {
        let engine = self.start(&Arc::default())?;
        for gene in self.genes.iter() {
            let mut options = engine.spin_options().iter();
            let option = options.find(|option| option.name == gene.name);
            let [least, most] = gene.range.map(|it| i64::from(it) * i64::from(gene.step));
            let what = match option {
                None => format!("it has no option {} any more, which is a gene", gene.name),
                Some(option) if option.min > least || option.max < most => format!(
                    "its option {} is from {} to {} now, and the population has it from {least} to \
                     {most}",
                    gene.name, option.min, option.max
                ),
                Some(_) => continue,
            };
            return Err(ForeignError::Option {
                command: self.command.clone(),
                what,
            });
        }
        Ok(())
    }

    /// A process of the program, whose searches end when `halt` is set.
    ///
    /// # Errors
    /// Where it cannot be started.
    pub fn start(&self, halt: &Arc<AtomicBool>) -> Result<External, StartError> {
        let engine = External::start(&self.command, self.limits, self.timeouts)?;
        Ok(engine.strict().with_halt(Arc::clone(halt)))
    }

    /// Plays a game; with a limit by time, a move that comes too late is a fault.
    pub(super) fn play(
        &self,
        seats: [&mut External; 2],
        rules: &Rules,
        start: &Start,
        stop: &dyn Fn() -> bool,
    ) -> Option<GameRecord> {
        let [black, white] = seats;
        let seats: [&mut dyn Contender; 2] = [black, white];
        if !self.limits.is_timed() {
            return play_game(seats, rules, start, stop);
        }
        let referee = Referee::default();
        let limits = [&self.limits; 2];
        let game = play_timed_game(seats, limits, rules, start, &referee, stop)?;
        Some(game.record)
    }

    /// Counts a game in which the program failed twice as the parameters say.
    pub(super) fn count_fault(&self, outcome: &mut GameOutcome) {
        if self.fault == FaultRule::Draw {
            outcome.winner = Winner::Draw;
        }
    }

    /// Whether the program answers `query features`, so that the school can learn
    /// for it.
    ///
    /// # Errors
    /// Where it cannot be started, or dies at the question.
    pub fn has_features(&self) -> Result<bool, ForeignError> {
        let mut engine = self.start(&Arc::default())?;
        let found = engine.features(&Rules::default(), &[Board::start()]);
        let found = found.map_err(|fault| ForeignError::Option {
            command: self.command.clone(),
            what: format!("asked by `query features`: {fault}"),
        })?;
        Ok(found.is_some())
    }

    /// The values of its options that a genome stands for.
    pub fn values(&self, genome: &Genome) -> Vec<(String, i64)> {
        let values = self.genes.iter().zip(&genome.opening);
        values
            .map(|(gene, &value)| (gene.name.clone(), i64::from(value) * i64::from(gene.step)))
            .collect()
    }

    /// Plays some games twice; the number of the first opening from which they
    /// differ, or `None` where all are the same.
    ///
    /// # Errors
    /// Where the program cannot be started, or there is no opening.
    pub fn first_difference(&self, params: &Params) -> Result<Option<u64>, ForeignError> {
        let random = RandomOpenings {
            plies: params.openings.plies,
            bound: params.openings.bound,
        };
        let openings = Openings::random(random, params.run.seed, Stream::Match);
        let mut opener = openings.opener(&params.rules);
        let default = Genome::default_of(&self.genes);
        let mut rng = crate::random::rng(params.run.seed, crate::random::Purpose::Weights);
        let other = Genome::draw(&mut rng, &params.genome.spec(&self.genes));
        for number in 0..TRIALS {
            let start = opener.get(number)?;
            // New processes the second time: nothing may be remembered.
            let play = || -> Result<_, ForeignError> {
                let mut one = self.start(&Arc::default())?;
                let mut two = self.start(&Arc::default())?;
                one.become_player("one", self.values(&default));
                two.become_player("two", self.values(&other));
                Ok(self.play([&mut one, &mut two], &params.rules, &start, &|| false))
            };
            // One accident is forgiven, as it is in the games of the run.
            let has_failed = |game: &Option<GameRecord>| {
                let outcome = game.as_ref().map(|game| &game.outcome);
                outcome.is_some_and(|outcome| outcome.fault().is_some())
            };
            let game = || match play()? {
                failed if has_failed(&failed) => play(),
                game => Ok(game),
            };
            if game()? != game()? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}

/// How long the program is waited for, where a move may take so long. A run shares
/// its machine with others, and a busy one starts programs slowly.
fn timeouts(search: Duration) -> Timeouts {
    let default = Timeouts::default();
    Timeouts {
        start: default.start.max(search),
        ready: default.ready.max(search),
        search,
        ..default
    }
}

/// The options for the rules, which are told before every game.
const RULES: [&str; 4] = ["maxplies", "repetition", "simultaneous", "nomoves"];

/// The letters of a name, small.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.collect::<String>().to_lowercase()
}

fn gene_options(engine: &External) -> impl Iterator<Item = &SpinOption> {
    let options = engine.spin_options().iter();
    options.filter(|option| !NO_GENES.contains(&plain(&option.name).as_str()))
}

/// The gene of a row of `[genes]`, checked against the option that the program
/// announces.
fn chosen_gene(row: &ChosenGene, options: &[SpinOption]) -> Result<Gene, String> {
    let path = format!("genes.{}", row.name);
    let Some(option) = options.iter().find(|option| option.name == row.name) else {
        let names = options.iter().map(|option| option.name.as_str());
        let hint = nearest(&row.name, names.clone()).map_or_else(
            || {
                let some: Vec<&str> = names.take(20).collect();
                format!("those of type spin are {}", some.join(", "))
            },
            |alike| format!("did you mean {alike}?"),
        );
        return Err(format!(
            "{path}: it announces no such option of type spin; {hint}"
        ));
    };
    if RULES.contains(&plain(&row.name).as_str()) {
        return Err(format!(
            "{path}: it is an option for the rules, which are no genes"
        ));
    }
    for (key, value) in [("min", row.min), ("max", row.max), ("default", row.default)] {
        if let Some(value) = value.filter(|value| !(option.min..=option.max).contains(value)) {
            return Err(format!(
                "{path}.{key} = {value}: its option {} is from {} to {}",
                row.name, option.min, option.max
            ));
        }
    }
    // What the row leaves out must fit what it says.
    let step = row.step.unwrap_or(1);
    let whole = ChosenGene {
        name: row.name.clone(),
        min: Some(row.min.unwrap_or(option.min)),
        max: Some(row.max.unwrap_or(option.max)),
        step: Some(step),
        default: Some(row.default.unwrap_or(option.default)),
    };
    whole.check().map_err(|what| {
        format!("{path}.{what}; what the row does not say is what the engine announces")
    })?;
    let number = |value: Option<i64>| {
        let value = value
            .filter(|value| value.abs() <= LARGEST)
            .map(|value| value / step);
        let value = value.and_then(|value| i32::try_from(value).ok());
        value.ok_or_else(|| format!("{path}: it has numbers beyond {LARGEST}"))
    };
    Ok(Gene {
        name: row.name.clone(),
        grid: 1,
        step: i32::try_from(step).map_err(|_| format!("{path}.step = {step}: it is too large"))?,
        default: number(whole.default)?,
        range: [number(whole.min)?, number(whole.max)?],
        shares_scale: false,
        has_phases: false,
    })
}

fn gene(option: &SpinOption) -> Result<Gene, String> {
    let number = |value: i64| {
        let value = i32::try_from(value).ok();
        let value = value.filter(|value| value.unsigned_abs() <= 1_000_000_000);
        value.ok_or_else(|| {
            format!(
                "its option {} has numbers beyond 1000000000: bounds as narrow as can be make a \
                 better gene",
                option.name
            )
        })
    };
    Ok(Gene {
        name: option.name.clone(),
        grid: 1,
        step: 1,
        default: number(option.default)?,
        range: [number(option.min)?, number(option.max)?],
        shares_scale: false,
        has_phases: false,
    })
}
