//! Positions in any text: suites, lists, JSON, sources of tests.

use crate::board::Board;
use crate::notation::parse_position;

/// Every position that stands in a text in the notation of this program, with the
/// side to move behind it; what only looks like one is passed over.
///
/// # Examples
///
/// ```
/// use loatune::suite::positions_in;
///
/// let text = r#"{"fen": "8/2x5/8/3x4/3oo3/8/6o1/x7 o", "more": "8/8 x"}"#;
/// assert_eq!(positions_in(text).len(), 1);
/// ```
pub fn positions_in(text: &str) -> Vec<Board> {
    let belongs = |letter: char| "xo12345678/ ".contains(letter);
    let mut found = Vec::new();
    for part in text.split(|letter| !belongs(letter)) {
        let words: Vec<&str> = part.split_whitespace().collect();
        for pair in words.windows(2) {
            if pair[0].matches('/').count() == 7 {
                found.extend(parse_position(&pair.join(" ")).ok());
            }
        }
    }
    found
}
