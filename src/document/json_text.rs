//! JSON into the raw form that TOML has too, with the line of every value.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::problem::Problem;
use super::raw_document::{Document, Item, LineIndex, Raw, name_excerpt, value_excerpt};

/// Everything that the text sets; nothing where its syntax is broken.
pub(crate) fn read(text: &str) -> Document {
    let mut reader = Reader {
        text,
        lines: LineIndex::new(text),
        problems: Vec::new(),
    };
    let items = reader.items(text, MAX_LEVELS);
    Document {
        items,
        problems: reader.problems,
    }
}

/// How many objects and lists may stand inside of each other. No document of
/// this program has more than five levels; what lies deeper is
/// [`Raw::Unsupported`], so that hostile nesting costs no stack.
const MAX_LEVELS: u32 = 5;

struct Reader<'a> {
    text: &'a str,
    lines: LineIndex,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn items(&mut self, object: &'a str, levels: u32) -> Vec<Item> {
        let pairs = match serde_json::from_str::<Pairs<'a>>(object) {
            Ok(Pairs(pairs)) => pairs,
            Err(error) => {
                let line = self.line(object) + error.line().max(1) - 1;
                self.report(line, message_without_position(&error));
                return Vec::new();
            }
        };
        let mut items: Vec<Item> = Vec::new();
        let mut names = HashSet::new();
        for (name, value) in pairs {
            let line = self.line(value.get());
            if !names.insert(name.clone()) {
                self.report(line, format!("duplicate key: {}", name_excerpt(&name)));
                continue;
            }
            items.push(Item {
                name,
                line,
                value: self.raw(value.get(), levels - 1),
                excerpt: value_excerpt(value.get()),
            });
        }
        items
    }

    /// A value, with what is in it down to so many levels.
    fn raw(&mut self, value: &'a str, levels: u32) -> Raw {
        match value.as_bytes().first() {
            Some(b'{') if levels > 0 => Raw::Table(self.items(value, levels)),
            Some(b'[') if levels > 0 => {
                let values: Vec<&'a RawValue> = serde_json::from_str(value).unwrap_or_default();
                let item = |(n, value): (usize, &'a RawValue)| Item {
                    name: (n + 1).to_string(),
                    line: self.line(value.get()),
                    value: self.raw(value.get(), levels - 1),
                    excerpt: value_excerpt(value.get()),
                };
                Raw::List(values.into_iter().enumerate().map(item).collect())
            }
            Some(b'"') => serde_json::from_str(value).map_or(Raw::Unsupported, Raw::Text),
            Some(b'-' | b'0'..=b'9') => match (value.parse(), value.parse()) {
                (Ok(whole), _) => Raw::Integer(whole),
                (_, Ok(number)) => Raw::Float(number),
                _ => Raw::Unsupported,
            },
            _ => Raw::Unsupported,
        }
    }

    fn report(&mut self, line: usize, what: String) {
        let line = Some(line);
        self.problems.push(Problem { line, what });
    }

    /// The line of `part`, which is a slice of the text: raw values are
    /// borrowed, so their address tells their offset.
    fn line(&self, part: &str) -> usize {
        let offset = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        self.lines.line(offset)
    }
}

/// The message without " at line 1 column 2": a problem carries its line by
/// itself, counted from the start of the document.
fn message_without_position(error: &serde_json::Error) -> String {
    let position = format!(" at line {} column {}", error.line(), error.column());
    let text = error.to_string();
    text.strip_suffix(&position).unwrap_or(&text).to_owned()
}

/// An object as it is written: in order, with repeated names.
struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs<'de>, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<'de>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(Collect)
    }
}
