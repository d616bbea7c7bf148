//! A file as the population holds it.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::{FileId, Origin, Totals};
use crate::eval::Weights;

/// A file that lives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct File {
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

impl File {
    /// Who is ahead: most points, then most games, then the oldest.
    pub(super) fn rank(&self, other: &File) -> Ordering {
        let points = self.totals.points.partial_cmp(&other.totals.points);
        points
            .unwrap_or(Ordering::Equal)
            .then(self.totals.games.cmp(&other.totals.games))
            .then(other.id.cmp(&self.id))
    }

    /// Who goes first where there are too many: the last in rank of those that
    /// have played, then, of those that never played, the oldest.
    pub(super) fn staying(&self, other: &File) -> Ordering {
        let fresh = [self, other].map(|file| file.totals.games == 0);
        match fresh {
            [false, false] => self.rank(other),
            [true, true] => self.id.cmp(&other.id),
            [mine, theirs] => mine.cmp(&theirs),
        }
    }

    /// Points a game; `None` if it never played.
    pub(super) fn yield_a_game(&self) -> Option<f64> {
        let games = self.totals.games;
        (games > 0).then(|| self.totals.points / games as f64)
    }
}
