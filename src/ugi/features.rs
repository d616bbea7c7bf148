//! `query features`: what the evaluation sees in a position, by the genes that
//! weigh it. A program that tunes engines learns from it what games teach.

use crate::board::{Board, Side};
use crate::eval::Weights;
use crate::eval::features::FEATURE_GENES;
use crate::eval::genes::TABLE;
use crate::learn::{Position, SampledGame, design_matrix};

/// A line a gene that weighs a feature: by how much the position gets better for
/// Black when the option of that gene grows by one, up to a common factor. The
/// shapes of the features are those of `weights`.
pub(super) fn lines(board: &Board, weights: &Weights) -> Vec<String> {
    let game = SampledGame {
        positions: vec![Position {
            pieces: Side::BOTH.map(|side| board.pieces(side)),
            turn: board.turn(),
            plies: 0,
            target: 0.5,
            weight: 1.0,
        }],
    };
    let rows = design_matrix(&[game], weights, 1);
    let line = |(gene, value): (crate::eval::genes::GeneId, &f64)| {
        let row = &TABLE[gene as usize];
        let value = value / f64::from(row.grid);
        format!("feature name {} value {value}", row.name)
    };
    FEATURE_GENES
        .into_iter()
        .zip(rows.row(0))
        .map(line)
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::notation::parse_position;

    #[test]
    fn both_sides_of_a_position_are_told_apart() {
        // Black is one group, White two.
        let board = parse_position("8/8/2x5/2x5/8/8/o6o/8 x").unwrap();
        let found = lines(&board, &Weights::source());
        assert_eq!(found.len(), FEATURE_GENES.len());
        assert_eq!(found[0], "feature name euler value 1");
        let start = lines(&Board::start(), &Weights::source());
        assert!(
            start.iter().all(|line| line.ends_with(" value 0")),
            "{start:?}"
        );
    }
}
