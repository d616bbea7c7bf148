//! Games as a table of their positions, for people who learn from them: what each
//! side has, what was played, and how the game ended. The columns of the features
//! follow from the table of feature genes, so a new feature has its columns.

use std::fmt::Write as _;

use super::record::GameRecord;
use crate::board::Side;
use crate::eval::Weights;
use crate::eval::features::{FEATURE_GENES, ShapeTables, features};
use crate::eval::genes::TABLE;
use crate::eval::power::ONE;
use crate::game::Winner;
use crate::notation::position_text;

/// Where a game belongs that goes into the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameNumbers {
    /// The number of the game, from 1.
    pub game: u64,
    /// The number of its match, from 0.
    pub match_number: u64,
    /// The files that played Black and White.
    pub files: [u64; 2],
}

/// Turns games into rows of CSV, one a position in which a move was played.
///
/// | column | meaning |
/// |---|---|
/// | `game`, `match` | which game of which match |
/// | `ply` | plies played before, those of the opening included |
/// | `turn` | the side to move, `x` or `o` |
/// | `position`, `move` | the position, and the move that was played in it |
/// | `opening` | 1 where the move belongs to the random opening, else 0 |
/// | `own_file`, `other_file` | the files of the side to move and of the other |
/// | `own_NAME`, `other_NAME` | the feature as the weight NAME multiplies it |
/// | `outcome` | 1 won, 0 drawn, -1 lost by the side to move |
/// | `value` | what the search of the side to move gave, where it is stored |
pub struct PositionTable {
    shapes: ShapeTables,
}

impl PositionTable {
    /// A table whose features have the shapes (powers, hole penalty) of `weights`.
    pub fn new(weights: &Weights) -> PositionTable {
        PositionTable {
            shapes: ShapeTables::new(weights),
        }
    }

    /// The first line, with the names of the columns.
    pub fn header() -> String {
        let name = |gene: &crate::eval::genes::GeneId| TABLE[*gene as usize].name;
        let of = |whose: &str| -> String {
            FEATURE_GENES
                .iter()
                .map(|gene| format!("{whose}_{},", name(gene)))
                .collect()
        };
        format!(
            "game,match,ply,turn,position,move,opening,own_file,other_file,{}{}outcome,value\n",
            of("own"),
            of("other")
        )
    }

    /// Adds the rows of a game to `text`; returns how many.
    pub fn add(&self, text: &mut String, record: &GameRecord, numbers: GameNumbers) -> u64 {
        let winner = match record.outcome.winner {
            Winner::Side(side) => Some(side),
            Winner::Draw => None,
        };
        let opening = record.opening_plies as usize;
        let turns = |ply: usize| {
            let begins = record.first.turn();
            if ply.is_multiple_of(2) {
                begins
            } else {
                !begins
            }
        };
        // The stored value is that of the winner's last choice.
        let valued = (opening..record.moves.len())
            .rev()
            .find(|&ply| Some(turns(ply)) == winner);
        let mut board = record.first;
        for (ply, &mv) in record.moves.iter().enumerate() {
            let turn = board.turn();
            let [own, other] = [turn, !turn].map(Side::index);
            let _ = write!(
                text,
                "{},{},{ply},{},{},{mv},{},{},{},",
                numbers.game,
                numbers.match_number,
                turn.letter(),
                position_text(&board),
                u8::from(ply < opening),
                numbers.files[own],
                numbers.files[other],
            );
            for side in [turn, !turn] {
                for units in features(&self.shapes, &board, board.movers(), side) {
                    let _ = write!(text, "{},", f64::from(units) / f64::from(ONE));
                }
            }
            let outcome = winner.map_or(0, |winner| if winner == turn { 1 } else { -1 });
            let value = record.final_value.filter(|_| Some(ply) == valued);
            let value = value.map_or_else(String::new, |value| value.to_string());
            let _ = writeln!(text, "{outcome},{value}");
            board = if mv.is_pass() {
                board.pass()
            } else {
                board.play(mv)
            };
        }
        record.moves.len() as u64
    }
}
