//! The space in which an evolution moves: which genes may differ, between
//! which bounds, and what a point in it is as weights.
//!
//! Files are points of the grid; the consensus and the elder are means and lie
//! between. Only `+ - * /`, comparisons and exact rounding are used, so that
//! every machine computes the same.
//!
//! **The scale.** Twice the weights choose the same moves, so their common
//! scale is a free direction along which a consensus would drift. With
//! `normalise` it is fixed: the norm is the sum of |weight| / (half the range
//! that the gene table allows), and the consensus is rescaled to the norm
//! halfway between the least within the bounds and the mean of files drawn
//! uniformly within them. That norm can always be reached, and it leaves a
//! weight that matters most room to grow. A rescaling goes only so far that
//! every weight stays within its bounds: it never changes the ratio of two
//! weights. Shapes have no part in it. Where a weight is held at a value other
//! than 0, it fixes the scale by itself, and nothing is rescaled.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::refused::Refused;
use crate::eval::Weights;
use crate::eval::genes::{GENES, Role, TABLE};
use crate::params::GenomeParams;

/// A value for every gene, in grid units, not rounded.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Point {
    pub(super) opening: [f64; GENES],
    pub(super) endgame: [f64; GENES],
}

/// Which values of a gene a locus stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// One value for the whole game.
    Whole,
    Opening,
    Endgame,
}

/// One coordinate of the space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Locus {
    gene: usize,
    part: Part,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// All coordinates, and the scale that is kept.
#[derive(Clone, Debug)]
pub(super) struct Space {
    loci: Vec<Locus>,
    /// The norm that a consensus is given; `None` where its scale is left
    /// alone.
    wanted: Option<f64>,
}

impl Point {
    /// The nearest weights on the grid.
    pub(super) fn nearest(&self) -> Weights {
        let round = |values: [f64; GENES]| values.map(|value| value.round() as i32);
        Weights {
            opening: round(self.opening),
            endgame: round(self.endgame),
        }
    }
}

impl Locus {
    /// The value of weights here.
    pub(super) fn of(&self, weights: &Weights) -> i32 {
        match self.part {
            Part::Whole | Part::Opening => weights.opening[self.gene],
            Part::Endgame => weights.endgame[self.gene],
        }
    }

    /// The value of a point here.
    pub(super) fn at(&self, point: &Point) -> f64 {
        match self.part {
            Part::Whole | Part::Opening => point.opening[self.gene],
            Part::Endgame => point.endgame[self.gene],
        }
    }

    fn put(&self, point: &mut Point, value: f64) {
        if self.part != Part::Endgame {
            point.opening[self.gene] = value;
        }
        if self.part != Part::Opening {
            point.endgame[self.gene] = value;
        }
    }

    /// Writes a value into weights, cut to the bounds.
    pub(super) fn write(&self, weights: &mut Weights, value: f64) {
        let value = self.cut(value) as i32;
        if self.part != Part::Endgame {
            weights.opening[self.gene] = value;
        }
        if self.part != Part::Opening {
            weights.endgame[self.gene] = value;
        }
    }

    /// The distance of the bounds.
    pub(super) fn range(&self) -> f64 {
        self.high - self.low
    }

    /// The size of a mutation: a share of the range, but at least one step of
    /// the grid, or it would change nothing.
    pub(super) fn step(&self, share: f64) -> f64 {
        (share * self.range()).max(1.0)
    }

    pub(super) fn cut(&self, value: f64) -> f64 {
        value.max(self.low).min(self.high)
    }

    /// A value on the grid whose mean over many draws of `part`, uniform from
    /// 0 to 1, is `value`. Rounding to the nearest would hold a consensus of
    /// coarse genes at grid points.
    fn rounded(&self, value: f64, part: f64) -> f64 {
        self.cut((self.cut(value) + part).floor())
    }

    /// Half the range that the gene table allows: the unit of the norm; `None`
    /// for a shape.
    fn unit(&self) -> Option<f64> {
        let gene = &TABLE[self.gene];
        let range = f64::from(gene.max) - f64::from(gene.min);
        (gene.role == Role::Weight && range > 0.0).then_some(range / 2.0)
    }

    /// The least that |value| can be within the bounds, and its mean when
    /// drawn uniformly.
    fn sizes(&self) -> (f64, f64) {
        let (low, high) = (self.low, self.high);
        if low >= 0.0 {
            (low, (low + high) / 2.0)
        } else if high <= 0.0 {
            (-high, -(low + high) / 2.0)
        } else {
            (0.0, (low * low + high * high) / (2.0 * (high - low)))
        }
    }
}

impl Space {
    /// The space of a genome.
    pub(super) fn new(genome: &GenomeParams) -> Space {
        let mut loci = Vec::with_capacity(2 * GENES);
        for (n, gene) in TABLE.iter().enumerate() {
            let [one, other] = genome.bounds[n];
            let mut add = |part| {
                loci.push(Locus {
                    gene: n,
                    part,
                    low: f64::from(one.min(other)),
                    high: f64::from(one.max(other)),
                });
            };
            if genome.phases > 1 && gene.role == Role::Weight {
                add(Part::Opening);
                add(Part::Endgame);
            } else {
                add(Part::Whole);
            }
        }
        let wanted = if genome.normalise {
            norm_to_keep(&loci)
        } else {
            None
        };
        Space { loci, wanted }
    }

    /// The coordinates that can vary.
    pub(super) fn free(&self) -> impl Iterator<Item = &Locus> {
        self.loci.iter().filter(|locus| locus.low < locus.high)
    }

    /// Weights that have every coordinate at its lower bound; what cannot vary
    /// is right in them.
    pub(super) fn blank(&self) -> Weights {
        let mut weights = Weights::default();
        for locus in &self.loci {
            locus.write(&mut weights, locus.low);
        }
        weights
    }

    /// The mean of some files, within the bounds and at the norm; `None`
    /// without any. Sums of whole numbers are exact in any order.
    pub(super) fn mean<'a>(&self, files: impl Iterator<Item = &'a Weights>) -> Option<Point> {
        let mut opening = [0i64; GENES];
        let mut endgame = [0i64; GENES];
        let mut count = 0i64;
        for weights in files {
            for n in 0..GENES {
                opening[n] += i64::from(weights.opening[n]);
                endgame[n] += i64::from(weights.endgame[n]);
            }
            count += 1;
        }
        if count == 0 {
            return None;
        }
        let mean = |sums: [i64; GENES]| sums.map(|sum| sum as f64 / count as f64);
        let mut point = Point {
            opening: mean(opening),
            endgame: mean(endgame),
        };
        self.settle(&mut point);
        Some(point)
    }

    /// Cuts a point to the bounds and gives it the norm.
    pub(super) fn settle(&self, point: &mut Point) {
        for locus in &self.loci {
            let value = locus.cut(locus.at(point));
            locus.put(point, value);
        }
        let Some(wanted) = self.wanted else {
            return;
        };
        let norm = self.norm(point);
        if norm <= 0.0 {
            return;
        }
        let mut factor = wanted / norm;
        for locus in &self.loci {
            let value = locus.at(point);
            if locus.unit().is_none() || value == 0.0 {
                continue;
            }
            // How far the factor may go: the bound that growing leads to, and
            // the one that shrinking leads to. Both are on the value's side
            // of 0, or no bound at all.
            let (far, near) = if value > 0.0 {
                (locus.high, locus.low)
            } else {
                (locus.low, locus.high)
            };
            factor = factor.min(far / value).max((near / value).max(0.0));
        }
        for locus in &self.loci {
            if locus.unit().is_some() {
                let value = locus.cut(locus.at(point) * factor);
                locus.put(point, value);
            }
        }
    }

    /// See the module's text.
    pub(super) fn norm(&self, point: &Point) -> f64 {
        let sizes = self
            .loci
            .iter()
            .filter_map(|locus| Some(locus.at(point).abs() / locus.unit()?));
        sizes.sum()
    }

    /// Moves a point by `share` of the way from `from` to `to`.
    pub(super) fn shift(&self, point: &mut Point, from: &Weights, to: &Weights, share: f64) {
        for locus in &self.loci {
            let way = f64::from(locus.of(to)) - f64::from(locus.of(from));
            let value = locus.at(point) + share * way;
            locus.put(point, value);
        }
        self.settle(point);
    }

    /// Moves a point by `share` of the way to another.
    pub(super) fn approach(&self, point: &mut Point, to: &Point, share: f64) {
        for locus in &self.loci {
            let value = locus.at(point);
            locus.put(point, value + share * (locus.at(to) - value));
        }
        self.settle(point);
    }

    /// Two weights on the grid, `centre + way` and `centre - way`, with the
    /// same luck in rounding.
    pub(super) fn mirror(
        &self,
        centre: &Point,
        mut way: impl FnMut(&Locus, &mut ChaCha8Rng) -> f64,
        rng: &mut ChaCha8Rng,
    ) -> [Weights; 2] {
        let mut twins = [self.blank(); 2];
        for locus in self.free() {
            let middle = locus.at(centre);
            let way = way(locus, rng);
            let part: f64 = rng.random();
            locus.write(&mut twins[0], locus.rounded(middle + way, part));
            locus.write(&mut twins[1], locus.rounded(middle - way, part));
        }
        twins
    }

    /// Given weights made to fit: within the bounds, with as many phases as
    /// there are.
    pub(super) fn fit(&self, weights: &Weights) -> Weights {
        let mut point = Point {
            opening: weights.opening.map(f64::from),
            endgame: weights.endgame.map(f64::from),
        };
        for locus in &self.loci {
            if locus.part == Part::Whole {
                let both = point.opening[locus.gene] + point.endgame[locus.gene];
                locus.put(&mut point, both / 2.0);
            }
        }
        for locus in &self.loci {
            let value = locus.cut(locus.at(&point));
            locus.put(&mut point, value);
        }
        point.nearest()
    }

    /// Why weights do not belong to the space.
    pub(super) fn check(&self, weights: &Weights) -> Result<(), Refused> {
        for locus in &self.loci {
            let gene = &TABLE[locus.gene];
            if locus.part == Part::Whole
                && weights.opening[locus.gene] != weights.endgame[locus.gene]
            {
                return Err(Refused::TwoValues { gene: gene.name });
            }
            let value = f64::from(locus.of(weights));
            if value < locus.low || value > locus.high {
                return Err(Refused::OutOfBounds {
                    gene: gene.name,
                    value: gene.text(locus.of(weights)),
                    least: gene.text(locus.low as i32),
                    most: gene.text(locus.high as i32),
                });
            }
        }
        Ok(())
    }
}

/// See the module's text.
fn norm_to_keep(loci: &[Locus]) -> Option<f64> {
    let mut sum = 0.0;
    for locus in loci {
        let Some(unit) = locus.unit() else {
            continue;
        };
        if locus.low == locus.high && locus.low != 0.0 {
            return None;
        }
        let (least, mean) = locus.sizes();
        sum += (least + mean) / 2.0 / unit;
    }
    (sum > 0.0).then_some(sum)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::eval::genes::GeneId;

    fn genome(normalise: bool) -> GenomeParams {
        GenomeParams {
            normalise,
            ..GenomeParams::default()
        }
    }

    fn point(weights: &Weights) -> Point {
        Point {
            opening: weights.opening.map(f64::from),
            endgame: weights.endgame.map(f64::from),
        }
    }

    #[test]
    fn scaled_weights_settle_at_the_same_point() {
        let space = Space::new(&genome(true));
        let mut one = point(&Weights::default());
        let mut half = one;
        for locus in &space.loci {
            if locus.unit().is_some() {
                half.opening[locus.gene] /= 2.0;
                half.endgame[locus.gene] /= 2.0;
            }
        }
        space.settle(&mut one);
        space.settle(&mut half);
        for locus in &space.loci {
            assert!((locus.at(&one) - locus.at(&half)).abs() < 1e-9, "{locus:?}");
        }
        let kept = space.wanted.unwrap();
        assert!((space.norm(&one) - kept).abs() < 1e-9);
    }

    #[test]
    fn a_ratio_is_kept_at_the_bound() {
        let space = Space::new(&genome(true));
        let mut weights = Weights::uniform([0; GENES]);
        weights.opening[GeneId::Spread as usize] = 90;
        weights.opening[GeneId::Quad3 as usize] = 9;
        weights.endgame = weights.opening;
        let mut point = point(&weights);
        space.settle(&mut point);
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
        let before = point(&Weights::default());
        let mut after = before;
        space.settle(&mut after);
        assert_eq!(after, before);
        held.bounds[GeneId::Euler as usize] = [0, 0];
        assert!(Space::new(&held).wanted.is_some());
    }

    #[test]
    fn what_does_not_fit_is_named_and_can_be_made_to_fit() {
        let mut narrow = genome(false);
        narrow.bounds[GeneId::SpreadPower as usize] = [3, 3];
        let space = Space::new(&narrow);
        let mut weights = Weights::default();
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
