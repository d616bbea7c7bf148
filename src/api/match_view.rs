//! A match of an evolution with both its games: `/api/matches` and
//! `/api/matches/{id}`.

use serde::{Deserialize, Serialize};

use crate::arena::GameRecord;
use crate::evolve::{FileId, MatchResult};
use crate::notation::position_text;

/// A page of matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchesView {
    /// The newest first.
    pub matches: Vec<MatchRow>,
    /// The number below which to go on; `None` after the oldest match.
    pub before: Option<u64>,
}

/// A match in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchRow {
    /// Its number in the run, from 0.
    pub number: u64,
    /// Who played; the first was Black in the first game.
    pub files: [FileId; 2],
    /// Whether it belongs to the final.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The mean of the games' scaled final evaluations for the first file, -1
    /// to 1.
    pub score: f64,
    /// Both games in short.
    pub games: [GameRow; 2],
}

/// A game in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRow {
    /// `x`, `o` or `draw`.
    pub result: String,
    /// Why it ended.
    pub reason: String,
    /// Plies played, those of the opening included.
    pub plies: u32,
}

/// A match with all moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchView {
    /// Its number in the run, from 0.
    pub number: u64,
    /// Who played; the first was Black in the first game.
    pub files: [FileId; 2],
    /// Whether it belongs to the final.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The mean of the games' scaled final evaluations for the first file, -1
    /// to 1.
    pub score: f64,
    /// The same opening twice, colours swapped.
    pub games: [GameView; 2],
}

/// A game with all moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameView {
    /// Black and White.
    pub files: [FileId; 2],
    /// Their names.
    pub players: [String; 2],
    /// The first position.
    pub first: String,
    /// How many of the moves are the opening's.
    pub opening_plies: u32,
    /// All moves, those of the opening first.
    pub moves: Vec<String>,
    /// `x`, `o` or `draw`.
    pub result: String,
    /// Why it ended.
    pub reason: String,
    /// Plies played, those of the opening included.
    pub plies: u32,
    /// Groups that the loser's pieces form at the end.
    pub loser_groups: Option<u32>,
    /// What the winner thought of its last position.
    pub final_value: Option<i32>,
    /// Positions visited, by Black and by White.
    pub nodes: [u64; 2],
}

impl GameRow {
    /// A game in short.
    pub fn of(record: &GameRecord) -> GameRow {
        GameRow {
            result: record.outcome.winner.name().to_owned(),
            reason: record.outcome.cause.name().to_owned(),
            plies: record.plies(),
        }
    }
}

impl MatchRow {
    /// A match in short.
    pub fn of(result: &MatchResult, is_final: bool, games: &[GameRecord; 2]) -> MatchRow {
        MatchRow {
            number: result.number,
            files: result.files,
            is_final,
            score: result.score,
            games: [GameRow::of(&games[0]), GameRow::of(&games[1])],
        }
    }
}

impl MatchView {
    /// A match: the first file is Black in the first game, the second in the
    /// second.
    pub fn of(result: &MatchResult, is_final: bool, games: &[GameRecord; 2]) -> MatchView {
        let [first, second] = result.files;
        MatchView {
            number: result.number,
            files: result.files,
            is_final,
            score: result.score,
            games: [
                GameView::of(&games[0], [first, second]),
                GameView::of(&games[1], [second, first]),
            ],
        }
    }
}

impl GameView {
    /// A game between two files, Black's first.
    pub fn of(record: &GameRecord, files: [FileId; 2]) -> GameView {
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
