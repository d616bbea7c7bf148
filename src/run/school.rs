//! The lessons of a run: what the positions of its recent games teach.
//!
//! A lesson is a pure function of the matches before it: the games in their
//! order, the parameters and the consensus. The rule says when one is due
//! ([`State::lesson`](crate::evolve::State::lesson)); here the most recent
//! matches are kept, and the regression is done. Memory is bounded by the number
//! of matches that are kept; a run that goes on reads them from the store again.

use std::collections::VecDeque;

use super::engine_lesson::{EngineLesson, LessonError};
use crate::evolve::{Learned, Lesson, Plan};
use crate::genome::BuiltIn;
use crate::learn::{Fit, FitSettings, SampledGame, Sampling, fit};
use crate::params::{Params, SchoolParams};
use crate::store::{MatchRecord, RecordError};

/// The most recent matches of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct School {
    matches: VecDeque<MatchRecord>,
    /// How many matches are kept.
    capacity: usize,
}

impl School {
    /// A school for these parameters; without lessons it keeps nothing.
    pub(super) fn new(params: &SchoolParams) -> School {
        let games = if params.enabled { params.games } else { 0 };
        School::with_capacity(games)
    }

    /// A school for any parameters that a run may have on the way.
    pub(super) fn for_any_params() -> School {
        School::with_capacity(SchoolParams::MAX_GAMES)
    }

    fn with_capacity(games: u32) -> School {
        School {
            matches: VecDeque::new(),
            capacity: (games as usize).div_ceil(2),
        }
    }

    /// How many matches are kept.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Takes the next match in.
    pub(super) fn add(&mut self, record: MatchRecord) {
        if self.capacity == 0 {
            return;
        }
        if self.matches.len() == self.capacity {
            self.matches.pop_front();
        }
        self.matches.push_back(record);
    }

    /// A lesson with all that it depends on, which may be given to another
    /// thread.
    pub(super) fn prepare(&self, lesson: &Lesson, params: &Params, plan: &Plan) -> Preparation {
        let games = usize::try_from(lesson.games).unwrap_or(usize::MAX);
        let skipped = self.matches.len().saturating_sub(games.div_ceil(2));
        let genes = BuiltIn::new(&plan.genome.table).ok();
        let mut settings = FitSettings {
            bounds: params.genome.bounds,
            phases: params.genome.phases,
            ..FitSettings::default()
        };
        if let Some(genes) = &genes {
            settings.start = genes.weights(&lesson.consensus);
        }
        Preparation {
            matches: self.matches.iter().skip(skipped).cloned().collect(),
            games,
            sampling: Sampling::from(&params.school),
            settings,
            genes,
            engine: EngineLesson::new(params, plan),
            lesson: lesson.clone(),
        }
    }
}

/// A lesson with all that it depends on.
#[derive(Debug)]
pub(super) struct Preparation {
    matches: Vec<MatchRecord>,
    /// The number of games that are looked at, the last ones.
    games: usize,
    sampling: Sampling,
    settings: FitSettings,
    genes: Option<BuiltIn>,
    /// The program whose options the genes are, where they are not our own.
    engine: Option<EngineLesson>,
    lesson: Lesson,
}

impl Preparation {
    /// Learns, on the threads of the present rayon pool. The result does not
    /// depend on their number.
    ///
    /// # Errors
    /// A game whose stored moves are not legal, or another program that fails
    /// when it is asked for its features.
    pub(super) fn learn(&self) -> Result<Learned, LessonError> {
        // The genes of another program mean nothing to the features of this one.
        let learned = match (&self.engine, &self.genes) {
            (Some(engine), _) => engine.learn(&self.sampled_games()?, &self.lesson.consensus)?,
            (None, None) => None,
            (None, Some(genes)) => {
                let games = self.sampled_games()?;
                let found = fit(&games, &self.settings);
                found.and_then(|found| learned(genes, &found))
            }
        };
        Ok(learned.unwrap_or_else(|| Learned {
            weights: self.lesson.consensus.clone(),
            games: 0,
            positions: 0,
            micronats: 0,
        }))
    }

    /// Whether another program is asked for its features.
    pub(super) fn needs_engine(&self) -> bool {
        self.engine.is_some()
    }

    fn sampled_games(&self) -> Result<Vec<SampledGame>, RecordError> {
        let mut games = Vec::with_capacity(2 * self.matches.len());
        for record in &self.matches {
            let both = record.game_records()?;
            games.extend(both.map(|game| SampledGame::from_record(&game, &self.sampling)));
        }
        let skipped = games.len().saturating_sub(self.games);
        games.drain(..skipped);
        Ok(games)
    }
}

/// What a regression found, as the rule takes it; `None` where the population
/// does not have the genes for it.
fn learned(genes: &BuiltIn, found: &Fit) -> Option<Learned> {
    Some(Learned {
        weights: genes.genome(&found.weights)?,
        games: found.games,
        positions: found.positions,
        micronats: (found.log_likelihood * 1e6).round() as i64,
    })
}
