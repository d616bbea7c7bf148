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
//! | `gene_list` | which genes a file knows |
//! | `values` | the values that both have in common |
//! | `built_in` | the weights that need no file: learned ones and hand-written ones |
//! | `lookup` | weights by name |
//! | `option_file` | the values of another program's options, in the forms of authors |
//! | `published` | the champions that others are measured against |
//! | `random_weights` | weights drawn from a seed |

mod built_in;
mod certificate;
mod gene_list;
mod lookup;
mod option_file;
mod published;
mod random_weights;
mod values;
mod weight_file;

pub use built_in::{DEFAULT_WEIGHTS, SOURCE_WEIGHTS};
pub use certificate::{Certificate, ChampionKind, Conditions, PanelPlayer, ProofMatch};
pub use lookup::{LookupError, find_weights, named_weights, published_weights};
pub use option_file::{OptionCertificate, OptionFile, OptionMatch, c_header, setoption_lines};
pub use published::{PUBLISHED, champions, published};
pub use random_weights::random_weights;
pub use weight_file::WeightFile;
