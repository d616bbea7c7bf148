//! What the page asks the engine for beside an analysis: several best lines of a
//! position (`/api/lines`), and a pair of games between two sets of weights
//! (`/api/duel`).

use serde::Serialize;
use utoipa::ToSchema;

use super::schema::{MoveText, PositionText, WinnerName};
use crate::arena::GameRecord;
use crate::notation::position_text;

/// The best moves of a position.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Lines)]
pub struct LinesView {
    /// The name of the weights.
    pub weights: String,
    /// The depth that was searched, in plies; 0 where the game is over or there
    /// was no time.
    pub depth: u32,
    /// The lines, the best first.
    pub lines: Vec<LineView>,
}

/// A move and what follows.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Line)]
pub struct LineView {
    /// The value, in points for Black.
    pub value: i32,
    /// Plies until the game is decided; null where the search sees no end.
    pub plies_to_end: Option<u32>,
    /// The principal variation, the move itself first.
    #[schema(value_type = Vec<MoveText>)]
    pub moves: Vec<String>,
}

/// Two games of one opening, colours swapped.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Duel)]
pub struct DuelView {
    /// The names of both sets of weights; the first is Black in the first game.
    #[schema(min_items = 2, max_items = 2)]
    pub weights: [String; 2],
    /// The number of the opening.
    pub opening: u64,
    /// The search depth of both, in plies.
    pub depth: u32,
    /// What the first set of weights scored in each game: 1, a half or 0.
    #[schema(min_items = 2, max_items = 2)]
    pub scores: [f64; 2],
    /// Both games.
    #[schema(min_items = 2, max_items = 2)]
    pub games: [DuelGame; 2],
}

/// A game of two sets of weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DuelGame {
    /// The position that the game began with.
    #[schema(value_type = PositionText)]
    pub first: String,
    /// All moves, those of the opening first.
    #[schema(value_type = Vec<MoveText>)]
    pub moves: Vec<String>,
    /// The side that won, or `draw`.
    #[schema(value_type = WinnerName)]
    pub result: String,
    /// Why the game ended.
    pub reason: String,
}

impl From<&GameRecord> for DuelGame {
    fn from(record: &GameRecord) -> DuelGame {
        DuelGame {
            first: position_text(&record.first),
            moves: record.moves.iter().map(ToString::to_string).collect(),
            result: record.outcome.winner.name().to_owned(),
            reason: record.outcome.cause.name().to_owned(),
        }
    }
}
