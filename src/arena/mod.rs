//! The arena: games between players, and what follows from many of them.
//!
//! Owns players as opponents, openings, game records and the order in which a
//! match counts its games. It asks for no entropy, and only a player with a
//! time limit looks at the clock. It prints nothing.

pub mod contender;
pub mod external;

pub use contender::{Choice, Contender, Fault, MoveLimits};
