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

/// The most characters of a faulty text that a message repeats.
const EXCERPT: usize = 40;

/// The beginning of a text, for a message: whatever was typed or read, the
/// message stays one line that a person can take in.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

/// A message of another library, which may repeat whatever was sent: one line
/// of bounded length without control characters.
pub(crate) fn sentence(message: &str) -> String {
    const LONGEST: usize = 400;
    let mut line: String = message.chars().take(LONGEST).collect();
    if line.len() < message.len() {
        line += "...";
    }
    line.replace(char::is_control, "\u{fffd}")
}

/// `s` unless there is exactly one.
const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_cuts_between_characters() {
        assert_eq!(excerpt("b1-b3"), "b1-b3");
        let long = "é".repeat(EXCERPT + 1);
        assert_eq!(excerpt(&long), format!("{}...", "é".repeat(EXCERPT)));
    }

    #[test]
    fn a_sentence_is_one_line() {
        assert_eq!(sentence("unknown `\0`\n"), "unknown `\u{fffd}`\u{fffd}");
        assert_eq!(sentence(&"é".repeat(1000)).chars().count(), 403);
    }
}
