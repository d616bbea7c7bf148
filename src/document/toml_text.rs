//! TOML into its raw form, with the line of every value.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::problem::Problem;
use super::raw_document::{Document, Item, LineIndex, Raw, name_excerpt, value_excerpt};

/// Everything that the text sets, as far as its syntax can be made out: the
/// parser goes on after an error.
pub(crate) fn read(text: &str) -> Document {
    let (document, errors) = DeTable::parse_recoverable(text);
    let reader = Reader {
        text,
        lines: LineIndex::new(text),
    };
    let problems = errors.iter().map(|error| Problem {
        line: Some(error.span().map_or(1, |span| reader.line(&span))),
        what: reader.message(error),
    });
    Document {
        items: reader.items(document.get_ref()),
        problems: problems.collect(),
    }
}

struct Reader<'a> {
    text: &'a str,
    lines: LineIndex,
}

impl Reader<'_> {
    fn items(&self, table: &DeTable<'_>) -> Vec<Item> {
        let item = |(name, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| Item {
            name: str::to_owned(AsRef::<str>::as_ref(name.get_ref())),
            line: self.line(&name.span()),
            value: self.raw(value.get_ref()),
            excerpt: self.excerpt(value),
        };
        table.iter().map(item).collect()
    }

    fn raw(&self, value: &DeValue<'_>) -> Raw {
        match value {
            DeValue::String(text) => Raw::Text(text.to_string()),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map_or(Raw::Unsupported, Raw::Integer),
            DeValue::Float(number) => number.as_str().parse().map_or(Raw::Unsupported, Raw::Float),
            DeValue::Boolean(is_on) => Raw::Bool(*is_on),
            DeValue::Table(table) => Raw::Table(self.items(table)),
            DeValue::Array(values) => {
                let item = |(n, value): (usize, &toml::Spanned<DeValue<'_>>)| Item {
                    name: (n + 1).to_string(),
                    line: self.line(&value.span()),
                    value: self.raw(value.get_ref()),
                    excerpt: self.excerpt(value),
                };
                Raw::List(values.iter().enumerate().map(item).collect())
            }
            _ => Raw::Unsupported,
        }
    }

    /// The parser's message. For a duplicate key it does not name the key, so
    /// that is added.
    fn message(&self, error: &toml::de::Error) -> String {
        let message = error.message().trim().replace('\n', ", ");
        let key = error.span().and_then(|span| self.text.get(span));
        match key.filter(|key| message == "duplicate key" && !key.is_empty()) {
            Some(key) => format!("{message}: {}", name_excerpt(key)),
            None => message,
        }
    }

    fn excerpt(&self, value: &toml::Spanned<DeValue<'_>>) -> String {
        value_excerpt(self.text.get(value.span()).unwrap_or_default())
    }

    fn line(&self, span: &Range<usize>) -> usize {
        self.lines.line(span.start)
    }
}
