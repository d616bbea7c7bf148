//! Parsers of single values that several commands take.

use std::time::Duration;

use clap::builder::ValueParser;

use crate::evolve::FileId;
use crate::search::Table;

/// The memory of a transposition table in KiB.
pub(crate) fn table_kib() -> ValueParser {
    let (least, most) = (*Table::KIB.start(), *Table::KIB.end());
    clap::value_parser!(u32)
        .range(i64::from(least)..=i64::from(most))
        .into()
}

/// A number of seconds, fractions allowed.
///
/// # Errors
/// The text is no number, or zero or less.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .and_then(|number| Duration::try_from_secs_f64(number).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| String::from("must be a number of seconds, more than 0"))
}

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
        for text in ["", "0", "-1", "NaN", "inf", "1e300", "one"] {
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
