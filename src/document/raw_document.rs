//! A document in its raw form: names, values and the lines they stand in.
//! Knows neither which names nor which values are allowed;
//! [`super::key_check`] checks the names, the owner of the keys the values.

use super::problem::Problem;

/// A document as it was read.
pub(crate) struct Document {
    /// What stands at the top level, in the order of the text.
    pub(crate) items: Vec<Item>,
    /// Errors of syntax, each with its line.
    pub(crate) problems: Vec<Problem>,
}

/// A name with its value.
#[derive(Clone)]
pub(crate) struct Item {
    pub(crate) name: String,
    /// Counted from 1; 0 where the item comes from no document.
    pub(crate) line: usize,
    pub(crate) value: Raw,
    /// The value as the document writes it, cut to one line, for messages.
    pub(crate) excerpt: String,
}

/// A value before it is checked.
#[derive(Clone)]
pub(crate) enum Raw {
    Text(String),
    Integer(i64),
    Float(f64),
    Bool(bool),
    Table(Vec<Item>),
    /// Its items are named by their positions, from 1.
    List(Vec<Item>),
    /// A type that no key has, or a number out of the range of its type.
    Unsupported,
}

impl Raw {
    /// A list that stands in no document: its items have no lines.
    pub(crate) fn list(values: impl IntoIterator<Item = Raw>) -> Raw {
        let item = |(n, value): (usize, Raw)| Item {
            name: (n + 1).to_string(),
            line: 0,
            value,
            excerpt: String::new(),
        };
        Raw::List(values.into_iter().enumerate().map(item).collect())
    }

    /// The text, if it is one.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Raw::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items of a list.
    pub(crate) fn as_list(&self) -> Option<&[Item]> {
        match self {
            Raw::List(items) => Some(items),
            _ => None,
        }
    }

    /// A number of either type, as a real one.
    pub(crate) fn as_number(&self) -> Option<f64> {
        match *self {
            Raw::Integer(number) => Some(number as f64),
            Raw::Float(number) => Some(number),
            _ => None,
        }
    }
}

/// Where the lines of a text end, so that the line of every value is found
/// without reading the text again.
pub(crate) struct LineIndex {
    /// The offset of every line feed, in order.
    ends: Vec<usize>,
}

impl LineIndex {
    pub(crate) fn new(text: &str) -> LineIndex {
        let bytes = text.bytes().enumerate();
        let ends = bytes.filter(|(_, byte)| *byte == b'\n');
        LineIndex {
            ends: ends.map(|(offset, _)| offset).collect(),
        }
    }

    /// The line, counted from 1, of the byte at `offset`.
    pub(crate) fn line(&self, offset: usize) -> usize {
        1 + self.ends.partition_point(|end| *end < offset)
    }
}

/// The source text of a value for messages: its first line, at most 60
/// characters of it, with control characters replaced.
pub(crate) fn value_excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = text.lines().next().unwrap_or_default();
    let visible = |letter: char| match letter {
        '\t' => ' ',
        letter if letter.is_control() => '\u{fffd}',
        letter => letter,
    };
    let mut short: String = line.chars().take(LONGEST).map(visible).collect();
    if line.len() < text.len() || line.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

/// A name for messages: short, and quoted where it is empty or has characters
/// that would not be visible.
pub(crate) fn name_excerpt(name: &str) -> String {
    let short = value_excerpt(name);
    let is_plain = |letter: char| !letter.is_control() && !letter.is_whitespace();
    if !name.is_empty() && name.chars().all(is_plain) {
        short
    } else {
        format!("{short:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one() {
        let lines = LineIndex::new("a\nb\nc");
        for (offset, line) in [(0, 1), (1, 1), (2, 2), (3, 2), (4, 3), (9, 3)] {
            assert_eq!(lines.line(offset), line, "byte {offset}");
        }
        assert_eq!(LineIndex::new("").line(9), 1);
    }

    #[test]
    fn excerpts_are_one_visible_line() {
        assert_eq!(value_excerpt("[1, 2]"), "[1, 2]");
        assert_eq!(value_excerpt("[1,\n2]"), "[1,…");
        assert_eq!(value_excerpt("a\tb\u{7}"), "a b\u{fffd}");
        let long = "é".repeat(61);
        assert_eq!(value_excerpt(&long), format!("{}…", "é".repeat(60)));
        assert_eq!(name_excerpt("depth"), "depth");
        assert_eq!(name_excerpt(""), "\"\"");
        assert_eq!(name_excerpt("a b"), "\"a b\"");
    }
}
