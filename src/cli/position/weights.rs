//! `loatune weights`: a weight file, checked and printed.

use std::io::Write;

use clap::Args;

use crate::cli::args::{DEFAULT_WEIGHTS, WEIGHTS_HELP, read_weights};
use crate::cli::output::{write_json, write_text};

/// Check a weight file and print it, or print the built-in weights
///
/// A weight file says what makes a position good. It is printed as TOML with
/// the meaning and the range of every weight, a good start for one's own.
#[derive(Debug, Args)]
#[command(after_help = "\
Everything that is wrong with a file is reported at once, with its lines, and
the exit code is 2.

Examples:
  loatune weights > mine.toml
  loatune weights mine.toml
  loatune weights mine.toml --json > mine.json

JSON: loatune {format, name, origin}, weights {gene: value}, endgame {gene:
value} where the weights change in the course of a game, and certificate where
they are a champion's: its run, the conditions of its matches, and match
[{opponent, games, wins, draws, losses, pentanomial, elo, elo_error, los, weights,
endgame}]. `loatune certify` plays these matches again.")]
pub(crate) struct Weights {
    #[arg(value_name = "FILE", default_value = DEFAULT_WEIGHTS, help = WEIGHTS_HELP)]
    file: String,
    /// Print JSON, which is read like TOML
    #[arg(long)]
    json: bool,
}

impl Weights {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let file = read_weights(&self.file)?;
        if self.json {
            write_json(out, &file.to_json())
        } else {
            write_text(out, &file.to_toml())
        }
    }
}
