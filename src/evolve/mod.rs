//! The rule of the evolution: scoring, culling, crossover and doubling with
//! mutations, until one individual is left.
//!
//! Owns the state of an evolution as a pure fold: a [`Plan`] makes the first
//! [`State`], each match's result the next. It must not touch the disk, the
//! clock, threads or entropy, and it never sees a board: random numbers follow
//! from the plan's seed and the number of the match. Only arithmetic that
//! IEEE 754 fixes is used, so every machine folds to the same state.
//!
//! Words: an **individual** is one set of weights in the population (people see
//! it as a weight file with a number, [`FileId`]); **twins** are the consensus
//! pushed one way in every gene and its mirror image; the **consensus** is the
//! mean of the living individuals with points above 0; the **elder** is the
//! running mean of the consensus; a **scholar** was learned from the positions of
//! the evolution's games; the **hall of fame** keeps the elders of
//! every tenth of the evolution.
//!
//! | file | purpose |
//! |---|---|
//! | `plan` | what an evolution is given at its start |
//! | `budget` | matches of the evolution and of the final; the capacity over time |
//! | `space` | genes, bounds, grid and scale; points between individuals |
//! | `founders` | the first population |
//! | `individual` | a living individual, its rank and survival order |
//! | `state` | the state, and the loop with its numbered steps |
//! | `pairing` | who plays next |
//! | `score` | what a match is worth |
//! | `selection` | what follows a match: points, consensus, births, deaths |
//! | `births_deaths` | every change to the list of the living |
//! | `breed` | the genes of twins |
//! | `mutation` | the size of a mutation, which falls over the evolution |
//! | `final_stage` | the last individual against the elder |
//! | `extension` | a finished evolution that goes on |
//! | `school` | when lessons are due; scholars and their challenges |
//! | `mean_score` | the mean of several matches, with its error |
//! | `sample` | samples of the population for charts |
//! | `event` | what is stored and shown of a step |
//! | `step_builder` | collects what a step changes |
//! | `refused` | what is refused, and why |
//!
//! # Example
//!
//! A small evolution in which the younger individual wins every match:
//!
//! ```
//! use loatune::evolve::{GameResult, MatchResult, Plan, Stage, State, match_score};
//! use loatune::params::Params;
//!
//! let mut params = Params::default();
//! params.evolution.population = 8;
//! params.evolution.budget = 400;
//! let plan = Plan::new(&params, &[]);
//!
//! let (mut state, _) = State::new(&plan);
//! assert_eq!(state.individuals().len(), 8);
//! while let Some(pairing) = state.pending().front() {
//!     let game = if pairing.files[0] > pairing.files[1] {
//!         GameResult::Won(Some(100))
//!     } else {
//!         GameResult::Lost(Some(100))
//!     };
//!     let result = MatchResult {
//!         number: pairing.number,
//!         files: pairing.files,
//!         score: match_score([game; 2], 100),
//!     };
//!     state.apply(&plan, &result)?;
//! }
//! assert_eq!(state.stage(), Stage::Over);
//! assert_eq!(state.individuals().len(), 1);
//! assert!(state.champion().is_some());
//! # Ok::<(), loatune::evolve::Refused>(())
//! ```

mod births_deaths;
mod breed;
mod budget;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod convergence_tests;
mod event;
mod extension;
mod final_stage;
mod founders;
mod individual;
mod mean_score;
mod mutation;
mod pairing;
mod plan;
mod refused;
mod sample;
mod school;
mod score;
mod selection;
mod space;
mod state;
mod step_builder;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

pub use event::{Birth, Cause, Event, FileId, Origin, Sample, Totals};
pub use extension::FormerChampion;
pub use final_stage::{Champion, FinalRecord, Stage};
pub use individual::Individual;
pub use plan::Plan;
pub use refused::Refused;
pub use school::{ChallengeResult, Learned, Lesson, Scholar};
pub use score::{GameResult, match_score};
pub use space::AtBound;
pub use state::State;

use serde::{Deserialize, Serialize};

use crate::genome::Genome;

/// A match that is to be played: two games of one opening, colours swapped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// The number of the match in the run, from 0. The opening follows from it.
    pub number: u64,
    /// The individuals that play; the first has Black in the first game.
    pub files: [FileId; 2],
    /// The weights that they play with. They are kept here because an
    /// individual may die between the draw and the game.
    pub weights: [Genome; 2],
    /// Whether the match belongs to the final, on openings of its own.
    pub is_final: bool,
}

/// The result of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchResult {
    /// The number of the match in the run.
    pub number: u64,
    /// The individuals that played, in the order of the pairing.
    pub files: [FileId; 2],
    /// The score of the first individual, from -1 to 1, as [`match_score`]
    /// computes it; 0 is a draw.
    pub score: f64,
}

/// What applying a result changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// The new totals of every individual that was born or whose totals
    /// changed, by number; an individual that died has its last ones.
    pub totals: Vec<(FileId, Totals)>,
}
