//! `loatune book export`: a book for other programs.

use std::io::Write;
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use serde::Serialize;

use super::file_arg::{BookNumbers, read_book};
use super::move_table::PositionRow;
use crate::book::Book;
use crate::cli::output::{save_file, write_text};

/// Write a book as SGF, as a table or as JSON
///
/// SGF has a tree of variations from each position that no other one leads to,
/// with games, score and error of each move as its comment; the best move of a
/// position comes first. The table has a line for each move of each position.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("format").required(true), after_help = "\
Of the eight images of a position one stands for all. Scores are those of the side
that moves, in percent, and errors 95 % ones. Without -o the text goes to standard
output.

Exit codes: 0 done, 1 failure, 2 bad usage.

Examples:
  loatune book export mine.book --sgf -o mine.sgf
  loatune book export mine.book --csv > mine.csv
  loatune book export mine.book --json -o mine.json

CSV: position, move, games, wins, draws, losses, score, error.
JSON: file, games, positions (how many), moves, made [as of `loatune book build`],
pruned, book [{position, moves [{move, games, wins, draws, losses, score, error}]}].")]
pub(super) struct Export {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write SGF
    #[arg(long, group = "format")]
    sgf: bool,
    /// Write a table of positions and moves
    #[arg(long, group = "format")]
    csv: bool,
    /// Write JSON
    #[arg(long, group = "format")]
    json: bool,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite a file that exists
    #[arg(long, requires = "output")]
    force: bool,
}

#[derive(Serialize)]
struct JsonBook<'a> {
    #[serde(flatten)]
    numbers: BookNumbers<'a>,
    book: Vec<PositionRow>,
}

impl Export {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let book = read_book(&self.file)?;
        let text = if self.sgf {
            book.sgf()
        } else if self.csv {
            csv(&book)
        } else {
            let all = JsonBook {
                numbers: BookNumbers::new(&self.file, &book),
                book: rows(&book).collect(),
            };
            serde_json::to_string(&all)? + "\n"
        };
        match &self.output {
            Some(path) => save_file(path, text.as_bytes(), self.force),
            None => write_text(out, &text),
        }
    }
}

fn rows(book: &Book) -> impl Iterator<Item = PositionRow> {
    book.positions()
        .map(|position| PositionRow::from(&position.upright()))
}

fn csv(book: &Book) -> String {
    let mut text = String::from("position,move,games,wins,draws,losses,score,error\n");
    for position in rows(book) {
        for row in &position.moves {
            text += &format!(
                "{},{},{},{},{},{},{:.2},{:.2}\n",
                position.position,
                row.mv,
                row.games,
                row.wins,
                row.draws,
                row.losses,
                row.score,
                row.error
            );
        }
    }
    text
}
