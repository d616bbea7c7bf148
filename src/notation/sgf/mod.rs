//! Games in the Smart Game Format, `FF[4]GM[9]`: what LOA sites exchange.
//!
//! Owns the game that a text holds and what can be wrong with one. The text
//! is taken apart by `scan` without a thought for the game, given a meaning
//! by `read`, and written by `write`; `tree` writes variations. Of a tree that is
//! read only the main line is kept, and of its notes only what [`SgfGame`] names.

mod read;
mod scan;
mod tree;
mod write;

use super::moves::TurnError;
use super::position::PositionError;
use crate::board::{Side, Square};
use crate::game::Game;

pub use read::{parse_sgf, parse_sgf_each};
pub use tree::{SgfBranch, write_sgf_tree};
pub use write::write_sgf;

/// A game and what its text tells about it.
#[derive(Clone, Debug)]
pub struct SgfGame {
    /// The position it began with and its moves.
    pub game: Game,
    /// The names of Black and White; empty where unknown.
    pub players: [String; 2],
    /// The result as given, for games that the board does not decide.
    pub result: Option<String>,
    /// The comment on the whole game.
    pub comment: Option<String>,
    /// The side that resigned.
    pub resigned: Option<Side>,
}

impl SgfGame {
    /// A game of which nothing else is known.
    pub fn new(game: Game) -> SgfGame {
        SgfGame {
            game,
            players: Default::default(),
            result: None,
            comment: None,
            resigned: None,
        }
    }
}

/// What is wrong with an SGF text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct SgfError {
    /// The line of the text, from 1.
    pub line: usize,
    /// The character on the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: SgfProblem,
}

/// What can be wrong with an SGF text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfProblem {
    /// Nothing but white space.
    #[error("there is no game here; an SGF text begins with `(;`")]
    NoGame,
    /// The text is not built like SGF.
    #[error("expected {expected}, found {found:?}")]
    Expected {
        /// What may stand here.
        expected: &'static str,
        /// The character that stands here instead.
        found: char,
    },
    /// The text ends inside a game.
    #[error("the game that begins here is never closed by `)`")]
    OpenGame,
    /// The text ends inside a value.
    #[error("the value of {0} that begins here is never closed by `]`")]
    OpenValue(String),
    /// A property in small letters, which count for nothing.
    #[error("a property needs capital letters, as in GM[9]")]
    NoName,
    /// A property without a value.
    #[error("{0} has no value in brackets")]
    NoValue(String),
    /// More values than a property can have.
    #[error("{name} has {count} values, but takes one")]
    Values {
        /// The name of the property.
        name: String,
        /// How many values it has.
        count: usize,
    },
    /// A version of the format that is not known.
    #[error("FF[{0}] is not a known version of SGF; 1 to 4 are")]
    Format(String),
    /// Another game.
    #[error("GM[{0}] is another game; Lines of Action is GM[9]")]
    OtherGame(String),
    /// Another board.
    #[error("SZ[{0}] is not supported; the board has 8 by 8 squares, SZ[8]")]
    Size(String),
    /// A starting position known by name only.
    #[error("SU[{0}] is not a known starting position; `Standard` is, others need AB and AW")]
    Setup(String),
    /// Not a point or a rectangle of points.
    #[error("{name}[{text}] is not a square; squares are a1 to h8")]
    Point {
        /// The name of the property.
        name: String,
        /// The value that is no square.
        text: String,
    },
    /// A square with two contents.
    #[error("{0} is set up twice")]
    Twice(Square),
    /// Pieces come and go in the middle of a game.
    #[error("{0} changes the board after the first move")]
    LateSetup(String),
    /// Not a colour.
    #[error("PL[{0}] is not a colour; B and W are")]
    Colour(String),
    /// PL against the order of play.
    #[error("PL gives {0} the turn, but it is {other}'s", other = !*.0)]
    LateTurn(Side),
    /// The set-up position is not one.
    #[error("cannot set up the board: {0}")]
    Position(#[from] PositionError),
    /// A move of the wrong side.
    #[error(
        "move {number} ({name}[{text}]) is {side}'s, but it is {other}'s turn",
        other = !*.side
    )]
    Turn {
        /// The number of the move in the game, from 1.
        number: usize,
        /// The name of the property.
        name: &'static str,
        /// The move, as written.
        text: String,
        /// The side that the property belongs to.
        side: Side,
    },
    /// A move that cannot be played.
    #[error("move {number} ({name}[{text}]): {cause}")]
    Move {
        /// The number of the move in the game, from 1.
        number: usize,
        /// The name of the property.
        name: &'static str,
        /// The move, as written.
        text: String,
        /// What is wrong with it.
        cause: TurnError,
    },
    /// A move of a game that was given up.
    #[error("move {number} ({name}[{text}]) comes after {resigned} resigned")]
    Resigned {
        /// The number of the move in the game, from 1.
        number: usize,
        /// The name of the property.
        name: &'static str,
        /// The move, as written.
        text: String,
        /// The side that resigned.
        resigned: Side,
    },
}

/// `B` or `W`: the side's move property, and its name in others.
const fn colour(side: Side) -> &'static str {
    match side {
        Side::X => "B",
        Side::O => "W",
    }
}
