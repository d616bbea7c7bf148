//! Weights as people keep them: files, certificates, and names.
//!
//! Owns the format of weight files and of the certificates in them, and what a
//! name of weights stands for. What a weight means belongs to [`crate::eval`];
//! whether a certificate is true is found out by [`crate::run`].
//!
//! | file | purpose |
//! |---|---|
//! | `weight_file` | a set of weights as TOML and JSON |
//! | `certificate` | the proof of a champion's strength, and its text |
//! | `values` | the values that both have in common |
//! | `lookup` | weights by name |
//! | `published` | the champions that others are measured against |
//! | `random_weights` | weights drawn from a seed |

mod certificate;
mod lookup;
mod published;
mod random_weights;
mod values;
mod weight_file;

pub use certificate::{Certificate, ChampionKind, Conditions, ProofMatch};
pub use lookup::{DEFAULT_WEIGHTS, LookupError, find_weights, named_weights};
pub use published::{PUBLISHED, champions, published};
pub use random_weights::random_weights;
pub use weight_file::WeightFile;
