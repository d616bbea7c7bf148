//! A lesson about another program: it prints the features of positions (`query
//! features`), and a regression finds the values of its options under which the
//! outcomes of the games are likeliest.
//!
//! Its options have the values of the consensus while it is asked, because what
//! it prints may depend on options that weigh nothing. Options without a feature
//! keep their value.

use std::sync::Arc;

use rayon::prelude::*;

use super::foreign::Foreign;
use crate::arena::external::NamedFeatures;
use crate::arena::{Fault, StartError};
use crate::board::{Board, Side};
use crate::evolve::{Learned, Plan};
use crate::game::Rules;
use crate::genome::Genome;
use crate::learn::{Position, SampledGame, fit_outside};
use crate::params::Params;
use crate::stats::regression::Rows;
use crate::store::RecordError;

/// The most positions that a program is asked about in one lesson, evenly spread
/// over all: each is a dialogue.
const MOST_POSITIONS: usize = 10_000;

/// Why a lesson brings nothing, not even that nothing can be learned.
#[derive(Debug, thiserror::Error)]
pub enum LessonError {
    /// A game whose stored moves are not legal.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The program cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The program fails when it is asked for its features, twice.
    #[error(
        "the engine `{command}` failed twice when it was asked by `query features`: {fault}. \
         Nothing is lost: put the engine right and run the same command to go on"
    )]
    Features {
        /// The command that starts it.
        command: String,
        /// What it did.
        fault: Fault,
    },
}

/// The program, and what its options may be.
#[derive(Debug)]
pub(super) struct EngineLesson {
    engine: Foreign,
    rules: Rules,
    bounds: Vec<[i32; 2]>,
}

/// What a program printed for each position, by the place of its gene.
type Features = Vec<Vec<(usize, f64)>>;

impl EngineLesson {
    /// A lesson for the program that the parameters name, if they do.
    pub(super) fn new(params: &Params, plan: &Plan) -> Option<EngineLesson> {
        Some(EngineLesson {
            engine: Foreign::new(params, &plan.genome.table)?,
            rules: params.rules,
            bounds: plan.genome.bounds.clone(),
        })
    }

    /// What the games teach; `None` where the program prints no features, or where
    /// nothing can be learned from them. Threads of the present rayon pool ask
    /// processes of their own.
    ///
    /// # Errors
    /// Where the program cannot be started or fails.
    pub(super) fn learn(
        &self,
        games: &[SampledGame],
        consensus: &Genome,
    ) -> Result<Option<Learned>, LessonError> {
        let positions: Vec<&Position> = games.iter().flat_map(|game| &game.positions).collect();
        let stride = positions.len().div_ceil(MOST_POSITIONS).max(1);
        let positions: Vec<&Position> = positions.into_iter().step_by(stride).collect();
        let part = positions
            .len()
            .div_ceil(rayon::current_num_threads())
            .max(1);
        let parts = positions.par_chunks(part);
        let parts = parts.map(|part| self.features(part, consensus));
        let parts: Vec<Option<Features>> = parts.collect::<Result<_, LessonError>>()?;
        let parts: Option<Vec<Features>> = parts.into_iter().collect();
        let Some(features) = parts.map(|parts| parts.concat()) else {
            return Ok(None);
        };
        let mut columns: Vec<usize> = features.iter().flatten().map(|(gene, _)| *gene).collect();
        columns.sort_unstable();
        columns.dedup();
        let rows = rows(&positions, &features, &columns);
        let bounds: Vec<[i32; 2]> = columns.iter().map(|&gene| self.bounds[gene]).collect();
        let Some(found) = fit_outside(&rows, &bounds) else {
            return Ok(None);
        };
        let mut values = consensus.opening.clone();
        for (&gene, value) in columns.iter().zip(found.values) {
            values[gene] = value;
        }
        let is_there = |game: &&SampledGame| !game.positions.is_empty();
        Ok(Some(Learned {
            weights: Genome::uniform(values),
            games: games.iter().filter(is_there).count() as u64,
            positions: positions.len() as u64,
            micronats: (found.log_likelihood * 1e6).round() as i64,
        }))
    }

    /// What a process prints for some positions. One that fails is started again
    /// once.
    fn features(
        &self,
        positions: &[&Position],
        consensus: &Genome,
    ) -> Result<Option<Features>, LessonError> {
        let boards: Vec<Board> = positions.iter().map(|position| position.board()).collect();
        let mut engine = self.engine.start(&Arc::default())?;
        engine.become_player("", self.engine.values(consensus));
        let mut answer = engine.features(&self.rules, &boards);
        if let Err(fault) = &answer {
            log::warn!("`{}`: {fault}; it is asked again", self.engine.command);
            engine.restart();
            answer = engine.features(&self.rules, &boards);
        }
        let answer = answer.map_err(|fault| LessonError::Features {
            command: self.engine.command.clone(),
            fault,
        })?;
        let genes = self.engine.genes();
        let by_gene = |(name, value): (String, f64)| {
            let gene = genes.position(&name)?;
            Some((gene, value * f64::from(genes[gene].step)))
        };
        let of_one = |one: NamedFeatures| one.into_iter().filter_map(by_gene).collect();
        Ok(answer.map(|all| all.into_iter().map(of_one).collect()))
    }
}

/// A row for every position: what one value more of each gene changes for Black,
/// and 1 or −1 for the side to move.
fn rows(positions: &[&Position], features: &Features, columns: &[usize]) -> Rows {
    let mut rows = Rows::new(columns.len() + 1);
    let mut row = Vec::with_capacity(columns.len() + 1);
    for (position, features) in positions.iter().zip(features) {
        row.clear();
        row.extend(columns.iter().map(|gene| {
            let found = features.iter().find(|(of, _)| of == gene);
            found.map_or(0.0, |(_, value)| *value)
        }));
        row.push(match position.turn {
            Side::X => 1.0,
            Side::O => -1.0,
        });
        rows.push(&row, position.target.into(), position.weight.into());
    }
    rows
}
