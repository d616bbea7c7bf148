//! The size of a mutation: how it falls over the evolution, and what it is for
//! a single gene.
//!
//! A wide mutation sees the landscape smoothed: with 0.2 of the range a weight
//! of 20 is 0 in one twin and 40 in the other. That finds the region, but its
//! optimum is not the best point. So the size falls geometrically from `sigma`
//! at the start to `sigma_end` at the end of the evolution, and with `relative`
//! it follows the size of the weight: 80 and 4 do not both move by 15.

use super::Plan;
use super::space::Locus;
use crate::params::EvolutionParams;

/// The fall is computed in so many parts of the evolution.
const PARTS: u32 = 1024;

/// Bits of a part's number: `PARTS` is a power of two.
const PART_BITS: u32 = PARTS.trailing_zeros();

/// The size of mutations at a moment of the evolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MutationSize {
    /// The share of a gene's range, or of the unit that follows its weight.
    sigma: f64,
    /// The least distance that twins keep at a bound, as a share of the range.
    /// It falls as `sigma` does.
    border: f64,
    relative: f64,
}

impl MutationSize {
    /// The size when `matches` of the evolution are applied.
    pub(super) fn at(plan: &Plan, matches: u64) -> MutationSize {
        let params = &plan.evolution;
        let fall = fall(params, plan.complete_parts(matches, PARTS));
        MutationSize {
            sigma: params.sigma * fall,
            border: params.border * fall,
            relative: params.relative.clamp(0.0, 1.0),
        }
    }

    /// The same, but not wider than `sigma` says.
    pub(super) fn at_most(self, sigma: f64) -> MutationSize {
        if self.sigma <= sigma {
            return self;
        }
        MutationSize {
            sigma,
            border: self.border * (sigma / self.sigma),
            ..self
        }
    }

    /// The size of a mutation of a gene that is at `value`: a share of the
    /// range, or, as far as `relative` says, of twice the weight. So a weight of
    /// half its range moves as far in either case. It is at least one step of the
    /// grid, or it would change nothing. Shapes have no natural size: for them
    /// it is a share of the range.
    pub(super) fn of(&self, locus: &Locus, value: f64) -> f64 {
        let range = locus.high - locus.low;
        let unit = if self.relative > 0.0 && locus.is_weight() {
            (1.0 - self.relative) * range + self.relative * 2.0 * value.abs()
        } else {
            range
        };
        (self.sigma * unit).max(1.0)
    }

    /// The least distance that twins keep where the consensus is close to a
    /// bound.
    pub(super) fn border(&self, locus: &Locus) -> f64 {
        locus.step(self.border)
    }
}

/// The part of the first size that is left after `parts` parts of the
/// evolution: (`sigma_end` / `sigma`) to the power of `parts` / [`PARTS`]. The
/// power is a product of square roots, one for each bit of `parts`, because IEEE
/// 754 fixes square roots but not powers.
fn fall(params: &EvolutionParams, parts: u32) -> f64 {
    if params.sigma_end <= 0.0 || params.sigma_end >= params.sigma {
        return 1.0;
    }
    let mut root = params.sigma_end / params.sigma;
    if parts >= PARTS {
        return root;
    }
    let mut product = 1.0;
    for bit in (0..PART_BITS).rev() {
        root = root.sqrt();
        if parts >> bit & 1 == 1 {
            product *= root;
        }
    }
    product
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::space::{Point, Space};
    use super::*;
    use crate::eval::genes::GeneId;
    use crate::genome::{GeneTable, Genome};
    use crate::params::Params;

    fn plan(change: impl Fn(&mut EvolutionParams)) -> Plan {
        let mut params = Params::with_first_genes();
        params.evolution.budget = 20_000;
        params.final_stage.share = 0.0;
        change(&mut params.evolution);
        Plan::with_genes(&params, &GeneTable::first(), &[])
    }

    #[test]
    fn the_size_falls_geometrically() {
        let plan = plan(|it| {
            it.sigma = 0.2;
            it.sigma_end = 0.0125;
            it.border = 0.16;
        });
        for (matches, sigma) in [(0, 0.2), (2_500, 0.1), (5_000, 0.05), (7_500, 0.025)] {
            let size = MutationSize::at(&plan, matches);
            assert!((size.sigma - sigma).abs() < 1e-15, "{matches}: {size:?}");
            assert!((size.border - 0.8 * sigma).abs() < 1e-15);
        }
        assert_eq!(MutationSize::at(&plan, 10_000).sigma, 0.0125);
        let sizes: Vec<f64> = (0..=10_000)
            .map(|matches| MutationSize::at(&plan, matches).sigma)
            .collect();
        assert!(sizes.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn without_an_end_it_stays_to_the_bit() {
        let plan = plan(|it| {
            it.sigma = 0.2;
            it.sigma_end = 0.0;
        });
        for matches in [0, 1, 5_000, 9_999, 10_000] {
            let size = MutationSize::at(&plan, matches);
            assert_eq!((size.sigma, size.border), (0.2, plan.evolution.border));
        }
    }

    #[test]
    fn large_weights_move_further_and_small_ones_by_a_step_at_least() {
        let space = Space::new(&Params::with_first_genes().genome.spec(&GeneTable::first()));
        let mut weights = Genome::default();
        weights.opening[GeneId::Euler as usize] = 100;
        weights.opening[GeneId::Quad3 as usize] = 0;
        weights.opening[GeneId::Spread as usize] = 80;
        weights.endgame = weights.opening.clone();
        let point = Point::from(&weights);
        let size_of = |relative: f64, gene: GeneId| {
            let plan = plan(|it| {
                it.sigma = 0.1;
                it.sigma_end = 0.0;
                it.relative = relative;
            });
            let mut loci = space.free_loci();
            let locus = loci.find(|locus| locus.is_gene(gene as usize)).unwrap();
            MutationSize::at(&plan, 0).of(locus, locus.value_at(&point))
        };
        let near = |size: f64, wanted: f64| assert!((size - wanted).abs() < 1e-9, "{size}");
        near(size_of(0.0, GeneId::Spread), 10.0);
        near(size_of(1.0, GeneId::Spread), 16.0);
        near(size_of(0.5, GeneId::Spread), 13.0);
        // Half of its range: the same in either case.
        near(size_of(0.0, GeneId::Euler), 20.0);
        near(size_of(1.0, GeneId::Euler), 20.0);
        near(size_of(0.5, GeneId::Quad3), 7.5);
        near(size_of(1.0, GeneId::Quad3), 1.0);
        // A shape: its range has ten steps of 0.25.
        near(size_of(1.0, GeneId::SpreadPower), 1.0);
    }
}
