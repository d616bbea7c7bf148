//! Suites of errors: positions at which a player threw away what it had, with the
//! moves that would have kept it, all of it proved.
//!
//! Owns what counts as an error, the proof of every move, the text of a suite and
//! how a player is scored on one. Games come from the caller; nothing here plays
//! one, prints or writes a file. The time of an attempt is measured, and decides
//! nothing but searches under a limit of time.
//!
//! | file | purpose |
//! |---|---|
//! | `fate` | win, draw, open, loss; how that is known; kinds of errors |
//! | `examine` | a position with every move proved |
//! | `blunders` | the errors of one game |
//! | `entry` | a position of a suite, and the suite |
//! | `read`, `write` | the text of a suite |
//! | `check` | a suite proved again |
//! | `attempt` | a player's attempt at a position |
//! | `scan` | the positions that stand in any text |
//! | `built_in` | the suite that belongs to the program |

mod attempt;
mod blunders;
mod built_in;
mod check;
mod entry;
mod examine;
mod fate;
mod read;
mod scan;
mod write;

pub use attempt::{Attempt, Player, SolvedAt};
pub use blunders::{Wanted, blunders};
pub use built_in::{BUILT_IN, built_in};
pub use check::check;
pub use entry::{Entry, PlayedGame, Suite};
pub use examine::{Examined, ProofSettings, examine};
pub use fate::{ErrorKind, Fate, Judgement, Proof};
pub use scan::positions_in;
