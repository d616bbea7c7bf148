//! `loatune weights`: a weight file, checked and printed.

use std::io::Write;
use std::thread::available_parallelism;

use clap::Args;

use super::explanation;
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
  loatune weights champion
  loatune weights champion --explain

--explain plays 32 games at depth 2 between variations of the weights and takes the
values of their positions apart: which part each feature has, in per cent of the
sizes of all terms, in points, and in pieces. A piece is what a side loses on
average with one, all features together. The same weights give the same answer.

JSON with --explain: name, origin, games, depth, positions, piece, value, features
[{gene, meaning, opening, endgame, points, share, pieces}]; pieces is null where a
piece is worth nothing. The page of a population answers the same for its files, at
/api/explanation?weights=NUMBER.

JSON: loatune {format, name, origin}, weights {gene: value}, endgame {gene:
value} where the weights change in the course of a game, and certificate where
they are a champion's: its run, the conditions of its matches, and match
[{opponent, games, wins, draws, losses, pentanomial, elo, elo_error, los, weights,
endgame}]. `loatune certify` plays these matches again.")]
pub(crate) struct Weights {
    #[arg(value_name = "FILE", default_value = DEFAULT_WEIGHTS, help = WEIGHTS_HELP)]
    file: String,
    /// Say what the weights value, on positions of games that they play
    #[arg(long)]
    explain: bool,
    /// Print JSON, which is read like TOML
    #[arg(long)]
    json: bool,
}

impl Weights {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let file = read_weights(&self.file)?;
        if self.explain {
            let threads = available_parallelism().map_or(1, usize::from);
            let found = explanation::of_file(&file, threads)?;
            return if self.json {
                write_json(out, &found)
            } else {
                write_text(out, &explanation::text(&file, &found))
            };
        }
        if self.json {
            write_json(out, &file.to_json())
        } else {
            write_text(out, &file.to_toml())
        }
    }
}
