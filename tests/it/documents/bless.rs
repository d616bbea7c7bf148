//! Documents that follow the program: with `LOATUNE_BLESS=1` the tests of the
//! console blocks write what the program prints into the documents, instead of
//! failing. A line of the document that still fits stays as it is, with its `…`;
//! in one that does not, words take the place of words. What comes out is to be read
//! before it is committed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::console::{is_alike, single_spaced};
use super::markdown::ROOT;

/// Lines of a document that others take the place of.
pub(super) struct Edit {
    pub(super) document: String,
    /// The first of them, counted from 0, and how many there are.
    pub(super) first: usize,
    pub(super) len: usize,
    pub(super) lines: Vec<String>,
}

pub(super) fn is_wanted() -> bool {
    std::env::var_os("LOATUNE_BLESS").is_some()
}

/// Writes the edits into their documents.
pub(super) fn apply(edits: Vec<Edit>) {
    let mut by_document: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
    for edit in edits {
        by_document
            .entry(edit.document.clone())
            .or_default()
            .push(edit);
    }
    for (document, mut edits) in by_document {
        let path = Path::new(ROOT).join(&document);
        let text = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // From the last to the first, so that the numbers of the others hold.
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.first));
        for edit in edits {
            println!("{document}:{}: {} lines", edit.first + 1, edit.lines.len());
            lines.splice(edit.first..edit.first + edit.len, edit.lines);
        }
        fs::write(&path, lines.join("\n") + "\n").unwrap();
    }
}

/// The lines that a document should have in place of `expected` where the program
/// prints `printed`: the cheapest way to make one of the other.
pub(super) fn merged(expected: &[String], printed: &[String]) -> Vec<String> {
    // By lines of the document and of the program that are dealt with: the cost so
    // far, and the lines of both that the last step took.
    let mut cheapest = vec![vec![(f64::INFINITY, [0, 0]); printed.len() + 1]; expected.len() + 1];
    cheapest[0][0].0 = 0.0;
    for n in 0..=expected.len() {
        for m in 0..=printed.len() {
            let cost = cheapest[n][m].0;
            let mut take = |lines: usize, others: usize, more: f64| {
                let place = &mut cheapest[n + lines][m + others];
                if cost + more < place.0 {
                    *place = (cost + more, [lines, others]);
                }
            };
            match expected.get(n).map(|line| line.trim()) {
                Some("…") => {
                    // Any number of lines, but rather few.
                    for others in 0..=printed.len() - m {
                        take(1, others, others as f64 * 1e-6);
                    }
                    continue;
                }
                Some(_) => {
                    take(1, 0, 0.8);
                    if m < printed.len() {
                        take(1, 1, difference(&expected[n], &printed[m]));
                    }
                }
                None => {}
            }
            if m < printed.len() {
                take(0, 1, 0.8);
            }
        }
    }
    let (mut n, mut m) = (expected.len(), printed.len());
    let mut lines = Vec::new();
    while (n, m) != (0, 0) {
        let [taken, others] = cheapest[n][m].1;
        (n, m) = (n - taken, m - others);
        match (taken, others) {
            (1, _) if expected[n].trim() == "…" => lines.push(expected[n].clone()),
            (1, 1) => lines.push(merged_line(&expected[n], &printed[m])),
            (0, 1) => lines.push(printed[m].clone()),
            _ => {}
        }
    }
    lines.reverse();
    lines
}

fn fits(pattern: &str, line: &str) -> bool {
    is_alike(&single_spaced(pattern), &single_spaced(line))
}

/// How little a line of the program is like one of the document, from 0 to 1: by the
/// words that stand in the same place.
fn difference(pattern: &str, line: &str) -> f64 {
    if fits(pattern, line) {
        return 0.0;
    }
    let [one, other] = [pattern, line].map(|text| text.split_whitespace().collect::<Vec<_>>());
    let most = one.len().max(other.len()).max(1);
    let same = one.iter().zip(&other);
    let same = same.filter(|(a, b)| a == b || a.contains('…')).count();
    1.0 - 0.9 * same as f64 / most as f64
}

/// The line of the program, with the `…` of the document's where it has as many words.
fn merged_line(pattern: &str, line: &str) -> String {
    if fits(pattern, line) {
        return pattern.to_owned();
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let has_gaps = pattern.contains('…');
    if !has_gaps || pattern.split_whitespace().count() != words.len() {
        return line.to_owned();
    }
    let mut text = String::new();
    let mut words = words.into_iter();
    for part in pattern.split_inclusive(char::is_whitespace) {
        let word = part.trim_end();
        let new = if word.is_empty() { None } else { words.next() };
        let new = if word.contains('…') {
            Some(word)
        } else {
            new
        };
        text.push_str(new.unwrap_or_default());
        text.push_str(&part[word.len()..]);
    }
    text
}

#[test]
fn lines_that_fit_stay_and_others_are_replaced() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let document = lines("games  400 in … s\n…\nElo: +12.0 +/- 3\nlast line\ngone");
    let program = lines("games  400 in 1.5 s\na\nb\nElo: -4.5 +/- 2\nlast line\nnew one here");
    let expected = lines("games  400 in … s\n…\nElo: -4.5 +/- 2\nlast line\nnew one here");
    assert_eq!(merged(&document, &program), expected);
    // Words take the place of words, and columns stay.
    let document = lines("mtdf   1   817   …");
    let program = lines("mtdf   1   828   0.3");
    assert_eq!(merged(&document, &program), lines("mtdf   1   828   …"));
    assert_eq!(merged(&[], &program), program);
    assert!(merged(&program, &[]).is_empty());
}
