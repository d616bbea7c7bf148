//! Parsers of single values that several commands take.

use std::ffi::OsStr;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};

use crate::arena::MoveLimits;
use crate::evolve::FileId;
use crate::search::{Algorithm, SearchSetup, SetupError, Table};
use crate::util::size::parse_kib;

/// One of these searches by its name.
pub(crate) fn player_name<const N: usize>(
    allowed: [Algorithm; N],
) -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(allowed.map(Algorithm::name)).try_map(|name| name.parse())
}

/// A search by its name, with its options where it has any: `selective:lmr=0`.
pub(crate) fn search_setup() -> impl TypedValueParser<Value = SearchSetup> {
    SetupParser
}

#[derive(Clone)]
struct SetupParser;

impl TypedValueParser for SetupParser {
    type Value = SearchSetup;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<SearchSetup, clap::Error> {
        let parse: fn(&str) -> Result<SearchSetup, SetupError> = str::parse;
        TypedValueParser::parse_ref(&parse, command, arg, value)
    }

    /// For help texts and completions: the names without options.
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = Algorithm::ALL.map(Algorithm::name);
        Some(Box::new(names.into_iter().map(PossibleValue::new)))
    }
}

/// The memory of a transposition table in KiB; another unit may be given.
pub(crate) fn table_kib() -> ValueParser {
    fn parse(text: &str) -> Result<u32, String> {
        let kib = parse_kib(text).and_then(|kib| u32::try_from(kib).ok());
        kib.filter(|kib| Table::KIB.contains(kib)).ok_or_else(|| {
            let (least, most) = (Table::KIB.start(), Table::KIB.end());
            format!("{text} is not in {least}..={most} KiB; another unit may be given, as in 64M")
        })
    }
    ValueParser::new(parse)
}

/// The memory of a transposition table in KiB where a search of one position or
/// of a match is asked for, and nothing is said of it.
pub(crate) const DEFAULT_TABLE_KIB: u32 = 16 * 1024;

/// A number of seconds, fractions allowed: a millisecond at least, because the
/// protocol of other programs counts in milliseconds.
///
/// # Errors
/// The text is no number, or less than a millisecond.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .and_then(|number| Duration::try_from_secs_f64(number).ok())
        .filter(|time| (MoveLimits::LEAST_TIME..=LONGEST_TIME).contains(time))
        .ok_or_else(|| String::from("must be a number of seconds, from 0.001 to 1000000"))
}

/// A number of seconds, also 0.
///
/// # Errors
/// The text is no number, or less than 0.
pub(crate) fn seconds_or_none(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .and_then(|number| Duration::try_from_secs_f64(number).ok())
        .filter(|time| *time <= LONGEST_TIME)
        .ok_or_else(|| String::from("must be a number of seconds, from 0 to 1000000"))
}

/// No arithmetic of times overflows with it.
const LONGEST_TIME: Duration = Duration::from_secs(1_000_000);

/// A number of games that makes whole pairs.
///
/// # Errors
/// The number is odd, zero or no number.
pub(crate) fn even_games(text: &str) -> Result<u64, String> {
    let number: Option<u64> = text.parse().ok();
    let is_good = |number: &u64| *number > 0 && number.is_multiple_of(2);
    number.filter(is_good).ok_or_else(|| {
        String::from("must be an even number, because every opening is played twice")
    })
}

/// The number of an individual, also as reports write it: `#3`.
///
/// # Errors
/// The text is no number.
pub(crate) fn file_id(text: &str) -> Result<FileId, String> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    let number = is_number.then(|| digits.parse().ok()).flatten();
    number
        .map(FileId)
        .ok_or_else(|| String::from("must be the number of a file, as 3 or #3"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_positive_numbers() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("0.001"), Ok(Duration::from_millis(1)));
        for text in ["", "0", "0.0009", "-1", "NaN", "inf", "1e7", "1e300", "one"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn files_have_numbers() {
        assert_eq!(file_id("3"), Ok(FileId(3)));
        assert_eq!(file_id("#3"), Ok(FileId(3)));
        for text in ["", "#", "##3", "3#", "# 3", "#-3", "-3", "+3", "three"] {
            assert!(file_id(text).is_err(), "{text}");
        }
    }

    #[test]
    fn games_come_in_pairs() {
        assert_eq!(even_games("2"), Ok(2));
        for text in ["", "0", "1", "-2", "3", "2.0"] {
            assert!(even_games(text).is_err(), "{text}");
        }
    }
}
