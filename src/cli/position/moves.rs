//! `loatune moves`: what may be played in a position.

use std::io::Write;

use clap::Args;

use crate::api::{Listing, sorted_moves};
use crate::cli::args::{PositionArg, RuleFlags};
use crate::cli::output::{count, write_json, write_text};
use crate::game::Game;

/// List the legal moves of a position and say whether the game is over
///
/// A position stands for itself, without the moves that led to it, so only
/// connection and a side without moves end the game here. A finished game has
/// no legal moves.
#[derive(Debug, Args)]
#[command(after_help = "\
Moves are written b1-b3, captures c1xa3; under --no-moves passes, a side
without a move has the one move `pass`.

Examples:
  loatune moves 1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x
  loatune moves --json '8/2x5/8/3x4/3oo3/8/6o1/x7 o'
  echo '8/2x5/8/3x4/3oo3/8/6o1/x7 o' | loatune moves -

JSON: position, side_to_move, legal_moves (sorted), result (null, \"x\", \"o\",
\"draw\"), reason (null, \"connected\", \"both-connected\", \"no-moves\").")]
pub(crate) struct Moves {
    #[command(flatten)]
    position: PositionArg,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

impl Moves {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let game = Game::from_board(self.rules.rules()?, self.position.board()?);
        if self.json {
            write_json(out, &Listing::new(&game))
        } else {
            write_text(out, &text(&game))
        }
    }
}

/// The legal moves for people, or how the game ended.
pub(crate) fn text(game: &Game) -> String {
    const IN_A_ROW: usize = 9;
    if let Some(outcome) = game.outcome() {
        return format!("{outcome}\n");
    }
    let captures = game.moves().iter().filter(|mv| mv.is_capture()).count();
    let moves = sorted_moves(game);
    let mut text = format!(
        "{} to move: {}, {}\n",
        game.turn(),
        count(moves.len(), "legal move"),
        count(captures, "capture"),
    );
    for row in moves.chunks(IN_A_ROW) {
        text += &(row.join("  ") + "\n");
    }
    text
}
