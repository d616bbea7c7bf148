//! What happens in an evolution, as it is stored and shown.
//!
//! Names and order of variants and fields are public: they are the JSON's
//! names and the stored format's order. An individual is called a *file* there,
//! because a weight file is what people get of it.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ChallengeResult;
use crate::genome::Genome;

/// The number of an individual, from 0 in the order of births. It is shown as
/// `#12`, and commands, pages and JSON call it the number of a file.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(transparent)]
pub struct FileId(pub u64);

impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// How an individual came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Drawn at random at the start.
    Founder,
    /// Drawn around given weights at the start, or those weights themselves.
    Seeded,
    /// A twin with two parents.
    Crossover,
    /// A twin with one parent.
    Doubling,
    /// A twin around the consensus, without a parent and without a price.
    Refill,
    /// Imported while the run went on.
    Immigrant,
    /// The elder at some moment, in the hall of fame or in the final. It never
    /// lives in the population.
    Elder,
    /// Learned from the positions of the run's games.
    Scholar,
    /// The consensus at some moment, which a scholar challenges. It never lives
    /// in the population.
    Consensus,
}

impl Origin {
    /// Whether an individual of this origin lives in the population at first.
    pub const fn lives(self) -> bool {
        !matches!(self, Origin::Elder | Origin::Consensus)
    }
}

/// An individual as it was born; a birth never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Birth {
    /// The individual's number.
    pub file: FileId,
    /// How it came to be.
    pub origin: Origin,
    /// Its parents: none, one or two.
    pub parents: Vec<FileId>,
    /// The individual that was born as its mirror image.
    pub twin: Option<FileId>,
    /// Matches applied before the birth.
    pub at: u64,
    /// The genes that it plays with.
    pub weights: Genome,
}

/// Why an individual left the population.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// It was mature and had fewer points than the minimum.
    BelowMinimum,
    /// It was the lowest when more individuals lived than the capacity.
    Capacity,
}

/// What an individual has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Points of the selection rule, after the price of its children.
    pub points: f64,
    /// Games that counted.
    pub games: u64,
    /// Twins that it brought into the world, alone or with a mate.
    pub children: u64,
    /// The matches applied when it left the population, and why; `None` while
    /// it lives, and for an elder.
    pub death: Option<(u64, Cause)>,
}

/// The population at a moment, from which charts are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Matches applied.
    pub matches: u64,
    /// Games of those matches.
    pub games: u64,
    /// Individuals that live.
    pub population: u32,
    /// Individuals that may live.
    pub capacity: u32,
    /// Individuals born so far, founders included, elders not.
    pub births: u64,
    /// Individuals that died so far.
    pub deaths: u64,
    /// The most points of a living individual.
    pub best_points: f64,
    /// The mean of the living individuals' points.
    pub mean_points: f64,
    /// The mean of each gene over the living individuals, in units of its
    /// grid: opening values in the table's order, then endgame values.
    pub gene_means: Vec<f32>,
    /// The standard deviation of each gene, in the same order and units.
    pub gene_spreads: Vec<f32>,
    /// The consensus, in the same order and units.
    pub consensus: Vec<f32>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// An individual was born, or an elder was made.
    Born(Birth),
    /// An individual left the population.
    Died {
        /// The individual's number.
        file: FileId,
        /// Why it left.
        cause: Cause,
    },
    /// The elder of this moment, made just before, entered the hall of fame.
    Hall {
        /// The elder's number.
        file: FileId,
    },
    /// A sample of the population was taken.
    Sample(Sample),
    /// One individual is left, and the final against the elder begins.
    Final {
        /// The last individual's number.
        last: FileId,
        /// The elder's number.
        elder: FileId,
    },
    /// The final is over.
    Champion {
        /// The champion's number.
        file: FileId,
        /// The last individual's mean score in the final, from -1 to 1.
        score: f64,
        /// The standard error of that mean.
        error: f64,
        /// Matches of the final.
        matches: u64,
    },
    /// The parameters were changed between two matches, and the user agreed.
    Changed {
        /// What changed, one line per key: `player.depth: 3 -> 4`.
        keys: Vec<String>,
    },
    /// The evolution was over and goes on with a larger budget.
    Extended {
        /// The number of the champion until then.
        champion: FileId,
        /// Games of the whole run from now on.
        budget: u64,
        /// What changed, one line per key: `evolution.budget: 1000 -> 2000`.
        keys: Vec<String>,
    },
    /// A lesson is over: the scholar that was born just before was learned, and
    /// challenges the consensus.
    Scholar {
        /// The scholar's number.
        file: FileId,
        /// The number of games that it was learned from.
        games: u64,
        /// The number of their positions.
        positions: u64,
        /// As in [`Learned::micronats`](super::Learned::micronats).
        micronats: i64,
    },
    /// A challenge is over.
    Challenge {
        /// The scholar's number.
        scholar: FileId,
        /// How it ended.
        result: ChallengeResult,
    },
    /// The best scholar and the elder have played for a place in the final.
    Semifinal {
        /// The scholar's number.
        scholar: FileId,
        /// The elder's number.
        elder: FileId,
        /// The scholar's mean score, from -1 to 1.
        score: f64,
        /// The standard error of that mean.
        error: f64,
        /// Matches of the semifinal.
        matches: u64,
    },
}
