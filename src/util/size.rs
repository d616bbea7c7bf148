//! Amounts of memory as people write them.

/// KiB from a number, which counts KiB, or from a number with a unit of 1024:
/// `64M`, `64 MiB`, `1g`. `None` for anything else.
pub(crate) fn parse_kib(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|letter: char| !letter.is_ascii_digit());
    let (number, unit) = text.split_at(digits.unwrap_or(text.len()));
    let unit = unit.trim_start().to_ascii_lowercase();
    let factor = match unit.as_str() {
        "" | "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 1 << 10,
        "g" | "gb" | "gib" => 1 << 20,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_powers_of_1024() {
        for (text, kib) in [
            ("256", Some(256)),
            ("256k", Some(256)),
            ("256 KiB", Some(256)),
            ("64M", Some(65_536)),
            ("64MB", Some(65_536)),
            ("1GiB", Some(1_048_576)),
            ("", None),
            ("M", None),
            ("-1", None),
            ("1.5M", None),
            ("1T", None),
            ("99999999999999999999", None),
            ("9999999999999999999G", None),
        ] {
            assert_eq!(parse_kib(text), kib, "{text}");
        }
    }
}
