//! What happens in an evolution, as it is told to whoever keeps or shows it.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::eval::Weights;

/// A weight file's number, from 0 in the order of births.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(transparent)]
pub struct FileId(pub u64);

impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Where a file comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Drawn at random at the start.
    Founder,
    /// Drawn around given weights at the start, or those weights themselves.
    Seeded,
    /// A twin whose parents are two files.
    Crossover,
    /// A twin of one file that doubled.
    Doubling,
    /// A twin of the consensus that doubled for free.
    Refill,
    /// Imported while the run went on.
    Immigrant,
    /// The elder at some moment: kept in the hall, or playing the final. It
    /// never lives in the population.
    Elder,
}

/// A file as it was born; never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Birth {
    /// Its number.
    pub file: FileId,
    /// Where it comes from.
    pub origin: Origin,
    /// None, one or two.
    pub parents: Vec<FileId>,
    /// The other one of the twins.
    pub twin: Option<FileId>,
    /// Matches applied before it was born.
    pub at: u64,
    /// What it plays with.
    pub weights: Weights,
}

/// Why a file left the population.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Mature, with points below the minimum.
    BelowMinimum,
    /// The lowest of more files than the capacity.
    Capacity,
}

/// What a file has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Points of the selection rule: what births cost is paid.
    pub points: f64,
    /// Games that counted.
    pub games: u64,
    /// Twins that it brought into the world, alone or with another.
    pub children: u64,
    /// When and why it left the population; `None` while it lives, and for an
    /// elder.
    pub death: Option<(u64, Cause)>,
}

/// The population at a moment: what charts are drawn from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Matches applied.
    pub matches: u64,
    /// Games played in them.
    pub games: u64,
    /// Files that live.
    pub population: u32,
    /// Files that may live.
    pub capacity: u32,
    /// Files born so far, founders included, elders not.
    pub births: u64,
    /// Files that died so far.
    pub deaths: u64,
    /// The most points of a living file.
    pub best_points: f64,
    /// The mean of the living files' points.
    pub mean_points: f64,
    /// The mean of each gene over the living files, in its grid's units:
    /// opening values in the table's order, then endgame values.
    pub gene_means: Vec<f32>,
    /// The standard deviation of each, in the same order.
    pub gene_spreads: Vec<f32>,
    /// The consensus, in the same order.
    pub consensus: Vec<f32>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A file came to be.
    Born(Birth),
    /// A file left the population.
    Died {
        /// Which.
        file: FileId,
        /// Why.
        cause: Cause,
    },
    /// The elder of this moment, born just before, was put into the hall.
    Hall {
        /// Its file.
        file: FileId,
    },
    /// A look at the population.
    Sample(Sample),
    /// One file is left, and plays the elder.
    Final {
        /// The last file.
        last: FileId,
        /// The elder.
        elder: FileId,
    },
    /// It is over.
    Champion {
        /// The champion's file.
        file: FileId,
        /// The last file's mean score in the final, from -1 to 1.
        score: f64,
        /// Its standard error.
        error: f64,
        /// Matches of the final.
        matches: u64,
    },
    /// The parameters were changed between two matches, and the user agreed.
    Changed {
        /// What changed, a line a key: `player.depth: 3 -> 4`.
        keys: Vec<String>,
    },
}
