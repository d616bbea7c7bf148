//! Text for messages: whatever was typed, read or sent, a message stays one
//! line that a person can take in.

/// The most characters of a faulty text that a message repeats.
const EXCERPT: usize = 40;

/// The beginning of a text, for a message: whatever was typed or read, the
/// message stays one line that a person can take in.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

/// A message of another library, which may repeat whatever was sent: one line
/// of bounded length without control characters.
pub(crate) fn sentence(message: &str) -> String {
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
    fn a_sentence_is_one_line() {
        assert_eq!(sentence("unknown `\0`\n"), "unknown `\u{fffd}`\u{fffd}");
        assert_eq!(sentence(&"é".repeat(1000)).chars().count(), 403);
    }
}
