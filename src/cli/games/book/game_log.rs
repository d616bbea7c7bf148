//! The games of a book that is being made, a line each, so that the same command
//! goes on after a kill.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::arena::Opening;
use crate::board::{Move, Side};
use crate::cli::games::line_log::{LineFault, LineLog, LogKind};
use crate::game::{Game, Rules, Winner};
use crate::learn::book::{BookGame, Planner};
use crate::notation::parse_move;

const KIND: LogKind = LogKind {
    format: "loatune book games",
    version: 1,
    flag: "",
    content: "games of `loatune book build`",
    remedy: "Give the same ones, or another file to -o",
};

/// A file of games that grows.
pub(super) struct GameLog(LineLog);

/// A game as its line holds it.
#[derive(Serialize, Deserialize)]
struct SavedGame {
    game: u64,
    /// The moves after the opening that the book was asked for.
    moves: Vec<String>,
    /// `x`, `o` or `draw`.
    winner: String,
}

impl GameLog {
    /// Opens or begins the file, and lets the planner count its games, at most
    /// `games`.
    ///
    /// # Errors
    /// Bad usage where it holds something else or games of other settings, or is
    /// in use; and errors of the file system.
    pub(super) fn open(
        path: &Path,
        settings: &Value,
        planner: &mut Planner,
        games: u64,
        rules: &Rules,
    ) -> anyhow::Result<GameLog> {
        let log = LineLog::open(path, &KIND, settings, &mut |line| {
            planner.plan(games);
            let Some(plan) = planner.under_way().next() else {
                let what = format!("holds more than the {games} games that are asked for");
                return Err(LineFault::Refused(what));
            };
            let opening = Opening {
                moves: plan.opening.moves[..plan.opening_plies].to_vec(),
                ..plan.opening.clone()
            };
            let game = read_game(line, &opening, rules).map_err(LineFault::Damaged)?;
            let counted = planner.count(&game);
            counted.map_err(|error| LineFault::Damaged(error.to_string()))
        })?;
        Ok(GameLog(log))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&mut self, game: &BookGame) -> anyhow::Result<()> {
        self.0.append(&SavedGame {
            game: game.number,
            moves: game.moves.iter().map(Move::to_string).collect(),
            winner: match game.winner {
                Winner::Side(side) => side.to_string(),
                Winner::Draw => String::from("draw"),
            },
        })
    }

    /// Makes everything safe.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.0.finish()
    }
}

fn read_game(line: &str, opening: &Opening, rules: &Rules) -> Result<BookGame, String> {
    let saved: SavedGame = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let mut game: Game = opening.game(rules).ok_or("its opening is over")?;
    let mut moves = Vec::new();
    for text in &saved.moves {
        let mv = match text.as_str() {
            "pass" => Move::PASS,
            text => parse_move(game.board(), text).map_err(|error| error.to_string())?,
        };
        game.play(mv).map_err(|error| error.to_string())?;
        moves.push(mv);
    }
    let winner = match saved.winner.as_str() {
        "x" => Winner::Side(Side::X),
        "o" => Winner::Side(Side::O),
        "draw" => Winner::Draw,
        other => return Err(format!("{other:?} is no winner")),
    };
    Ok(BookGame {
        number: saved.game,
        moves,
        winner,
    })
}
