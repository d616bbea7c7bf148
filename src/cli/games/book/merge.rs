//! `loatune book merge`: the games of several books in one.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::file_arg::{BookNumbers, read_book, save_book};
use crate::cli::output::{BadUsage, write_json, write_text};

/// Put the games of several books into one
///
/// Games of the same position and move are added up. Books whose games had other
/// rules are refused, and so are books that hold games of the same building: they
/// would count twice.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 done, 1 failure, 2 bad usage.

Examples:
  loatune book merge mine.book yours.book -o both.book

JSON: file, games, positions, moves, made [as of `loatune book build`], pruned.")]
pub(super) struct Merge {
    /// The books
    #[arg(value_name = "FILE", required = true, num_args = 2..)]
    files: Vec<PathBuf>,
    /// Write the new book to FILE
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite a file that exists
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Merge {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut merged = read_book(&self.files[0])?;
        for file in &self.files[1..] {
            let book = read_book(file)?;
            merged
                .merge(&book)
                .map_err(|error| BadUsage::new(format!("book {}: {error}", file.display())))?;
        }
        save_book(&self.output, &merged, self.force)?;
        let numbers = BookNumbers::new(&self.output, &merged);
        match self.json {
            true => write_json(out, &numbers),
            false => write_text(out, &numbers.text()),
        }
    }
}
