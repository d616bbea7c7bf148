//! A file in its raw form: what it sets, where, to what. Knows neither which
//! names nor which values are allowed; [`super::key_check`] checks the names,
//! whoever owns the keys checks the values.

use super::problem::Problem;

/// A file as it was read.
pub(crate) struct Document {
    pub(crate) items: Vec<Item>,
    /// What is wrong with the syntax, each with its line.
    pub(crate) problems: Vec<Problem>,
}

/// Something that a file gives a name and a value.
#[derive(Clone)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) value: Raw,
    /// The value as the file has it, for messages.
    pub(crate) written: String,
}

/// A value before it is checked.
#[derive(Clone)]
pub(crate) enum Raw {
    Text(String),
    Integer(i64),
    Float(f64),
    Switch(bool),
    Table(Vec<Item>),
    /// Its items are named by their places, from 1.
    List(Vec<Item>),
    /// Of a type that no key has.
    Other,
}

impl Raw {
    /// A list that no file has: its items have places, but no lines.
    pub(crate) fn list(values: impl IntoIterator<Item = Raw>) -> Raw {
        let item = |(n, value): (usize, Raw)| Item {
            name: (n + 1).to_string(),
            line: 0,
            value,
            written: String::new(),
        };
        Raw::List(values.into_iter().enumerate().map(item).collect())
    }
}

/// The line, counted from 1, in which byte `place` of `text` lies.
pub(crate) fn line_at(text: &str, place: usize) -> usize {
    let before = text.as_bytes().get(..place).unwrap_or_default();
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}

/// Text of a file cut to one short line that can be seen, for messages.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = text.lines().next().unwrap_or_default();
    let seen = |letter: char| match letter {
        '\t' => ' ',
        letter if letter.is_control() => '\u{fffd}',
        letter => letter,
    };
    let mut short: String = line.chars().take(LONGEST).map(seen).collect();
    if line.len() < text.len() || line.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

/// A name for messages: short, and quoted where it would not be seen as it is.
pub(crate) fn shown(name: &str) -> String {
    let short = shortened(name);
    let is_plain = |letter: char| !letter.is_control() && !letter.is_whitespace();
    match !name.is_empty() && name.chars().all(is_plain) {
        true => short,
        false => format!("{short:?}"),
    }
}
