//! TOML into its raw form.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::problem::Problem;
use super::raw::{Document, Item, Raw, line_at, shortened, shown};

/// Everything that the text sets, as far as its syntax can be made out.
pub(crate) fn read(text: &str) -> Document {
    let (document, errors) = DeTable::parse_recoverable(text);
    let reader = Reader { text };
    let problems = errors.iter().map(|error| Problem {
        line: Some(error.span().map_or(1, |span| reader.line(&span))),
        what: reader.said(error),
    });
    Document {
        items: reader.items(document.get_ref()),
        problems: problems.collect(),
    }
}

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn items(&self, table: &DeTable<'_>) -> Vec<Item> {
        let item = |(name, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| Item {
            name: str::to_owned(AsRef::<str>::as_ref(name.get_ref())),
            line: self.line(&name.span()),
            value: self.raw(value.get_ref()),
            written: shortened(self.text.get(value.span()).unwrap_or_default()),
        };
        table.iter().map(item).collect()
    }

    fn raw(&self, value: &DeValue<'_>) -> Raw {
        match value {
            DeValue::String(text) => Raw::Text(text.to_string()),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map_or(Raw::Other, Raw::Integer),
            DeValue::Float(number) => number.as_str().parse().map_or(Raw::Other, Raw::Float),
            DeValue::Boolean(is_on) => Raw::Switch(*is_on),
            DeValue::Table(table) => Raw::Table(self.items(table)),
            DeValue::Array(values) => {
                let item = |(n, value): (usize, &toml::Spanned<DeValue<'_>>)| Item {
                    name: (n + 1).to_string(),
                    line: self.line(&value.span()),
                    value: self.raw(value.get_ref()),
                    written: shortened(self.text.get(value.span()).unwrap_or_default()),
                };
                Raw::List(values.iter().enumerate().map(item).collect())
            }
            _ => Raw::Other,
        }
    }

    /// What the parser says of an error. Of a key that is there twice it does
    /// not say which it is.
    fn said(&self, error: &toml::de::Error) -> String {
        let said = error.message().trim().replace('\n', ", ");
        let key = error.span().and_then(|span| self.text.get(span));
        match key.filter(|key| said == "duplicate key" && !key.is_empty()) {
            Some(key) => format!("{said}: {}", shown(key)),
            None => said,
        }
    }

    fn line(&self, span: &Range<usize>) -> usize {
        line_at(self.text, span.start)
    }
}
