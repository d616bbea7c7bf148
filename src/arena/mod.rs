//! The arena: games between players, and what follows from many of them.
//!
//! Owns players as opponents, openings, game records and the order in which a
//! match counts its games. It asks for no entropy, only a player with a time
//! limit and whoever waits for another program look at the clock, and nothing
//! here prints.
//!
//! | file | purpose |
//! |---|---|
//! | `contender` | what is asked of a player, and how one can fail |
//! | `builtin` | our own engine as a player |
//! | `external` | another program as a player |
//! | `spec` | players as people name them, `mine.toml@mtdf:5` |
//! | `openings` | random openings, and those of a file |
//! | `game` | one game between two players |
//! | `record` | what is kept of a game, and its replay |
//! | `schedule` | who plays whom, in which order |
//! | `match_runner` | many games at once, counted in order |
//! | `summary` | what a match adds up to |

pub mod builtin;
pub mod contender;
pub mod external;
pub mod game;
pub mod match_runner;
pub mod openings;
pub mod record;
pub mod schedule;
pub mod spec;
pub mod summary;

pub use builtin::Builtin;
pub use contender::{Choice, Contender, Fault, MoveLimits};
pub use external::External;
pub use game::play_game;
pub use openings::{Opening, Openings};
pub use record::{GameRecord, ReplayError};
pub use spec::{PlayerSpec, SpecError};
pub use summary::Summary;
