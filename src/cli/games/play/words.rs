//! What a player may type. Owns the commands and their spellings; it knows no
//! position, so whether a move is legal is asked elsewhere.

use std::path::PathBuf;

use super::opponent::Level;
use crate::board::{Side, Square};

/// What was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    Nothing,
    Help,
    Moves,
    Hint,
    Undo,
    Board,
    Flip,
    New,
    Resign,
    Quit,
    /// Which side to play; the other one where none is named.
    Side(Option<Side>),
    Level(Level),
    Save {
        path: PathBuf,
        overwrite: bool,
    },
    Load(PathBuf),
    /// To see where its piece may go.
    Square(Square),
    /// Something that begins like a move.
    Move(String),
    /// A command, but not like this: how it is written.
    Misused(&'static str),
    /// Neither a command nor a move.
    Unknown(String),
}

/// The commands, as they are suggested.
pub(crate) const COMMANDS: [&str; 13] = [
    "help", "moves", "hint", "undo", "board", "flip", "save", "load", "new", "side", "level",
    "resign", "quit",
];

pub(crate) const HELP: &str = "\
b1-b3, b1b3    move (captures may be written c1xa3)
b1             show where the piece on b1 may go: * and captures in capitals
moves          list your legal moves
hint           see what the machine would play in your place
undo           take back your last move and the reply to it
board, flip    draw the board again; turn it round
side [x|o]     change sides
level 1..5     change the machine's level
save FILE      keep the game as SGF; `save! FILE` overwrites
load FILE      go on with a game kept as SGF
new            begin another game
resign, quit   give up; leave
help           this text
";

/// Reads a line.
pub(crate) fn read(line: &str) -> Words {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let command = first.to_lowercase();
    let alone = |meaning: Words, usage| match rest {
        "" => meaning,
        _ => Words::Misused(usage),
    };
    match command.as_str() {
        "" => Words::Nothing,
        "help" | "?" | "h" => Words::Help,
        "moves" => alone(Words::Moves, "moves"),
        "hint" => alone(Words::Hint, "hint"),
        "undo" => alone(Words::Undo, "undo"),
        "board" | "show" => alone(Words::Board, "board"),
        "flip" => alone(Words::Flip, "flip"),
        "new" => alone(Words::New, "new"),
        "resign" => alone(Words::Resign, "resign"),
        "quit" | "q" | "exit" | "bye" => alone(Words::Quit, "quit"),
        "side" => match rest.to_lowercase().as_str() {
            "" => Words::Side(None),
            "x" | "black" => Words::Side(Some(Side::X)),
            "o" | "white" => Words::Side(Some(Side::O)),
            _ => Words::Misused("side x, side o, or side to change"),
        },
        "level" => match rest.parse().ok().and_then(Level::new) {
            Some(level) => Words::Level(level),
            None => Words::Misused("level 1 to level 5"),
        },
        "save" => save(rest, false),
        "save!" => save(rest, true),
        "load" if rest.is_empty() => Words::Misused("load FILE"),
        "load" => Words::Load(rest.into()),
        _ => move_or_square(line),
    }
}

/// `save FILE`, `save! FILE`, `save FILE !` and `save FILE!`.
fn save(rest: &str, overwrite: bool) -> Words {
    let (name, overwrite) = match rest.strip_suffix('!') {
        Some(name) if !overwrite => (name.trim_end(), true),
        _ => (rest, overwrite),
    };
    if name.is_empty() {
        return Words::Misused("save FILE, or save! FILE to overwrite one");
    }
    Words::Save {
        path: name.into(),
        overwrite,
    }
}

fn move_or_square(line: &str) -> Words {
    // `b1 - b3` is as good as `b1-b3`.
    let text: String = line.split_whitespace().collect();
    let mut letters = text.chars();
    let (file, rank) = (letters.next(), letters.next());
    let (Some(file), Some(rank)) = (file, rank) else {
        return Words::Unknown(line.to_owned());
    };
    let begins_so = file.is_ascii_alphabetic() && rank.is_ascii_digit();
    match (letters.next(), Square::parse(file, rank)) {
        (None, Some(square)) => Words::Square(square),
        _ if begins_so || text.eq_ignore_ascii_case("pass") => Words::Move(text),
        _ => Words::Unknown(line.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_known_and_explained() {
        for command in COMMANDS {
            let words = read(command);
            assert!(
                !matches!(words, Words::Unknown(_) | Words::Move(_)),
                "{command}"
            );
            assert!(HELP.contains(command), "{command}");
        }
    }

    #[test]
    fn moves_and_squares() {
        assert_eq!(read(" B1 "), Words::Square(Square::at(1, 0)));
        for text in ["b1-b3", "b1 b3", "b1 - b3", "b1", "z9", "b1b", "pass"] {
            let spoken = read(text);
            match text {
                "b1" => assert!(matches!(spoken, Words::Square(_))),
                _ => assert!(matches!(spoken, Words::Move(_)), "{text}: {spoken:?}"),
            }
        }
        for text in ["hlep", "!", "é", "b", "bl-b3", "\u{fffd}\u{fffd}"] {
            assert_eq!(read(text), Words::Unknown(text.to_owned()));
        }
    }

    #[test]
    fn files_may_be_overwritten_on_demand() {
        let save = |path: &str, overwrite| Words::Save {
            path: path.into(),
            overwrite,
        };
        assert_eq!(read("save a b.sgf"), save("a b.sgf", false));
        for text in ["save! a.sgf", "save a.sgf!", "save a.sgf !"] {
            assert_eq!(read(text), save("a.sgf", true), "{text}");
        }
        assert_eq!(read("save! odd!"), save("odd!", true));
        for text in ["save", "save!", "save !"] {
            assert!(matches!(read(text), Words::Misused(_)), "{text}");
        }
    }

    #[test]
    fn commands_with_something_after_them() {
        assert_eq!(read("side"), Words::Side(None));
        assert_eq!(read("SIDE O"), Words::Side(Some(Side::O)));
        for text in [
            "side y", "level", "level 0", "level 6", "level x", "undo 3", "load",
        ] {
            assert!(matches!(read(text), Words::Misused(_)), "{text}");
        }
    }
}
