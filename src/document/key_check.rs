//! The names in a file against those that it may have. What is unknown is
//! refused; values are left to whoever owns the keys.

use super::problem::Problem;
use super::raw::{Document, Item, Raw, shown};
use crate::util::suggest::nearest;

/// A table that a file may have, and the keys that may stand in it.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) keys: Vec<&'static str>,
}

/// A known key that the file sets.
pub(crate) struct Entry {
    pub(crate) table: &'static str,
    pub(crate) key: &'static str,
    pub(crate) line: usize,
    pub(crate) value: Raw,
    /// The value as the file has it, for messages.
    pub(crate) written: String,
}

impl Entry {
    /// What is wrong with its value.
    pub(crate) fn problem(&self, what: &str) -> Problem {
        let Entry { table, key, .. } = self;
        Problem {
            line: Some(self.line),
            what: format!("{table}.{key} = {}: {what}", self.written),
        }
    }
}

/// The known part of a file, and what is wrong with the rest.
pub(crate) struct Checked {
    pub(crate) entries: Vec<Entry>,
    /// The known tables that it has.
    pub(crate) tables: Vec<&'static str>,
    pub(crate) problems: Vec<Problem>,
    /// Whether all of it could be read. Where it could not, keys may seem to
    /// be missing that are not.
    pub(crate) is_whole: bool,
}

/// Sorts out what `outline` knows.
pub(crate) fn check(document: Document, outline: &[Table]) -> Checked {
    let mut checker = Checker {
        outline,
        broken: document.problems.iter().filter_map(|p| p.line).collect(),
        found: Checked {
            entries: Vec::new(),
            tables: Vec::new(),
            is_whole: document.problems.is_empty(),
            problems: Vec::new(),
        },
    };
    // One message a broken line: the further ones come from the first.
    for problem in document.problems {
        let told = &mut checker.found.problems;
        if !told.iter().any(|other| other.line == problem.line) {
            told.push(problem);
        }
    }
    for item in document.items {
        checker.top(item);
    }
    checker.found
}

struct Checker<'a> {
    outline: &'a [Table],
    /// Lines with a syntax error. The parser guesses how they go on, so what
    /// else is wrong there may come from the guess and is not reported.
    broken: Vec<usize>,
    found: Checked,
}

impl Checker<'_> {
    fn top(&mut self, item: Item) {
        let known = self.outline.iter().find(|table| table.name == item.name);
        match (known, item.value) {
            (Some(table), Raw::Table(items)) => {
                self.found.tables.push(table.name);
                for item in items {
                    self.key(table, item);
                }
            }
            (Some(Table { name, .. }), _) => {
                self.found.is_whole = false;
                let setting = if item.written.starts_with('[') {
                    item.written
                } else {
                    format!("{name} = {}", item.written)
                };
                self.complain(item.line, format!("{setting}: must be a table: [{name}]"));
            }
            (None, value) => {
                let what = self.unknown(&item.name, &value);
                self.complain(item.line, what);
            }
        }
    }

    fn key(&mut self, table: &Table, item: Item) {
        let Some(key) = table.keys.iter().find(|key| **key == item.name) else {
            let (group, name) = (table.name, &item.name);
            let alike = || {
                let key = nearest(name, &table.keys)?;
                Some(format!("did you mean {group}.{key}?"))
            };
            let hint = self
                .elsewhere(name)
                .or_else(alike)
                .unwrap_or_else(|| format!("the keys of [{group}] are {}", table.keys.join(", ")));
            let name = shown(name);
            self.complain(item.line, format!("unknown key {group}.{name}: {hint}"));
            return;
        };
        if !self.broken.contains(&item.line) {
            self.found.entries.push(Entry {
                table: table.name,
                key,
                line: item.line,
                value: item.value,
                written: item.written,
            });
        }
    }

    fn unknown(&self, name: &str, value: &Raw) -> String {
        let names = || {
            let names = self.outline.iter().map(|table| format!("[{}]", table.name));
            format!("the groups are {}", names.collect::<Vec<_>>().join(", "))
        };
        match value {
            Raw::Table(_) => {
                let alike = nearest(name, self.outline.iter().map(|table| table.name));
                let hint = alike.map(|alike| format!("did you mean [{alike}]?"));
                let name = shown(name);
                format!("unknown group [{name}]: {}", hint.unwrap_or_else(names))
            }
            _ => {
                let hint = self.elsewhere(name).unwrap_or_else(names);
                format!("unknown key {}: {hint}", shown(name))
            }
        }
    }

    /// Where a key of this name would belong.
    fn elsewhere(&self, name: &str) -> Option<String> {
        let has_it = |table: &&Table| table.keys.contains(&name);
        let table = self.outline.iter().find(has_it)?.name;
        Some(format!("did you mean {table}.{name}?"))
    }

    fn complain(&mut self, line: usize, what: String) {
        if !self.broken.contains(&line) {
            let line = Some(line);
            self.found.problems.push(Problem { line, what });
        }
    }
}
