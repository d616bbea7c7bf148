//! A book as a file.
//!
//! Lines of text: a header in JSON, a line a position, the checksum of
//! everything before it. A position's line has its text and, for each move,
//! what its games brought: `… x b1-b3 12/1/7` (won, drawn, lost). Positions are
//! canonical and stand in a fixed order, so that equal books are equal files.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::combine::rules_text;
use super::making::Making;
use super::table::{Book, PositionKey};
use crate::board::Canonical;
use crate::game::{NoMoves, Rules, Simultaneous};
use crate::notation::{MoveError, PositionError, parse_move, parse_position, position_text};
use crate::stats::Record;
use crate::util::text::{excerpt, single_line};
use crate::util::{atomic_file, input_file};

const FORMAT: &str = "loatune book";
const VERSION: u32 = 1;

/// The most bytes of a book; one of 100,000 positions has about 8 MB.
const MAX_BYTES: u64 = 512 << 20;

/// What the last line begins with.
const CHECKSUM: &str = "checksum ";

/// A book that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("book {}: {problem}", single_line(&path.display().to_string()))]
pub struct BookFileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: FileProblem,
}

/// What can be wrong with a book's file.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// It cannot be read at all.
    #[error("it cannot be read: {0}")]
    Read(#[from] io::Error),
    /// Something else.
    #[error("this is no book of `loatune book`: its first line is no header of one")]
    Foreign,
    /// A newer format.
    #[error("it has version {0}; this program knows {VERSION}")]
    Version(u32),
    /// A header that says what cannot be.
    #[error("its header is damaged: {0}")]
    Header(String),
    /// A file that was cut short.
    #[error("it is damaged: its last line is no checksum")]
    Torn,
    /// A file that was changed.
    #[error("it is damaged: its checksum does not fit its content")]
    Checksum,
    /// A line that says what cannot be.
    #[error("line {line}: {problem}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong there.
        problem: LineProblem,
    },
}

/// What can be wrong with the line of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineProblem {
    /// There is no position.
    #[error("bad position: {0}")]
    Position(#[from] PositionError),
    /// Another image of the position stands for it.
    #[error("the position is not the one that stands for its images")]
    NotCanonical,
    /// Not in the order of positions, or there twice.
    #[error("the position is not in its place")]
    Order,
    /// A move that cannot be played there.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// A move whose image stands for it, or that is there twice.
    #[error("{0} is not in its place")]
    MoveOrder(String),
    /// No results.
    #[error("{0:?} are no results; write won, drawn and lost games as 12/1/7")]
    Results(String),
    /// A position without moves.
    #[error("the position has no moves")]
    NoMoves,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    rules: HeaderRules,
    made: Vec<Making>,
    pruned: Vec<String>,
    positions: usize,
}

/// What every version of the header has.
#[derive(Deserialize)]
struct AnyHeader {
    format: String,
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct HeaderRules {
    simultaneous: Simultaneous,
    no_moves: NoMoves,
    repetition: u32,
    max_plies: u32,
}

impl Book {
    /// Reads a book.
    ///
    /// # Errors
    /// A [`BookFileError`] that names the file and, where there is one, the line.
    pub fn read(path: &Path) -> Result<Book, BookFileError> {
        let text = input_file::read_text(path, MAX_BYTES);
        let book = text
            .map_err(|error| match error.kind() {
                io::ErrorKind::InvalidData => FileProblem::Foreign,
                _ => FileProblem::Read(error),
            })
            .and_then(|text| Book::parse(&text));
        book.map_err(|problem| BookFileError {
            path: path.to_owned(),
            problem,
        })
    }

    /// Writes the book whole or not at all.
    ///
    /// # Errors
    /// Those of the file system; kind `AlreadyExists` where there is a file and
    /// `overwrite` is false.
    pub fn write(&self, path: &Path, overwrite: bool) -> io::Result<()> {
        atomic_file::save(path, self.text(), overwrite)
    }

    /// The text of its file.
    pub fn text(&self) -> String {
        let Rules {
            simultaneous,
            no_moves,
            repetition,
            max_plies,
        } = self.rules;
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            rules: HeaderRules {
                simultaneous,
                no_moves,
                repetition,
                max_plies,
            },
            made: self.makings.clone(),
            pruned: self.prunings.clone(),
            positions: self.len(),
        };
        let mut text = serde_json::to_string(&header).expect("a header is JSON") + "\n";
        for (key, moves) in &self.positions {
            text += &position_text(&key.board());
            for known in moves {
                let Record {
                    wins,
                    draws,
                    losses,
                } = known.record;
                text += &format!(" {} {wins}/{draws}/{losses}", known.mv);
            }
            text.push('\n');
        }
        let checksum = blake3::hash(text.as_bytes()).to_hex();
        text + CHECKSUM + checksum.as_str() + "\n"
    }

    /// A fingerprint of what it knows, for the settings of a match.
    pub fn fingerprint(&self) -> String {
        blake3::hash(self.text().as_bytes()).to_hex()[..16].to_owned()
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Book, FileProblem> {
        let (first, _) = text.split_once('\n').ok_or(FileProblem::Foreign)?;
        let any: AnyHeader = serde_json::from_str(first).map_err(|_| FileProblem::Foreign)?;
        if any.format != FORMAT {
            return Err(FileProblem::Foreign);
        }
        if any.version != VERSION {
            return Err(FileProblem::Version(any.version));
        }
        let body = text.strip_suffix('\n').ok_or(FileProblem::Torn)?;
        let (content, last) = body.rsplit_once('\n').ok_or(FileProblem::Torn)?;
        let checksum = last.strip_prefix(CHECKSUM).ok_or(FileProblem::Torn)?;
        let content = &text[..content.len() + 1];
        if blake3::hash(content.as_bytes()).to_hex().as_str() != checksum {
            return Err(FileProblem::Checksum);
        }
        let header: Header = serde_json::from_str(first)
            .map_err(|error| FileProblem::Header(single_line(&error.to_string())))?;
        let mut book = Book::new(header.rules.rules()?);
        book.makings = header.made;
        book.prunings = header.pruned;
        for (before, line) in content.lines().enumerate().skip(1) {
            let added = book.add_line(line);
            added.map_err(|problem| FileProblem::Line {
                line: before + 1,
                problem,
            })?;
        }
        if book.len() != header.positions {
            return Err(FileProblem::Header(format!(
                "it says {} positions, but there are {}",
                header.positions,
                book.len()
            )));
        }
        Ok(book)
    }

    fn add_line(&mut self, line: &str) -> Result<(), LineProblem> {
        let words: Vec<&str> = line.split(' ').collect();
        let (position, moves) = words.split_at(words.len().min(2));
        let board = parse_position(&position.join(" "))?;
        let canonical = Canonical::new(&board);
        if !canonical.board.same_position(&board) {
            return Err(LineProblem::NotCanonical);
        }
        let key = PositionKey::new(&board);
        if self
            .positions
            .last_key_value()
            .is_some_and(|(last, _)| *last >= key)
        {
            return Err(LineProblem::Order);
        }
        if moves.is_empty() {
            return Err(LineProblem::NoMoves);
        }
        let mut last = None;
        for pair in moves.chunks(2) {
            let mv = parse_move(&board, pair[0])?;
            if canonical.move_here(mv) != Some(mv) || last.is_some_and(|last| last >= mv) {
                return Err(LineProblem::MoveOrder(mv.to_string()));
            }
            last = Some(mv);
            let results = pair.get(1).copied().unwrap_or_default();
            let record = parse_record(results);
            let record = record.ok_or_else(|| LineProblem::Results(excerpt(results)))?;
            self.add_record(key, mv, record);
        }
        Ok(())
    }

    /// Checks that the book's games had these rules.
    ///
    /// # Errors
    /// What differs, in words.
    pub fn check_rules(&self, rules: &Rules) -> Result<(), String> {
        if self.rules == *rules {
            return Ok(());
        }
        Err(format!(
            "its games had other rules: {}; here they are {}",
            rules_text(&self.rules),
            rules_text(rules)
        ))
    }
}

/// `12/1/7`, with at least one game.
fn parse_record(text: &str) -> Option<Record> {
    let counts: Option<Vec<u64>> = text
        .split('/')
        .map(|count| count.parse().ok().filter(|count| *count < 1 << 40))
        .collect();
    let counts: [u64; 3] = counts?.try_into().ok()?;
    let [wins, draws, losses] = counts;
    let record = Record {
        wins,
        draws,
        losses,
    };
    (record.games() > 0).then_some(record)
}

impl HeaderRules {
    fn rules(&self) -> Result<Rules, FileProblem> {
        let HeaderRules {
            simultaneous,
            no_moves,
            repetition,
            max_plies,
        } = *self;
        if (1..Rules::MIN_REPETITION).contains(&repetition) {
            return Err(FileProblem::Header(format!("repetition is {repetition}")));
        }
        if !Rules::MAX_PLIES.contains(&max_plies) {
            return Err(FileProblem::Header(format!("max_plies is {max_plies}")));
        }
        Ok(Rules {
            simultaneous,
            no_moves,
            repetition,
            max_plies,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::stats::Points;

    fn book() -> Book {
        let mut book = Book::new(Rules::default());
        let mut board = Board::start();
        for n in 0..6 {
            let moves = board.moves();
            for at in [0, 1, n] {
                book.add(&board, moves[at], [Points::Win, Points::Loss][at % 2]);
            }
            board.make(moves[2 * n]);
        }
        book.prunings.push(String::from("everything"));
        book
    }

    /// The text with a right checksum.
    fn signed(content: &str) -> String {
        let checksum = blake3::hash(content.as_bytes()).to_hex();
        format!("{content}{CHECKSUM}{checksum}\n")
    }

    #[test]
    fn a_book_comes_back_as_it_was() {
        let book = book();
        let text = book.text();
        assert_eq!(Book::parse(&text).unwrap(), book);
        assert_eq!(Book::parse(&text).unwrap().text(), text);
        let empty = Book::new(Rules::default());
        assert_eq!(Book::parse(&empty.text()).unwrap(), empty);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.book");
        book.write(&path, false).unwrap();
        assert_eq!(Book::read(&path).unwrap(), book);
        let error = book.write(&path, false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    }

    /// Whatever byte is changed and wherever the file is cut, it is refused.
    #[test]
    fn damage_is_noticed() {
        let text = book().text();
        for at in (0..text.len()).step_by(7) {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
            let changed = String::from_utf8(bytes).unwrap();
            assert!(Book::parse(&changed).is_err(), "byte {at}");
            assert!(Book::parse(&text[..at]).is_err(), "cut at {at}");
        }
        assert!(Book::parse(&text[..text.len() - 1]).is_err());
        assert!(Book::parse(&(text.clone() + "more\n")).is_err());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let text = book().text();
        let content = &text[..text.rfind(CHECKSUM).unwrap()];
        let line = content.lines().nth(1).unwrap();
        let word = line.split(' ').nth(3).unwrap();
        let cases = [
            (String::new(), "no book of `loatune book`"),
            (String::from("b1-b3 a2-c2\n"), "no book of `loatune book`"),
            (
                signed(&content.replace("\"version\":1", "\"version\":2")),
                "it has version 2",
            ),
            (
                signed(&content.replace("\"repetition\":3", "\"repetition\":1")),
                "its header is damaged: repetition is 1",
            ),
            (
                signed(&content.replacen(word, "0/0/0", 1)),
                "line 2: \"0/0/0\" are no results",
            ),
            (
                signed(&content.replacen(word, "1/1", 1)),
                "line 2: \"1/1\" are no results",
            ),
            (
                signed(&(content.to_owned() + line + "\n")),
                "the position is not in its place",
            ),
            (
                signed(&content.replacen(line, "8/8 x", 1)),
                "line 2: bad position",
            ),
            (
                signed(&content.replacen(&format!("{line}\n"), "", 1)),
                "but there are",
            ),
            (content.to_owned(), "its last line is no checksum"),
            (
                content.to_owned() + "checksum 00\n",
                "its checksum does not fit",
            ),
        ];
        for (text, message) in cases {
            let found = Book::parse(&text).unwrap_err().to_string();
            assert!(found.contains(message), "{found}");
        }
        let error = Book::read(Path::new("/nowhere/a.book")).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("book /nowhere/a.book: it cannot be read")
        );
    }
}
