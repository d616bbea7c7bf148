//! Another program as the player of a run: its options are the genes.
//!
//! The program speaks the Universal Game Interface. Each worker keeps one
//! process for each side; a player is made of it by telling it the values of
//! its options.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::arena::openings::{NoOpening, RandomOpenings};
use crate::arena::spec::PlayerKind;
use crate::arena::{
    Builtin, Contender, External, MoveLimits, Openings, PlayerSpec, SpinOption, StartError,
    Timeouts, play_game,
};
use crate::genome::{Gene, GeneTable, Genome};
use crate::params::Params;
use crate::random::Stream;
use crate::search::EngineVersion;

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
        (!command.is_empty()).then(|| Foreign {
            command: command.to_owned(),
            limits: MoveLimits::from(&params.player),
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
        let genes: Result<Vec<Gene>, String> = gene_options(&engine).map(gene).collect();
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
            let option = gene_options(&engine).find(|option| option.name == gene.name);
            let [least, most] = gene.range.map(i64::from);
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
        let engine = External::start(&self.command, self.limits, Timeouts::default())?;
        Ok(engine.with_halt(Arc::clone(halt)))
    }

    /// The values of its options that a genome stands for.
    pub fn values(&self, genome: &Genome) -> Vec<(String, i64)> {
        let values = self.genes.iter().zip(&genome.opening);
        values
            .map(|(gene, &value)| (gene.name.clone(), i64::from(value) * i64::from(gene.step)))
            .collect()
    }

    /// A player of a match, with a genome.
    pub fn player(&self, name: &str, genome: &Genome) -> PlayerSpec {
        PlayerSpec {
            text: name.to_owned(),
            kind: PlayerKind::External {
                command: self.command.clone(),
                values: self.values(genome),
            },
            limits: self.limits,
            table_kib: Builtin::DEFAULT_TABLE_KIB,
            timeouts: Timeouts::default(),
            version: EngineVersion::PRESENT,
        }
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
            let game = || -> Result<_, ForeignError> {
                let mut one = self.start(&Arc::default())?;
                let mut two = self.start(&Arc::default())?;
                one.become_player("one", self.values(&default));
                two.become_player("two", self.values(&other));
                let seats: [&mut dyn Contender; 2] = [&mut one, &mut two];
                Ok(play_game(seats, &params.rules, &start, &|| false))
            };
            if game()? != game()? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}

fn gene_options(engine: &External) -> impl Iterator<Item = &SpinOption> {
    let plain = |name: &str| {
        let letters = name.chars().filter(|letter| letter.is_alphanumeric());
        letters.collect::<String>().to_lowercase()
    };
    let options = engine.spin_options().iter();
    options.filter(move |option| !NO_GENES.contains(&plain(&option.name).as_str()))
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
