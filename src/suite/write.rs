//! A suite as text: TOML that people read, and that shows a difference line by
//! line.

use std::fmt::Write as _;

use super::entry::{Entry, Suite};
use super::fate::Judgement;
use crate::board::Move;
use crate::notation::position_text;

/// The version of the text's format.
pub(super) const FORMAT: u32 = 1;

/// What stands above everything else.
const HEAD: &str = "\
# A suite of errors: positions at which a player threw away what it had.
#
# position  the position, and the side to move: the one that went wrong
# plies     plies of the game before it
# by        the player
# played    what it played
# right     every move that keeps what the position offers
# moves     the number of legal moves; losing: how many of them lose by proof
# before    what the position offers to the side to move
# after     what the move that was played left
# nodes     positions visited to prove all moves
#
# A result is `win`, `loss`, `draw` (a move ends the game drawn, and all others lose) or
# `open`: neither side wins within the horizon, and the solver found no longer win.
# `plies` are those to the end of the game: the least possible number where the proof is
# `exhaustive` (every line within the horizon), a sufficient number where it is `df-pn`;
# where the result is open, the horizon. Repetition and the ply limit belong to a game,
# and are no part of this.
";

impl Suite {
    /// The text of the suite, which [`Suite::parse`] reads.
    pub fn to_toml(&self) -> String {
        let mut text = String::from(HEAD);
        let _ = write!(
            text,
            "\n[suite]\nformat = {FORMAT}\ncommand = {}\nsource = {}\ngames = {}\n\
             simultaneous = {}\nno_moves = {}\nhorizon = {}\nsolver_nodes = {}\n",
            quoted(&self.command),
            quoted(&self.source),
            self.games,
            quoted(self.simultaneous.name()),
            quoted(self.no_moves.name()),
            self.settings.horizon,
            self.settings.solver_nodes,
        );
        for entry in &self.entries {
            add(&mut text, entry);
        }
        text
    }
}

fn add(text: &mut String, entry: &Entry) {
    let right: Vec<String> = entry.right.iter().map(quoted_move).collect();
    let _ = write!(
        text,
        "\n[[position]]\nposition = \"{}\"\nplies = {}\nby = {}\nplayed = {}\n\
         right = [{}]\nmoves = {}\nlosing = {}\nbefore = {}\nafter = {}\nnodes = {}\n",
        position_text(&entry.board),
        entry.plies,
        quoted(&entry.by),
        quoted_move(&entry.played),
        right.join(", "),
        entry.moves,
        entry.losing,
        judgement_text(&entry.before),
        judgement_text(&entry.after),
        entry.nodes,
    );
}

fn judgement_text(found: &Judgement) -> String {
    format!(
        "{{ result = \"{}\", plies = {}, proof = \"{}\" }}",
        found.fate.name(),
        found.plies,
        found.proof.name()
    )
}

fn quoted_move(mv: &Move) -> String {
    format!("\"{mv}\"")
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
