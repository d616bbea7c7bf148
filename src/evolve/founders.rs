//! The first population: drawn at random, and around given weights.

use rand::RngExt;
use rand_distr::StandardNormal;

use super::space::Space;
use super::{Origin, Plan};
use crate::genome::Genome;
use crate::random::{self, Purpose};

/// Every founder, in the order of birth. With given weights half of the
/// founders, or more where more are given, come from these: each of them, made
/// to fit the genome, then individuals drawn around them in turn, normally
/// distributed with the size of a mutation as standard deviation. All others
/// are drawn uniformly within the bounds.
pub(super) fn founders(plan: &Plan, space: &Space) -> Vec<(Origin, Genome)> {
    let mut rng = random::rng(plan.seed, Purpose::Founders);
    let count = plan.evolution.population.max(1) as usize;
    let given: Vec<Genome> = plan.seeds.iter().map(|seed| space.fit(seed)).collect();
    let mut founders: Vec<(Origin, Genome)> = given
        .iter()
        .take(count)
        .map(|weights| (Origin::Seeded, weights.clone()))
        .collect();
    for centre in given.iter().cycle() {
        if founders.len() >= count / 2 {
            break;
        }
        let mut weights = space.at_lower_bounds();
        for locus in space.free_loci() {
            let normal: f64 = rng.sample(StandardNormal);
            let value =
                f64::from(locus.value_in(centre)) + normal * locus.step(plan.evolution.sigma);
            locus.write(&mut weights, value.round());
        }
        founders.push((Origin::Seeded, weights));
    }
    while founders.len() < count {
        let weights = Genome::draw(&mut rng, &plan.genome);
        founders.push((Origin::Founder, weights));
    }
    founders
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genome::GeneTable;
    use crate::params::Params;

    fn drawn(seeds: &[Genome], change: impl Fn(&mut Params)) -> Vec<(Origin, Genome)> {
        let mut params = Params::with_first_genes();
        change(&mut params);
        let plan = Plan::with_genes(&params, &GeneTable::first(), seeds);
        let space = Space::new(&plan.genome);
        let founders = founders(&plan, &space);
        for (_, weights) in &founders {
            assert_eq!(space.check(weights), Ok(()));
        }
        founders
    }

    #[test]
    fn half_are_drawn_around_given_weights() {
        let other = Genome::uniform([3; 11]);
        let founders = drawn(&[Genome::default(), other.clone()], |_| {});
        assert_eq!(founders.len(), 32);
        assert_eq!(founders[0], (Origin::Seeded, Genome::default()));
        assert_eq!(founders[1], (Origin::Seeded, other));
        let seeded = founders
            .iter()
            .filter(|founder| founder.0 == Origin::Seeded);
        assert_eq!(seeded.count(), 16);
        assert_ne!(founders[2].1, founders[4].1);
        assert!(
            drawn(&[], |_| {})
                .iter()
                .all(|founder| founder.0 == Origin::Founder)
        );
    }

    #[test]
    fn given_weights_may_fill_the_population() {
        let founders = drawn(&vec![Genome::default(); 9], |params| {
            params.evolution.population = 5;
        });
        assert_eq!(founders, vec![(Origin::Seeded, Genome::default()); 5]);
    }

    #[test]
    fn two_phases_differ_but_for_shapes() {
        for (_, weights) in drawn(&[], |params| params.genome.phases = 2) {
            assert!(weights.has_phases());
        }
    }

    #[test]
    fn the_first_founder_of_seed_1_stays_what_it_is() {
        let founders = drawn(&[], |_| {});
        assert_eq!(founders[0].1.opening, GOLDEN);
    }

    const GOLDEN: [i32; 11] = [43, 5, 0, 59, 0, 8, -18, 85, 6, 67, 67];
}
