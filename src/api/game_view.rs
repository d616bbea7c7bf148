//! A game that a request describes: its values from position to position
//! (`/api/curve`), and games read from SGF (`/api/sgf`).

use serde::Serialize;
use utoipa::ToSchema;

use super::analysis::move_names;
use super::schema::{MoveText, PositionText, SideName};
use crate::notation::{SgfGame, position_text};

/// What each position of a game is worth to Black.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Curve {
    /// The name of the weights.
    pub weights: String,
    /// The depth of the searches, in plies; 0 evaluates without a search.
    pub depth: u32,
    /// The values of the positions in order, in points for Black; null from
    /// where the time was over.
    pub values: Vec<Option<i32>>,
    /// Black's chance in each position, from 0 to 1, as `/api/chance` gives it;
    /// null where it is not known.
    pub chances: Vec<Option<f64>>,
}

/// Games read from SGF.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SgfGames {
    /// The games in the order of the text.
    pub games: Vec<SgfGameView>,
}

/// A game read from SGF.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SgfGame)]
pub struct SgfGameView {
    /// The names of Black and White; empty where the text has none.
    #[schema(min_items = 2, max_items = 2)]
    pub players: [String; 2],
    /// The position that the game began with.
    #[schema(value_type = PositionText)]
    pub first: String,
    /// The moves from there.
    #[schema(value_type = Vec<MoveText>)]
    pub moves: Vec<String>,
    /// The result as the text gives it; null where it gives none.
    pub result: Option<String>,
    /// The comment on the game; null where there is none.
    pub comment: Option<String>,
    /// The side that resigned; null where neither did.
    #[schema(value_type = Option<SideName>)]
    pub resigned: Option<String>,
}

impl From<&SgfGame> for SgfGameView {
    fn from(sgf: &SgfGame) -> SgfGameView {
        SgfGameView {
            players: sgf.players.clone(),
            first: position_text(sgf.game.first_board()),
            moves: move_names(sgf.game.played()),
            result: sgf.result.clone(),
            comment: sgf.comment.clone(),
            resigned: sgf.resigned.map(|side| side.to_string()),
        }
    }
}
