//! Suggestions for mistyped words.

/// The candidate that is closest to `text`, if any is close: one edit in a
/// word of up to three characters, two in a longer one. An edit changes, adds
/// or drops a character or swaps two neighbours (optimal string alignment).
/// The first of equally close candidates wins; `text` may be in any case.
pub(crate) fn nearest<T: AsRef<str>>(
    text: &str,
    candidates: impl IntoIterator<Item = T>,
) -> Option<T> {
    // A longer text is no typing error; the cap bounds the time it takes.
    const MOST_CHARACTERS: usize = 20;
    let typed: String = text.to_lowercase().chars().take(MOST_CHARACTERS).collect();
    let most_edits = if typed.chars().count() < 4 { 1 } else { 2 };
    candidates
        .into_iter()
        .map(|candidate| {
            let distance = strsim::osa_distance(&typed, candidate.as_ref());
            (distance, candidate)
        })
        .filter(|(distance, _)| *distance <= most_edits)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_recognised() {
        let words = ["help", "hint", "undo", "b1-b3", "b1-h1", "c1xa3"];
        for (text, meant) in [
            ("hlep", Some("help")),
            ("HELP", Some("help")),
            ("hnt", Some("hint")),
            ("unndo", Some("undo")),
            ("bl-b3", Some("b1-b3")),
            ("c1xa4", Some("c1xa3")),
            // Two swaps of neighbours, and the two edits that "help" is away.
            ("ehpl", Some("help")),
            ("held!", Some("help")),
            // A third edit is too many, and the second in a short word.
            ("hellos", None),
            ("hn", None),
            ("", None),
            ("zz", None),
            ("something else entirely", None),
        ] {
            assert_eq!(nearest(text, words), meant, "{text:?}");
        }
        assert_eq!(nearest(&"é".repeat(100_000), words), None);
    }

    /// Only the first 20 characters count: they may be a candidate's.
    #[test]
    fn a_long_text_is_cut() {
        let word = "abcdefghijklmnopqrst";
        assert_eq!(nearest(&format!("{word}uvwxyz"), [word]), Some(word));
    }

    #[test]
    fn the_first_of_equals_wins() {
        assert_eq!(nearest("bend", ["send", "lend", "band"]), Some("send"));
    }
}
