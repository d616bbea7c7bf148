//! A game as SGF. Owns the layout; the same game always gives the same text,
//! without a date.

use super::{SgfGame, colour};
use crate::board::{Board, Move, Side};
use crate::game::Winner;

/// Moves on one line of the text.
const MOVES_PER_LINE: usize = 8;

/// Writes a game: what [`super::parse_sgf`] reads. The result is the board's
/// if it decides the game, else the other side's where one resigned, else the
/// one given, else `?`.
pub fn write_sgf(sgf: &SgfGame) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!("(;FF[4]GM[9]CA[UTF-8]AP[loatune:{version}]SZ[8]\n");
    for side in Side::BOTH {
        let player = &sgf.players[side.index()];
        if !player.is_empty() {
            text += &format!("P{}[{}]", colour(side), simple(player));
        }
    }
    text += &format!("RE[{}]\n", simple(&result(sgf)));
    text += &setup(sgf.game.first_board());
    if let Some(comment) = &sgf.comment {
        text += &format!("C[{}]\n", escaped(comment));
    }

    let moves = sgf.game.played().iter().zip(sgf.game.boards());
    let mut nodes: Vec<String> = moves
        .map(|(&mv, board)| format!(";{}[{}]", colour(board.turn()), move_text(mv)))
        .collect();
    nodes.extend(
        sgf.resigned
            .map(|side| format!(";{}[resign]", colour(side))),
    );
    for line in nodes.chunks(MOVES_PER_LINE) {
        text += &line.concat();
        text.push('\n');
    }
    text + ")\n"
}

fn result(sgf: &SgfGame) -> String {
    if let Some(outcome) = sgf.game.outcome() {
        return match outcome.winner {
            Winner::Side(side) => format!("{}+", colour(side)),
            Winner::Draw => "Draw".to_owned(),
        };
    }
    if let Some(side) = sgf.resigned {
        return format!("{}+Resign", colour(!side));
    }
    sgf.result.clone().unwrap_or_else(|| "?".to_owned())
}

/// The position that a game begins with.
pub(super) fn setup(first: &Board) -> String {
    if first.same_position(&Board::start()) {
        return "SU[Standard]\n".to_owned();
    }
    let mut text = String::new();
    for side in Side::BOTH {
        if first.pieces(side).is_empty() {
            continue;
        }
        text += &format!("A{}", colour(side));
        for square in first.pieces(side) {
            text += &format!("[{square}]");
        }
    }
    text + &format!("PL[{}]\n", colour(first.turn()))
}

pub(super) fn move_text(mv: Move) -> String {
    if mv.is_pass() {
        return "pass".to_owned();
    }
    let sign = if mv.is_capture() { ':' } else { '-' };
    format!("{}{sign}{}", mv.from(), mv.to())
}

/// A value of one line.
fn simple(text: &str) -> String {
    escaped(text).replace(char::is_whitespace, " ")
}

/// A value, with its brackets kept from ending it.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::{Game, NoMoves, Rules};
    use crate::notation::{parse_moves, parse_position};

    fn head() -> String {
        format!(
            "(;FF[4]GM[9]CA[UTF-8]AP[loatune:{}]SZ[8]\n",
            env!("CARGO_PKG_VERSION")
        )
    }

    #[test]
    fn an_unfinished_game() {
        let mut game = Game::new(Rules::default());
        assert_eq!(
            write_sgf(&SgfGame::new(game.clone())),
            head() + "RE[?]\nSU[Standard]\n)\n"
        );
        parse_moves(&mut game, "c1xa3 a2-c2 b1-b3").unwrap();
        let sgf = SgfGame {
            players: ["a ] \\".to_owned(), "two\nlines".to_owned()],
            result: Some("Void".to_owned()),
            comment: Some("[x]\n".to_owned()),
            resigned: None,
            ..SgfGame::new(game)
        };
        let expected = "PB[a \\] \\\\]PW[two lines]RE[Void]\nSU[Standard]\nC[[x\\]\n]\n\
                        ;B[c1:a3];W[a2-c2];B[b1-b3]\n)\n";
        assert_eq!(write_sgf(&sgf), head() + expected);
        let resigned = SgfGame {
            resigned: Some(Side::X),
            ..SgfGame::new(Game::new(Rules::default()))
        };
        assert_eq!(
            write_sgf(&resigned),
            head() + "RE[W+Resign]\nSU[Standard]\n;B[resign]\n)\n"
        );
    }

    #[test]
    fn a_finished_game_from_another_position() {
        let board = parse_position("7o/8/8/8/8/x7/8/x6o x").unwrap();
        let mut game = Game::from_board(Rules::default(), board);
        parse_moves(&mut game, "a3-b2").unwrap();
        let sgf = SgfGame {
            result: Some("W+".to_owned()),
            ..SgfGame::new(game)
        };
        assert_eq!(
            write_sgf(&sgf),
            head() + "RE[B+]\nAB[a1][a3]AW[h1][h8]PL[B]\n;B[a3-b2]\n)\n"
        );
    }

    #[test]
    fn a_pass_is_written() {
        let rules = Rules {
            no_moves: NoMoves::Passes,
            ..Rules::default()
        };
        let stuck = parse_position("6xo/6xx/8/8/8/8/xx6/ox6 o").unwrap();
        let mut game = Game::from_board(rules, stuck);
        parse_moves(&mut game, "pass").unwrap();
        let text = write_sgf(&SgfGame::new(game));
        assert!(text.ends_with("PL[W]\n;W[pass]\n)\n"), "{text}");
    }
}
