//! Books as files that arguments name, and their numbers for reports.

use std::path::Path;

use serde::Serialize;

use crate::book::{Book, Making};
use crate::cli::output::{BadUsage, count, save_file, thousands};

/// Reads a book.
///
/// # Errors
/// [`BadUsage`] where there is none; it names the file.
pub(super) fn read_book(path: &Path) -> anyhow::Result<Book> {
    Ok(Book::read(path).map_err(BadUsage::new)?)
}

/// Writes a book; over a file that exists only with `force`.
///
/// # Errors
/// [`BadUsage`] where the file exists, and errors of the file system.
pub(super) fn save_book(path: &Path, book: &Book, force: bool) -> anyhow::Result<()> {
    save_file(path, book.text().as_bytes(), force)
}

/// A book in numbers.
#[derive(Serialize)]
pub(super) struct BookNumbers<'a> {
    file: String,
    games: u64,
    positions: usize,
    moves: usize,
    made: &'a [Making],
    pruned: &'a [String],
}

impl<'a> BookNumbers<'a> {
    pub(super) fn new(path: &Path, book: &'a Book) -> BookNumbers<'a> {
        BookNumbers {
            file: path.display().to_string(),
            games: book.games(),
            positions: book.len(),
            moves: book.moves(),
            made: &book.makings,
            pruned: &book.prunings,
        }
    }

    /// `mine.book: 5,000 games, 1,234 positions, 4,567 moves`.
    pub(super) fn text(&self) -> String {
        format!(
            "{}: {} games, {}, {}\n",
            self.file,
            thousands(self.games),
            count(self.positions, "position"),
            count(self.moves, "move")
        )
    }
}
