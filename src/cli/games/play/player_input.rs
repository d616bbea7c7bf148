//! What a player may type. Owns the commands and their spellings; it knows no
//! position, so the dialogue decides whether a move is legal.

use std::path::PathBuf;

use super::opponent::Level;
use crate::board::{Side, Square};

/// A line that the player typed, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayerInput {
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

/// The commands that a mistyped one is compared with.
pub(super) const COMMANDS: [&str; 13] = [
    "help", "moves", "hint", "undo", "board", "flip", "save", "load", "new", "side", "level",
    "resign", "quit",
];

pub(super) const HELP: &str = "\
b1-b3, b1b3    move (captures may be written c1xa3)
b1             show where the piece on b1 may go: * and captures in capitals
moves          list your legal moves
hint           see what the machine would play in your place
undo           take back your last move and the reply to it
board, flip    draw the board again; turn it round
side [x|o]     change sides
level 1..7     change the machine's level
save FILE      keep the game as SGF; `save! FILE` overwrites
load FILE      go on with a game kept as SGF
new            begin another game
resign, quit   give up; leave
help           this text
";

/// Parses a line; every line means something, if only `Unknown`.
pub(super) fn parse(line: &str) -> PlayerInput {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let command = first.to_lowercase();
    let alone = |meaning: PlayerInput, usage| match rest {
        "" => meaning,
        _ => PlayerInput::Misused(usage),
    };
    match command.as_str() {
        "" => PlayerInput::Nothing,
        "help" | "?" | "h" => PlayerInput::Help,
        "moves" => alone(PlayerInput::Moves, "moves"),
        "hint" => alone(PlayerInput::Hint, "hint"),
        "undo" => alone(PlayerInput::Undo, "undo"),
        "board" | "show" => alone(PlayerInput::Board, "board"),
        "flip" => alone(PlayerInput::Flip, "flip"),
        "new" => alone(PlayerInput::New, "new"),
        "resign" => alone(PlayerInput::Resign, "resign"),
        "quit" | "q" | "exit" | "bye" => alone(PlayerInput::Quit, "quit"),
        "side" => match rest.to_lowercase().as_str() {
            "" => PlayerInput::Side(None),
            "x" | "black" => PlayerInput::Side(Some(Side::X)),
            "o" | "white" => PlayerInput::Side(Some(Side::O)),
            _ => PlayerInput::Misused("side x, side o, or side to change"),
        },
        "level" => match rest.parse().ok().and_then(Level::new) {
            Some(level) => PlayerInput::Level(level),
            None => PlayerInput::Misused("level 1 to level 7"),
        },
        "save" => save(rest, false),
        "save!" => save(rest, true),
        "load" if rest.is_empty() => PlayerInput::Misused("load FILE"),
        "load" => PlayerInput::Load(rest.into()),
        _ => move_or_square(line),
    }
}

/// `save FILE`, `save! FILE`, `save FILE !` and `save FILE!`.
fn save(rest: &str, overwrite: bool) -> PlayerInput {
    let (name, overwrite) = match rest.strip_suffix('!') {
        Some(name) if !overwrite => (name.trim_end(), true),
        _ => (rest, overwrite),
    };
    if name.is_empty() {
        return PlayerInput::Misused("save FILE, or save! FILE to overwrite one");
    }
    PlayerInput::Save {
        path: name.into(),
        overwrite,
    }
}

fn move_or_square(line: &str) -> PlayerInput {
    // `b1 - b3` is as good as `b1-b3`.
    let text: String = line.split_whitespace().collect();
    let mut letters = text.chars();
    let (file, rank) = (letters.next(), letters.next());
    let (Some(file), Some(rank)) = (file, rank) else {
        return PlayerInput::Unknown(line.to_owned());
    };
    let begins_so = file.is_ascii_alphabetic() && rank.is_ascii_digit();
    match (letters.next(), Square::parse(file, rank)) {
        (None, Some(square)) => PlayerInput::Square(square),
        _ if begins_so || text.eq_ignore_ascii_case("pass") => PlayerInput::Move(text),
        _ => PlayerInput::Unknown(line.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_known_and_explained() {
        for command in COMMANDS {
            let input = parse(command);
            assert!(
                !matches!(input, PlayerInput::Unknown(_) | PlayerInput::Move(_)),
                "{command}"
            );
            assert!(HELP.contains(command), "{command}");
        }
    }

    #[test]
    fn moves_and_squares() {
        assert_eq!(parse(" B1 "), PlayerInput::Square(Square::at(1, 0)));
        for text in ["b1-b3", "b1 b3", "b1 - b3", "b1", "z9", "b1b", "pass"] {
            let input = parse(text);
            match text {
                "b1" => assert!(matches!(input, PlayerInput::Square(_))),
                _ => assert!(matches!(input, PlayerInput::Move(_)), "{text}: {input:?}"),
            }
        }
        for text in ["hlep", "!", "é", "b", "bl-b3", "\u{fffd}\u{fffd}"] {
            assert_eq!(parse(text), PlayerInput::Unknown(text.to_owned()));
        }
    }

    #[test]
    fn files_may_be_overwritten_on_demand() {
        let save = |path: &str, overwrite| PlayerInput::Save {
            path: path.into(),
            overwrite,
        };
        assert_eq!(parse("save a b.sgf"), save("a b.sgf", false));
        for text in ["save! a.sgf", "save a.sgf!", "save a.sgf !"] {
            assert_eq!(parse(text), save("a.sgf", true), "{text}");
        }
        assert_eq!(parse("save! odd!"), save("odd!", true));
        for text in ["save", "save!", "save !"] {
            assert!(matches!(parse(text), PlayerInput::Misused(_)), "{text}");
        }
    }

    #[test]
    fn commands_with_something_after_them() {
        assert_eq!(parse("side"), PlayerInput::Side(None));
        assert_eq!(parse("SIDE O"), PlayerInput::Side(Some(Side::O)));
        for text in [
            "side y", "level", "level 0", "level 8", "level x", "undo 3", "load",
        ] {
            assert!(matches!(parse(text), PlayerInput::Misused(_)), "{text}");
        }
    }
}
