//! The space in which an evolution moves: which genes may differ, between
//! which bounds, and what a point in it is as weights.
//!
//! Individuals are points of the grid; the consensus and the elder are means
//! and lie between. Only `+ - * /`, comparisons and exact rounding are used, so
//! that every machine computes the same.
//!
//! **The scale.** Twice the weights choose the same moves, so their common
//! scale is a free direction along which a consensus would drift. With
//! `normalise` it is fixed: the norm is the sum of |weight| / (half the range
//! that the gene table allows), and the consensus is rescaled to the norm
//! halfway between the least within the bounds and the mean of individuals
//! drawn uniformly within them. That norm can always be reached, and it leaves
//! a weight that matters most room to grow. A rescaling goes only so far that
//! every weight stays within its bounds: it never changes the ratio of two
//! weights. Shapes have no part in it. Where a weight is held at a value other
//! than 0, it fixes the scale by itself, and nothing is rescaled.

mod locus;
mod point;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use self::locus::Phase;
use super::refused::Refused;
use crate::genome::{GeneTable, Genome, GenomeSpec};

pub(super) use self::locus::Locus;
pub(super) use self::point::Point;

/// A gene whose consensus lies at a bound: what is best may lie beyond it.
#[derive(Clone, Debug, PartialEq)]
pub struct AtBound {
    /// The gene's name; with `_endgame` for its endgame value.
    pub gene: String,
    /// The value, as weight files have it.
    pub value: f64,
    /// Whether the bound is the upper one.
    pub is_most: bool,
}

/// All coordinates, and the scale that a consensus is given.
#[derive(Clone, Debug)]
pub(super) struct Space {
    table: GeneTable,
    loci: Vec<Locus>,
    /// The norm that a consensus is rescaled to; `None` where its scale is
    /// left alone.
    target_norm: Option<f64>,
}

impl Space {
    /// The space of a genome.
    pub(super) fn new(genome: &GenomeSpec) -> Space {
        let mut loci = Vec::with_capacity(2 * genome.table.len());
        for (n, gene) in genome.table.iter().enumerate() {
            let [one, other] = genome.bounds[n];
            let range = f64::from(gene.range[1]) - f64::from(gene.range[0]);
            let norm_unit = (gene.shares_scale && range > 0.0).then_some(range / 2.0);
            let mut add = |phase| {
                loci.push(Locus {
                    gene: n,
                    phase,
                    low: f64::from(one.min(other)),
                    high: f64::from(one.max(other)),
                    norm_unit,
                });
            };
            if genome.has_phases(n) {
                add(Phase::Opening);
                add(Phase::Endgame);
            } else {
                add(Phase::Whole);
            }
        }
        let target_norm = if genome.normalise {
            target_norm(&loci)
        } else {
            None
        };
        Space {
            table: genome.table.clone(),
            loci,
            target_norm,
        }
    }

    /// The coordinates that can vary.
    pub(super) fn free_loci(&self) -> impl Iterator<Item = &Locus> {
        self.loci.iter().filter(|locus| locus.low < locus.high)
    }

    /// Genome with every coordinate at its lower bound. Coordinates that
    /// cannot vary have their only value then.
    pub(super) fn at_lower_bounds(&self) -> Genome {
        let mut weights = Genome::default_of(&self.table);
        for locus in &self.loci {
            locus.write(&mut weights, locus.low);
        }
        weights
    }

    /// The mean of some weights, within the bounds and at the norm; `None`
    /// without any. Sums of whole numbers are exact in any order.
    pub(super) fn mean<'a>(&self, all: impl Iterator<Item = &'a Genome>) -> Option<Point> {
        let mut opening = vec![0i64; self.table.len()];
        let mut endgame = opening.clone();
        let mut count = 0i64;
        for weights in all {
            for n in 0..self.table.len() {
                opening[n] += i64::from(weights.opening[n]);
                endgame[n] += i64::from(weights.endgame[n]);
            }
            count += 1;
        }
        if count == 0 {
            return None;
        }
        let mean = |sums: &[i64]| {
            let means = sums.iter().map(|&sum| sum as f64 / count as f64);
            means.collect()
        };
        let mut point = Point {
            opening: mean(&opening),
            endgame: mean(&endgame),
        };
        self.constrain(&mut point);
        Some(point)
    }

    /// Clamps a point to the bounds and rescales it to the target norm, as far
    /// as the bounds allow.
    pub(super) fn constrain(&self, point: &mut Point) {
        for locus in &self.loci {
            let value = locus.clamp(locus.value_at(point));
            locus.set(point, value);
        }
        let Some(target_norm) = self.target_norm else {
            return;
        };
        let norm = self.norm(point);
        if norm <= 0.0 {
            return;
        }
        let mut factor = target_norm / norm;
        for locus in &self.loci {
            let value = locus.value_at(point);
            if locus.norm_unit.is_none() || value == 0.0 {
                continue;
            }
            // The factor is limited by the bound that growing leads to, and by
            // the one that shrinking leads to. A bound on the other side of 0
            // does not limit it.
            let (far, near) = if value > 0.0 {
                (locus.high, locus.low)
            } else {
                (locus.low, locus.high)
            };
            factor = factor.min(far / value).max((near / value).max(0.0));
        }
        for locus in &self.loci {
            if locus.norm_unit.is_some() {
                let value = locus.clamp(locus.value_at(point) * factor);
                locus.set(point, value);
            }
        }
    }

    /// The coordinates at which a point lies at a bound, to the step of the grid,
    /// although the coordinate may vary.
    pub(super) fn at_bounds(&self, point: &Point) -> Vec<AtBound> {
        let found = self.free_loci().filter_map(|locus| {
            let value = locus.value_at(point).round();
            let is_most = value >= locus.high;
            let gene = &self.table[locus.gene];
            let phase = match locus.phase {
                Phase::Endgame => "_endgame",
                Phase::Whole | Phase::Opening => "",
            };
            (is_most || value <= locus.low).then(|| AtBound {
                gene: format!("{}{phase}", gene.name),
                value: gene.number(value),
                is_most,
            })
        });
        found.collect()
    }

    /// The sum of |weight| in norm units; see the module's documentation.
    pub(super) fn norm(&self, point: &Point) -> f64 {
        let sizes = self
            .loci
            .iter()
            .filter_map(|locus| Some(locus.value_at(point).abs() / locus.norm_unit?));
        sizes.sum()
    }

    /// Moves a point by `share` times the difference `to - from`.
    pub(super) fn shift(&self, point: &mut Point, from: &Genome, to: &Genome, share: f64) {
        for locus in &self.loci {
            let difference = f64::from(locus.value_in(to)) - f64::from(locus.value_in(from));
            let value = locus.value_at(point) + share * difference;
            locus.set(point, value);
        }
        self.constrain(point);
    }

    /// Moves a point by `share` of the way to another.
    pub(super) fn move_toward(&self, point: &mut Point, to: &Point, share: f64) {
        for locus in &self.loci {
            let value = locus.value_at(point);
            locus.set(point, value + share * (locus.value_at(to) - value));
        }
        self.constrain(point);
    }

    /// Two weights on the grid, `centre + offset` and `centre - offset`. Both
    /// are rounded with the same random number, so that the mean of the two
    /// stays near the centre.
    pub(super) fn mirrored_pair(
        &self,
        centre: &Point,
        mut offset: impl FnMut(&Locus, &mut ChaCha8Rng) -> f64,
        rng: &mut ChaCha8Rng,
    ) -> [Genome; 2] {
        let mut twins = [self.at_lower_bounds(), self.at_lower_bounds()];
        for locus in self.free_loci() {
            let middle = locus.value_at(centre);
            let offset = offset(locus, rng);
            let chance: f64 = rng.random();
            locus.write(&mut twins[0], locus.round(middle + offset, chance));
            locus.write(&mut twins[1], locus.round(middle - offset, chance));
        }
        twins
    }

    /// Given weights made to fit the space: clamped to the bounds, and with
    /// one value where the genome has one, halfway between the two.
    pub(super) fn fit(&self, weights: &Genome) -> Genome {
        let mut point = Point::from(weights);
        for locus in &self.loci {
            if locus.phase == Phase::Whole {
                let both = point.opening[locus.gene] + point.endgame[locus.gene];
                locus.set(&mut point, both / 2.0);
            }
        }
        for locus in &self.loci {
            let value = locus.clamp(locus.value_at(&point));
            locus.set(&mut point, value);
        }
        point.nearest()
    }

    /// Checks that weights belong to the space.
    ///
    /// # Errors
    ///
    /// Names the first gene that has two values where the genome has one, or
    /// that is out of its bounds.
    pub(super) fn check(&self, weights: &Genome) -> Result<(), Refused> {
        for locus in &self.loci {
            let gene = &self.table[locus.gene];
            if locus.phase == Phase::Whole
                && weights.opening[locus.gene] != weights.endgame[locus.gene]
            {
                return Err(Refused::TwoValues {
                    gene: gene.name.clone(),
                });
            }
            let value = f64::from(locus.value_in(weights));
            if value < locus.low || value > locus.high {
                return Err(Refused::OutOfBounds {
                    gene: gene.name.clone(),
                    value: gene.text(locus.value_in(weights)),
                    least: gene.text(locus.low as i32),
                    most: gene.text(locus.high as i32),
                });
            }
        }
        Ok(())
    }
}

/// The norm that the scale is fixed at, or `None` where a weight is held at a
/// value other than 0; see the module's documentation.
fn target_norm(loci: &[Locus]) -> Option<f64> {
    let mut sum = 0.0;
    for locus in loci {
        let Some(unit) = locus.norm_unit else {
            continue;
        };
        if locus.low == locus.high && locus.low != 0.0 {
            return None;
        }
        let (least, mean) = locus.least_and_mean_size();
        sum += (least + mean) / 2.0 / unit;
    }
    (sum > 0.0).then_some(sum)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::eval::genes::GeneId;
    use crate::params::Params;

    fn genome(normalise: bool) -> GenomeSpec {
        GenomeSpec {
            normalise,
            ..Params::with_first_genes().genome.spec(&GeneTable::first())
        }
    }

    #[test]
    fn scaled_weights_are_constrained_to_the_same_point() {
        let space = Space::new(&genome(true));
        let mut one = Point::from(&Genome::default());
        let mut half = one.clone();
        for locus in &space.loci {
            if locus.norm_unit.is_some() {
                half.opening[locus.gene] /= 2.0;
                half.endgame[locus.gene] /= 2.0;
            }
        }
        space.constrain(&mut one);
        space.constrain(&mut half);
        for locus in &space.loci {
            assert!(
                (locus.value_at(&one) - locus.value_at(&half)).abs() < 1e-9,
                "{locus:?}"
            );
        }
        let kept = space.target_norm.unwrap();
        assert!((space.norm(&one) - kept).abs() < 1e-9);
    }

    #[test]
    fn a_ratio_is_kept_at_the_bound() {
        let space = Space::new(&genome(true));
        let mut weights = Genome::uniform([0; 11]);
        weights.opening[GeneId::Spread as usize] = 90;
        weights.opening[GeneId::Quad3 as usize] = 9;
        weights.endgame = weights.opening.clone();
        let mut point = Point::from(&weights);
        space.constrain(&mut point);
        // The norm would have asked for more than 100.
        assert_eq!(point.opening[GeneId::Spread as usize], 100.0);
        assert!((point.opening[GeneId::Quad3 as usize] - 10.0).abs() < 1e-9);
        assert_eq!(point.opening, point.endgame);
    }

    #[test]
    fn a_held_weight_fixes_the_scale() {
        let mut held = genome(true);
        held.bounds[GeneId::Euler as usize] = [60, 60];
        let space = Space::new(&held);
        let before = Point::from(&Genome::default());
        let mut after = before.clone();
        space.constrain(&mut after);
        assert_eq!(after, before);
        held.bounds[GeneId::Euler as usize] = [0, 0];
        assert!(Space::new(&held).target_norm.is_some());
    }

    #[test]
    fn what_does_not_fit_is_named_and_can_be_made_to_fit() {
        let mut narrow = genome(false);
        narrow.bounds[GeneId::SpreadPower as usize] = [3, 3];
        let space = Space::new(&narrow);
        let mut weights = Genome::default();
        let text = space.check(&weights).unwrap_err().to_string();
        assert!(text.contains("spread_power"), "{text}");
        assert!(text.contains("0.75"), "{text}");
        weights.opening[GeneId::Quad3 as usize] = 20;
        let fitting = space.fit(&weights);
        assert_eq!(space.check(&fitting), Ok(()));
        assert_eq!(fitting.get(GeneId::SpreadPower), 3);
        // Halfway between the opening's and the endgame's.
        assert_eq!(fitting.get(GeneId::Quad3), 15);
        weights.opening[GeneId::SpreadPower as usize] = 3;
        weights.endgame[GeneId::SpreadPower as usize] = 3;
        let text = space.check(&weights).unwrap_err().to_string();
        assert!(text.contains("quad3"), "{text}");
        narrow.phases = 2;
        assert_eq!(Space::new(&narrow).check(&weights), Ok(()));
    }
}
