//! Weights as people keep them: files, certificates, and names.
//!
//! Owns the format of weight files and of the certificates in them, and where
//! a name leads. What a weight means is [`crate::eval`]'s; whether a
//! certificate is true is for [`crate::run`] to find out.
//!
//! | file | purpose |
//! |---|---|
//! | `weight_file` | a set of weights as TOML and JSON |
//! | `certificate` | the proof of a champion's strength |
//! | `certificate_text` | its text |
//! | `named` | weights by name |
//! | `published` | the champions that others are measured against |
//! | `random_weights` | weights drawn from a seed |

mod certificate;
mod certificate_text;
mod named;
mod published;
pub mod random_weights;
mod weight_file;

pub use certificate::{Certificate, ChampionKind, Conditions, ProofMatch};
pub use named::{DEFAULT_WEIGHTS, NameError, named_weights};
pub use published::{PUBLISHED, champions, published};
pub use random_weights::random_weights;
pub use weight_file::WeightFile;
