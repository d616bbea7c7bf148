//! The legal moves of a position and whether the game is over: what
//! `loatune moves --json` prints.

use serde::Serialize;

use crate::game::{Game, Reason, Winner};
use crate::notation;

/// A position and what may be played in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listing {
    /// The position.
    pub position: String,
    /// `x` or `o`.
    pub side_to_move: String,
    /// Sorted.
    pub legal_moves: Vec<String>,
    /// `x`, `o` or `draw` once the game is over.
    pub result: Option<&'static str>,
    /// Why it is over.
    pub reason: Option<&'static str>,
}

impl Listing {
    /// The listing of a game's present position.
    pub fn of(game: &Game) -> Listing {
        let outcome = game.outcome();
        Listing {
            position: notation::position_text(game.board()),
            side_to_move: game.turn().to_string(),
            legal_moves: sorted_moves(game),
            result: outcome.map(|end| Winner::name(end.winner)),
            reason: outcome.map(|end| Reason::name(end.reason)),
        }
    }
}

/// The legal moves as text.
pub fn sorted_moves(game: &Game) -> Vec<String> {
    let mut moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
    moves.sort();
    moves
}
