//! Text in and out: positions, moves, and games as SGF.
//!
//! Owns every spelling that a person or another program may use, and the
//! sentences that say what is wrong with one. It reads strings and gives
//! strings back; it never touches a file, a terminal or a command line. What
//! is legal is asked of [`crate::board`] and [`crate::game`], never decided
//! here.

mod moves;
mod position;
mod sgf;

pub use moves::{GameTextError, IllegalMove, MoveError, TurnError, parse_move, parse_moves};
pub use position::{PositionError, parse_position, position_text};
pub use sgf::{SgfError, SgfGame, SgfProblem, parse_sgf, write_sgf};

/// `s` unless there is exactly one.
const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
