//! The board as lines of text, for every command that draws one. Owns marks
//! and colours; it does not print.

use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};

use crate::board::{Bitboard, Board, Side, Square};

/// From which side a board is drawn, and what stands out on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// The side at the lower edge.
    pub(crate) below: Side,
    /// Squares that stand out: `*` where empty, else a piece in capitals.
    pub(crate) marked: Bitboard,
}

impl Default for View {
    fn default() -> View {
        View {
            below: Side::X,
            marked: Bitboard::EMPTY,
        }
    }
}

/// The board with its coordinates, in colours. The writer of standard output
/// strips the colours where no terminal shows them.
pub(crate) fn drawing(board: &Board, view: &View) -> String {
    let faint = Style::new().dimmed();
    let upwards: Vec<u8> = (0..8).collect();
    let downwards: Vec<u8> = (0..8).rev().collect();
    let (files, ranks) = match view.below {
        Side::X => (&upwards, &downwards),
        Side::O => (&downwards, &upwards),
    };
    let letters: String = files
        .iter()
        .map(|&file| format!(" {}", (b'a' + file) as char))
        .collect();
    let edge = format!("{faint}   {letters}{faint:#}\n");
    let mut text = edge.clone();
    for &rank in ranks {
        let label = rank + 1;
        let _ = write!(text, "{faint}  {label}{faint:#}");
        for &file in files {
            let (mark, style) = mark(board, Square::at(file, rank), view.marked);
            let _ = write!(text, " {style}{mark}{style:#}");
        }
        let _ = writeln!(text, " {faint}{label}{faint:#}");
    }
    text + &edge
}

fn mark(board: &Board, square: Square, marked: Bitboard) -> (char, Style) {
    let owner = Side::BOTH
        .into_iter()
        .find(|&side| board.pieces(side).has(square));
    let standing_out = AnsiColor::Green.on_default().bold();
    match (owner, marked.has(square)) {
        (Some(side), false) => (side.letter(), style(side)),
        (Some(side), true) => (side.letter().to_ascii_uppercase(), standing_out),
        (None, false) => ('.', Style::new().dimmed()),
        (None, true) => ('*', standing_out),
    }
}

fn style(side: Side) -> Style {
    let colour = match side {
        Side::X => AnsiColor::Yellow,
        Side::O => AnsiColor::Cyan,
    };
    colour.on_default().bold()
}
