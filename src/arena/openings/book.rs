//! Files of openings: a position or a list of moves a line, `#` before a
//! comment; or SGF games, each one an opening.

use std::io;
use std::path::{Path, PathBuf};

use super::Opening;
use crate::game::Rules;
use crate::game::{Game, Outcome};
use crate::notation::{
    GameTextError, PositionError, SgfError, SgfGame, parse_moves, parse_position, parse_sgf,
};
use crate::util::input_file::{self, MAX_GAMES_BYTES};

/// Why a file of openings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// It cannot be read at all.
    #[error("cannot read openings from {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// There is nothing in it.
    #[error("{}: no opening here; write a position or a list of moves a line, or SGF", .0.display())]
    Empty(PathBuf),
    /// The SGF text is faulty.
    #[error("{}: {cause}", path.display())]
    Sgf {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        cause: Box<SgfError>,
    },
    /// A game of an SGF file is over.
    #[error("{}: game {number} is finished ({outcome}), so it is no opening", path.display())]
    SgfOver {
        /// The file.
        path: PathBuf,
        /// From 1.
        number: usize,
        /// How it ended.
        outcome: Outcome,
    },
    /// A line is faulty.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        problem: LineProblem,
    },
}

/// What can be wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineProblem {
    /// It looks like a position and is none.
    #[error("bad position: {0}")]
    Position(#[from] PositionError),
    /// It is a list of moves that cannot be played.
    #[error(transparent)]
    Moves(#[from] GameTextError),
    /// The game is over there.
    #[error("the game is finished there ({0}), so it is no opening")]
    Over(Outcome),
}

/// Reads a file.
pub(super) fn read(path: &Path, rules: &Rules) -> Result<Vec<Opening>, BookError> {
    let text = input_file::read_text(path, MAX_GAMES_BYTES).map_err(|source| BookError::Read {
        path: path.to_owned(),
        source,
    })?;
    let openings = parse(&text, path, rules)?;
    if openings.is_empty() {
        return Err(BookError::Empty(path.to_owned()));
    }
    Ok(openings)
}

fn parse(text: &str, path: &Path, rules: &Rules) -> Result<Vec<Opening>, BookError> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('(') {
        return parse_games(text, path, rules);
    }
    let mut openings = Vec::new();
    for (before, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let opening = parse_line(line, rules).map_err(|problem| BookError::Line {
            path: path.to_owned(),
            line: before + 1,
            problem,
        })?;
        openings.push(opening);
    }
    Ok(openings)
}

fn parse_games(text: &str, path: &Path, rules: &Rules) -> Result<Vec<Opening>, BookError> {
    let games = parse_sgf(text, rules).map_err(|cause| BookError::Sgf {
        path: path.to_owned(),
        cause: Box::new(cause),
    })?;
    let opening = |(before, sgf): (usize, &SgfGame)| match sgf.game.outcome() {
        None => Ok(Opening::from(&sgf.game)),
        Some(outcome) => Err(BookError::SgfOver {
            path: path.to_owned(),
            number: before + 1,
            outcome,
        }),
    };
    games.iter().enumerate().map(opening).collect()
}

/// A position has slashes, or is called `startpos`, and moves may follow it
/// after the word `moves`; anything else is a list of moves.
fn parse_line(line: &str, rules: &Rules) -> Result<Opening, LineProblem> {
    let is_position = line.contains('/') || line.starts_with("start");
    let (position, moves) = match line.split_once(" moves ") {
        Some((position, moves)) => (position, moves),
        None if is_position => (line, ""),
        None => ("startpos", line),
    };
    let mut game = Game::from_board(*rules, parse_position(position)?);
    parse_moves(&mut game, moves)?;
    match game.outcome() {
        None => Ok(Opening::from(&game)),
        Some(outcome) => Err(LineProblem::Over(outcome)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::notation::write_sgf;

    fn openings(text: &str) -> Result<Vec<Opening>, String> {
        let found = parse(text, Path::new("book.txt"), &Rules::default());
        found.map_err(|error| error.to_string())
    }

    #[test]
    fn positions_and_moves_in_lines() {
        let text = "# three openings\n\n b1-b3 a2-c2  # moves\nstartpos\n\
                    8/2x5/8/3x4/3oo3/8/6o1/x7 o\n8/2x5/8/3x4/3oo3/8/6o1/x7 o moves d4-b2\n";
        let found = openings(text).unwrap();
        let plies: Vec<usize> = found.iter().map(|opening| opening.moves.len()).collect();
        assert_eq!(plies, [2, 0, 0, 1]);
        assert_eq!(found[2].first, found[3].first);
    }

    #[test]
    fn games_as_sgf() {
        let mut game = Game::new(Rules::default());
        parse_moves(&mut game, "b1-b3 a2-c2").unwrap();
        let text = write_sgf(&SgfGame::new(game.clone()));
        let found = openings(&(text.clone() + &text)).unwrap();
        assert_eq!(found, [Opening::from(&game), Opening::from(&game)]);
    }

    #[test]
    fn faults_have_their_place() {
        let cases = [
            ("b1-b3\nb1-b9\n", "book.txt:2: move 1 (\"b1-b9\"): cannot"),
            ("\n8/8 x\n", "book.txt:2: bad position: "),
            (
                "8/8/8/8/6x1/6x1/o1o5/1o6 o",
                "book.txt:1: the game is finished there (x wins",
            ),
            ("(;GM[1])", "book.txt: line 1, column "),
            (
                "(;GM[9]AB[a1][a2]AW[h8][f8]PL[B])",
                "book.txt: game 1 is finished (x wins",
            ),
        ];
        for (text, message) in cases {
            let found = openings(text).unwrap_err();
            assert!(found.starts_with(message), "{found}");
        }
        assert_eq!(openings("# nothing\n").unwrap(), []);
    }
}
