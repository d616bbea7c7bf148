//! Why an evolution refuses what it is given.

use thiserror::Error;

use super::FileId;

/// A result, immigrant or change that was refused; the state is unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Refused {
    /// The result is not that of the oldest pending match.
    #[error(
        "match {number} of {} and {} is not the next: match {wanted} of {} and {} is",
        .files[0], .files[1], .wanted_files[0], .wanted_files[1]
    )]
    NotNext {
        /// The number of the match that was given.
        number: u64,
        /// The individuals that are said to have played it.
        files: [FileId; 2],
        /// The number of the oldest pending match.
        wanted: u64,
        /// The individuals that play the oldest pending match.
        wanted_files: [FileId; 2],
    },
    /// There is a champion, so no match is pending.
    #[error("the evolution is over: no match is awaited")]
    Over,
    /// The score is outside of its range, or not a number.
    #[error("match {number} has the score {score}: allowed is -1 to 1")]
    Score {
        /// The number of the match.
        number: u64,
        /// The score that was given.
        score: f64,
    },
    /// Immigrants and changes are taken only before the final.
    #[error("the final has begun: the population is closed")]
    FinalBegun,
    /// A lesson is due before the next match.
    #[error("match {number} is not next: after {number} matches a lesson is due")]
    LessonDue {
        /// The number of the match that was given.
        number: u64,
    },
    /// Something was learned although no lesson is due.
    #[error("no lesson is due after {matches} matches")]
    NoLesson {
        /// Matches that are applied.
        matches: u64,
    },
    /// Only an evolution that has its champion can be taken further.
    #[error("the evolution has no champion yet: it cannot be taken further")]
    NotOver,
    /// The budget leaves no match to an evolution that is taken further.
    #[error(
        "evolution.budget = {budget} leaves nothing to learn from after the {games} games that \
         were played: the final's share is part of it"
    )]
    NothingLeft {
        /// The budget that was given.
        budget: u64,
        /// Games that were played.
        games: u64,
    },
    /// An immigrant's gene is outside of the genome's bounds.
    #[error("gene {gene} has the value {value}: this genome allows {least} to {most}")]
    OutOfBounds {
        /// The gene's name in weight files.
        gene: String,
        /// The immigrant's value, as it is written in weight files.
        value: String,
        /// The lower bound, as it is written in weight files.
        least: String,
        /// The upper bound, as it is written in weight files.
        most: String,
    },
    /// An immigrant's gene has an opening and an endgame value where the
    /// genome has one value for the whole game.
    #[error("gene {gene} has an endgame value of its own: in this genome it has one value")]
    TwoValues {
        /// The gene's name in weight files.
        gene: String,
    },
    /// A change would give the genome another shape.
    #[error("genome.phases cannot change from {before} to {now} within a run")]
    Phases {
        /// The phases of the living individuals' genomes.
        before: u32,
        /// The phases that were asked for.
        now: u32,
    },
}
