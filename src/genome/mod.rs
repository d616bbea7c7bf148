//! What can be tuned: a table of genes, and the values that one player has.
//!
//! Owns the form of a genome, however many genes it has and whatever they mean:
//! a [`GeneTable`] says their names, steps and ranges, a [`Genome`] has a value
//! for each, and a [`GenomeSpec`] says between which bounds an evolution moves.
//! [`crate::evolve`] and [`crate::store`] know genes through these types alone.
//! Only `built_in` knows what genes mean to the evaluation of this program.
//!
//! | file | purpose |
//! |---|---|
//! | `table` | the genes: names, steps, ranges, what shares a scale |
//! | `values` | the values of one player, and which of them may be chosen |
//! | `built_in` | the evaluation of this program as a genome |

mod built_in;
mod table;
mod values;

pub use built_in::{BuiltIn, GeneDifference, UnknownGenes};
pub use table::{Gene, GeneTable};
pub use values::{Genome, GenomeSpec};
