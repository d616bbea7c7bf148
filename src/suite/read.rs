//! The text of a suite, read and checked: every problem has its line. What can be
//! seen without a search is checked here; [`super::check()`] proves the rest.

use std::collections::HashMap;
use std::path::Path;

use super::entry::{Entry, Suite};
use super::examine::ProofSettings;
use super::fate::{ErrorKind, Fate, Judgement, Proof};
use super::write::FORMAT;
use crate::board::{Board, CanonicalPosition, Move};
use crate::document::key_check::{self, AllowedTable};
use crate::document::raw_document::{Document, Item, Raw};
use crate::document::{Content, FileError, Problem, toml_text};
use crate::game::{NoMoves, Rules, Simultaneous, terminal_outcome};
use crate::notation::{parse_move, parse_position, position_text};
use crate::search::value::MAX_DEPTH;
use crate::util::input_file::{self, MAX_GAMES_BYTES};

const SUITE_KEYS: [&str; 8] = [
    "format",
    "command",
    "source",
    "games",
    "simultaneous",
    "no_moves",
    "horizon",
    "solver_nodes",
];

const POSITION_KEYS: [&str; 10] = [
    "position", "plies", "by", "played", "right", "moves", "losing", "before", "after", "nodes",
];

impl Suite {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or says what is not allowed: all of that, with lines.
    pub fn read(path: &Path) -> Result<Suite, FileError> {
        let text = input_file::read_text(path, MAX_GAMES_BYTES);
        let text = text.map_err(|source| FileError::Read {
            content: Content::Suite,
            path: path.to_owned(),
            source,
        })?;
        Suite::parse(&text, &path.display().to_string())
    }

    /// Reads a text; `file` is its name in messages.
    ///
    /// # Errors
    /// It says what is not allowed: all of that, with lines.
    pub fn parse(text: &str, file: &str) -> Result<Suite, FileError> {
        let mut reader = Reader::default();
        let suite = reader.suite(toml_text::read(text));
        FileError::check(Content::Suite, file, reader.problems)?;
        Ok(suite)
    }
}

#[derive(Default)]
struct Reader {
    problems: Vec<Problem>,
}

impl Reader {
    fn suite(&mut self, document: Document) -> Suite {
        let is_list = |item: &Item| item.name == "position" && item.value.as_list().is_some();
        let (positions, others): (Vec<Item>, Vec<Item>) =
            document.items.into_iter().partition(is_list);
        let others = Document {
            items: others,
            problems: document.problems,
        };
        let fields = self.fields(others, "suite", &SUITE_KEYS, None);
        let format = fields.whole(self, "format", 1, FORMAT.into());
        let horizons = ProofSettings::HORIZONS;
        let (least, most) = (*horizons.start(), *horizons.end());
        let mut suite = Suite {
            command: fields.text(self, "command"),
            source: fields.text(self, "source"),
            games: fields.whole(self, "games", 0, u64::MAX).unwrap_or(0),
            simultaneous: fields
                .named(self, "simultaneous", &Simultaneous::NAMES)
                .unwrap_or_default(),
            no_moves: fields
                .named(self, "no_moves", &NoMoves::NAMES)
                .unwrap_or_default(),
            settings: ProofSettings {
                horizon: fields
                    .whole(self, "horizon", least.into(), most.into())
                    .map_or(most, |plies| plies as u32),
                solver_nodes: fields
                    .whole(self, "solver_nodes", 1, i64::MAX as u64)
                    .unwrap_or(1),
            },
            entries: Vec::new(),
        };
        // A suite of another format may have any other keys.
        if format.is_none() && !self.problems.is_empty() {
            return suite;
        }
        let mut seen = HashMap::new();
        for position in positions.iter().flat_map(|item| item.value.as_list()) {
            for item in position {
                if let Some(entry) = self.entry(item.clone(), &suite) {
                    self.add(&mut suite, &mut seen, entry);
                }
            }
        }
        if suite.entries.is_empty() && self.problems.is_empty() {
            self.report(None, String::from("it has no [[position]]"));
        }
        suite
    }

    /// Takes an entry, unless there is the same position already.
    fn add(
        &mut self,
        suite: &mut Suite,
        seen: &mut HashMap<CanonicalPosition, usize>,
        entry: Entry,
    ) {
        if let Some(first) = seen.insert(entry.board.canonical(), entry.line) {
            let position = position_text(&entry.board);
            let what = format!("position {position:?} is that of line {first}, but for symmetry");
            return self.report(Some(entry.line), what);
        }
        suite.entries.push(entry);
    }

    /// A `[[position]]`; `None` where something is wrong with it.
    fn entry(&mut self, item: Item, suite: &Suite) -> Option<Entry> {
        let problems = self.problems.len();
        let line = item.line;
        let document = Document {
            items: vec![Item {
                name: String::from("position"),
                ..item
            }],
            problems: Vec::new(),
        };
        let fields = self.fields(document, "position", &POSITION_KEYS, Some(line));
        let position = fields.text(self, "position");
        let board = fields.try_value(self, "position", || {
            parse_position(&position).map_err(|error| error.to_string())
        });
        let plies = fields.whole(self, "plies", 0, Rules::MAX_PLIES.end().to_owned().into());
        let by = fields.text(self, "by");
        let nodes = fields.whole(self, "nodes", 0, i64::MAX as u64);
        let counted = ["moves", "losing"].map(|key| fields.whole(self, key, 0, 96));
        let before = fields.judgement(self, "before", suite);
        let after = fields.judgement(self, "after", suite);
        let board = board?;
        let played = fields.text(self, "played");
        let played = fields.try_value(self, "played", || legal(&board, &played));
        let right = fields.moves(self, "right", &board);
        if self.problems.len() > problems {
            return None;
        }
        let entry = Entry {
            board,
            plies: plies? as u32,
            by,
            played: played?,
            right: right?,
            moves: counted[0]? as u32,
            losing: counted[1]? as u32,
            before: before?,
            after: after?,
            nodes: nodes?,
            line,
        };
        if let Some((key, what)) = contradiction(&entry, &suite.rules()) {
            let line = fields.line(key);
            self.report(line, format!("position.{key}: {what}"));
            return None;
        }
        Some(entry)
    }

    fn fields(
        &mut self,
        document: Document,
        table: &'static str,
        keys: &[&'static str],
        line: Option<usize>,
    ) -> Fields {
        let allowed = [AllowedTable {
            name: table,
            keys: keys.to_vec(),
        }];
        let checked = key_check::check(document, &allowed);
        let is_complete = checked.is_complete && checked.problems.is_empty();
        self.problems.extend(checked.problems);
        Fields {
            table,
            line,
            is_complete,
            entries: checked.entries,
        }
    }

    fn report(&mut self, line: Option<usize>, what: String) {
        self.problems.push(Problem { line, what });
    }
}

/// The keys of one table.
struct Fields {
    table: &'static str,
    /// The line of the table, for keys that are missing.
    line: Option<usize>,
    is_complete: bool,
    entries: Vec<key_check::Entry>,
}

impl Fields {
    fn find(&self, reader: &mut Reader, key: &str) -> Option<&key_check::Entry> {
        let found = self.entries.iter().find(|entry| entry.key == key);
        // Where the text is broken, a key may stand in what could not be read.
        if found.is_none() && self.is_complete {
            let what = format!("{}.{key} is missing", self.table);
            reader.report(self.line, what);
        }
        found
    }

    fn line(&self, key: &str) -> Option<usize> {
        let found = self.entries.iter().find(|entry| entry.key == key);
        found.map(|entry| entry.line).or(self.line)
    }

    /// What `read` makes of a value, or what is wrong with it.
    fn read<T>(
        &self,
        reader: &mut Reader,
        key: &str,
        read: impl FnOnce(&Raw) -> Result<T, String>,
    ) -> Option<T> {
        let entry = self.find(reader, key)?;
        match read(&entry.value) {
            Ok(value) => Some(value),
            Err(what) => {
                let problem = entry.problem(&what);
                reader.problems.push(problem);
                None
            }
        }
    }

    /// A second look at a value that was read; nothing where it was not.
    fn try_value<T>(
        &self,
        reader: &mut Reader,
        key: &str,
        read: impl FnOnce() -> Result<T, String>,
    ) -> Option<T> {
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        entry.value.as_text()?;
        match read() {
            Ok(value) => Some(value),
            Err(what) => {
                let problem = entry.problem(&what);
                reader.problems.push(problem);
                None
            }
        }
    }

    fn text(&self, reader: &mut Reader, key: &str) -> String {
        let text = self.read(reader, key, |value| {
            let text = value.as_text().map(str::to_owned);
            text.ok_or_else(|| String::from("must be a text"))
        });
        text.unwrap_or_default()
    }

    fn whole(&self, reader: &mut Reader, key: &str, least: u64, most: u64) -> Option<u64> {
        self.read(reader, key, |value| whole(value, least, most))
    }

    fn named<T: Copy>(
        &self,
        reader: &mut Reader,
        key: &str,
        names: &[(&'static str, T)],
    ) -> Option<T> {
        self.read(reader, key, |value| named(value, names))
    }

    fn moves(&self, reader: &mut Reader, key: &str, board: &Board) -> Option<Vec<Move>> {
        self.read(reader, key, |value| {
            let items = value.as_list().filter(|items| !items.is_empty());
            let items = items.ok_or_else(|| String::from("must be a list of moves"))?;
            let mut moves = Vec::new();
            for item in items {
                let text = item.value.as_text();
                let mv = legal(board, text.ok_or("must be a list of moves")?)?;
                if moves.contains(&mv) {
                    return Err(format!("{mv} is there twice"));
                }
                moves.push(mv);
            }
            Ok(moves)
        })
    }

    fn judgement(&self, reader: &mut Reader, key: &str, suite: &Suite) -> Option<Judgement> {
        self.read(reader, key, |value| {
            let form = "must be { result = …, plies = …, proof = … }";
            let Raw::Table(items) = value else {
                return Err(String::from(form));
            };
            let get = |name: &str| items.iter().find(|item| item.name == name);
            let (Some(fate), Some(plies), Some(proof), 3) =
                (get("result"), get("plies"), get("proof"), items.len())
            else {
                return Err(String::from(form));
            };
            let of = |name: &str, what: String| format!("{name} {what}");
            let found = Judgement {
                fate: named(&fate.value, &Fate::NAMES).map_err(|what| of("result", what))?,
                plies: whole(&plies.value, 1, MAX_DEPTH.into()).map_err(|what| of("plies", what))?
                    as u32,
                proof: named(&proof.value, &Proof::NAMES).map_err(|what| of("proof", what))?,
            };
            let horizon = suite.settings.horizon;
            if found.proof == Proof::Exhaustive && found.plies > horizon {
                return Err(format!(
                    "an exhaustive proof ends at the horizon, {horizon}"
                ));
            }
            if found.fate == Fate::Open && found.plies != horizon {
                return Err(format!(
                    "an open result has the horizon as plies, {horizon}"
                ));
            }
            Ok(found)
        })
    }
}

fn whole(value: &Raw, least: u64, most: u64) -> Result<u64, String> {
    let number = match value {
        Raw::Integer(number) => u64::try_from(*number).ok(),
        _ => None,
    };
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("must be an integer from {least} to {most}"))
}

fn named<T: Copy>(value: &Raw, names: &[(&'static str, T)]) -> Result<T, String> {
    let text = value.as_text();
    let found = names.iter().find(|(name, _)| Some(*name) == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<String> = names.iter().map(|(name, _)| format!("{name:?}")).collect();
        format!("must be one of {}", names.join(", "))
    })
}

fn legal(board: &Board, text: &str) -> Result<Move, String> {
    parse_move(board, text).map_err(|error| error.to_string())
}

/// What does not go together in an entry whose values are allowed one by one: the
/// key, and why.
fn contradiction(entry: &Entry, rules: &Rules) -> Option<(&'static str, String)> {
    if let Some(outcome) = terminal_outcome(&entry.board, rules) {
        return Some(("position", format!("the game is over: {outcome}")));
    }
    let moves = entry.board.moves().len();
    if entry.moves as usize != moves {
        let what = format!("{} moves, but the position has {moves}", entry.moves);
        return Some(("moves", what));
    }
    if entry.losing as usize + entry.right.len() > moves {
        return Some(("losing", String::from("more moves than the position has")));
    }
    if entry.right.contains(&entry.played) {
        return Some(("played", format!("{} is a right move", entry.played)));
    }
    let (before, after) = (entry.before.fate, entry.after.fate);
    if ErrorKind::of(before, after).is_none() {
        let what = format!("from {} to {} is no error", before.name(), after.name());
        return Some(("after", what));
    }
    None
}
