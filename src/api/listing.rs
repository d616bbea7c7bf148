//! The legal moves of a position and whether the game is over: what
//! `loatune moves --json` prints.

use serde::Serialize;
use utoipa::ToSchema;

use super::schema::{MoveText, PositionText, ReasonName, SideName, WinnerName};
use crate::game::{Game, Reason, Winner};
use crate::notation;

/// A position and what may be played in it; `loatune moves --json` prints the
/// same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Listing {
    /// The position.
    #[schema(value_type = PositionText)]
    pub position: String,
    /// The side to move.
    #[schema(value_type = SideName)]
    pub side_to_move: String,
    /// The legal moves, sorted as texts.
    #[schema(value_type = Vec<MoveText>)]
    pub legal_moves: Vec<String>,
    /// The side that won, or `draw`; null while the game goes on.
    #[schema(value_type = Option<WinnerName>)]
    pub result: Option<&'static str>,
    /// The rule that ended the game; null while the game goes on.
    #[schema(value_type = Option<ReasonName>)]
    pub reason: Option<&'static str>,
}

impl Listing {
    /// The listing of a game's present position.
    pub fn new(game: &Game) -> Listing {
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

/// The legal moves as texts, sorted.
pub fn sorted_moves(game: &Game) -> Vec<String> {
    let mut moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
    moves.sort();
    moves
}
