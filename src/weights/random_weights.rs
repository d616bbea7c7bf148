//! Weights drawn from a seed: every one of the first genes uniform within its
//! bounds, on its grid, the same throughout the game. Genes that joined later are 0,
//! so that a seed stands for the same player in every version.

use crate::eval::{Weights, genes};
use crate::random;

/// The weights that a seed stands for; the same on every platform.
///
/// ```
/// use loatune::weights::random_weights;
///
/// assert_eq!(random_weights(7), random_weights(7));
/// assert_ne!(random_weights(7), random_weights(8));
/// ```
pub fn random_weights(seed: u64) -> Weights {
    let mut rng = random::rng(seed, random::Purpose::Weights);
    Weights::draw(&mut rng, &genes::first_bounds(), 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::genes::FIRST_GENES;

    #[test]
    fn weights_are_within_bounds_and_follow_from_the_seed() {
        for seed in 0..100 {
            assert_eq!(random_weights(seed).validate(), Ok(()));
            assert_eq!(random_weights(seed), random_weights(seed));
            assert_ne!(random_weights(seed), random_weights(seed + 1));
        }
    }

    #[test]
    fn the_whole_range_is_drawn() {
        for (n, gene) in FIRST_GENES.iter().enumerate() {
            let drawn = (0..4000).map(|seed| random_weights(seed).opening[n]);
            let (least, most) = drawn.fold((i32::MAX, i32::MIN), |(least, most), value| {
                (least.min(value), most.max(value))
            });
            let slack = (gene.max - gene.min) / 50;
            assert!(least <= gene.min + slack, "{}: {least}", gene.name);
            assert!(most >= gene.max - slack, "{}: {most}", gene.name);
        }
    }
}
