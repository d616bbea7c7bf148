//! `loatune book prune`: a book without what says little.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::file_arg::{BookNumbers, read_book, save_book};
use crate::book::Pruning;
use crate::cli::output::{count, write_json, write_text};

/// Leave moves with few games or low scores out of a book
///
/// Positions without moves go, too. The new book says how it was pruned.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 done, 1 failure, 2 bad usage.

Examples:
  loatune book prune mine.book --min-games 8 -o small.book
  loatune book prune mine.book --min-games 20 --min-score 50 --best 2 -o best.book

JSON: file, games, positions, moves, made [as of `loatune book build`], pruned,
moves_removed, positions_removed.")]
pub(super) struct Prune {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the new book to FILE
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Keep moves with at least N games
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_games: u64,
    /// Keep moves that score at least PERCENT for the side that plays them
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    min_score: f64,
    /// Keep at most N moves of a position, those that are most surely good
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    best: Option<u32>,
    /// Overwrite a file that exists
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A book that was pruned.
#[derive(Serialize)]
struct PruneReport<'a> {
    #[serde(flatten)]
    book: BookNumbers<'a>,
    moves_removed: usize,
    positions_removed: usize,
}

impl Prune {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut book = read_book(&self.file)?;
        let (moves_removed, positions_removed) = book.prune(&Pruning {
            min_games: self.min_games,
            min_score: self.min_score / 100.0,
            best: self.best.map(|best| best as usize),
        });
        save_book(&self.output, &book, self.force)?;
        let book = BookNumbers::new(&self.output, &book);
        if self.json {
            let report = PruneReport {
                book,
                moves_removed,
                positions_removed,
            };
            return write_json(out, &report);
        }
        let (moves, positions) = (
            count(moves_removed, "move"),
            count(positions_removed, "position"),
        );
        write_text(
            out,
            &format!("{}left out: {moves}, {positions}\n", book.text()),
        )
    }
}

fn percent(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let number = number.filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| String::from("must be a number from 0 to 100"))
}
