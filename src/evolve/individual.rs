//! A file as the population holds it.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::{FileId, Origin, Totals};
use crate::eval::Weights;

/// A file that lives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Individual {
    /// Its number.
    pub id: FileId,
    /// Where it comes from.
    pub origin: Origin,
    /// The other one of the twins.
    pub twin: Option<FileId>,
    /// What it plays with.
    pub weights: Weights,
    /// What it has done so far.
    pub totals: Totals,
}

impl Individual {
    /// Who is ahead: most points, then most games, then the oldest.
    pub(super) fn rank(&self, other: &Individual) -> Ordering {
        let points = self.totals.points.partial_cmp(&other.totals.points);
        points
            .unwrap_or(Ordering::Equal)
            .then(self.totals.games.cmp(&other.totals.games))
            .then(other.id.cmp(&self.id))
    }

    /// Who goes first where there are too many: the last in rank, but those
    /// that came later and never played after all others, the oldest first.
    /// Founders are not spared: a winner would go before all that never played,
    /// and where every match is decided nobody would be left to agree on
    /// anything.
    pub(super) fn staying(&self, other: &Individual) -> Ordering {
        match (self.is_newborn(), other.is_newborn()) {
            (false, false) => self.rank(other),
            (true, true) => self.id.cmp(&other.id),
            (mine, theirs) => mine.cmp(&theirs),
        }
    }

    fn is_newborn(&self) -> bool {
        self.totals.games == 0 && !self.is_founder()
    }

    /// Whether it belongs to the first population.
    pub(super) fn is_founder(&self) -> bool {
        matches!(self.origin, Origin::Founder | Origin::Seeded)
    }

    /// Points a game; `None` if it never played.
    pub(super) fn yield_a_game(&self) -> Option<f64> {
        let games = self.totals.games;
        (games > 0).then(|| self.totals.points / games as f64)
    }
}
