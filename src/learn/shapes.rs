//! Shapes by likelihood: powers and penalties bend the features, so that no
//! regression finds them; a small grid is tried instead, one shape after the
//! other, until nothing gets better.

use std::sync::atomic::{AtomicBool, Ordering};

use super::design::Boards;
use super::sample::SampledGame;
use super::scale::{BoundedFit, Bounds};
use crate::eval::Weights;
use crate::eval::genes::{GENES, Role, TABLE};

/// Values of a shape that are tried, beside the one that it has.
const GRID: i32 = 6;

/// Times that all shapes are gone through at most.
const ROUNDS: usize = 2;

/// The shapes within the bounds under which the games are likeliest, from
/// those of `start`. The other genes of the result are those of `start`. The
/// search is given up once the flag is set.
pub(super) fn choose_shapes(
    games: &[SampledGame],
    start: &Weights,
    genes: &[[i32; 2]; GENES],
    phases: u32,
    stop: &AtomicBool,
) -> Weights {
    let bounds = Bounds::new(genes, phases).with_stop(stop);
    let mut best = *start;
    for (n, gene) in TABLE.iter().enumerate() {
        if gene.role == Role::Shape {
            set(
                &mut best,
                n,
                start.opening[n].clamp(genes[n][0].min(genes[n][1]), genes[n][0].max(genes[n][1])),
            );
        }
    }
    let free: Vec<usize> = (0..GENES)
        .filter(|&n| TABLE[n].role == Role::Shape && genes[n][0] != genes[n][1])
        .collect();
    if free.is_empty() {
        return best;
    }
    let boards = Boards::new(games);
    let fit = |shapes: &Weights, begin: Option<&[f64]>| {
        bounds.fit(&boards.design_matrix(shapes, phases), begin)
    };
    let mut fitted: BoundedFit = fit(&best, None);
    for _ in 0..ROUNDS {
        let before = best;
        for &n in &free {
            for value in candidates(genes[n]) {
                if stop.load(Ordering::Relaxed) {
                    return best;
                }
                if value == best.opening[n] {
                    continue;
                }
                let mut tried = best;
                set(&mut tried, n, value);
                let found = fit(&tried, Some(&fitted.logistic.coefficients));
                if found.logistic.log_likelihood > fitted.logistic.log_likelihood {
                    (best, fitted) = (tried, found);
                }
            }
        }
        if best == before {
            break;
        }
    }
    best
}

/// Values from bound to bound, evenly spaced, on the grid.
fn candidates([one, other]: [i32; 2]) -> Vec<i32> {
    let (low, high) = (one.min(other), one.max(other));
    let mut values: Vec<i32> = (0..GRID)
        .map(|n| low + ((high - low) * n + (GRID - 1) / 2) / (GRID - 1))
        .collect();
    values.dedup();
    values
}

fn set(weights: &mut Weights, gene: usize, value: i32) {
    weights.opening[gene] = value;
    weights.endgame[gene] = value;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_reach_both_bounds_and_are_not_repeated() {
        assert_eq!(candidates([2, 12]), [2, 4, 6, 8, 10, 12]);
        assert_eq!(candidates([8, 1]), [1, 2, 4, 5, 7, 8]);
        assert_eq!(candidates([3, 5]), [3, 4, 5]);
        assert_eq!(candidates([3, 3]), [3]);
    }
}
