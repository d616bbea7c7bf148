//! Positions as one line of text, ranks 8 to 1.
//!
//! Owns two forms: ours (`x`, `o`, the side to move `x` or `o`) and the FEN
//! that PlayStrategy shows (`L` for the side that starts, `l` for the other,
//! `w` or `b` to move, and chess fields that mean nothing here). It does not
//! ask whether a position can be reached or whether the game is over in it.

use super::plural;
use crate::board::{Bitboard, Board, BoardError, Side, Snapshot, Square};
use crate::util::text::excerpt;

/// What is wrong with the text of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// There is no text.
    #[error("the position is empty; write the 8 ranks and the side to move, or `startpos`")]
    Empty,
    /// The number of ranks.
    #[error(
        "the board has {0} rank{s}, but 8 are needed, from rank 8 to rank 1, separated by `/`",
        s = plural(*.0)
    )]
    Ranks(usize),
    /// A rank is too short or too long.
    #[error("rank {rank} has {squares} square{s} instead of 8", s = plural(*.squares))]
    RankLength {
        /// The rank, 1 to 8.
        rank: usize,
        /// How many squares the text gives it.
        squares: usize,
    },
    /// A character that stands for nothing.
    #[error(
        "rank {rank} has the unknown character {letter:?} (character {place} of the text); \
         use `x`, `o` and digits"
    )]
    Letter {
        /// The character that stands for nothing.
        letter: char,
        /// The rank, 1 to 8.
        rank: usize,
        /// The character's place in the whole text, from 1.
        place: usize,
    },
    /// A digit that cannot count empty squares.
    #[error(
        "rank {rank} has the digit {digit} (character {place} of the text); \
         runs of empty squares are 1 to 8"
    )]
    Digit {
        /// The digit, 0 or 9.
        digit: char,
        /// The rank, 1 to 8.
        rank: usize,
        /// The digit's place in the whole text, from 1.
        place: usize,
    },
    /// Letters of both forms.
    #[error(
        "rank {rank} has {letter:?} (character {place} of the text) after pieces of the other \
         form; use either `x` and `o` or `L` and `l`"
    )]
    Mixed {
        /// The first letter of the other form.
        letter: char,
        /// The rank, 1 to 8.
        rank: usize,
        /// The letter's place in the whole text, from 1.
        place: usize,
    },
    /// The pieces make no position.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The text ends after the board.
    #[error("the side to move is missing; write {0} after the board")]
    NoSide(&'static str),
    /// The side to move cannot be read.
    #[error("the side to move is {found:?}, but must be {expected}")]
    BadSide {
        /// The text in its place.
        found: String,
        /// The spellings that are allowed.
        expected: &'static str,
    },
    /// Text after the end of the position.
    #[error("{0:?} stands after the end of the position")]
    Trailing(String),
}

/// Which letters a text uses, known from its first piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `x` and `o`.
    Ours,
    /// `L` and `l`, as in PlayStrategy's FEN.
    Fen,
}

impl Form {
    /// The form and the side that a letter stands for.
    const fn from_letter(letter: char) -> Option<(Form, Side)> {
        match letter {
            'x' | 'X' => Some((Form::Ours, Side::X)),
            'o' | 'O' => Some((Form::Ours, Side::O)),
            'L' => Some((Form::Fen, Side::X)),
            'l' => Some((Form::Fen, Side::O)),
            _ => None,
        }
    }

    /// How the sides to move are written.
    const fn sides(self) -> &'static str {
        match self {
            Form::Ours => "`x` or `o`",
            Form::Fen => "`w` (the side of `L`) or `b` (the side of `l`)",
        }
    }

    fn side(self, text: &str) -> Option<Side> {
        match (self, text) {
            (Form::Ours, "x" | "X") | (Form::Fen, "w") => Some(Side::X),
            (Form::Ours, "o" | "O") | (Form::Fen, "b") => Some(Side::O),
            _ => None,
        }
    }
}

/// Reads a position: `1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x`, the same
/// as PlayStrategy's FEN, or `startpos`.
///
/// # Errors
///
/// The first thing that is wrong with the text, with its rank and place.
///
/// # Examples
///
/// ```
/// use loatune::notation::{parse_position, position_text};
///
/// let board = parse_position("L7/8/8/8/8/8/8/7l b - - 12 34")?;
/// assert_eq!(position_text(&board), "x7/8/8/8/8/8/8/7o o");
/// let error = parse_position("x7/8/8/8/8/8/8/7o").expect_err("no side to move");
/// assert_eq!(
///     error.to_string(),
///     "the side to move is missing; write `x` or `o` after the board"
/// );
/// # Ok::<(), loatune::notation::PositionError>(())
/// ```
pub fn parse_position(text: &str) -> Result<Board, PositionError> {
    let mut fields = text.split_whitespace();
    let board = fields.next().ok_or(PositionError::Empty)?;
    if ["startpos", "start"].contains(&board.to_ascii_lowercase().as_str()) {
        return match fields.next() {
            None => Ok(Board::start()),
            Some(more) => Err(PositionError::Trailing(excerpt(more))),
        };
    }
    let indent = text.chars().take_while(|mark| mark.is_whitespace()).count();
    let (pieces, form) = parse_board(board, indent)?;
    Board::check_pieces(pieces)?;

    let side = fields.next().ok_or(PositionError::NoSide(form.sides()))?;
    let turn = form.side(side).ok_or_else(|| PositionError::BadSide {
        found: excerpt(side),
        expected: form.sides(),
    })?;

    // Castling, en passant and the two move counters of a FEN.
    let is_dash = |field: &str| field == "-";
    let is_number = |field: &str| field.bytes().all(|digit| digit.is_ascii_digit());
    for (place, field) in fields.enumerate() {
        let fits = match (form, place) {
            (Form::Fen, 0 | 1) => is_dash(field),
            (Form::Fen, 2 | 3) => is_number(field),
            _ => false,
        };
        if !fits {
            return Err(PositionError::Trailing(excerpt(field)));
        }
    }
    Ok(Board::new(pieces, turn)?)
}

/// Reads the ranks; `indent` characters stand before them in the text.
fn parse_board(text: &str, indent: usize) -> Result<([Bitboard; 2], Form), PositionError> {
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(PositionError::Ranks(ranks));
    }
    let mut pieces = [Bitboard::EMPTY; 2];
    let mut form = None;
    let mut place = indent;
    for (below_top, row) in text.split('/').enumerate() {
        let rank = 8 - below_top;
        let mut squares = 0;
        for letter in row.chars() {
            place += 1;
            match letter {
                '1'..='8' => squares += letter as usize - '0' as usize,
                '0' | '9' => {
                    return Err(PositionError::Digit {
                        digit: letter,
                        rank,
                        place,
                    });
                }
                _ => {
                    let (its_form, side) =
                        Form::from_letter(letter).ok_or(PositionError::Letter {
                            letter,
                            rank,
                            place,
                        })?;
                    if *form.get_or_insert(its_form) != its_form {
                        return Err(PositionError::Mixed {
                            letter,
                            rank,
                            place,
                        });
                    }
                    // Beyond the edge the rank is counted, then refused.
                    if squares < 8 {
                        let square = Square::at(squares as u8, rank as u8 - 1);
                        pieces[side.index()] |= Bitboard::from_square(square);
                    }
                    squares += 1;
                }
            }
        }
        if squares != 8 {
            return Err(PositionError::RankLength { rank, squares });
        }
        place += 1;
    }
    // Without a piece there is no form, and the caller refuses the board.
    Ok((pieces, form.unwrap_or(Form::Ours)))
}

/// Writes a position in the form of `x` and `o`, which [`parse_position`]
/// reads.
pub fn position_text(board: &Snapshot) -> String {
    let mut text = String::with_capacity(48);
    for rank in (0..8).rev() {
        let mut empty = 0u8;
        let flush = |text: &mut String, empty: &mut u8| {
            if *empty > 0 {
                text.push((b'0' + *empty) as char);
                *empty = 0;
            }
        };
        for file in 0..8 {
            let square = Square::at(file, rank);
            let here = |side: &Side| board.pieces(*side).has(square);
            match Side::BOTH.into_iter().find(here) {
                Some(side) => {
                    flush(&mut text, &mut empty);
                    text.push(side.letter());
                }
                None => empty += 1,
            }
        }
        flush(&mut text, &mut empty);
        if rank > 0 {
            text.push('/');
        }
    }
    text.push(' ');
    text.push(board.turn().letter());
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const START: &str = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x";

    fn message(text: &str) -> String {
        match parse_position(text) {
            Ok(board) => panic!("{text:?} was read as {board:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_start_has_many_spellings() {
        for text in [
            START,
            "startpos",
            "start",
            " StartPos\n",
            "1XXXXXX1/O6O/O6O/O6O/O6O/O6O/O6O/1XXXXXX1 X",
            "  1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1\tx ",
            "1xxxxxx1/o15o/o33o/o1113o/o6o/o6o/o6o/1xxxxxx1 x",
            "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w",
            "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w - -",
            "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w - - 0 1",
        ] {
            assert_eq!(parse_position(text), Ok(Board::start()), "{text}");
        }
        assert_eq!(position_text(&Board::start()), START);
    }

    #[test]
    fn letters_land_on_their_squares() {
        let board = parse_position("x7/8/17/8/8/8/8/7o o").unwrap();
        assert_eq!(
            board.pieces(Side::X),
            Bitboard::from_square(Square::at(0, 7))
        );
        assert_eq!(
            board.pieces(Side::O),
            Bitboard::from_square(Square::at(7, 0))
        );
        assert_eq!(board.turn(), Side::O);
        assert_eq!(position_text(&board), "x7/8/8/8/8/8/8/7o o");
        let fen = parse_position("L7/8/8/8/8/8/8/7l b - - 12 34").unwrap();
        assert_eq!(fen, board);
    }

    #[test]
    fn the_board_is_checked_rank_by_rank() {
        let empty = "the position is empty; write the 8 ranks and the side to move, or `startpos`";
        let ranks = "are needed, from rank 8 to rank 1, separated by `/`";
        for (text, expected) in [
            ("", empty.to_owned()),
            (" \t\r\n", empty.to_owned()),
            ("x", format!("the board has 1 rank, but 8 {ranks}")),
            (
                "8/8/8/8/8/8/8 x",
                format!("the board has 7 ranks, but 8 {ranks}"),
            ),
            (
                "8/8/8/8/8/8/8/8/8 x",
                format!("the board has 9 ranks, but 8 {ranks}"),
            ),
            (
                "x6/8/8/8/8/8/8/o7 x",
                "rank 8 has 7 squares instead of 8".to_owned(),
            ),
            (
                "x7/8/8/8/8/8/1/o7 x",
                "rank 2 has 1 square instead of 8".to_owned(),
            ),
            (
                "x7/8/8/8/8/8//o7 x",
                "rank 2 has 0 squares instead of 8".to_owned(),
            ),
            (
                "x7/8/8/8/8/8/8/o78x x",
                "rank 1 has 17 squares instead of 8".to_owned(),
            ),
            (
                "x7/8/8/3q4/8/8/8/o7 x",
                "rank 5 has the unknown character 'q' (character 9 of the text); use `x`, `o` \
                 and digits"
                    .to_owned(),
            ),
            (
                "  x7/8/8/3é4/8/8/8/o7 x",
                "rank 5 has the unknown character 'é' (character 11 of the text); use `x`, `o` \
                 and digits"
                    .to_owned(),
            ),
            (
                "\0/8/8/8/8/8/8/o7 x",
                "rank 8 has the unknown character '\\0' (character 1 of the text); use `x`, `o` \
                 and digits"
                    .to_owned(),
            ),
            (
                "x7/0/8/8/8/8/8/o7 x",
                "rank 7 has the digit 0 (character 4 of the text); runs of empty squares are 1 \
                 to 8"
                    .to_owned(),
            ),
            (
                "9/8/8/8/8/8/8/o7 x",
                "rank 8 has the digit 9 (character 1 of the text); runs of empty squares are 1 \
                 to 8"
                    .to_owned(),
            ),
            (
                "x7/l7/8/8/8/8/8/8 x",
                "rank 7 has 'l' (character 4 of the text) after pieces of the other form; use \
                 either `x` and `o` or `L` and `l`"
                    .to_owned(),
            ),
        ] {
            assert_eq!(message(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_pieces_are_counted() {
        for (text, expected) in [
            (
                "8/8/8/8/8/8/8/8 x",
                "x has no piece, but both sides need at least one",
            ),
            (
                "x7/8/8/8/8/8/8/8 x",
                "o has no piece, but both sides need at least one",
            ),
            (
                "8/8/8/8/8/8/8/l7 w",
                "x has no piece, but both sides need at least one",
            ),
            (
                "xxxxxxxx/xxxxx3/8/8/8/8/8/o7 x",
                "x has 13 pieces, but a side has at most 12",
            ),
            (
                "oooooooo/oooooooo/oooooooo/oooooooo/8/8/8/x7 x",
                "o has 32 pieces, but a side has at most 12",
            ),
        ] {
            assert_eq!(message(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_fields_after_the_board_are_checked() {
        let fen = "`w` (the side of `L`) or `b` (the side of `l`)";
        let stands = "stands after the end of the position";
        for (text, expected) in [
            (
                "x7/8/8/8/8/8/8/o7",
                "the side to move is missing; write `x` or `o` after the board".to_owned(),
            ),
            (
                "L7/8/8/8/8/8/8/l7",
                format!("the side to move is missing; write {fen} after the board"),
            ),
            (
                "x7/8/8/8/8/8/8/o7 w",
                "the side to move is \"w\", but must be `x` or `o`".to_owned(),
            ),
            (
                "L7/8/8/8/8/8/8/l7 x",
                format!("the side to move is \"x\", but must be {fen}"),
            ),
            ("x7/8/8/8/8/8/8/o7 x -", format!("\"-\" {stands}")),
            ("startpos x", format!("\"x\" {stands}")),
            ("L7/8/8/8/8/8/8/l7 w KQ", format!("\"KQ\" {stands}")),
            ("L7/8/8/8/8/8/8/l7 w - - 0 -1", format!("\"-1\" {stands}")),
            ("L7/8/8/8/8/8/8/l7 w - - 0 1 2", format!("\"2\" {stands}")),
        ] {
            assert_eq!(message(text), expected, "{text:?}");
        }
    }
}
