//! The types of values in a certificate: what is allowed, reading, writing.

use serde_json::{Value, json};

use super::Certificate;
use crate::document::raw_document::Raw;
use crate::params::{Key, Params, find_group};

/// The most games of one match.
pub(super) const MAX_GAMES: u64 = 100_000_000;
/// The most forebears, and the most matches.
pub(super) const MAX_ITEMS: usize = 10_000;

/// What [`unsigned`] takes, to follow "must be".
pub(super) fn allowed_unsigned() -> String {
    format!("an integer from 0 to {}", u64::MAX)
}

/// A number that may be too large for TOML, whose integers are signed; then it
/// is a text.
pub(super) fn unsigned(raw: &Raw) -> Option<u64> {
    match raw {
        Raw::Integer(number) => (*number).try_into().ok(),
        Raw::Text(text) => text.parse().ok(),
        _ => None,
    }
}

/// The number as [`unsigned`] reads it.
pub(super) fn unsigned_json(number: u64) -> Value {
    match i64::try_from(number) {
        Ok(number) => json!(number),
        Err(_) => json!(number.to_string()),
    }
}

/// What [`count`] takes, to follow "must be".
pub(super) fn allowed_count() -> String {
    format!("an integer from 0 to {MAX_GAMES}")
}

/// A number of games or pairs.
pub(super) fn count(raw: &Raw) -> Option<u64> {
    match raw {
        Raw::Integer(number) => (*number).try_into().ok().filter(|&n: &u64| n <= MAX_GAMES),
        _ => None,
    }
}

/// An integer in a range.
pub(super) fn integer(raw: &Raw, least: u32, most: u32) -> Option<u32> {
    match raw {
        Raw::Integer(number) => u32::try_from(*number)
            .ok()
            .filter(|number| (least..=most).contains(number)),
        _ => None,
    }
}

/// A real number in a range.
pub(super) fn real(raw: &Raw, least: f64, most: f64) -> Option<f64> {
    let number = raw.as_number()?;
    (least..=most).contains(&number).then_some(number)
}

/// The key of `params.toml` for one of the four rules.
fn rule(name: &str) -> Option<&'static Key> {
    let rules = find_group("rules")?;
    rules.keys.iter().find(|key| key.name == name)
}

/// What a rule may be, to follow "must be".
pub(super) fn allowed_rule(name: &str) -> String {
    rule(name).map_or_else(String::new, Key::allowed)
}

/// Takes one of the four rules as `params.toml` would; `false` if its value is
/// not allowed.
pub(super) fn assign_rule(certificate: &mut Certificate, name: &str, raw: &Raw) -> bool {
    let rules = &mut certificate.conditions.rules;
    let mut params = Params {
        rules: *rules,
        ..Params::default()
    };
    let is_good = rule(name).is_some_and(|key| key.set(&mut params, raw).is_ok());
    *rules = params.rules;
    is_good
}
