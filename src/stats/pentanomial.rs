//! The counts of opening pairs by their points. The two games of a pair share
//! their opening, so their results depend on each other: pairs, not games, are
//! the independent observations of a match.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::Moments;

/// How many pairs brought 0, ½, 1, 1½ and 2 points, `Ptnml(0-2)` in match
/// reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// The score of a pair in each class, as a share of its two points.
    pub const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean and variance of a pair's score; none without pairs.
    pub fn moments(&self) -> Option<Moments> {
        Moments::from_counts(&Self::SCORES, &self.0, 2)
    }

    /// The same pairs from the opponent's point of view.
    pub fn reversed(&self) -> Pentanomial {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}
