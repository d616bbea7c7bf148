//! Moves as text, and lists of them played onto a game.
//!
//! Owns the spellings of a move and the reasons why one cannot be played.
//! Writing a move is [`Move`]'s own `Display`.

use super::plural;
use crate::board::{Bitboard, Board, Move, Side, Square};
use crate::game::{Game, Outcome, PlayError};
use crate::util::text::excerpt;

/// Why a text is not a move of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not spelt like a move.
    #[error("cannot read {0:?} as a move: expected two squares, as in b1-b3 or c1xa3, or `pass`")]
    Unreadable(String),
    /// Spelt like a move, but a square does not exist.
    #[error("cannot play {text}: there is no square {square}, squares are a1 to h8")]
    OffBoard {
        /// The whole move, as written.
        text: String,
        /// The square that does not exist, as written.
        square: String,
    },
    /// Nothing to move.
    #[error("cannot play {from}-{to}: there is no piece on {from}")]
    NoPiece {
        /// The square to leave.
        from: Square,
        /// The square to reach.
        to: Square,
    },
    /// A piece of the side that is not to move.
    #[error(
        "cannot play {from}-{to}: the piece on {from} is {owner}'s, and it is {turn}'s turn",
        turn = !*.owner
    )]
    NotYours {
        /// The square to leave.
        from: Square,
        /// The square to reach.
        to: Square,
        /// The side that the piece belongs to.
        owner: Side,
    },
    /// Against the rules.
    #[error("{from}-{to} is not legal: {why}")]
    Illegal {
        /// The square to leave.
        from: Square,
        /// The square to reach.
        to: Square,
        /// The rule that it breaks.
        why: IllegalMove,
    },
    /// A legal move, but written as a capture.
    #[error("{from}{sign}{to} is written as a capture, but {to} is empty; write {from}-{to}")]
    NoCapture {
        /// The square to leave.
        from: Square,
        /// The square to reach.
        to: Square,
        /// The sign of a capture that was written: `x` or `:`.
        sign: char,
    },
    /// A pass where there is something to play.
    #[error(
        "{side} cannot pass: it has {moves} legal move{s}",
        s = plural(*.moves as usize)
    )]
    Pass {
        /// The side to move.
        side: Side,
        /// The number of moves it could play.
        moves: u32,
    },
}

/// The rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// From a square to itself.
    #[error("it leaves the piece where it is")]
    Nowhere,
    /// Neither row, column nor diagonal.
    #[error("the squares are not on one row, column or diagonal")]
    NoLine,
    /// Not as far as the line holds pieces.
    #[error(
        "the line holds {count} piece{s}, so {from} moves exactly {count} square{s}",
        s = plural(*.count as usize)
    )]
    Distance {
        /// The square to leave.
        from: Square,
        /// The pieces on the line.
        count: u32,
    },
    /// An enemy stands between.
    #[error("the enemy on {0} is in the way")]
    Blocked(Square),
    /// Its own side stands there.
    #[error("{0} holds a piece of its own side")]
    OwnPiece(Square),
}

/// Why a text cannot be the next move of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// It is not a move of the present position.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// There is no next move.
    #[error("the game is over before it ({0})")]
    Over(Outcome),
    /// The game refuses it.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// The first move of a list that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number} ({text:?}): {cause}")]
pub struct GameTextError {
    /// The place of the move in the list, from 1.
    pub number: usize,
    /// The text that stands there.
    pub text: String,
    /// Why the move cannot be played.
    pub cause: TurnError,
}

/// Two squares and the sign between them, if there is one.
struct Spelling {
    from: Square,
    sign: Option<char>,
    to: Square,
}

/// Reads a move that is legal on `board`: `b1-b3`, `c1xa3`, `c1:a3`, `b1b3`,
/// or `pass` for a side without a move. A capture may be written with `-`,
/// as many programs do; what is written as a capture must be one.
///
/// # Errors
///
/// What is wrong with the spelling, or the rule that the move breaks.
///
/// # Examples
///
/// ```
/// use loatune::board::Board;
/// use loatune::notation::parse_move;
///
/// let board = Board::start();
/// assert_eq!(parse_move(&board, "B1B3")?.to_string(), "b1-b3");
/// let error = parse_move(&board, "b1-b4").expect_err("too far");
/// assert_eq!(
///     error.to_string(),
///     "b1-b4 is not legal: the line holds 2 pieces, so b1 moves exactly 2 squares"
/// );
/// # Ok::<(), loatune::notation::MoveError>(())
/// ```
pub fn parse_move(board: &Board, text: &str) -> Result<Move, MoveError> {
    let text = text.trim();
    let turn = board.turn();
    if text.eq_ignore_ascii_case("pass") {
        return match board.mobility(turn) {
            0 => Ok(Move::PASS),
            moves => Err(MoveError::Pass { side: turn, moves }),
        };
    }

    let Spelling { from, sign, to } = spelling(text)?;
    if board.pieces(!turn).has(from) {
        let owner = !turn;
        return Err(MoveError::NotYours { from, to, owner });
    }
    if !board.pieces(turn).has(from) {
        return Err(MoveError::NoPiece { from, to });
    }
    let moves = board.moves();
    let Some(&mv) = moves.iter().find(|mv| mv.from() == from && mv.to() == to) else {
        let why = why_illegal(board, from, to);
        return Err(MoveError::Illegal { from, to, why });
    };
    match sign {
        Some(sign) if sign != '-' && !mv.is_capture() => {
            Err(MoveError::NoCapture { from, to, sign })
        }
        _ => Ok(mv),
    }
}

/// Plays a list of moves, separated by white space.
///
/// # Errors
///
/// The first move that cannot be played; those before it stay played.
///
/// # Examples
///
/// ```
/// use loatune::game::{Game, Rules};
/// use loatune::notation::parse_moves;
///
/// let mut game = Game::new(Rules::default());
/// parse_moves(&mut game, "c1xa3 a2-c2 b1-b3")?;
/// assert_eq!(game.played().len(), 3);
/// # Ok::<(), loatune::notation::GameTextError>(())
/// ```
pub fn parse_moves(game: &mut Game, text: &str) -> Result<(), GameTextError> {
    for (before, text) in text.split_whitespace().enumerate() {
        play_text(game, text).map_err(|cause| GameTextError {
            number: before + 1,
            text: excerpt(text),
            cause,
        })?;
    }
    Ok(())
}

/// Plays one move.
pub(super) fn play_text(game: &mut Game, text: &str) -> Result<(), TurnError> {
    // Asked first: after the end, that is what is wrong with any move.
    if let Some(outcome) = game.outcome() {
        return Err(TurnError::Over(outcome));
    }
    let mv = parse_move(game.board(), text)?;
    Ok(game.play(mv)?)
}

/// Takes the text of a move apart, whatever the board.
fn spelling(text: &str) -> Result<Spelling, MoveError> {
    let unreadable = || MoveError::Unreadable(excerpt(text));
    // Six, to see that a text is too long without reading all of it.
    let mut letters = ['\0'; 6];
    let mut count = 0;
    for (place, letter) in letters.iter_mut().zip(text.chars()) {
        *place = letter;
        count += 1;
    }
    let (from, sign, to) = match (count, letters) {
        (4, [a, b, c, d, ..]) => ([a, b], None, [c, d]),
        (5, [a, b, sign @ ('-' | ':' | 'x' | 'X'), c, d, _]) => {
            ([a, b], Some(sign.to_ascii_lowercase()), [c, d])
        }
        _ => return Err(unreadable()),
    };
    let like_a_square =
        |[file, rank]: [char; 2]| file.is_ascii_alphabetic() && rank.is_ascii_digit();
    if !like_a_square(from) || !like_a_square(to) {
        return Err(unreadable());
    }
    let square = |[file, rank]: [char; 2]| {
        Square::parse(file, rank).ok_or_else(|| MoveError::OffBoard {
            text: text.to_owned(),
            square: format!("{file}{rank}"),
        })
    };
    Ok(Spelling {
        from: square(from)?,
        sign,
        to: square(to)?,
    })
}

/// The rule that keeps the piece on `from` from moving to `to`.
fn why_illegal(board: &Board, from: Square, to: Square) -> IllegalMove {
    let files = to.file() as i32 - from.file() as i32;
    let ranks = to.rank() as i32 - from.rank() as i32;
    if files == 0 && ranks == 0 {
        return IllegalMove::Nowhere;
    }
    if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
        return IllegalMove::NoLine;
    }
    let step = (files.signum(), ranks.signum());
    let ahead = || ray(from, step);
    let behind = ray(from, (-step.0, -step.1));

    let line: Bitboard = ahead().chain(behind).chain([from]).collect();
    let occupied = board.pieces(Side::X) | board.pieces(Side::O);
    let count = (line & occupied).len();
    if files.abs().max(ranks.abs()) != count as i32 {
        return IllegalMove::Distance { from, count };
    }
    let enemies = board.pieces(!board.turn());
    let mut between = ahead().take_while(|&square| square != to);
    match between.find(|&square| enemies.has(square)) {
        Some(square) => IllegalMove::Blocked(square),
        // The only rule left.
        None => IllegalMove::OwnPiece(to),
    }
}

/// The squares from `from`, itself excluded, to the edge.
fn ray(from: Square, (files, ranks): (i32, i32)) -> impl Iterator<Item = Square> {
    (1..8).map_while(move |steps| {
        let file = from.file() as i32 + files * steps;
        let rank = from.rank() as i32 + ranks * steps;
        let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        on_board.then(|| Square::at(file as u8, rank as u8))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::{NoMoves, Rules};
    use crate::notation::{parse_position, position_text};

    fn message(position: &str, text: &str) -> String {
        let board = parse_position(position).unwrap();
        match parse_move(&board, text) {
            Ok(mv) => panic!("{text:?} was read as {mv}"),
            Err(error) => error.to_string(),
        }
    }

    fn read(position: &str, text: &str) -> String {
        let board = parse_position(position).unwrap();
        parse_move(&board, text).unwrap().to_string()
    }

    #[test]
    fn a_move_has_many_spellings() {
        for text in ["b1-b3", "b1b3", "B1-B3", "b1-B3", " b1-b3\n", "B1B3"] {
            assert_eq!(read("start", text), "b1-b3", "{text:?}");
        }
        let capture = "8/8/8/8/8/o7/5x2/2x5 x";
        for text in ["c1xa3", "c1:a3", "c1-a3", "c1a3", "C1XA3", "C1:A3"] {
            assert_eq!(read(capture, text), "c1xa3", "{text:?}");
        }
    }

    #[test]
    fn unreadable_text_is_named() {
        for text in [
            "", "b", "b1", "b1-", "b1-b", "b1--b3", "b1-b33", "b1+b3", "b1 b3", "1b-3b", "bb-b3",
            "passe", "b1-b3!", "é1-b3", "b\0-b3",
        ] {
            assert_eq!(
                message("start", text),
                format!(
                    "cannot read {text:?} as a move: expected two squares, as in b1-b3 or c1xa3, \
                     or `pass`"
                )
            );
        }
        assert_eq!(
            message("start", &"b1-b3".repeat(1000)),
            "cannot read \"b1-b3b1-b3b1-b3b1-b3b1-b3b1-b3b1-b3b1-b3...\" as a move: expected two \
             squares, as in b1-b3 or c1xa3, or `pass`"
        );
        for (text, square) in [("b1-b9", "b9"), ("i1b3", "i1"), ("b0-z9", "b0")] {
            assert_eq!(
                message("start", text),
                format!("cannot play {text}: there is no square {square}, squares are a1 to h8")
            );
        }
    }

    #[test]
    fn an_illegal_move_says_why() {
        for (text, expected) in [
            ("d4-d5", "cannot play d4-d5: there is no piece on d4"),
            (
                "a2-c2",
                "cannot play a2-c2: the piece on a2 is o's, and it is x's turn",
            ),
            (
                "b1-b1",
                "b1-b1 is not legal: it leaves the piece where it is",
            ),
            (
                "b1-c3",
                "b1-c3 is not legal: the squares are not on one row, column or diagonal",
            ),
            (
                "b1-b4",
                "b1-b4 is not legal: the line holds 2 pieces, so b1 moves exactly 2 squares",
            ),
            (
                "b1xb4",
                "b1-b4 is not legal: the line holds 2 pieces, so b1 moves exactly 2 squares",
            ),
            (
                "b1-c1",
                "b1-c1 is not legal: the line holds 6 pieces, so b1 moves exactly 6 squares",
            ),
            (
                "b1xb3",
                "b1xb3 is written as a capture, but b3 is empty; write b1-b3",
            ),
            (
                "B1:B3",
                "b1:b3 is written as a capture, but b3 is empty; write b1-b3",
            ),
            ("pass", "x cannot pass: it has 36 legal moves"),
        ] {
            assert_eq!(message("start", text), expected, "{text:?}");
        }
        assert_eq!(
            message("x7/8/8/8/8/8/8/7o x", "a8-b7"),
            "a8-b7 is not legal: the line holds 2 pieces, so a8 moves exactly 2 squares"
        );
        assert_eq!(
            message("8/8/8/8/8/8/8/x3o2o o", "e1-e3"),
            "e1-e3 is not legal: the line holds 1 piece, so e1 moves exactly 1 square"
        );
        assert_eq!(
            message("8/8/8/8/8/8/8/x1o4o x", "a1-d1"),
            "a1-d1 is not legal: the enemy on c1 is in the way"
        );
        assert_eq!(
            message("7o/8/8/8/8/8/8/x1x5 x", "a1-c1"),
            "a1-c1 is not legal: c1 holds a piece of its own side"
        );
    }

    #[test]
    fn a_side_without_a_move_may_pass() {
        // White in two corners, every way out held by Black.
        let stuck = parse_position("6xo/6xx/8/8/8/8/xx6/ox6 o").unwrap();
        assert_eq!(parse_move(&stuck, " Pass "), Ok(Move::PASS));
        let mut game = Game::from_board(Rules::default(), stuck);
        assert_eq!(
            parse_moves(&mut game, "pass").unwrap_err().to_string(),
            "move 1 (\"pass\"): the game is over before it (x wins: the side to move has no \
             legal move)"
        );
        let rules = Rules {
            no_moves: NoMoves::Passes,
            ..Rules::default()
        };
        let mut game = Game::from_board(rules, stuck);
        parse_moves(&mut game, "pass").unwrap();
        assert_eq!(position_text(game.board()), "6xo/6xx/8/8/8/8/xx6/ox6 x");
    }

    #[test]
    fn a_list_is_played_up_to_its_first_mistake() {
        let mut game = Game::new(Rules::default());
        let error = parse_moves(&mut game, " b1-b3\na2-c2\tc1-c4 a3-c3").unwrap_err();
        assert_eq!(
            error.to_string(),
            "move 3 (\"c1-c4\"): c1-c4 is not legal: the enemy on c2 is in the way"
        );
        assert_eq!(
            position_text(game.board()),
            "1xxxxxx1/o6o/o6o/o6o/o6o/ox5o/2o4o/2xxxxx1 x"
        );
        assert_eq!(parse_moves(&mut game, " \n"), Ok(()));
    }

    #[test]
    fn nothing_is_played_after_the_end() {
        let board = parse_position("7o/8/8/8/8/x7/8/x6o x").unwrap();
        let mut game = Game::from_board(Rules::default(), board);
        let error = parse_moves(&mut game, "a3-b2 h1-h3 nonsense").unwrap_err();
        assert_eq!(
            error.to_string(),
            "move 2 (\"h1-h3\"): the game is over before it (x wins: all its pieces are \
             connected)"
        );
    }
}
