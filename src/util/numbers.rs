//! Numbers as people read them.

/// A number with its thousands apart: `1,563,208`.
///
/// ```
/// assert_eq!(loatune::util::numbers::thousands(55_963_132), "55,963,132");
/// ```
pub fn thousands(number: u64) -> String {
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
