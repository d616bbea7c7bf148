//! One line of raw results: weights that were learned, or a match that judges
//! them.

use std::collections::BTreeMap;

use loatune::eval::Weights;
use loatune::eval::genes::{GENES, TABLE};
use serde::{Deserialize, Serialize};

/// Who learned from how many games. Results whose `engine` or `fingerprint`
/// differ are never mixed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Learner {
    /// The method's text, as `--methods` takes it.
    pub(crate) method: String,
    /// Games that it may learn from.
    pub(crate) games: u64,
    /// Plies of all searches.
    pub(crate) depth: u32,
    pub(crate) seed: u64,
    /// The engine's signature.
    pub(crate) engine: u64,
    /// The beginning of a hash of all parameters that the method depends on, but
    /// for games, depth and seed.
    pub(crate) fingerprint: String,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Entry {
    Learned(Learned),
    Judged(Judged),
}

/// Weights that were learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Learned {
    #[serde(flatten)]
    pub(crate) learner: Learner,
    /// Games that were played, at most those allowed.
    pub(crate) played: u64,
    /// By gene, in the units of the gene table.
    pub(crate) weights: BTreeMap<String, i32>,
    /// The endgame's, where they differ.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) endgame: BTreeMap<String, i32>,
}

/// A match of what was learned against an opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Judged {
    #[serde(flatten)]
    pub(crate) learner: Learner,
    /// The opponent's name.
    pub(crate) opponent: String,
    /// The beginning of a hash of the opponent's weights.
    pub(crate) opponent_id: String,
    /// Pairs of games by the learner's points in them: 0, 1/2, 1, 3/2, 2.
    pub(crate) pairs: [u64; 5],
}

impl Learned {
    pub(crate) fn new(learner: Learner, played: u64, weights: &Weights) -> Learned {
        let by_name = |values: &[i32; GENES]| {
            let genes = TABLE.iter().zip(values);
            genes
                .map(|(gene, value)| (gene.name.to_owned(), *value))
                .collect()
        };
        Learned {
            learner,
            played,
            weights: by_name(&weights.opening),
            endgame: if weights.has_phases() {
                by_name(&weights.endgame)
            } else {
                BTreeMap::new()
            },
        }
    }

    /// The weights; genes that joined later are absent.
    pub(crate) fn weights(&self) -> Weights {
        let absent = Weights::absent();
        let of = |values: &BTreeMap<String, i32>| {
            std::array::from_fn(|n| {
                let value = values.get(TABLE[n].name);
                value.copied().unwrap_or(absent.opening[n])
            })
        };
        let opening = of(&self.weights);
        Weights {
            opening,
            endgame: if self.endgame.is_empty() {
                opening
            } else {
                of(&self.endgame)
            },
        }
    }
}

/// The beginning of a hash, long enough to tell some versions apart.
pub(crate) fn short_hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..12].to_owned()
}
