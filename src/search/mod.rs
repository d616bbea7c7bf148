//! The searches: five algorithms, each exact, each faster than the one before.
//!
//! `minimax`, `negamax`, `alphabeta`, `memory` and `mtdf` return the same value
//! for the same position, depth and weights. A search knows positions and an
//! evaluation; it draws no random number and reads no clock, except for
//! [`timed_search()`], which polls one for a caller that sets a [`Deadline`].
//!
//! | file | purpose |
//! |---|---|
//! | `algorithm` | which search to run, and its name |
//! | `engine` | an algorithm with its weights and tables; iterative deepening |
//! | `report` | where a search ends, and what it found |
//! | `minimax`, `negamax`, `alphabeta` | the searches without a table |
//! | `table_search` | alpha-beta with a transposition table, in numbered steps |
//! | `mtdf` | the driver of null-window searches around it |
//! | `table` | the transposition table |
//! | `ordering` | history, killer moves and the order of the moves |
//! | `principal_variation` | the triangular table of the searches without a table |
//! | `value` | values of finished positions, and their scale |
//! | `context` | what all of them share: evaluation, node count, stop |
//! | `timed_search` | a search with deadlines and a stop flag |
//! | `signature` | the node total that identifies the engine's behaviour |

mod algorithm;
mod alphabeta;
mod context;
mod engine;
mod minimax;
mod mtdf;
mod negamax;
mod ordering;
mod principal_variation;
mod report;
pub mod signature;
mod table;
mod table_search;
pub mod timed_search;
pub mod value;

pub use algorithm::{Algorithm, UnknownAlgorithm};
pub use context::StopFn;
pub use engine::Engine;
pub use report::{Iteration, Limits, Report};
pub use table::Table;
pub use timed_search::{Deadline, timed_search};
