//! What commands share in printing their data.

use std::io::{self, Write};

use serde::Serialize;

/// Standard output does not take the data.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output")]
pub(crate) struct Unwritable(#[source] pub(crate) io::Error);

/// Writes text.
pub(crate) fn put(out: &mut dyn Write, text: &str) -> anyhow::Result<()> {
    Ok(out.write_all(text.as_bytes()).map_err(Unwritable)?)
}

/// Writes a value as one line of JSON.
pub(crate) fn put_json(out: &mut dyn Write, value: &impl Serialize) -> anyhow::Result<()> {
    put(out, &(serde_json::to_string(value)? + "\n"))
}

/// A number with its thousands apart: `1,563,208`.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 piece`, `2 pieces`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        let cases = [(0, "0"), (36, "36"), (999, "999"), (1244, "1,244")];
        for (number, text) in cases {
            assert_eq!(thousands(number), text);
        }
        assert_eq!(thousands(55_963_132), "55,963,132");
        assert_eq!(thousands(123_456_789), "123,456,789");
    }
}
