//! What a set of weights values: what `loatune weights --explain --json` prints
//! and `/api/explanation` answers.

use serde::Serialize;
use utoipa::ToSchema;

use crate::eval::genes::{Gene, place_of};
use crate::learn::{EXPLAINED_DEPTH, EXPLAINED_GAMES, Explanation, FeatureShare};
use crate::weights::WeightFile;

/// What weights value, on positions of games that they play against variations of
/// themselves; `loatune weights --explain --json` prints the same.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Explanation)]
pub struct ExplanationView {
    /// The name of the weights.
    pub name: String,
    /// How the weights came about.
    pub origin: String,
    /// Games that were played.
    pub games: u64,
    /// Their depth, in plies.
    pub depth: u32,
    /// Positions of these games that were taken apart.
    pub positions: u64,
    /// The points that a side loses on average with one piece, all features
    /// together.
    pub piece: f64,
    /// The mean size of a position's value, in points.
    pub value: f64,
    /// Every weighted feature, in the order of the gene table.
    pub features: Vec<FeatureShareView>,
}

/// The part of one feature in the value of positions.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = FeatureShare)]
pub struct FeatureShareView {
    /// The gene that weighs the feature.
    pub gene: String,
    /// What the gene means, in one sentence.
    pub meaning: String,
    /// Its weight at the start of a game.
    pub opening: f64,
    /// Its weight at the end of a game; the same where there is one phase.
    pub endgame: f64,
    /// The mean size of its term, in points.
    #[schema(minimum = 0)]
    pub points: f64,
    /// Its part of the mean sizes of all terms, from 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    pub share: f64,
    /// The mean size of its term, in pieces; null where a piece is worth nothing.
    #[schema(minimum = 0)]
    pub pieces: Option<f64>,
}

impl ExplanationView {
    /// What was found of the weights of a file.
    pub fn new(file: &WeightFile, found: &Explanation) -> ExplanationView {
        let features = found.features.iter();
        ExplanationView {
            name: file.name.clone(),
            origin: file.origin.clone(),
            games: EXPLAINED_GAMES,
            depth: EXPLAINED_DEPTH,
            positions: found.positions,
            piece: found.piece,
            value: found.value,
            features: features
                .map(|one| FeatureShareView::new(file, one))
                .collect(),
        }
    }
}

impl FeatureShareView {
    fn new(file: &WeightFile, found: &FeatureShare) -> FeatureShareView {
        let Gene { name, meaning, .. } = found.gene;
        let place = place_of(name);
        let number = |values: &[i32]| {
            let value = place.map_or(0, |n| values[n]);
            f64::from(value) / f64::from(found.gene.grid)
        };
        FeatureShareView {
            gene: (*name).to_owned(),
            meaning: (*meaning).to_owned(),
            opening: number(&file.weights.opening),
            endgame: number(&file.weights.endgame),
            points: found.points,
            share: found.share,
            pieces: found.pieces,
        }
    }
}
