//! Positions on the command line: as one argument, as several, or from
//! standard input.

use std::io::{self, Read};

use anyhow::Context;
use clap::Args;

use crate::board::Board;
use crate::cli::output::error::BadUsage;
use crate::notation;

/// A position as the only thing that a command is about.
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
    pub(crate) fn board(&self) -> anyhow::Result<Board> {
        board(&self.words)
    }
}

/// The position that these words make.
pub(crate) fn board(words: &[String]) -> anyhow::Result<Board> {
    let text = match words {
        [dash] if dash == "-" => standard_input().context("cannot read standard input")?,
        words => words.join(" "),
    };
    log::debug!("position text: {text:?}");
    notation::parse_position(&text)
        .map_err(BadUsage::new)
        .context("bad position")
}

/// What is no text there shows as characters that no position has.
fn standard_input() -> io::Result<String> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
