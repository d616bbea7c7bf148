//! The moves of a position of a book, for people and for programs.

use serde::Serialize;

use crate::book::{BookMove, BookPosition};
use crate::cli::output::{Column, TextTable, thousands};
use crate::notation::position_text;

/// A position and its moves.
#[derive(Serialize)]
pub(super) struct PositionRow {
    pub(super) position: String,
    pub(super) moves: Vec<MoveRow>,
}

/// A move; the score is that of the side that plays it, in percent.
#[derive(Serialize)]
pub(super) struct MoveRow {
    #[serde(rename = "move")]
    pub(super) mv: String,
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    pub(super) score: f64,
    pub(super) error: f64,
}

impl From<&BookPosition> for PositionRow {
    fn from(position: &BookPosition) -> PositionRow {
        PositionRow {
            position: position_text(&position.board),
            moves: position.moves.iter().map(MoveRow::from).collect(),
        }
    }
}

impl From<&BookMove> for MoveRow {
    fn from(known: &BookMove) -> MoveRow {
        MoveRow {
            mv: known.mv.to_string(),
            games: known.games(),
            wins: known.record.wins,
            draws: known.record.draws,
            losses: known.record.losses,
            score: 100.0 * known.score(),
            error: 100.0 * known.error(),
        }
    }
}

impl PositionRow {
    /// A table, the move that is most surely good first.
    pub(super) fn text(&self) -> String {
        let mut table = TextTable::new(vec![
            Column::left("move"),
            Column::right("games").at_least(7),
            Column::right("won").at_least(6),
            Column::right("drawn").at_least(6),
            Column::right("lost").at_least(6),
            Column::right("score").at_least(7),
            Column::right("error").at_least(7),
        ]);
        for row in &self.moves {
            table.row(vec![
                row.mv.clone(),
                thousands(row.games),
                thousands(row.wins),
                thousands(row.draws),
                thousands(row.losses),
                format!("{:.1} %", row.score),
                format!("{:.1}", row.error),
            ]);
        }
        table.text()
    }
}
