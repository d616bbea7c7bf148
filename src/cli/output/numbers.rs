//! Numbers as people read them.

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

/// A number with its noun in singular or plural: `1 piece`, `2 pieces`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A duration in minutes and seconds, with hours where there are any: `0:07`,
/// `1:02:03`.
pub(crate) fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
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

    #[test]
    fn clocks_show_hours_where_there_are_any() {
        assert_eq!(clock(3723.4), "1:02:03");
        assert_eq!(clock(7.0), "0:07");
    }
}
