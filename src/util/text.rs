//! Text from outside inside of messages: cut, so that a message stays one
//! short line.

/// The most characters of a text from outside that a message repeats.
const EXCERPT: usize = 40;

/// The beginning of a text that a message repeats, at most 40 characters.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

/// A message of another library, which may repeat what was sent, as one line
/// of at most 400 characters without control characters.
pub(crate) fn single_line(message: &str) -> String {
    const LONGEST: usize = 400;
    let mut line: String = message.chars().take(LONGEST).collect();
    if line.len() < message.len() {
        line += "...";
    }
    line.replace(char::is_control, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_cuts_between_characters() {
        assert_eq!(excerpt("b1-b3"), "b1-b3");
        let long = "é".repeat(EXCERPT + 1);
        assert_eq!(excerpt(&long), format!("{}...", "é".repeat(EXCERPT)));
    }

    #[test]
    fn control_characters_and_length_are_bounded() {
        assert_eq!(single_line("unknown `\0`\n"), "unknown `\u{fffd}`\u{fffd}");
        assert_eq!(single_line(&"é".repeat(1000)).chars().count(), 403);
    }
}
