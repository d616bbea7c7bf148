//! `loatune show`: a position as a person looks at it.

use std::fmt::Write as _;
use std::io::Write;

use clap::Args;
use serde::Serialize;

use crate::board::Side;
use crate::cli::args::{PositionArg, RuleFlags};
use crate::cli::output::{View, count, drawing, write_json, write_text};
use crate::game::{Game, Reason, Winner};
use crate::notation;

/// Draw a position and count its pieces and groups
///
/// A side whose pieces form one group has won: the fewer groups, the closer it
/// is.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  loatune show 1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x
  loatune show --json '8/2x5/8/3x4/3oo3/8/6o1/x7 o'
  NO_COLOR=1 loatune show - < position.txt

Colours appear on a terminal; NO_COLOR=1 turns them off, CLICOLOR_FORCE=1 on.
JSON: position, side_to_move, pieces {x, o}, groups {x, o}, result, reason.")]
pub(crate) struct Show {
    #[command(flatten)]
    position: PositionArg,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

#[derive(Serialize)]
struct Facts {
    position: String,
    side_to_move: String,
    pieces: BothSides,
    groups: BothSides,
    result: Option<&'static str>,
    reason: Option<&'static str>,
}

#[derive(Serialize)]
struct BothSides {
    x: u32,
    o: u32,
}

impl BothSides {
    fn from_fn(count: impl Fn(Side) -> u32) -> BothSides {
        BothSides {
            x: count(Side::X),
            o: count(Side::O),
        }
    }
}

impl Show {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let game = Game::from_board(self.rules.rules()?, self.position.board()?);
        if self.json {
            write_json(out, &facts(&game))
        } else {
            let board = drawing(game.board(), &View::default());
            write_text(out, &(board + "\n" + &text(&game)))
        }
    }
}

fn facts(game: &Game) -> Facts {
    let board = game.board();
    let outcome = game.outcome();
    Facts {
        position: notation::position_text(board),
        side_to_move: board.turn().to_string(),
        pieces: BothSides::from_fn(|side| board.pieces(side).len()),
        groups: BothSides::from_fn(|side| board.pieces(side).groups()),
        result: outcome.map(|end| Winner::name(end.winner)),
        reason: outcome.map(|end| Reason::name(end.reason)),
    }
}

fn text(game: &Game) -> String {
    let board = game.board();
    let mut text = notation::position_text(board) + "\n";
    for side in Side::BOTH {
        let pieces = board.pieces(side);
        let _ = writeln!(
            text,
            "{side}: {} in {}",
            count(pieces.len() as usize, "piece"),
            count(pieces.groups() as usize, "group"),
        );
    }
    let _ = match game.outcome() {
        Some(outcome) => writeln!(text, "{outcome}"),
        None => writeln!(text, "{} to move", board.turn()),
    };
    text
}
