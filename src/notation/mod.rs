//! Text in and out: positions, moves, and games as SGF.
//!
//! Owns every spelling that a person or another program may use, and the
//! sentences that say what is wrong with one. It reads strings and gives
//! strings back; it never touches a file, a terminal or a command line. What
//! is legal is asked of [`crate::board`] and [`crate::game`], never decided
//! here.
//!
//! | file | purpose |
//! |---|---|
//! | `position` | positions as one line of text, ours and PlayStrategy's FEN |
//! | `moves` | moves as text, and why one cannot be played |
//! | `sgf` | whole games in the Smart Game Format |

mod moves;
mod position;
mod sgf;

pub use moves::{GameTextError, IllegalMove, MoveError, TurnError, parse_move, parse_moves};
pub use position::{PositionError, parse_position, position_text};
pub use sgf::{
    SgfBranch, SgfError, SgfGame, SgfProblem, parse_sgf, parse_sgf_each, write_sgf, write_sgf_tree,
};

/// `s` unless there is exactly one.
const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
