//! The names in a document against those that it may have. An unknown name is
//! refused, with the one that may have been meant; values are left to the
//! owner of the keys.

use std::collections::HashSet;

use super::problem::Problem;
use super::raw_document::{Document, Item, Raw, name_excerpt};
use crate::util::suggest::nearest;

/// A table that a document may have, and the keys that may stand in it.
pub(crate) struct AllowedTable {
    pub(crate) name: &'static str,
    pub(crate) keys: Vec<&'static str>,
}

/// A known key that the document sets.
pub(crate) struct Entry {
    pub(crate) table: &'static str,
    pub(crate) key: &'static str,
    /// Counted from 1.
    pub(crate) line: usize,
    pub(crate) value: Raw,
    /// The value as the document writes it, cut to one line, for messages.
    pub(crate) excerpt: String,
}

impl Entry {
    /// The problem that its value has, with its key, value and line.
    pub(crate) fn problem(&self, what: &str) -> Problem {
        let Entry { table, key, .. } = self;
        Problem {
            line: Some(self.line),
            what: format!("{table}.{key} = {}: {what}", self.excerpt),
        }
    }
}

/// The known part of a document, and what is wrong with the rest.
pub(crate) struct Checked {
    pub(crate) entries: Vec<Entry>,
    /// The known tables that the document has.
    pub(crate) tables: Vec<&'static str>,
    pub(crate) problems: Vec<Problem>,
    /// Whether all of the document could be read. Where it could not, a key
    /// that seems to be missing may stand in the part that was skipped.
    pub(crate) is_complete: bool,
}

/// Sorts a document into known entries and problems.
pub(crate) fn check(document: Document, allowed: &[AllowedTable]) -> Checked {
    let mut checker = Checker {
        allowed,
        broken_lines: document.problems.iter().filter_map(|p| p.line).collect(),
        checked: Checked {
            entries: Vec::new(),
            tables: Vec::new(),
            is_complete: document.problems.is_empty(),
            problems: Vec::new(),
        },
    };
    // One message for each broken line: further ones follow from the first.
    let mut reported = HashSet::new();
    for problem in document.problems {
        if reported.insert(problem.line) {
            checker.checked.problems.push(problem);
        }
    }
    for item in document.items {
        checker.check_table(item);
    }
    checker.checked
}

struct Checker<'a> {
    allowed: &'a [AllowedTable],
    /// Lines with a syntax error. The parser guesses how they go on, so what
    /// else is wrong there may come from the guess and is not reported.
    broken_lines: HashSet<usize>,
    checked: Checked,
}

impl Checker<'_> {
    /// An item of the top level, which must be a table.
    fn check_table(&mut self, item: Item) {
        let known = self.allowed.iter().find(|table| table.name == item.name);
        match (known, item.value) {
            (Some(table), Raw::Table(items)) => {
                self.checked.tables.push(table.name);
                for item in items {
                    self.check_key(table, item);
                }
            }
            (Some(AllowedTable { name, .. }), _) => {
                self.checked.is_complete = false;
                let setting = if item.excerpt.starts_with('[') {
                    item.excerpt
                } else {
                    format!("{name} = {}", item.excerpt)
                };
                self.report(item.line, format!("{setting}: must be a table: [{name}]"));
            }
            (None, value) => {
                let what = self.unknown_name(&item.name, &value);
                self.report(item.line, what);
            }
        }
    }

    fn check_key(&mut self, table: &AllowedTable, item: Item) {
        let Some(key) = table.keys.iter().find(|key| **key == item.name) else {
            let (group, name) = (table.name, &item.name);
            let alike = || {
                let key = nearest(name, &table.keys)?;
                Some(format!("did you mean {group}.{key}?"))
            };
            let hint = self
                .same_key_in_any_table(name)
                .or_else(alike)
                .unwrap_or_else(|| format!("the keys of [{group}] are {}", table.keys.join(", ")));
            let name = name_excerpt(name);
            self.report(item.line, format!("unknown key {group}.{name}: {hint}"));
            return;
        };
        if !self.broken_lines.contains(&item.line) {
            self.checked.entries.push(Entry {
                table: table.name,
                key,
                line: item.line,
                value: item.value,
                excerpt: item.excerpt,
            });
        }
    }

    /// The message for a name of the top level that no table has.
    fn unknown_name(&self, name: &str, value: &Raw) -> String {
        let all_tables = || {
            let names = self.allowed.iter().map(|table| format!("[{}]", table.name));
            format!("the groups are {}", names.collect::<Vec<_>>().join(", "))
        };
        if let Raw::Table(_) = value {
            let alike = nearest(name, self.allowed.iter().map(|table| table.name));
            let hint = alike.map(|alike| format!("did you mean [{alike}]?"));
            let name = name_excerpt(name);
            let hint = hint.unwrap_or_else(all_tables);
            format!("unknown group [{name}]: {hint}")
        } else {
            let hint = self.same_key_in_any_table(name);
            let hint = hint.unwrap_or_else(all_tables);
            format!("unknown key {}: {hint}", name_excerpt(name))
        }
    }

    /// A hint at the table in which a key of this very name may stand.
    fn same_key_in_any_table(&self, name: &str) -> Option<String> {
        let has_key = |table: &&AllowedTable| table.keys.contains(&name);
        let table = self.allowed.iter().find(has_key)?.name;
        Some(format!("did you mean {table}.{name}?"))
    }

    fn report(&mut self, line: usize, what: String) {
        if !self.broken_lines.contains(&line) {
            let line = Some(line);
            self.checked.problems.push(Problem { line, what });
        }
    }
}
