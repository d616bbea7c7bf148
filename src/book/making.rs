//! The conditions under which a book was made: whose games it holds.

use serde::{Deserialize, Serialize};

/// One building of a book. A merged book has several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Making {
    /// The player, as it was named.
    pub player: String,
    /// A fingerprint of its weights.
    pub weights: String,
    /// The signature of its search.
    pub engine: u64,
    /// The memory of its transposition table, in KiB.
    pub hash_kib: u32,
    /// Where its games began.
    pub openings: MakingOpenings,
    /// Every so many games of a hundred begin at the initial position.
    pub from_start: u32,
    /// The plies after an opening that are in the book.
    pub plies: u32,
    /// How much moves with few games are tried.
    pub explore: f64,
    /// How fast further moves join.
    pub widening: f64,
    /// The seed of the openings.
    pub seed: u64,
    /// How many games were played; 0 in the settings of games that are not
    /// finished.
    pub games: u64,
}

/// Where the games of a book began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MakingOpenings {
    /// How many there were.
    pub count: u64,
    /// Random plies of each; `None` where they came from a file.
    pub plies: Option<u32>,
    /// The largest value that was not lopsided.
    pub bound: Option<i32>,
    /// The file that they came from.
    pub file: Option<String>,
    /// A fingerprint of the openings in the file.
    pub content: Option<String>,
}

impl Making {
    /// The conditions in a line, for people.
    pub fn text(&self) -> String {
        let openings = match (&self.openings.file, self.openings.plies) {
            (Some(file), _) => format!("{} openings of {file}", self.openings.count),
            (None, Some(plies)) => format!(
                "{} openings of {plies} random plies, seed {}",
                self.openings.count, self.seed
            ),
            (None, None) => String::from("the initial position"),
        };
        format!(
            "{} games of {} from {openings}; weights {}, engine {}",
            self.games, self.player, self.weights, self.engine
        )
    }
}
