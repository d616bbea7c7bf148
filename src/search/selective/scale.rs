//! The unit of all margins. Weights may be scaled as one likes, so a margin in
//! points would mean something else for every set of weights.

use std::sync::LazyLock;

use crate::board::Board;
use crate::eval::Evaluator;
use crate::search::signature::{POSITIONS, board_of};

static BOARDS: LazyLock<Vec<Board>> =
    LazyLock::new(|| POSITIONS.iter().map(|(text, _)| board_of(text)).collect());

/// How much one move typically changes a value: the mean distance of the values
/// after the moves of a position from their mean, over the positions of the
/// bench; at least 1.
pub(in crate::search) fn typical_step(evaluator: &Evaluator) -> i32 {
    let (mut sum, mut count) = (0, 0);
    for board in BOARDS.iter() {
        let values: Vec<i64> = board
            .moves()
            .iter()
            .map(|&mv| {
                let next = board.play(mv);
                i64::from(evaluator.value(&next, next.movers(), 0))
            })
            .collect();
        let moves = values.len() as i64;
        let mean = values.iter().sum::<i64>() / moves.max(1);
        sum += values.iter().map(|value| (value - mean).abs()).sum::<i64>();
        count += moves;
    }
    (sum / count.max(1)).max(1) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;

    #[test]
    fn the_step_grows_with_the_weights() {
        let weights = Weights::source();
        let mut double = weights;
        for gene in crate::eval::features::FEATURE_GENES {
            double.opening[gene as usize] *= 2;
            double.endgame[gene as usize] *= 2;
        }
        let (one, two) = (
            typical_step(&Evaluator::new(&weights)),
            typical_step(&Evaluator::new(&double)),
        );
        assert!(one > 1, "{one}");
        assert!((2 * one - 2..=2 * one + 2).contains(&two), "{one}, {two}");
    }
}
