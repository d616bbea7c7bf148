//! An individual of the population, and the two orders that selection uses.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::{FileId, Origin, Totals};
use crate::genome::Genome;

/// An individual that lives. (The fields' order is part of the checkpoint's
/// stored format.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Individual {
    /// Its number, under which it is shown and stored as a file.
    pub id: FileId,
    /// How it came to be.
    pub origin: Origin,
    /// The individual that was born as its mirror image.
    pub twin: Option<FileId>,
    /// The genes that it plays with; they never change.
    pub weights: Genome,
    /// Its points, games and children so far.
    pub totals: Totals,
}

impl Individual {
    /// The order of the leader board, the greatest being the leader: points,
    /// then games, then age.
    pub(super) fn rank(&self, other: &Individual) -> Ordering {
        let points = self.totals.points.partial_cmp(&other.totals.points);
        points
            .unwrap_or(Ordering::Equal)
            .then(self.totals.games.cmp(&other.totals.games))
            .then(other.id.cmp(&self.id))
    }

    /// The order in which individuals survive a shrinking capacity; the least
    /// dies first. Those that have played are ordered by [`Individual::rank`].
    /// Newborns that have not played survive all of them, and among newborns
    /// the oldest dies first. Founders do not count as newborns: otherwise a
    /// winner would die before all founders that have not played yet, and where
    /// every match is decided no two individuals with points above 0 would be
    /// left to form a consensus.
    pub(super) fn survival_order(&self, other: &Individual) -> Ordering {
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

    /// The mean of its points over its games; `None` if it never played.
    pub(super) fn points_per_game(&self) -> Option<f64> {
        let games = self.totals.games;
        (games > 0).then(|| self.totals.points / games as f64)
    }
}
