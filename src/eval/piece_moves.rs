//! The moves of single pieces, to a power, added up over whole sets of pieces.
//!
//! The number of moves of every piece comes as binary digits, a set of squares
//! each ([`Movers::counts`]). A function of a number is a sum over the products
//! of its digits (its Möbius transform), so eight counts of bits give the sum
//! over all pieces of both sides, and no piece is looked at by itself.

use crate::board::{Bitboard, Movers, PieceMoveCounts};

use super::genes::GeneId;
use super::power::scaled_power;
use super::weights::Weights;

/// The mobility of single pieces, of either side.
pub trait PieceMobility {
    /// The pieces of either side that have a move.
    fn any(&self) -> Bitboard;

    /// How many moves each piece has, as four binary digits; only read for
    /// weights that [need it](MobilityDetail::Counts).
    fn counts(&self) -> [Bitboard; 4];
}

impl PieceMobility for Movers {
    #[inline(always)]
    fn any(&self) -> Bitboard {
        Movers::any(self)
    }

    #[inline(always)]
    fn counts(&self) -> [Bitboard; 4] {
        Movers::counts(self).0
    }
}

impl PieceMobility for PieceMoveCounts {
    #[inline(always)]
    fn any(&self) -> Bitboard {
        PieceMoveCounts::any(self)
    }

    #[inline(always)]
    fn counts(&self) -> [Bitboard; 4] {
        self.0
    }
}

/// The pieces that have a move, and nothing more.
impl PieceMobility for Bitboard {
    #[inline(always)]
    fn any(&self) -> Bitboard {
        *self
    }

    #[inline(always)]
    fn counts(&self) -> [Bitboard; 4] {
        [Bitboard::EMPTY; 4]
    }
}

/// How much of [`PieceMobility`] a set of weights needs: what is not needed is
/// not computed at the leaves of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MobilityDetail {
    /// No weight looks at single pieces.
    Nothing,
    /// A weight asks which pieces have a move.
    Any,
    /// A weight asks how many moves each piece has.
    Counts,
}

impl MobilityDetail {
    /// The least detail that these weights can be evaluated with.
    pub fn required_by(weights: &Weights) -> MobilityDetail {
        let powers = weights.uses(GeneId::Mobility) && weights.get(GeneId::MobilityPower) != 4;
        if powers || weights.uses(GeneId::MobilityCentre) {
            MobilityDetail::Counts
        } else if weights.uses(GeneId::Blocked) {
            MobilityDetail::Any
        } else {
            MobilityDetail::Nothing
        }
    }
}

/// The products of the digits of a number up to 8: the digits of ones, twos and
/// fours in every combination but none, and that of eights, which stands alone.
const PRODUCTS: usize = 8;

/// A power of the number of moves, as the sums over sets of pieces need it.
pub(super) struct MovePower {
    /// By product of digits: what a number for which the product is 1 gains.
    gains: [i32; PRODUCTS],
    /// All of [`MovePower::gains`] together.
    total: i32,
    /// Whether n moves are worth n.
    is_plain: bool,
}

impl MovePower {
    /// The power in quarters.
    pub(super) fn new(quarters: u32) -> MovePower {
        let worth = |moves: usize| scaled_power(moves as u32, 1, quarters) as i32;
        let mut gains: [i32; PRODUCTS] = std::array::from_fn(|n| worth(n + 1));
        // What the products of fewer digits have given already is taken off.
        for n in 1..PRODUCTS {
            for part in (1..n).filter(|part| n & part == *part) {
                gains[n - 1] -= gains[part - 1];
            }
        }
        MovePower {
            gains,
            total: gains.iter().sum(),
            is_plain: quarters == 4,
        }
    }

    /// Whether n moves are worth n, so that the sum of all moves is enough.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }
}

/// The pieces of either side by the digits of their numbers of moves.
pub(super) struct PieceMoves {
    /// By product of digits: the pieces for whose number of moves it is 1.
    products: [Bitboard; PRODUCTS],
}

impl PieceMoves {
    /// Sorts the pieces.
    #[inline(always)]
    pub(super) fn new(mobile: &impl PieceMobility) -> PieceMoves {
        let [ones, twos, fours, eights] = mobile.counts();
        let threes = ones & twos;
        PieceMoves {
            products: [
                ones,
                twos,
                threes,
                fours,
                ones & fours,
                twos & fours,
                threes & fours,
                eights,
            ],
        }
    }

    /// The moves, to a power, of all pieces that are not `theirs` minus those of
    /// `theirs`, where `theirs` are all pieces of one side.
    #[inline(always)]
    pub(super) fn difference(&self, power: &MovePower, theirs: Bitboard) -> i32 {
        // The pieces of a product that are not theirs, minus those that are, plus
        // all of theirs, are the pieces in one of the two sets but not in both.
        let sum: i32 = (self.products.iter().zip(&power.gains))
            .map(|(product, gain)| gain * (*product ^ theirs).len() as i32)
            .sum();
        sum - power.total * theirs.len() as i32
    }

    /// The same of those among the pieces that are `near`, where `theirs` are
    /// some of these.
    #[inline(always)]
    pub(super) fn difference_among(
        &self,
        power: &MovePower,
        near: Bitboard,
        theirs: Bitboard,
    ) -> i32 {
        let products = self.products.map(|product| product & near);
        PieceMoves { products }.difference(power, theirs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    /// Numbers of moves, of the pieces on the first squares.
    struct Numbers(Vec<u32>);

    impl PieceMobility for Numbers {
        fn any(&self) -> Bitboard {
            self.set(|moves| moves > 0)
        }

        fn counts(&self) -> [Bitboard; 4] {
            std::array::from_fn(|digit| self.set(|moves| moves >> digit & 1 != 0))
        }
    }

    impl Numbers {
        fn set(&self, has: impl Fn(u32) -> bool) -> Bitboard {
            let squares = (0..self.0.len()).filter(|&n| has(self.0[n]));
            squares.map(Square::from_index).collect()
        }
    }

    #[test]
    fn sums_over_digits_are_those_over_pieces() {
        // Every number of moves on either side, near and far, pieces without a
        // move included.
        let numbers = Numbers((0..60).map(|n| n * 7 % 9).collect());
        let every = |n: usize| -> Bitboard {
            let squares = (0..60).filter(|square| square % n == 0);
            squares.map(Square::from_index).collect()
        };
        let (theirs, near) = (every(2), every(3) | every(5));
        let moves = PieceMoves::new(&numbers);
        for quarters in 1..=8 {
            let power = MovePower::new(quarters);
            let one_by_one = |pieces: Bitboard| -> i32 {
                let worth = |square: Square| {
                    let worth = scaled_power(numbers.0[square.index()], 1, quarters) as i32;
                    if theirs.has(square) { -worth } else { worth }
                };
                pieces.into_iter().map(worth).sum()
            };
            assert_eq!(moves.difference(&power, theirs), one_by_one(every(1)));
            assert_eq!(
                moves.difference_among(&power, near, theirs & near),
                one_by_one(near)
            );
        }
    }
}
