//! The mean of the scores of several matches, with its standard error.

use serde::{Deserialize, Serialize};

/// Scores so far, kept by Welford's method. (The fields' order is part of the
/// checkpoint's stored format.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct MeanScore {
    /// Matches so far.
    pub(super) matches: u64,
    /// The mean of their scores, from -1 to 1.
    pub(super) mean: f64,
    /// The sum of the scores' squared distances from the mean.
    squares: f64,
}

impl MeanScore {
    /// Takes the score of a match in.
    pub(super) fn add(&mut self, score: f64) {
        self.matches += 1;
        let distance_before = score - self.mean;
        self.mean += distance_before / self.matches as f64;
        self.squares += distance_before * (score - self.mean);
    }

    /// The standard error of the mean; 0 with fewer than two matches.
    pub(super) fn error(&self) -> f64 {
        if self.matches < 2 {
            return 0.0;
        }
        let count = self.matches as f64;
        (self.squares / (count - 1.0) / count).sqrt()
    }

    /// Whether the mean is more than so many standard errors above 0.
    pub(super) fn leads_by(&self, errors: f64) -> bool {
        self.matches >= 2 && self.mean > errors * self.error()
    }
}
