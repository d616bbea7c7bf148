//! Games: the rules that end them, their outcome, and the moves played so far.
//!
//! Owns what needs the past or the rule switches: results, repetition, the ply
//! limit and passing. What a position is, and how pieces move, belongs to
//! [`crate::board`]. It never sees a weight, a search, a text form or a player.
//!
//! | file | purpose |
//! |---|---|
//! | `rules` | the switches of the rules, with their names, defaults and ranges |
//! | `outcome` | the winner and the reason; what a single position decides |
//! | `game` | the positions and moves so far, repetition and the ply limit |
//! | `perft` | counts positions to prove the move generator right |

#[expect(
    clippy::module_inception,
    reason = "the file is named after the type that it owns"
)]
mod game;
mod outcome;
pub mod perft;
mod rules;

pub use game::{Game, PlayError};
pub use outcome::{Outcome, Reason, Winner, terminal_outcome};
pub use rules::{NoMoves, Rules, Simultaneous};
