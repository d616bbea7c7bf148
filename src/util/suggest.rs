//! What somebody who mistyped may have meant.

/// The candidate that is closest to `text`, if any is close: a letter wrong,
/// missing, too many or swapped with its neighbour in a short word, two in a
/// longer one. The first of equals.
pub(crate) fn nearest<T: AsRef<str>>(
    text: &str,
    candidates: impl IntoIterator<Item = T>,
) -> Option<T> {
    // Nothing that long is a slip of the finger.
    const LONGEST: usize = 20;
    let typed: Vec<char> = text.to_lowercase().chars().take(LONGEST).collect();
    let most = if typed.len() < 4 { 1 } else { 2 };
    candidates
        .into_iter()
        .map(|candidate| {
            let letters: Vec<char> = candidate.as_ref().chars().collect();
            (distance(&typed, &letters), candidate)
        })
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Letters to change, add, leave out or swap to get from one to the other.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (n, row) in rows.iter_mut().enumerate() {
        row[0] = n;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger() {
        let words = ["help", "hint", "undo", "b1-b3", "b1-h1", "c1xa3"];
        for (text, meant) in [
            ("hlep", Some("help")),
            ("HELP", Some("help")),
            ("hnt", Some("hint")),
            ("unndo", Some("undo")),
            ("bl-b3", Some("b1-b3")),
            ("c1xa4", Some("c1xa3")),
            ("", None),
            ("zz", None),
            ("something else entirely", None),
        ] {
            assert_eq!(nearest(text, words), meant, "{text:?}");
        }
        assert_eq!(nearest(&"é".repeat(100_000), words), None);
    }
}
