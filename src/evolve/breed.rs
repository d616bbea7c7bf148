//! The genes of twins: the consensus pushed one way in every gene, and its
//! mirror image.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::mutation::MutationSize;
use super::space::{Point, Space};
use crate::genome::Genome;

/// Draws twins around `centre`. The first twin's gene goes up or down by chance
/// (mutation), or, with the probability `inherit`, to the side of the centre on
/// which one of the `parents`, drawn anew for each gene, lies (crossover).
pub(super) fn twins(
    space: &Space,
    inherit: f64,
    mutation: MutationSize,
    centre: &Point,
    parents: &[Genome],
    rng: &mut ChaCha8Rng,
) -> [Genome; 2] {
    let inherit = inherit.clamp(0.0, 1.0);
    space.mirrored_pair(
        centre,
        |locus, rng| {
            let middle = locus.value_at(centre);
            let mut up = rng.random_bool(0.5);
            if !parents.is_empty() && rng.random_bool(inherit) {
                let parent = &parents[rng.random_range(0..parents.len() as u32) as usize];
                let value = f64::from(locus.value_in(parent));
                if value != middle {
                    up = value > middle;
                }
            }
            // Near a bound both twins go less far, so that the mean of the two
            // stays the centre; but at least `border` far, so that they can be
            // told apart.
            let distance_to_bound = (middle - locus.low).min(locus.high - middle);
            let most = distance_to_bound.max(mutation.border(locus));
            let size = mutation.of(locus, middle).min(most);
            if up { size } else { -size }
        },
        rng,
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::eval::genes::{FIRST_GENES, GeneId};
    use crate::evolve::Plan;
    use crate::genome::{GeneTable, GenomeSpec};
    use crate::params::{EvolutionParams, Params};
    use crate::random::{self, Purpose};

    fn space() -> Space {
        Space::new(&GenomeSpec {
            normalise: false,
            ..Params::with_first_genes().genome.spec(&GeneTable::first())
        })
    }

    /// Mutations of a fifth of the range, at every moment.
    fn wide() -> MutationSize {
        let mut params = Params::with_first_genes();
        params.evolution = EvolutionParams {
            sigma: 0.2,
            sigma_end: 0.0,
            relative: 0.0,
            border: 0.15,
            ..params.evolution
        };
        MutationSize::at(&Plan::with_genes(&params, &GeneTable::first(), &[]), 0)
    }

    #[test]
    fn twins_mirror_each_other() {
        let space = space();
        let mut rng = random::rng(1, Purpose::Breeding(0));
        let middle = space.at_lower_bounds();
        let mut middle = space.mean([middle].iter()).unwrap();
        middle.opening[GeneId::Euler as usize] = 100.0;
        middle.opening[GeneId::Quad3 as usize] = 90.0;
        middle.opening[GeneId::Spread as usize] = 50.5;
        middle.opening[GeneId::SpreadPower as usize] = 2.0;
        let mut ups = 0;
        for _ in 0..1000 {
            let [one, other] = twins(&space, 0.5, wide(), &middle, &[], &mut rng);
            assert_eq!(one.get(GeneId::Euler) + other.get(GeneId::Euler), 200);
            assert_eq!((one.get(GeneId::Euler) - 100).abs(), 40);
            // 10 from the bound: the border, 0.15 of 150, is further.
            let pair = [one.get(GeneId::Quad3), other.get(GeneId::Quad3)];
            assert!(pair.contains(&100), "{pair:?}");
            assert!(pair.contains(&67) || pair.contains(&68), "{pair:?}");
            let pair = [one.get(GeneId::Spread), other.get(GeneId::Spread)];
            assert!(matches!(pair, [30 | 31, 70 | 71] | [70 | 71, 30 | 31]));
            assert_eq!((pair[0] - pair[1]).abs(), 40);
            // At the bound one stays there, and the other leaves it.
            let pair = [one.get(GeneId::SpreadPower), other.get(GeneId::SpreadPower)];
            assert!(pair.contains(&2) && pair[0] != pair[1], "{pair:?}");
            ups += i32::from(one.get(GeneId::Euler) > 100);
        }
        assert!((430..570).contains(&ups), "{ups}");
    }

    #[test]
    fn coarse_genes_are_rounded_without_bias() {
        let space = space();
        let mut rng = random::rng(1, Purpose::Breeding(0));
        let mut middle = space.mean([Genome::default()].iter()).unwrap();
        middle.opening[GeneId::SpreadPower as usize] = 6.3;
        let sum: i32 = (0..4000)
            .flat_map(|_| twins(&space, 0.5, wide(), &middle, &[], &mut rng))
            .map(|twin| twin.get(GeneId::SpreadPower))
            .sum();
        let mean = f64::from(sum) / 8000.0;
        assert!((mean - 6.3).abs() < 0.05, "{mean}");
    }

    #[test]
    fn with_inherit_1_every_gene_goes_to_the_parents_side() {
        let space = space();
        let mut rng = random::rng(1, Purpose::Breeding(0));
        let low = Genome::uniform(FIRST_GENES.each_ref().map(|gene| gene.min));
        let middle = space
            .mean([low.clone(), Genome::uniform([12; 11])].iter())
            .unwrap();
        let parents = std::slice::from_ref(&low);
        let [one, other] = twins(&space, 1.0, wide(), &middle, parents, &mut rng);
        for n in 0..low.len() {
            assert!(one.opening[n] <= other.opening[n]);
        }
        assert!(one.get(GeneId::Quad3) < other.get(GeneId::Quad3));
    }
}
