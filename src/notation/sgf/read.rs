//! SGF as a game: what the properties of a main line mean.
//!
//! Owns setup, turns and the notes that are kept. Properties that are not
//! known, or that only tell a viewer what to show (IP, IY, SE, AS), are passed
//! over.

use super::scan::{Place, Property, Tree, Value, scan};
use super::{SgfError, SgfGame, SgfProblem, colour};
use crate::board::{Bitboard, Board, Side, Square};
use crate::game::Game;
use crate::game::Rules;
use crate::notation::moves::play_text;
use crate::notation::position::PositionError;
use crate::util::text::excerpt;

/// What may follow a move: `C2:C5++`, `b1-b3!`. It means nothing here.
const ANNOTATIONS: [char; 6] = ['+', '!', '?', '#', '=', '*'];

/// Reads a collection of one or more games and plays them through under
/// `rules`: the main line of each, every move checked.
///
/// # Errors
///
/// The first thing that is wrong with the text, with its line and column.
///
/// # Examples
///
/// ```
/// use loatune::game::Rules;
/// use loatune::notation::{parse_sgf, write_sgf};
///
/// let games = parse_sgf("(;GM[9]PB[Ann]PW[Bob];B[c1:a3];W[a2-c2])", &Rules::default())?;
/// assert_eq!(games[0].game.played().len(), 2);
/// let text = write_sgf(&games[0]);
/// assert!(text.contains("PB[Ann]PW[Bob]RE[?]"));
/// assert!(text.contains(";B[c1:a3];W[a2-c2]"));
/// # Ok::<(), loatune::notation::SgfError>(())
/// ```
pub fn parse_sgf(text: &str, rules: &Rules) -> Result<Vec<SgfGame>, SgfError> {
    parse_sgf_each(text, rules)?.into_iter().collect()
}

/// Reads a collection as [`parse_sgf`] does, where a game that cannot be played
/// leaves the others alone.
///
/// # Errors
///
/// The text is not built like SGF. What is wrong with a game stands in its
/// place.
///
/// # Examples
///
/// ```
/// use loatune::game::Rules;
/// use loatune::notation::parse_sgf_each;
///
/// let games = parse_sgf_each("(;GM[9];B[b1-b2])(;GM[9];B[b1-b3])", &Rules::default())?;
/// assert!(games[0].is_err() && games[1].is_ok());
/// # Ok::<(), loatune::notation::SgfError>(())
/// ```
pub fn parse_sgf_each(
    text: &str,
    rules: &Rules,
) -> Result<Vec<Result<SgfGame, SgfError>>, SgfError> {
    Ok(scan(text)?.iter().map(|tree| read(tree, rules)).collect())
}

fn read(tree: &Tree, rules: &Rules) -> Result<SgfGame, SgfError> {
    let mut reader = Reader::new(tree, rules);
    for property in &tree.main_line {
        reader.property(property)?;
    }
    reader.begin(Side::X)?;
    Ok(reader.sgf)
}

/// The setup so far, until the game begins.
struct Setup {
    /// Where the fault lies if the position is none.
    place: Place,
    /// The name of the starting position, and where it stands.
    name: Option<(Place, String)>,
    /// The pieces that AB and AW give, and the squares that AE clears.
    added: [Bitboard; 2],
    cleared: Bitboard,
    turn: Option<Side>,
}

struct Reader {
    sgf: SgfGame,
    /// Gone once the game has begun.
    setup: Option<Setup>,
}

impl Reader {
    fn new(tree: &Tree, rules: &Rules) -> Reader {
        Reader {
            sgf: SgfGame::new(Game::new(*rules)),
            setup: Some(Setup {
                place: tree.place,
                name: None,
                added: [Bitboard::EMPTY; 2],
                cleared: Bitboard::EMPTY,
                turn: None,
            }),
        }
    }

    fn property(&mut self, property: &Property) -> Result<(), SgfError> {
        match property.name.as_str() {
            "FF" => check(property, &["1", "2", "3", "4"], SgfProblem::Format),
            "GM" => check(property, &["9"], SgfProblem::OtherGame),
            "SZ" => check(property, &["8", "8:8"], SgfProblem::Size),
            "PB" => self.player(Side::X, property),
            "PW" => self.player(Side::O, property),
            "RE" => {
                self.sgf.result = Some(simple_text(&only(property)?.text));
                Ok(())
            }
            "C" if property.in_root => {
                self.sgf.comment = Some(only(property)?.text.clone());
                Ok(())
            }
            "SU" | "AB" | "AW" | "AE" => self.set_up(property),
            "PL" => self.turn(property),
            "B" => self.play(Side::X, property),
            "W" => self.play(Side::O, property),
            _ => Ok(()),
        }
    }

    fn player(&mut self, side: Side, property: &Property) -> Result<(), SgfError> {
        self.sgf.players[side.index()] = simple_text(&only(property)?.text);
        Ok(())
    }

    fn set_up(&mut self, property: &Property) -> Result<(), SgfError> {
        let Some(setup) = &mut self.setup else {
            let name = property.name.clone();
            return Err(property.place.error(SgfProblem::LateSetup(name)));
        };
        if property.name == "SU" {
            let value = only(property)?;
            setup.name = Some((value.place, value.text.trim().to_owned()));
            return Ok(());
        }
        setup.place = property.place;
        for value in &property.values {
            let squares = points(&value.text).ok_or_else(|| {
                value.place.error(SgfProblem::Point {
                    name: property.name.clone(),
                    text: shown(&value.text),
                })
            })?;
            let taken = squares & (setup.added[0] | setup.added[1] | setup.cleared);
            if let Some(square) = taken.into_iter().next() {
                return Err(value.place.error(SgfProblem::Twice(square)));
            }
            match property.name.as_str() {
                "AB" => setup.added[0] |= squares,
                "AW" => setup.added[1] |= squares,
                _ => setup.cleared |= squares,
            }
        }
        Ok(())
    }

    fn turn(&mut self, property: &Property) -> Result<(), SgfError> {
        let value = only(property)?;
        let side = match value.text.trim().to_ascii_lowercase().as_str() {
            "b" | "black" => Side::X,
            "w" | "white" => Side::O,
            _ => {
                let text = shown(&value.text);
                return Err(value.place.error(SgfProblem::Colour(text)));
            }
        };
        match &mut self.setup {
            Some(setup) => setup.turn = Some(side),
            // Said again in the middle of a game, it must be true.
            None if self.sgf.game.turn() != side => {
                return Err(value.place.error(SgfProblem::LateTurn(side)));
            }
            None => {}
        }
        Ok(())
    }

    fn play(&mut self, side: Side, property: &Property) -> Result<(), SgfError> {
        let value = only(property)?;
        let number = self.sgf.game.played().len() + 1;
        let name = colour(side);
        self.begin(side)?;
        let written = value.text.trim();
        let error = |problem| Err(value.place.error(problem));

        if let Some(resigned) = self.sgf.resigned {
            return error(SgfProblem::Resigned {
                number,
                name,
                text: shown(written),
                resigned,
            });
        }
        // A player may give up at any time, but not a game that is over.
        if written.eq_ignore_ascii_case("resign") && self.sgf.game.outcome().is_none() {
            self.sgf.resigned = Some(side);
            return Ok(());
        }
        if side != self.sgf.game.turn() && self.sgf.game.outcome().is_none() {
            return error(SgfProblem::Turn {
                number,
                name,
                text: shown(written),
                side,
            });
        }
        let mv = match written.trim_end_matches(ANNOTATIONS).trim_end() {
            "" => "pass",
            mv => mv,
        };
        play_text(&mut self.sgf.game, mv).or_else(|cause| {
            error(SgfProblem::Move {
                number,
                name,
                text: shown(written),
                cause,
            })
        })
    }

    /// Ends the setup, if it has not ended. `first` moves first if the board
    /// was set up and nothing says who does.
    fn begin(&mut self, first: Side) -> Result<(), SgfError> {
        if let Some(setup) = self.setup.take() {
            let board = setup.board(first)?;
            self.sgf.game = Game::from_board(*self.sgf.game.rules(), board);
        }
        Ok(())
    }
}

impl Setup {
    fn board(&self, first: Side) -> Result<Board, SgfError> {
        let start = Board::start();
        let is_standard = |name: &str| name.eq_ignore_ascii_case("standard");
        let adds = !(self.added[0] | self.added[1]).is_empty();
        let base = match &self.name {
            Some((_, name)) if is_standard(name) => Side::BOTH.map(|side| start.pieces(side)),
            // Pieces that are given without a name are all there are.
            _ if adds => [Bitboard::EMPTY; 2],
            None => Side::BOTH.map(|side| start.pieces(side)),
            Some((place, name)) => return Err(place.error(SgfProblem::Setup(shown(name)))),
        };
        let changed = self.added[0] | self.added[1] | self.cleared;
        let pieces = Side::BOTH.map(|side| {
            let (base, added) = (base[side.index()], self.added[side.index()]);
            base & !changed | added
        });
        // From the standard position Black begins, unless PL says otherwise.
        let is_start = pieces == Side::BOTH.map(|side| start.pieces(side));
        let usual = if is_start { Side::X } else { first };
        Board::new(pieces, self.turn.unwrap_or(usual))
            .map_err(|error| self.place.error(PositionError::from(error)))
    }
}

/// The value of a property that takes one.
fn only(property: &Property) -> Result<&Value, SgfError> {
    match property.values.as_slice() {
        [value] => Ok(value),
        values => Err(property.place.error(SgfProblem::Values {
            name: shown(&property.name),
            count: values.len(),
        })),
    }
}

/// Refuses a property whose value is not among those `known`.
fn check(
    property: &Property,
    known: &[&str],
    problem: fn(String) -> SgfProblem,
) -> Result<(), SgfError> {
    let value = only(property)?;
    if known.contains(&value.text.trim()) {
        return Ok(());
    }
    Err(value.place.error(problem(shown(&value.text))))
}

/// A value for a message, which stays on its line whatever the value holds.
fn shown(text: &str) -> String {
    excerpt(text).replace(char::is_control, "\u{fffd}")
}

/// A name or a result is one line, whatever white space it was given.
fn simple_text(text: &str) -> String {
    text.replace(|letter: char| letter.is_whitespace(), " ")
}

/// A square, or all squares between two corners: `a5`, `b1:g1`.
fn points(text: &str) -> Option<Bitboard> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let (first, last) = (point(first)?, point(last)?);
    let between = |low: u8, place: u8, high: u8| (low.min(high)..=low.max(high)).contains(&place);
    let inside = |square: &Square| {
        between(first.file(), square.file(), last.file())
            && between(first.rank(), square.rank(), last.rank())
    };
    Some(Square::all().filter(inside).collect())
}

fn point(text: &str) -> Option<Square> {
    let mut letters = text.trim().chars();
    let square = Square::parse(letters.next()?, letters.next()?)?;
    letters.next().is_none().then_some(square)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::notation::position_text;

    fn one(text: &str) -> SgfGame {
        let mut games = parse_sgf(text, &Rules::default()).unwrap();
        assert_eq!(games.len(), 1);
        games.remove(0)
    }

    fn message(text: &str) -> String {
        match parse_sgf(text, &Rules::default()) {
            Ok(games) => panic!("{text:?} was read as {games:?}"),
            Err(error) => error.to_string(),
        }
    }

    fn moves(sgf: &SgfGame) -> String {
        let moves: Vec<String> = sgf.game.played().iter().map(ToString::to_string).collect();
        moves.join(" ")
    }

    #[test]
    fn a_game_with_everything() {
        let sgf = one(
            "(;FF[4]GM[9]CA[UTF-8]AP[some:1]SZ[8]SU[Standard]IP[End]IY[false]\n\
             EV[Open]DT[2001-02-03]RO[1]PC[here]GN[a game]GC[none]PB[Ann \\[x\\]]PW[Bob\nB]\n\
             RE[B+Resign]C[first\nsecond];B[C1:A3++]C[good];W[a2-c2!](;B[b1-b3?] ;W[resign])\n\
             (;B[nonsense]))",
        );
        assert_eq!(moves(&sgf), "c1xa3 a2-c2 b1-b3");
        assert_eq!(sgf.players, ["Ann [x]", "Bob B"]);
        assert_eq!(sgf.result.as_deref(), Some("B+Resign"));
        assert_eq!(sgf.comment.as_deref(), Some("first\nsecond"));
        assert_eq!(sgf.resigned, Some(Side::O));
        assert_eq!(
            position_text(sgf.game.board()),
            "1xxxxxx1/o6o/o6o/o6o/o6o/xx5o/2o4o/3xxxx1 o"
        );
    }

    #[test]
    fn collections_and_old_versions() {
        let text = "(;FF[3]GaMe[9]PlayerBlack[Ann];Black[b1-b3])\n(;)(;FF[1];B[b1b3];W[a2xc2])";
        let error = message(text);
        assert_eq!(
            error,
            "line 2, column 21: move 2 (W[a2xc2]): a2xc2 is written as a capture, but c2 is \
             empty; write a2-c2"
        );
        let text = text.replace("a2xc2", "a2c2");
        let games = parse_sgf(&text, &Rules::default()).unwrap();
        let all: Vec<String> = games.iter().map(moves).collect();
        assert_eq!(all, ["b1-b3", "", "b1-b3 a2-c2"]);
        assert_eq!(games[0].players[0], "Ann");
    }

    #[test]
    fn the_board_may_be_set_up() {
        let start = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1";
        for (text, expected) in [
            ("(;)", format!("{start} x")),
            ("(;SU[standard])", format!("{start} x")),
            ("(;SU[Standard]PL[White])", format!("{start} o")),
            ("(;AB[b1:g1][b8:g8];AW[a2:a7][h7:h2])", format!("{start} x")),
            (
                "(;AE[b1][b8])",
                "2xxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/2xxxxx1 x".to_owned(),
            ),
            (
                "(;SU[Standard]AB[a2]AE[b8][b1])",
                "2xxxxx1/o6o/o6o/o6o/o6o/o6o/x6o/2xxxxx1 x".to_owned(),
            ),
            (
                "(;SU[Custom]AB[A1][ h8 ]AW[a8]PL[w])",
                "o6x/8/8/8/8/8/8/x7 o".to_owned(),
            ),
            // The first move tells whose turn it was.
            (
                "(;AB[a1][h8]AW[a8][h1];W[a8-c6])",
                "7x/8/2o5/8/8/8/8/x6o x".to_owned(),
            ),
        ] {
            assert_eq!(position_text(one(text).game.board()), expected, "{text}");
        }
    }

    #[test]
    fn faults_of_the_setup_are_found_where_they_stand() {
        for (text, expected) in [
            (
                "(;FF[5])",
                "line 1, column 5: FF[5] is not a known version of SGF; 1 to 4 are",
            ),
            (
                "(;FF[4]\nGM[1])",
                "line 2, column 3: GM[1] is another game; Lines of Action is GM[9]",
            ),
            (
                "(;SZ[9])",
                "line 1, column 5: SZ[9] is not supported; the board has 8 by 8 squares, SZ[8]",
            ),
            (
                "(;GM[9][9])",
                "line 1, column 3: GM has 2 values, but takes one",
            ),
            (
                "(;SU[Parachute])",
                "line 1, column 5: SU[Parachute] is not a known starting position; `Standard` \
                 is, others need AB and AW",
            ),
            (
                "(;AB[a1][a9])",
                "line 1, column 9: AB[a9] is not a square; squares are a1 to h8",
            ),
            (
                "(;AW[a1:])",
                "line 1, column 5: AW[a1:] is not a square; squares are a1 to h8",
            ),
            (
                "(;AB[a1]AW[a1:c1])",
                "line 1, column 11: a1 is set up twice",
            ),
            (
                "(;AB[a1])",
                "line 1, column 3: cannot set up the board: o has no piece, but both sides need \
                 at least one",
            ),
            (
                "(;AB[a1:h2]AW[h8])",
                "line 1, column 12: cannot set up the board: x has 16 pieces, but a side has at \
                 most 12",
            ),
            (
                "(;PL[x])",
                "line 1, column 5: PL[x] is not a colour; B and W are",
            ),
            (
                "(;;B[b1-b3]AB[d4])",
                "line 1, column 12: AB changes the board after the first move",
            ),
            (
                "(;;B[b1-b3];PL[B])",
                "line 1, column 15: PL gives x the turn, but it is o's",
            ),
        ] {
            assert_eq!(message(text), expected, "{text:?}");
        }
    }

    #[test]
    fn faults_of_the_moves_are_found_where_they_stand() {
        for (text, expected) in [
            (
                "(;GM[9];B[b1-b3]\n;B[c1-c3])",
                "line 2, column 3: move 2 (B[c1-c3]) is x's, but it is o's turn",
            ),
            (
                "(;W[a2-c2])",
                "line 1, column 4: move 1 (W[a2-c2]) is o's, but it is x's turn",
            ),
            (
                "(;B[b1-b4])",
                "line 1, column 4: move 1 (B[b1-b4]): b1-b4 is not legal: the line holds 2 \
                 pieces, so b1 moves exactly 2 squares",
            ),
            (
                "(;B[b1+b3])",
                "line 1, column 4: move 1 (B[b1+b3]): cannot read \"b1+b3\" as a move: expected \
                 two squares, as in b1-b3 or c1xa3, or `pass`",
            ),
            (
                "(;B[])",
                "line 1, column 4: move 1 (B[]): x cannot pass: it has 36 legal moves",
            ),
            (
                "(;B[b1-b3][c1-c3])",
                "line 1, column 3: B has 2 values, but takes one",
            ),
            (
                "(;B[Resign];W[a2-c2])",
                "line 1, column 14: move 1 (W[a2-c2]) comes after x resigned",
            ),
            (
                "(;AB[a1][a3]AW[h1][h8]\n;B[a3-b2];W[h1-h3])",
                "line 2, column 12: move 2 (W[h1-h3]): the game is over before it (x wins: all \
                 its pieces are connected)",
            ),
            (
                "(;AB[a1][a3]AW[h1][h8]\n;B[a3-b2];B[resign])",
                "line 2, column 12: move 2 (B[resign]): the game is over before it (x wins: all \
                 its pieces are connected)",
            ),
        ] {
            assert_eq!(message(text), expected, "{text:?}");
        }
    }
}
