//! Why an evolution does not take what it is given.

use thiserror::Error;

use super::FileId;

/// What was refused; the state is as it was.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Refused {
    /// It is not the oldest match that was drawn.
    #[error(
        "match {number} of {} and {} is not the next: match {wanted} of {} and {} is",
        .files[0], .files[1], .wanted_files[0], .wanted_files[1]
    )]
    NotNext {
        /// What was given.
        number: u64,
        /// Whose.
        files: [FileId; 2],
        /// What is next.
        wanted: u64,
        /// Whose.
        wanted_files: [FileId; 2],
    },
    /// There is a champion.
    #[error("the evolution is over: no match is awaited")]
    Over,
    /// The score is no score.
    #[error("match {number} has the score {score}: allowed is -1 to 1")]
    Score {
        /// The match.
        number: u64,
        /// What was given.
        score: f64,
    },
    /// Nothing can be changed any more.
    #[error("the final has begun: the population is closed")]
    FinalBegun,
    /// The weights do not belong to the genome.
    #[error("gene {gene} has the value {value}: this genome allows {least} to {most}")]
    OutOfBounds {
        /// Its name.
        gene: &'static str,
        /// What was given.
        value: String,
        /// The lower bound.
        least: String,
        /// The upper bound.
        most: String,
    },
    /// A gene has an opening and an endgame value where there is one.
    #[error("gene {gene} has an endgame value of its own: in this genome it has one value")]
    TwoValues {
        /// Its name.
        gene: &'static str,
    },
    /// The genome has another shape.
    #[error("genome.phases cannot change from {before} to {now} within a run")]
    Phases {
        /// What the population has.
        before: u32,
        /// What was given.
        now: u32,
    },
}
