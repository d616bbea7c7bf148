//! The evolution: scoring, culling, crossover and doubling with mutations,
//! until one survives.
//!
//! A pure fold: a [`Plan`] makes the first state, each match's result the
//! next. No disk, no clock, no thread, no entropy: random numbers follow from
//! the plan's seed and the number of the match. Only arithmetic that IEEE 754
//! fixes is used, so every machine folds to the same state.
//!
//! Words: **twins** are the consensus pushed one way in every gene and its
//! mirror image; the **consensus** is the mean of the living files with points
//! above 0; the **elder** is the running mean of the consensus; the **hall**
//! keeps the elders of every tenth of the evolution.
//!
//! | file | purpose |
//! |---|---|
//! | `plan` | what it is given at its start |
//! | `budget` | how the budget is divided, and how many files may live when |
//! | `space` | genes, bounds, grid and scale; points between files |
//! | `founders` | the first population |
//! | `individual` | a living file, and who goes before whom |
//! | `state` | the state, and the loop with its steps |
//! | `pairing` | who plays next |
//! | `selection` | what follows a match: points, consensus, births, deaths |
//! | `births_deaths` | how files are born, get points and die |
//! | `breed` | twins |
//! | `finale` | the last file against the elder |
//! | `sample` | looks at the population |
//! | `event` | what is told |
//! | `log` | collects what a step changes |
//! | `refused` | what is not taken, and why |

mod births_deaths;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod bowl;
mod breed;
mod budget;
mod event;
mod finale;
mod founders;
mod individual;
mod log;
mod pairing;
mod plan;
mod refused;
mod sample;
mod selection;
mod space;
mod state;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

pub use event::{Birth, Cause, Event, FileId, Origin, Sample, Totals};
pub use finale::{Champion, FinalRecord, Stage};
pub use individual::Individual;
pub use plan::Plan;
pub use refused::Refused;
pub use state::State;

use serde::{Deserialize, Serialize};

use crate::eval::Weights;

/// A match that is to be played: two games of one opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// Its number in the run, from 0. The opening follows from it.
    pub number: u64,
    /// Who plays; the first is Black in the first game.
    pub files: [FileId; 2],
    /// What they play with: a file may have died since.
    pub weights: [Weights; 2],
    /// Whether it belongs to the final, on openings of its own.
    pub is_final: bool,
}

/// What a match brought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchResult {
    /// Its number.
    pub number: u64,
    /// Who played.
    pub files: [FileId; 2],
    /// The mean of the two games' scaled final evaluations, from the first
    /// file's point of view: -1 to 1, a draw is 0.
    pub score: f64,
}

/// What applying a result changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// The new totals of every file that was born or that they changed for, in
    /// the order of numbers; a file that died has its last ones.
    pub totals: Vec<(FileId, Totals)>,
}
