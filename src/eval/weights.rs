//! A set of weights: a value for every gene, in one or two phases.

use std::fmt;

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::genes::{GENES, GeneId, Role, TABLE};

/// The genes of one player, in the units of the gene table (see
/// [`Gene::grid`](super::genes::Gene::grid)). Shapes are the same in both
/// phases.
///
/// # Examples
///
/// ```
/// use loatune::eval::Weights;
/// use loatune::eval::genes::GeneId;
///
/// let mut weights = Weights::source();
/// assert_eq!(weights.get(GeneId::Euler), 60);
/// weights.endgame[GeneId::Euler as usize] = 90;
/// assert!(weights.has_phases());
/// weights.validate()?;
/// # Ok::<(), loatune::eval::WeightsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Weights {
    /// Values at the start of a game.
    pub opening: [i32; GENES],
    /// Values at its end; the same as `opening` where there is one phase.
    pub endgame: [i32; GENES],
}

impl Weights {
    /// One value a gene for the whole game.
    pub const fn uniform(values: [i32; GENES]) -> Weights {
        Weights {
            opening: values,
            endgame: values,
        }
    }

    /// The values that the source document's families were given by hand, those of
    /// the table. They are a common reference, not strong ones: they judge random
    /// openings, and whatever must come out the same for ever is measured by them.
    /// Players without a choice have the learned ones (`weights::WeightFile::built_in`).
    pub fn source() -> Weights {
        Weights::uniform(std::array::from_fn(|n| TABLE[n].default))
    }

    /// What a player has of genes that nobody gave it: weights are 0, so that
    /// their features do not count, and shapes have their default.
    pub fn absent() -> Weights {
        Weights::uniform(std::array::from_fn(|n| match TABLE[n].role {
            Role::Weight => 0,
            Role::Shape => TABLE[n].default,
        }))
    }

    /// Drawn at random, every gene uniform within its bounds, which may stand
    /// in either order: one value a gene for the whole game, with two phases
    /// an endgame value of its own for all that are not shapes.
    pub fn draw(rng: &mut impl Rng, bounds: &[[i32; 2]; GENES], phases: u32) -> Weights {
        let mut value = |n: usize| {
            let [one, other] = bounds[n];
            rng.random_range(one.min(other)..=one.max(other))
        };
        let mut weights = Weights::uniform(std::array::from_fn(&mut value));
        if phases > 1 {
            for (n, gene) in TABLE.iter().enumerate() {
                if gene.role == Role::Weight {
                    weights.endgame[n] = value(n);
                }
            }
        }
        weights
    }

    /// A gene's value at the start of a game.
    pub const fn get(&self, gene: GeneId) -> i32 {
        self.opening[gene as usize]
    }

    /// Whether a gene is anything but 0, at any time of the game.
    pub const fn uses(&self, gene: GeneId) -> bool {
        self.opening[gene as usize] != 0 || self.endgame[gene as usize] != 0
    }

    /// Whether opening and endgame differ.
    pub fn has_phases(&self) -> bool {
        self.opening != self.endgame
    }

    /// Checks every value against its gene's bounds, and that shapes do not
    /// differ between the phases.
    ///
    /// # Errors
    ///
    /// The first gene whose value is refused.
    pub fn validate(&self) -> Result<(), WeightsError> {
        let rows = TABLE.iter().zip(self.opening.iter().zip(&self.endgame));
        for (gene, (&opening, &endgame)) in rows {
            for value in [opening, endgame] {
                if value < gene.min || value > gene.max {
                    return Err(WeightsError::OutOfRange {
                        gene: gene.name,
                        value,
                    });
                }
            }
            if gene.role == Role::Shape && opening != endgame {
                return Err(WeightsError::ShapeDiffers { gene: gene.name });
            }
        }
        Ok(())
    }
}

/// Why a set of weights is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// A value lies outside its gene's bounds.
    #[error("{gene} = {value} is outside its bounds")]
    OutOfRange {
        /// The name of the gene.
        gene: &'static str,
        /// The refused value, in the gene's unit.
        value: i32,
    },
    /// A shape has two values.
    #[error("{gene} differs between opening and endgame")]
    ShapeDiffers {
        /// The name of the gene.
        gene: &'static str,
    },
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (n, gene) in TABLE.iter().enumerate() {
            map.entry(&gene.name, &(self.opening[n], self.endgame[n]));
        }
        map.finish()
    }
}
