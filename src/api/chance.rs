//! Chances of winning, and whether they are honest: `/api/chance` and
//! `/api/calibration`.

use serde::Serialize;
use utoipa::ToSchema;

use crate::stats::ReliabilityBin;

/// Black's chance in a position.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Chance)]
pub struct ChanceView {
    /// The name of the weights.
    pub weights: String,
    /// Black's chance, from 0 to 1; a draw is half of a win. Null where the
    /// population has too few games to tell, and while that is being computed:
    /// `/api/calibration` says which.
    #[schema(minimum = 0, maximum = 1)]
    pub chance: Option<f64>,
    /// The mean of the values of two depths, in points for Black; null where the
    /// search was cut short.
    pub value: Option<f64>,
}

/// How the values of some weights were turned into chances, and how honest
/// these are in games that they were not fitted to.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Calibration)]
pub struct CalibrationView {
    /// The name of the weights.
    pub weights: String,
    /// The depths whose mean value counts, in plies.
    #[schema(min_items = 2, max_items = 2)]
    pub depths: [u32; 2],
    /// The first match whose games were looked at. For weights that were learned
    /// from games of the run it lies after the lesson, as soon as there are enough
    /// such games.
    pub from: u64,
    /// Positions that the curve was fitted to.
    pub fitted: usize,
    /// Positions of other games that it was checked on.
    pub checked: usize,
    /// The logit of Black's chance at the value 0.
    pub bias: f64,
    /// Logits for 100 points at the beginning of a game.
    pub opening: f64,
    /// Logits for 100 points at the end of a game.
    pub end: f64,
    /// The mean square of the difference between chance and result in the games
    /// of the check; a quarter is what a chance of one half gives for wins.
    pub brier: f64,
    /// The logarithm of the likelihood of the check's results, in nats a position;
    /// a coin has -0.693.
    pub log_likelihood: f64,
    /// The positions of the check by their chances, in ranges of a tenth; empty
    /// ranges are left out.
    pub bins: Vec<ReliabilityView>,
    /// How much each feature moves the value, the most important first.
    pub importance: Vec<ImportanceView>,
}

/// Positions with similar chances, and how their games ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Reliability)]
pub struct ReliabilityView {
    /// The mean of Black's chances.
    pub predicted: f64,
    /// The mean of Black's results.
    pub scored: f64,
    /// The 95 % error of that.
    pub error: f64,
    /// How many positions there are.
    pub positions: usize,
}

/// How much a feature moves the value.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Importance)]
pub struct ImportanceView {
    /// The gene that weighs the feature.
    pub gene: String,
    /// Its mean distance from 0 in the positions of games, in points.
    pub points: f64,
    /// Its part of the sum over all features, from 0 to 1.
    pub share: f64,
}

impl From<&ReliabilityBin> for ReliabilityView {
    fn from(bin: &ReliabilityBin) -> ReliabilityView {
        ReliabilityView {
            predicted: bin.predicted,
            scored: bin.scored,
            error: 1.96 * bin.error,
            positions: bin.positions,
        }
    }
}
