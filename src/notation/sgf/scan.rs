//! SGF as a text: brackets, escapes, and where things stand.
//!
//! Owns the syntax and knows no property. Every character is looked at once,
//! and the depth of the tree is a number, so neither long nor deep texts cost
//! more than their length.

use std::iter::Peekable;
use std::str::Chars;

use super::{SgfError, SgfProblem};
use crate::util::text::excerpt;

/// A place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    line: usize,
    column: usize,
}

impl Place {
    pub(super) fn error(self, problem: impl Into<SgfProblem>) -> SgfError {
        SgfError {
            line: self.line,
            column: self.column,
            problem: problem.into(),
        }
    }
}

/// A value, without its brackets and escapes; line ends are `\n`.
#[derive(Debug)]
pub(super) struct Value {
    pub(super) place: Place,
    pub(super) text: String,
}

/// A property with its values, of which there is at least one.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) place: Place,
    /// Its capital letters: old versions write `GaMe` for `GM`.
    pub(super) name: String,
    pub(super) values: Vec<Value>,
    /// Whether it stands in the first node of the game.
    pub(super) in_root: bool,
}

/// One game: where it begins, and the properties of its main line.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) place: Place,
    pub(super) main_line: Vec<Property>,
}

/// What the last token was, which decides what may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Open,
    Node,
    Close,
}

/// Takes a whole text apart.
pub(super) fn scan(text: &str) -> Result<Vec<Tree>, SgfError> {
    let mut scanner = Scanner::new(text);
    let mut trees = Vec::new();
    loop {
        let place = scanner.skip_space();
        match scanner.next() {
            Some('(') => trees.push(scanner.tree(place)?),
            Some(found) => {
                return Err(place.error(SgfProblem::Expected {
                    expected: "`(` at the start of a game",
                    found,
                }));
            }
            None if trees.is_empty() => return Err(place.error(SgfProblem::NoGame)),
            None => return Ok(trees),
        }
    }
}

struct Scanner<'a> {
    rest: Peekable<Chars<'a>>,
    /// Where the next character stands.
    place: Place,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Scanner<'a> {
        // Some editors put a byte order mark before everything.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Scanner {
            rest: text.chars().peekable(),
            place: Place { line: 1, column: 1 },
        }
    }

    /// The next character; any line end (`\n`, `\r`, or both in either order)
    /// is one `\n`.
    fn next(&mut self) -> Option<char> {
        let letter = self.rest.next()?;
        let pair = match letter {
            '\n' => '\r',
            '\r' => '\n',
            _ => {
                self.place.column += 1;
                return Some(letter);
            }
        };
        self.rest.next_if_eq(&pair);
        self.place.line += 1;
        self.place.column = 1;
        Some('\n')
    }

    /// Skips white space and tells where the next character stands.
    fn skip_space(&mut self) -> Place {
        while self
            .rest
            .peek()
            .is_some_and(|letter| letter.is_whitespace())
        {
            self.next();
        }
        self.place
    }

    /// Reads a game, whose `(` at `start` has been read, to its `)`.
    fn tree(&mut self, start: Place) -> Result<Tree, SgfError> {
        let mut main_line = Vec::new();
        let mut after = After::Open;
        let mut depth = 1usize;
        let mut nodes = 0usize;
        // The first variation is the main line wherever there is a choice, so
        // the main line is what stands before the first `)`.
        let mut is_main = true;
        while depth > 0 {
            let place = self.skip_space();
            let letter = self.rest.peek().copied();
            let found = letter.ok_or_else(|| start.error(SgfProblem::OpenGame))?;
            match (found, after) {
                (';', After::Open | After::Node) => {
                    self.next();
                    nodes += 1;
                    after = After::Node;
                }
                ('(', After::Node | After::Close) => {
                    self.next();
                    depth += 1;
                    after = After::Open;
                }
                (')', After::Node | After::Close) => {
                    self.next();
                    depth -= 1;
                    is_main = false;
                    after = After::Close;
                }
                (letter, After::Node) if letter.is_ascii_alphabetic() => {
                    let property = self.property(place, nodes == 1, is_main)?;
                    main_line.extend(property);
                }
                (found, _) => {
                    let expected = match after {
                        After::Open => "`;` after `(`",
                        After::Node => "a property, `;`, `(` or `)`",
                        After::Close => "`(` or `)` after a variation",
                    };
                    return Err(place.error(SgfProblem::Expected { expected, found }));
                }
            }
        }
        Ok(Tree {
            place: start,
            main_line,
        })
    }

    /// Reads a property, and gives it if it is to be kept.
    fn property(
        &mut self,
        place: Place,
        in_root: bool,
        keep: bool,
    ) -> Result<Option<Property>, SgfError> {
        let mut name = String::new();
        while let Some(letter) = self.rest.next_if(char::is_ascii_alphanumeric) {
            self.place.column += 1;
            if !letter.is_ascii_lowercase() {
                name.push(letter);
            }
        }
        if name.is_empty() {
            return Err(place.error(SgfProblem::NoName));
        }
        let mut values = Vec::new();
        let mut some = false;
        loop {
            let place = self.skip_space();
            if self.rest.peek() != Some(&'[') {
                break;
            }
            self.next();
            some = true;
            let mut text = String::new();
            if !self.value(|letter| {
                if keep {
                    text.push(letter);
                }
            }) {
                return Err(place.error(SgfProblem::OpenValue(excerpt(&name))));
            }
            if keep {
                values.push(Value { place, text });
            }
        }
        if !some {
            return Err(place.error(SgfProblem::NoValue(excerpt(&name))));
        }
        Ok(keep.then_some(Property {
            place,
            name,
            values,
            in_root,
        }))
    }

    /// Reads a value to its `]`, without escapes; false if there is none.
    fn value(&mut self, mut letter: impl FnMut(char)) -> bool {
        loop {
            match self.next() {
                None => return false,
                Some(']') => return true,
                Some('\\') => match self.next() {
                    None => return false,
                    // An escaped line end only breaks the line of the file.
                    Some('\n') => {}
                    Some(escaped) => letter(escaped),
                },
                Some(plain) => letter(plain),
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        match scan(text) {
            Ok(trees) => panic!("{text:?} was read as {trees:?}"),
            Err(error) => error.to_string(),
        }
    }

    /// The main lines: names and values.
    fn main_lines(text: &str) -> Vec<String> {
        let all = |tree: &Tree| {
            let property = |property: &Property| {
                let values = property.values.iter().map(|value| value.text.as_str());
                let values: Vec<&str> = values.collect();
                format!("{}={}", property.name, values.join("|"))
            };
            let line: Vec<String> = tree.main_line.iter().map(property).collect();
            line.join(" ")
        };
        scan(text).unwrap().iter().map(all).collect()
    }

    #[test]
    fn the_main_line_is_the_first_variation() {
        let text = "(;A[1];B[2](;C[3](;D[4])(;E[5]))(;F[6];G[7](;H[8])))\n (;I[9])";
        assert_eq!(main_lines(text), ["A=1 B=2 C=3 D=4", "I=9"]);
    }

    #[test]
    fn values_lose_their_brackets_and_escapes() {
        let text = "\u{feff} ( ; GaMe [9]\r\nC[a\\]b\\\\c\\\r\nd\re\\:f(;)] [second]AB[][x] )";
        assert_eq!(main_lines(text), ["GM=9 C=a]b\\cd\ne:f(;)|second AB=|x"]);
    }

    #[test]
    fn faults_are_found_where_they_stand() {
        for (text, expected) in [
            (
                "",
                "line 1, column 1: there is no game here; an SGF text begins with `(;`",
            ),
            (
                " \r\n ",
                "line 2, column 2: there is no game here; an SGF text begins with `(;`",
            ),
            (
                ";GM[9]",
                "line 1, column 1: expected `(` at the start of a game, found ';'",
            ),
            (
                "(;)\n\n )",
                "line 3, column 2: expected `(` at the start of a game, found ')'",
            ),
            (
                "(;)é",
                "line 1, column 4: expected `(` at the start of a game, found 'é'",
            ),
            (
                "(GM[9])",
                "line 1, column 2: expected `;` after `(`, found 'G'",
            ),
            ("()", "line 1, column 2: expected `;` after `(`, found ')'"),
            (
                "((;))",
                "line 1, column 2: expected `;` after `(`, found '('",
            ),
            (
                "(;C[é]\0)",
                "line 1, column 7: expected a property, `;`, `(` or `)`, found '\\0'",
            ),
            (
                "(;C[a]]",
                "line 1, column 7: expected a property, `;`, `(` or `)`, found ']'",
            ),
            (
                "(;A[](;B[]);C[])",
                "line 1, column 12: expected `(` or `)` after a variation, found ';'",
            ),
            (
                " (;A[](;B[])",
                "line 1, column 2: the game that begins here is never closed by `)`",
            ),
            (
                "(;GM[9]\nC[un\\]\nclosed",
                "line 2, column 2: the value of C that begins here is never closed by `]`",
            ),
            (
                "(;C[\\",
                "line 1, column 4: the value of C that begins here is never closed by `]`",
            ),
            (
                "(;GM;B[b1-b3])",
                "line 1, column 3: GM has no value in brackets",
            ),
            (
                "(;gm[9])",
                "line 1, column 3: a property needs capital letters, as in GM[9]",
            ),
            (
                "(;A[](;)(;B))",
                "line 1, column 11: B has no value in brackets",
            ),
        ] {
            assert_eq!(message(text), expected, "{text:?}");
        }
    }

    #[test]
    fn depth_and_length_cost_nothing_but_time() {
        let deep = 200_000;
        let text = format!("{}{}", "(;A[]".repeat(deep), ")".repeat(deep));
        assert_eq!(scan(&text).unwrap()[0].main_line.len(), deep);
        assert!(scan(&"(;".repeat(deep)).is_err());
        assert_eq!(scan(&"(;)".repeat(deep)).unwrap().len(), deep);
    }
}
