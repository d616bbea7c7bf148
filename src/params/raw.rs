//! A file of parameters in its raw form: which keys it sets, where, to what.
//! Finds what is wrong with the names and the syntax; values are checked by
//! [`super::table`].

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::problem::Problem;
use super::table::{GROUPS, Group, Key, Raw, find_group};

/// A key of the table that the file sets.
pub(super) struct Entry {
    pub(super) key: &'static Key,
    pub(super) line: usize,
    pub(super) value: Raw,
    /// The value as the file has it, for messages.
    pub(super) written: String,
}

/// Every known key in the text, and what is wrong with the rest.
pub(super) fn read(text: &str) -> (Vec<Entry>, Vec<Problem>) {
    let (document, errors) = DeTable::parse_recoverable(text);
    let mut reader = Reader {
        text,
        broken: Vec::new(),
        entries: Vec::new(),
        problems: Vec::new(),
    };
    for error in errors {
        let line = error.span().map_or(1, |span| reader.line(&span));
        reader.complain(line, error.message().trim().replace('\n', ", "));
        reader.broken.push(line);
    }
    reader.document(document.get_ref());
    (reader.entries, reader.problems)
}

struct Reader<'a> {
    text: &'a str,
    /// Lines with a syntax error. The parser guesses how they go on, so what
    /// else is wrong there may come from the guess and is not reported.
    broken: Vec<usize>,
    entries: Vec<Entry>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn document(&mut self, document: &DeTable<'_>) {
        for (name, value) in document {
            let line = self.line(&name.span());
            match (find_group(name.get_ref()), value.get_ref()) {
                (Some(group), DeValue::Table(table)) => self.group(group, table),
                (Some(group), _) => {
                    let written = self.written(&value.span());
                    let setting = if written.starts_with('[') {
                        written
                    } else {
                        format!("{} = {written}", group.name)
                    };
                    self.complain(
                        line,
                        format!("{setting}: must be a table: [{}]", group.name),
                    );
                }
                (None, value) => self.complain(line, unknown(name.get_ref(), value)),
            }
        }
    }

    fn group(&mut self, group: &'static Group, table: &DeTable<'_>) {
        for (name, value) in table {
            let line = self.line(&name.span());
            let Some(key) = group.keys.iter().find(|key| key.name == name.get_ref()) else {
                let keys: Vec<_> = group.keys.iter().map(|key| key.name).collect();
                let group = group.name;
                self.complain(
                    line,
                    format!(
                        "unknown key {group}.{}: the keys of [{group}] are {}",
                        name.get_ref(),
                        keys.join(", ")
                    ),
                );
                continue;
            };
            if !self.broken.contains(&line) {
                self.entries.push(Entry {
                    key,
                    line,
                    value: raw(value.get_ref()),
                    written: self.written(&value.span()),
                });
            }
        }
    }

    fn complain(&mut self, line: usize, what: String) {
        if !self.broken.contains(&line) {
            self.problems.push(Problem { line, what });
        }
    }

    fn line(&self, span: &Range<usize>) -> usize {
        let before = self.text.as_bytes().get(..span.start).unwrap_or_default();
        1 + before.iter().filter(|&&byte| byte == b'\n').count()
    }

    /// The text at `span`, cut to one short line.
    fn written(&self, span: &Range<usize>) -> String {
        const LONGEST: usize = 60;
        let text = self.text.get(span.clone()).unwrap_or_default();
        let line = text.lines().next().unwrap_or_default();
        let mut short: String = line.chars().take(LONGEST).collect();
        if short.len() < text.len() {
            short.push('…');
        }
        short
    }
}

fn unknown(name: &str, value: &DeValue<'_>) -> String {
    let same_name = || {
        let mut keys = GROUPS.iter().flat_map(|group| group.keys);
        keys.find(|key| key.name == name)
    };
    match (value, same_name()) {
        (DeValue::Table(_), _) | (_, None) => {
            let groups: Vec<_> = GROUPS
                .iter()
                .map(|group| format!("[{}]", group.name))
                .collect();
            let what = match value {
                DeValue::Table(_) => format!("group [{name}]"),
                _ => format!("key {name}"),
            };
            format!("unknown {what}: the groups are {}", groups.join(", "))
        }
        (_, Some(key)) => format!("unknown key {name}: did you mean {}?", key.path()),
    }
}

fn raw(value: &DeValue<'_>) -> Raw {
    match value {
        DeValue::String(text) => Raw::Text(text.to_string()),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).map_or(Raw::Other, Raw::Integer)
        }
        _ => Raw::Other,
    }
}
