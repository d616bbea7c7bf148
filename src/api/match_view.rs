//! A match of an evolution with both its games: `/api/matches` and
//! `/api/matches/{id}`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::schema::{MoveText, PositionText, WinnerName};
use crate::arena::GameRecord;
use crate::evolve::{FileId, MatchResult};
use crate::notation::position_text;

/// A page of matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Matches)]
pub struct MatchesView {
    /// The matches, the newest first.
    pub matches: Vec<MatchRow>,
    /// The number below which to go on; null after the oldest match.
    pub before: Option<u64>,
}

/// A match in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MatchRow {
    /// The match's number in the run, from 0.
    pub number: u64,
    /// The files that played; the first one was Black in the first game.
    #[schema(min_items = 2, max_items = 2)]
    pub files: [FileId; 2],
    /// Whether the match belongs to the final.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The mean of the games' scaled final evaluations for the first file, from
    /// -1 to 1.
    #[schema(minimum = -1, maximum = 1)]
    pub score: f64,
    /// Both games in short, in the order in which they were played.
    #[schema(min_items = 2, max_items = 2)]
    pub games: [GameRow; 2],
}

/// A game without its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameRow {
    /// The side that won, or `draw`.
    #[schema(value_type = WinnerName)]
    pub result: String,
    /// Why the game ended.
    pub reason: String,
    /// Plies played, those of the opening included.
    pub plies: u32,
}

/// A match with all moves of both games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Match)]
pub struct MatchView {
    /// The match's number in the run, from 0.
    pub number: u64,
    /// The files that played; the first one was Black in the first game.
    #[schema(min_items = 2, max_items = 2)]
    pub files: [FileId; 2],
    /// Whether the match belongs to the final.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The mean of the games' scaled final evaluations for the first file, from
    /// -1 to 1.
    #[schema(minimum = -1, maximum = 1)]
    pub score: f64,
    /// Both games: the same opening, with the colours swapped.
    #[schema(min_items = 2, max_items = 2)]
    pub games: [GameView; 2],
}

/// A game with all its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Game)]
pub struct GameView {
    /// The files that played Black and White.
    #[schema(min_items = 2, max_items = 2)]
    pub files: [FileId; 2],
    /// The names of Black and White.
    #[schema(min_items = 2, max_items = 2)]
    pub players: [String; 2],
    /// The position that the game began with.
    #[schema(value_type = PositionText)]
    pub first: String,
    /// How many of the moves belong to the opening.
    pub opening_plies: u32,
    /// All moves, those of the opening first.
    #[schema(value_type = Vec<MoveText>)]
    pub moves: Vec<String>,
    /// The side that won, or `draw`.
    #[schema(value_type = WinnerName)]
    pub result: String,
    /// Why the game ended.
    pub reason: String,
    /// Plies played, those of the opening included.
    pub plies: u32,
    /// Groups that the loser's pieces form at the end; null after a draw.
    pub loser_groups: Option<u32>,
    /// The winner's value of the last position that it searched, in points;
    /// null where there is none.
    pub final_value: Option<i32>,
    /// Positions visited by Black's and by White's searches.
    #[schema(min_items = 2, max_items = 2)]
    pub nodes: [u64; 2],
}

impl From<&GameRecord> for GameRow {
    fn from(record: &GameRecord) -> GameRow {
        GameRow {
            result: record.outcome.winner.name().to_owned(),
            reason: record.outcome.cause.name().to_owned(),
            plies: record.plies(),
        }
    }
}

impl MatchRow {
    /// A row from a match's result and its games.
    pub fn new(result: &MatchResult, is_final: bool, games: &[GameRecord; 2]) -> MatchRow {
        MatchRow {
            number: result.number,
            files: result.files,
            is_final,
            score: result.score,
            games: games.each_ref().map(GameRow::from),
        }
    }
}

impl MatchView {
    /// A match: the first file is Black in the first game, the second in the
    /// second.
    pub fn new(result: &MatchResult, is_final: bool, games: &[GameRecord; 2]) -> MatchView {
        let [first, second] = result.files;
        MatchView {
            number: result.number,
            files: result.files,
            is_final,
            score: result.score,
            games: [
                GameView::new(&games[0], [first, second]),
                GameView::new(&games[1], [second, first]),
            ],
        }
    }
}

impl GameView {
    /// A game between two files, Black's first.
    pub fn new(record: &GameRecord, files: [FileId; 2]) -> GameView {
        GameView {
            files,
            players: record.players.clone(),
            first: position_text(&record.first),
            opening_plies: record.opening_plies,
            moves: record.moves.iter().map(ToString::to_string).collect(),
            result: record.outcome.winner.name().to_owned(),
            reason: record.outcome.cause.name().to_owned(),
            plies: record.plies(),
            loser_groups: record.loser_groups,
            final_value: record.final_value,
            nodes: record.nodes,
        }
    }
}
