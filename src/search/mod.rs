//! The searches: five exact algorithms, each faster than the one before, a
//! selective one that is stronger at equal time, and a Monte-Carlo tree search.
//!
//! `minimax`, `negamax`, `alphabeta`, `memory` and `mtdf` return the same value
//! for the same position, depth and weights; `selective` and `mcts` give that up. A
//! search knows positions and an evaluation. It reads no clock, except for
//! [`timed_search()`], which polls one for a caller that sets a [`Deadline`], and
//! draws no random number, except for the simulations of [`mcts`], which come from
//! a seed.
//!
//! | file | purpose |
//! |---|---|
//! | `algorithm`, `setup` | which search to run, its name and its options |
//! | `engine` | an algorithm with its weights and tables; iterative deepening |
//! | `report` | where a search ends, and what it found |
//! | `minimax`, `negamax`, `alphabeta` | the searches without a table |
//! | `table_search` | alpha-beta with a transposition table, in numbered steps |
//! | `mtdf` | the driver of null-window searches around it |
//! | `selective` | pruning, reductions and quiescence: the sixth player |
//! | `mcts` | Monte-Carlo tree search: the seventh player |
//! | `solver` | proof-number search: proves wins and losses |
//! | `table` | the transposition table |
//! | `ordering` | history, killer moves and the order of the moves |
//! | `principal_variation` | the triangular table of the searches without a table |
//! | `value` | values of finished positions, and their scale |
//! | `context` | what all of them share: evaluation, node count, stop |
//! | `timed_search` | a search with deadlines and a stop flag |
//! | `time_management` | how much of a clock one move may take |
//! | `version` | the versions of the engine that games can be searched again with |
//! | `signature` | the node total that identifies the engine's behaviour |

mod algorithm;
mod alphabeta;
mod context;
mod engine;
pub mod mcts;
mod minimax;
mod mtdf;
mod negamax;
mod ordering;
mod principal_variation;
mod report;
pub mod selective;
mod setup;
pub mod signature;
pub mod solver;
mod table;
mod table_search;
pub mod time_management;
pub mod timed_search;
pub mod value;
mod version;

pub use algorithm::{Algorithm, UnknownAlgorithm};
pub use context::StopFn;
pub use engine::Engine;
pub use report::{Iteration, Limits, Report};
pub use setup::{SearchSetup, SetupError, check_names};
pub use table::Table;
pub use timed_search::{Deadline, timed_search};
pub use version::EngineVersion;
