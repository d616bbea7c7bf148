//! The positions of a game, each with what came of it.

use crate::arena::{EndCause, GameRecord};
use crate::board::{Bitboard, Board, Move, Side};
use crate::params::SchoolParams;
use crate::stats::Points;

/// A position of a game, with what it teaches: 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// The pieces of Black and White.
    pub pieces: [Bitboard; 2],
    /// The side to move.
    pub turn: Side,
    /// Plies played before it, those of the opening included.
    pub plies: u16,
    /// What Black got out of it, from 0 to 1: the outcome of the game, or a
    /// blend of it with other knowledge.
    pub target: f32,
    /// How much it counts beside others.
    pub weight: f32,
}

impl Position {
    /// The position as a board.
    pub fn board(&self) -> Board {
        Board::new(self.pieces, self.turn).expect("a position of a game is a board")
    }
}

/// Which positions of a game are looked at: those after its opening, but for
/// the last ones, which are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Positions at the end that are left out, the final one included.
    pub skip_last: usize,
    /// Whether positions in which a capture was played are left out.
    pub quiet_only: bool,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling {
            skip_last: 2,
            quiet_only: false,
        }
    }
}

/// As in the lessons of a run with these parameters.
impl From<&SchoolParams> for Sampling {
    fn from(school: &SchoolParams) -> Sampling {
        Sampling {
            skip_last: school.skip_last as usize,
            quiet_only: school.quiet,
        }
    }
}

/// The sampled positions of one game. They are not independent of each other,
/// so whatever is held out or drawn again is so game by game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampledGame {
    /// In the order of the game.
    pub positions: Vec<Position>,
}

impl SampledGame {
    /// The positions of a finished game. One that a fault ended has none: its
    /// outcome says nothing about them.
    pub fn from_record(record: &GameRecord, sampling: &Sampling) -> SampledGame {
        if let EndCause::Fault(_) = record.outcome.cause {
            return SampledGame::default();
        }
        let points = match record.points(Side::X) {
            Points::Win => 1.0,
            Points::Draw => 0.5,
            Points::Loss => 0.0,
        };
        let opening = record.opening_plies as usize;
        SampledGame::from_moves(&record.first, &record.moves, opening, points, sampling)
    }

    /// The positions of a game from its legal moves, of which the first
    /// `opening` are not looked at; `points` are Black's, from 0 to 1.
    pub fn from_moves(
        first: &Board,
        moves: &[Move],
        opening: usize,
        points: f32,
        sampling: &Sampling,
    ) -> SampledGame {
        let mut board = *first;
        let mut positions = Vec::new();
        // There is one position more than there are moves.
        let end = (moves.len() + 1).saturating_sub(sampling.skip_last);
        for (ply, &mv) in moves.iter().enumerate().take(end) {
            if ply >= opening && !(sampling.quiet_only && mv.is_capture()) {
                positions.push(Position {
                    pieces: Side::BOTH.map(|side| board.pieces(side)),
                    turn: board.turn(),
                    plies: u16::try_from(ply).unwrap_or(u16::MAX),
                    target: points,
                    weight: 1.0,
                });
            }
            board = if mv.is_pass() {
                board.pass()
            } else {
                board.play(mv)
            };
        }
        SampledGame { positions }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::notation::parse_move;

    fn moves(texts: &[&str]) -> Vec<Move> {
        let mut board = Board::start();
        let mut moves = Vec::new();
        for text in texts {
            let mv = parse_move(&board, text).unwrap();
            board = board.play(mv);
            moves.push(mv);
        }
        moves
    }

    #[test]
    fn opening_and_end_are_left_out() {
        let moves = moves(&["b1-b3", "a2-c2", "c1xa3", "a4-c4", "d1-d3"]);
        let first = Board::start();
        let plies = |sampling: &Sampling, opening| {
            let game = SampledGame::from_moves(&first, &moves, opening, 1.0, sampling);
            game.positions.iter().map(|p| p.plies).collect::<Vec<_>>()
        };
        assert_eq!(plies(&Sampling::default(), 0), [0, 1, 2, 3]);
        assert_eq!(plies(&Sampling::default(), 2), [2, 3]);
        assert!(plies(&Sampling::default(), 9).is_empty());
        let quiet = Sampling {
            skip_last: 1,
            quiet_only: true,
        };
        assert_eq!(plies(&quiet, 1), [1, 3, 4]);
        let long = Sampling {
            skip_last: 99,
            ..quiet
        };
        assert!(plies(&long, 0).is_empty());
        let game = SampledGame::from_moves(&first, &moves, 1, 0.5, &Sampling::default());
        let position = &game.positions[0];
        assert_eq!((position.turn, position.target), (Side::O, 0.5));
        assert_eq!(position.board(), first.play(moves[0]));
    }
}
