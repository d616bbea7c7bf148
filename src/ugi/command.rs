//! A line of the protocol as a command. Owns the words of the protocol and the
//! errors of a line; it knows no position, option or search.

use std::time::Duration;

use crate::board::Side;
use crate::search::time_management::Clock;
use crate::util::text::excerpt;

/// A command of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line.
    Nothing,
    /// Asks for the engine's name and options.
    Ugi,
    /// Asks whether the engine is ready.
    IsReady,
    /// Another game begins.
    NewGame,
    /// Sets an option.
    SetOption {
        /// The option's name as written.
        name: String,
        /// The value as written, inner spaces included; empty where none is given.
        value: String,
    },
    /// A position and the moves played from it.
    Position {
        /// The text of the position; `None` for the start of a game.
        text: Option<String>,
        /// Moves, separated by white space.
        moves: String,
    },
    /// Starts a search.
    Go(Go),
    /// Ends the search.
    Stop,
    /// Asks a question about the position.
    Query(Query),
    /// Ends the session.
    Quit,
}

/// A question about the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Is it the first player's turn?
    P1Turn,
    /// Is the game over?
    GameOver,
    /// How did it end?
    Result,
    /// Which features does it have? An extension, for programs that tune engines.
    Features,
}

/// The limits of a search; without any it is endless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
    /// The greatest number of positions to visit.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub movetime: Option<Duration>,
    /// The time left to the first and to the second player.
    pub time: [Option<Duration>; 2],
    /// The time that each move adds to their clocks.
    pub increment: [Duration; 2],
    /// Moves until the clocks are set anew.
    pub movestogo: Option<u32>,
    /// Whether the search goes on until `stop`, whatever other limits say.
    pub infinite: bool,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The first word is no command.
    #[error(
        "unknown command {0:?}; the commands are ugi, isready, uginewgame, setoption, position, \
         go, stop, query, quit"
    )]
    Unknown(String),
    /// Words after a command that takes none.
    #[error("{command} takes nothing after it, but {found:?} stands there")]
    Trailing {
        /// The command.
        command: &'static str,
        /// The words after it.
        found: String,
    },
    /// `setoption` without its words.
    #[error("setoption: write `setoption name NAME value VALUE`")]
    SetOption,
    /// `position` without a position.
    #[error("position: write `startpos` or `fen TEXT`, then, if any, `moves` and the moves")]
    Position,
    /// A position with something that belongs to neither it nor its moves.
    #[error("position: expected `moves` after startpos, found {0:?}")]
    Moves(String),
    /// A word of `go` that is not known.
    #[error(
        "go: unknown word {0:?}; the words are depth, nodes, movetime, p1time, p2time, p1inc, \
         p2inc, movestogo, infinite"
    )]
    GoWord(String),
    /// A word of `go` without its number.
    #[error("go: {0} needs a number")]
    GoMissing(String),
    /// A word of `go` with something that is no number.
    #[error("go: {word} needs a whole number, not {found:?}")]
    GoNumber {
        /// The word before it.
        word: String,
        /// The text in place of the number.
        found: String,
    },
    /// A word of `go` with a negative number, where it is not a clock.
    #[error("go: {word} cannot be negative, but it is {number}")]
    GoNegative {
        /// The word before the number.
        word: String,
        /// The number.
        number: i64,
    },
    /// A question that is not known.
    #[error("query: unknown question {0:?}; the questions are gameover, p1turn, result, features")]
    Query(String),
}

/// Parses a line.
///
/// # Errors
///
/// [`CommandError`] where the line is no command, or has words that the command
/// does not take.
pub fn parse(line: &str) -> Result<Command, CommandError> {
    let (word, rest) = split(line);
    let alone = |command: &'static str, meaning: Command| match rest {
        "" => Ok(meaning),
        _ => Err(CommandError::Trailing {
            command,
            found: excerpt(rest),
        }),
    };
    match word {
        "" => Ok(Command::Nothing),
        "ugi" => alone("ugi", Command::Ugi),
        "isready" => alone("isready", Command::IsReady),
        "uginewgame" => alone("uginewgame", Command::NewGame),
        "setoption" => set_option(rest),
        "position" => position(rest),
        "go" => go(rest).map(Command::Go),
        "stop" => alone("stop", Command::Stop),
        "query" => query(rest).map(Command::Query),
        "quit" => alone("quit", Command::Quit),
        _ => Err(CommandError::Unknown(excerpt(word))),
    }
}

/// The first word, and what follows it.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// What stands before the first `word`, and what follows it.
fn split_at_word<'a>(text: &'a str, word: &str) -> (&'a str, Option<&'a str>) {
    let mut from = 0;
    while let Some(found) = text[from..].find(word) {
        let (start, end) = (from + found, from + found + word.len());
        let (before, after) = (&text[..start], &text[end..]);
        let begins = before.is_empty() || before.ends_with(char::is_whitespace);
        if begins && (after.is_empty() || after.starts_with(char::is_whitespace)) {
            return (before.trim(), Some(after.trim()));
        }
        from = end;
    }
    (text.trim(), None)
}

fn set_option(rest: &str) -> Result<Command, CommandError> {
    let (word, rest) = split(rest);
    let (name, value) = split_at_word(rest, "value");
    if word != "name" || name.is_empty() {
        return Err(CommandError::SetOption);
    }
    Ok(Command::SetOption {
        name: name.to_owned(),
        value: value.unwrap_or("").to_owned(),
    })
}

fn position(rest: &str) -> Result<Command, CommandError> {
    let (word, rest) = split(rest);
    let (text, moves) = split_at_word(rest, "moves");
    let text = match word {
        "startpos" if text.is_empty() => None,
        "startpos" => return Err(CommandError::Moves(excerpt(text))),
        "fen" if !text.is_empty() => Some(text.to_owned()),
        _ => return Err(CommandError::Position),
    };
    Ok(Command::Position {
        text,
        moves: moves.unwrap_or("").to_owned(),
    })
}

fn query(rest: &str) -> Result<Query, CommandError> {
    match rest {
        "p1turn" => Ok(Query::P1Turn),
        "gameover" => Ok(Query::GameOver),
        "result" => Ok(Query::Result),
        "features" => Ok(Query::Features),
        _ => Err(CommandError::Query(excerpt(rest))),
    }
}

fn go(rest: &str) -> Result<Go, CommandError> {
    let mut go = Go::default();
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        if word == "infinite" {
            go.infinite = true;
            continue;
        }
        let known = [
            "depth",
            "nodes",
            "movetime",
            "p1time",
            "p2time",
            "p1inc",
            "p2inc",
            "movestogo",
        ];
        if !known.contains(&word) {
            return Err(CommandError::GoWord(excerpt(word)));
        }
        let Some(text) = words.next() else {
            return Err(CommandError::GoMissing(word.to_owned()));
        };
        let number: i64 = text.parse().map_err(|_| CommandError::GoNumber {
            word: word.to_owned(),
            found: excerpt(text),
        })?;
        // A clock may have run out. Of the other words 0 means the least value.
        if number < 0 && !["p1time", "p2time"].contains(&word) {
            return Err(CommandError::GoNegative {
                word: word.to_owned(),
                number,
            });
        }
        let number = number.max(0).unsigned_abs();
        let small = u32::try_from(number).unwrap_or(u32::MAX).max(1);
        let time = Duration::from_millis(number.min(MAX_MILLIS));
        match word {
            "depth" => go.depth = Some(small),
            "nodes" => go.nodes = Some(number.max(1)),
            "movetime" => go.movetime = Some(time),
            "p1time" => go.time[0] = Some(time),
            "p2time" => go.time[1] = Some(time),
            "p1inc" => go.increment[0] = time,
            "p2inc" => go.increment[1] = time,
            _ => go.movestogo = Some(small),
        }
    }
    Ok(go)
}

/// The longest time, in milliseconds: a year, which no clock's arithmetic
/// overflows.
const MAX_MILLIS: u64 = 365 * 24 * 3600 * 1000;

impl Go {
    /// Whether the search ends without `stop`.
    pub fn ends_by_itself(&self) -> bool {
        let limited = self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some();
        !self.infinite && (limited || self.time.iter().any(Option::is_some))
    }

    /// The clock of the side to move; `None` where no clock is given.
    ///
    /// # Errors
    ///
    /// The word that is missing where only the other side's clock is given.
    pub(super) fn clock(&self, turn: Side) -> Result<Option<Clock>, &'static str> {
        if self.time == [None, None] {
            return Ok(None);
        }
        let own = turn.index();
        let left = self.time[own].ok_or(["p1time", "p2time"][own])?;
        Ok(Some(Clock {
            left,
            increment: self.increment[own],
            moves: self.movestogo,
        }))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn message(line: &str) -> String {
        parse(line).unwrap_err().to_string()
    }

    fn parsed_go(line: &str) -> Go {
        match parse(line).unwrap() {
            Command::Go(go) => go,
            other => panic!("{line} is {other:?}"),
        }
    }

    #[test]
    fn commands_without_arguments() {
        let cases = [
            ("", Command::Nothing),
            ("  \t ", Command::Nothing),
            ("ugi", Command::Ugi),
            (" isready ", Command::IsReady),
            ("uginewgame", Command::NewGame),
            ("stop", Command::Stop),
            ("quit", Command::Quit),
            ("query  p1turn", Command::Query(Query::P1Turn)),
            ("query gameover", Command::Query(Query::GameOver)),
            ("query result", Command::Query(Query::Result)),
            ("query features", Command::Query(Query::Features)),
        ];
        for (line, command) in cases {
            assert_eq!(parse(line), Ok(command), "{line:?}");
        }
    }

    #[test]
    fn options_keep_their_spaces() {
        let option = |name: &str, value: &str| {
            Ok(Command::SetOption {
                name: name.to_owned(),
                value: value.to_owned(),
            })
        };
        assert_eq!(parse("setoption name Hash value 64"), option("Hash", "64"));
        assert_eq!(
            parse("setoption name Weights value my  best value.toml"),
            option("Weights", "my  best value.toml")
        );
        assert_eq!(parse("setoption name Hash"), option("Hash", ""));
        assert_eq!(parse("setoption name A b value"), option("A b", ""));
        for line in [
            "setoption",
            "setoption name",
            "setoption name value 3",
            "setoption Hash 3",
        ] {
            assert_eq!(parse(line), Err(CommandError::SetOption), "{line}");
        }
    }

    #[test]
    fn positions_and_moves() {
        let position = |text: Option<&str>, moves: &str| {
            Ok(Command::Position {
                text: text.map(str::to_owned),
                moves: moves.to_owned(),
            })
        };
        assert_eq!(parse("position startpos"), position(None, ""));
        assert_eq!(parse("position startpos moves"), position(None, ""));
        assert_eq!(
            parse("position startpos moves b1-b3  a2c2"),
            position(None, "b1-b3  a2c2")
        );
        assert_eq!(
            parse("position fen 8/8 x moves a1-a2"),
            position(Some("8/8 x"), "a1-a2")
        );
        for line in [
            "position",
            "position fen",
            "position fen moves a1-a2",
            "position 8/8 x",
        ] {
            assert_eq!(parse(line), Err(CommandError::Position), "{line}");
        }
        assert_eq!(
            message("position startpos b1-b3"),
            "position: expected `moves` after startpos, found \"b1-b3\""
        );
    }

    #[test]
    fn limits_of_a_search() {
        let ms = Duration::from_millis;
        assert_eq!(parsed_go("go"), Go::default());
        assert_eq!(parsed_go("go depth 7").depth, Some(7));
        assert_eq!(parsed_go("go depth 0").depth, Some(1));
        assert_eq!(parsed_go("go depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(parsed_go("go nodes 5000").nodes, Some(5000));
        assert_eq!(parsed_go("go movetime 50").movetime, Some(ms(50)));
        assert!(parsed_go("go infinite depth 3").infinite);
        let go = parsed_go("go p1time 1000 p2time -5 p1inc 10 p2inc 20 movestogo 3");
        let first = Clock {
            left: ms(1000),
            increment: ms(10),
            moves: Some(3),
        };
        assert_eq!(go.clock(Side::X), Ok(Some(first)));
        assert_eq!(go.clock(Side::O).unwrap().unwrap().left, ms(0));
        assert_eq!(parsed_go("go p1time 5").clock(Side::O), Err("p2time"));
        assert_eq!(parsed_go("go depth 5").clock(Side::O), Ok(None));
        assert!(go.ends_by_itself() && !parsed_go("go").ends_by_itself());
    }

    #[test]
    fn errors_name_what_is_wrong() {
        assert!(message("xyzzy 1").starts_with("unknown command \"xyzzy\"; "));
        assert_eq!(
            message("stop now"),
            "stop takes nothing after it, but \"now\" stands there"
        );
        assert!(message("go ponder").starts_with("go: unknown word \"ponder\"; "));
        assert_eq!(message("go depth"), "go: depth needs a number");
        assert_eq!(
            message("go depth x depth 3"),
            "go: depth needs a whole number, not \"x\""
        );
        for word in ["depth", "nodes", "movetime", "p1inc", "p2inc", "movestogo"] {
            assert_eq!(
                message(&format!("go {word} -1")),
                format!("go: {word} cannot be negative, but it is -1")
            );
        }
        assert!(message("query").starts_with("query: unknown question \"\""));
    }
}
