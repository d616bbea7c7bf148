//! `loatune book show`: what a book knows.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::file_arg::{BookNumbers, read_book};
use super::move_table::{MoveRow, PositionRow};
use crate::board::Board;
use crate::book::{Book, LEAST_GAMES};
use crate::cli::args::parse_board;
use crate::cli::output::{count, write_json, write_text};
use crate::notation::position_text;

/// Show what a book knows of a position, or the book in numbers
///
/// A position is found whichever of its eight images is given; moves are shown as
/// they are on the given one.
#[derive(Debug, Args)]
#[command(after_help = "\
The move that is most surely good stands first: that with the greatest lower end of
its score. A player follows the first one that has at least 8 games, or so many as
its option book_games says. Scores are those of the side to move, errors 95 % ones.

Exit codes: 0 done, 1 failure, 2 bad usage.

Examples:
  loatune book show mine.book
  loatune book show mine.book startpos
  loatune book show mine.book 1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x --json

JSON: file, games, positions, moves, made [as of `loatune book build`], pruned,
position (null, or position, moves [{move, games, wins, draws, losses, score, error},
both in percent], followed (null or a move)).")]
pub(super) struct Show {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A position: ranks 8 to 1 and the side to move, or startpos; - reads it from
    /// standard input
    #[arg(value_name = "POSITION", num_args = 0..)]
    position: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A book, and what it knows of a position.
#[derive(Serialize)]
struct ShowReport<'a> {
    #[serde(flatten)]
    book: BookNumbers<'a>,
    position: Option<PositionReport>,
}

#[derive(Serialize)]
struct PositionReport {
    position: String,
    moves: Vec<MoveRow>,
    followed: Option<String>,
}

impl PositionReport {
    fn new(book: &Book, board: &Board) -> PositionReport {
        let found = book.look_up(board);
        PositionReport {
            position: position_text(board),
            moves: found.map_or_else(Vec::new, |found| PositionRow::from(&found).moves),
            followed: book.choose(board, LEAST_GAMES).map(|mv| mv.to_string()),
        }
    }
}

impl Show {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let book = read_book(&self.file)?;
        let board = match self.position.is_empty() {
            true => None,
            false => Some(parse_board(&self.position)?),
        };
        let report = ShowReport {
            book: BookNumbers::new(&self.file, &book),
            position: board
                .as_ref()
                .map(|board| PositionReport::new(&book, board)),
        };
        if self.json {
            return write_json(out, &report);
        }
        let text = match report.position {
            Some(position) => position.text(),
            None => report.book.text() + &description(&book),
        };
        write_text(out, &text)
    }
}

impl PositionReport {
    fn text(self) -> String {
        if self.moves.is_empty() {
            return format!("{}: not in the book\n", self.position);
        }
        let followed = match &self.followed {
            Some(mv) => format!("followed: {mv}\n"),
            None => format!("followed: none, for none has {LEAST_GAMES} games\n"),
        };
        let row = PositionRow {
            position: self.position,
            moves: self.moves,
        };
        format!("{}\n{}{followed}", row.position, row.text())
    }
}

/// Who made the book, how it was pruned, and how much its moves were played.
fn description(book: &Book) -> String {
    let mut text = String::new();
    for making in &book.makings {
        text += &format!("made:    {}\n", making.text());
    }
    for pruning in &book.prunings {
        text += &format!("pruned:  {pruning}\n");
    }
    let followed = |position: &crate::book::BookPosition| {
        let mut moves = position.moves.iter();
        moves.any(|known| known.games() >= LEAST_GAMES)
    };
    let followed = book.positions().filter(followed).count();
    text + &format!(
        "players: follow it in {} with a move of {LEAST_GAMES} games\n",
        count(followed, "position")
    )
}
