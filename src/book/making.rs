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
    /// The seed of random openings; without them it decides nothing.
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
    /// Whether the games of two buildings are the same games, as many of them as
    /// both have. Only what decides a game counts: not the seed where no opening
    /// is random, not the openings where every game begins at the initial
    /// position, and no name of a file whose content is known.
    pub fn has_games_of(&self, other: &Making) -> bool {
        self.deciding() == other.deciding()
    }

    /// The conditions without what decides nothing.
    fn deciding(&self) -> Making {
        let mut making = self.clone();
        making.games = 0;
        if making.from_start >= 100 {
            making.openings = MakingOpenings {
                count: 1,
                plies: None,
                bound: None,
                file: None,
                content: None,
            };
        }
        if making.openings.plies.is_none() {
            making.seed = 0;
        }
        if making.openings.content.is_some() {
            making.openings.file = None;
        }
        // The weights have a fingerprint, so their name decides nothing.
        if !making.weights.is_empty()
            && let Some((_, search)) = making.player.rsplit_once('@')
        {
            making.player = format!("@{search}");
        }
        making
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    fn making(seed: u64, openings: MakingOpenings, from_start: u32) -> Making {
        Making {
            player: String::from("default@mtdf:1"),
            weights: String::from("0123"),
            engine: 1,
            hash_kib: 1024,
            openings,
            from_start,
            plies: 12,
            explore: 0.3,
            widening: 0.5,
            seed,
            games: seed * 100,
        }
    }

    fn openings(plies: Option<u32>, file: Option<&str>) -> MakingOpenings {
        MakingOpenings {
            count: if plies.is_some() || file.is_some() {
                70
            } else {
                1
            },
            plies,
            bound: plies.map(|_| 100),
            file: file.map(str::to_owned),
            content: file.map(|_| String::from("4567")),
        }
    }

    #[test]
    fn a_seed_counts_only_where_openings_are_random() {
        let pair = |openings: MakingOpenings, from_start| {
            let one = making(1, openings.clone(), from_start);
            one.has_games_of(&making(2, openings, from_start))
        };
        assert!(!pair(openings(Some(4), None), 10));
        assert!(pair(openings(Some(4), None), 100));
        assert!(pair(openings(None, None), 100));
        assert!(pair(openings(None, Some("a.txt")), 0));
    }

    #[test]
    fn names_do_not_make_games() {
        let one = making(1, openings(None, Some("a.txt")), 10);
        let copied = making(3, openings(None, Some("b.txt")), 10);
        assert!(one.has_games_of(&copied));
        let renamed = Making {
            player: String::from("./copy.toml@mtdf:1"),
            ..one.clone()
        };
        assert!(one.has_games_of(&renamed));
        let deeper = Making {
            player: String::from("default@mtdf:2"),
            ..one.clone()
        };
        assert!(!one.has_games_of(&deeper));
        let other_weights = Making {
            weights: String::from("89ab"),
            ..one.clone()
        };
        assert!(!one.has_games_of(&other_weights));
    }
}
