//! Trees of moves as SGF: a position, and variations from it.

use super::colour;
use super::write::{escaped, move_text, setup};
use crate::board::{Board, Move, Side};

/// A move, and what may follow it, the main line first.
#[derive(Clone, Debug)]
pub struct SgfBranch {
    /// The move; legal where the branch grows from.
    pub mv: Move,
    /// What is said of it.
    pub comment: String,
    /// What may follow.
    pub branches: Vec<SgfBranch>,
}

/// Writes a tree of moves that begins at `first`. A reader that knows main lines
/// alone, as [`super::parse_sgf`], reads the first branch of each position.
pub fn write_sgf_tree(first: &Board, comment: &str, branches: &[SgfBranch]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!("(;FF[4]GM[9]CA[UTF-8]AP[loatune:{version}]SZ[8]RE[?]\n");
    text += &setup(first);
    text += &format!("C[{}]\n", escaped(comment));
    add_branches(&mut text, first.turn(), branches);
    text + ")\n"
}

fn add_branches(text: &mut String, turn: Side, branches: &[SgfBranch]) {
    for branch in branches {
        let is_variation = branches.len() > 1;
        if is_variation {
            text.push('(');
        }
        let mv = move_text(branch.mv);
        *text += &format!(";{}[{mv}]C[{}]\n", colour(turn), escaped(&branch.comment));
        add_branches(text, !turn, &branch.branches);
        if is_variation {
            *text += ")\n";
        }
    }
}
