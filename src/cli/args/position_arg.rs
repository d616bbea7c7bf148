//! Positions on the command line: as one argument, as several, or from
//! standard input.

use std::io;

use anyhow::Context;
use clap::Args;

use crate::board::Board;
use crate::cli::output::BadUsage;
use crate::notation;
use crate::util::input_file::{self, MAX_DOCUMENT_BYTES};

/// A position as the only positional argument of a command.
#[derive(Debug, Args)]
pub(crate) struct PositionArg {
    /// The position: ranks 8 to 1 and the side to move, quoted or not; - reads
    /// it from standard input
    ///
    /// Ranks stand from 8 down to 1 with a / between them, x and o for pieces
    /// and digits for runs of empty squares; then comes a space and the side to
    /// move. `startpos` is the start of every game, and the FEN that
    /// PlayStrategy shows is read too.
    #[arg(value_name = "TEXT", required = true, num_args = 1..)]
    words: Vec<String>,
}

impl PositionArg {
    /// The board of the position.
    ///
    /// # Errors
    /// The words are no position, or standard input cannot be read.
    pub(crate) fn board(&self) -> anyhow::Result<Board> {
        parse_board(&self.words)
    }
}

/// The board that the words of a position make; a single `-` stands for the
/// text on standard input.
///
/// # Errors
/// The words are no position, or standard input cannot be read.
pub(crate) fn parse_board(words: &[String]) -> anyhow::Result<Board> {
    let text = match words {
        [dash] if dash == "-" => standard_input().context("cannot read standard input")?,
        words => words.join(" "),
    };
    log::debug!("position text: {text:?}");
    notation::parse_position(&text)
        .map_err(BadUsage::new)
        .context("bad position")
}

/// Bytes that are not UTF-8 become replacement characters, which no position
/// contains, so the parser names them.
fn standard_input() -> io::Result<String> {
    let bytes = input_file::read_all(io::stdin(), MAX_DOCUMENT_BYTES)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
