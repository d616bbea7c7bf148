//! The command of an engine, split into words as a shell would, without one.
//!
//! Spaces separate words; `'…'` keeps everything, `"…"` everything but `\"`
//! and `\\`, and elsewhere `\` keeps the character after it. Nothing else has
//! a meaning: no variables, no patterns, no pipes.

use std::fmt;
use std::mem;

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandLine {
    /// As it was written, for messages.
    text: String,
    program: String,
    arguments: Vec<String>,
}

/// Why a text is not a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandProblem {
    /// Nothing to start.
    #[error("there is no program to start")]
    Empty,
    /// A quote without its partner.
    #[error("the quote {0} is not closed")]
    Open(char),
    /// Nothing follows the last `\`.
    #[error("nothing follows the \\ at its end")]
    Backslash,
}

impl CommandLine {
    pub(super) fn parse(text: &str) -> Result<CommandLine, CommandProblem> {
        let mut words = split(text)?.into_iter();
        match words.next() {
            Some(program) if !program.is_empty() => Ok(CommandLine {
                text: text.trim().to_owned(),
                program,
                arguments: words.collect(),
            }),
            _ => Err(CommandProblem::Empty),
        }
    }

    pub(super) fn program(&self) -> &str {
        &self.program
    }

    pub(super) fn arguments(&self) -> &[String] {
        &self.arguments
    }
}

/// As it was written.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn split(text: &str) -> Result<Vec<String>, CommandProblem> {
    let mut words = Vec::new();
    let mut word = String::new();
    // A pair of quotes makes a word even with nothing in it.
    let mut begun = false;
    let mut rest = text.chars().peekable();
    while let Some(mark) = rest.next() {
        match mark {
            '\'' | '"' => {
                begun = true;
                loop {
                    match rest.next().ok_or(CommandProblem::Open(mark))? {
                        end if end == mark => break,
                        '\\' if mark == '"' => {
                            word.push(rest.next_if(|c| "\"\\".contains(*c)).unwrap_or('\\'));
                        }
                        other => word.push(other),
                    }
                }
            }
            '\\' => {
                begun = true;
                word.push(rest.next().ok_or(CommandProblem::Backslash)?);
            }
            _ if mark.is_whitespace() => {
                if mem::take(&mut begun) {
                    words.push(mem::take(&mut word));
                }
            }
            _ => {
                begun = true;
                word.push(mark);
            }
        }
    }
    if begun {
        words.push(word);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_quotes() {
        let cases: &[(&str, &[&str])] = &[
            ("engine", &["engine"]),
            ("  engine \t ugi\n", &["engine", "ugi"]),
            ("'my engine' ''", &["my engine", ""]),
            (r#"a"b c"'d "e'f"#, &[r#"ab cd "ef"#]),
            (r#""\"\\\n" '\n'"#, &[r#""\\n"#, r"\n"]),
            (r"my\ engine \\ \'", &["my engine", r"\", "'"]),
            ("a $HOME * | b; c", &["a", "$HOME", "*", "|", "b;", "c"]),
            ("", &[]),
        ];
        for (text, words) in cases {
            let expected = words.iter().map(|&word| word.to_owned()).collect();
            assert_eq!(split(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_command() {
        for (text, problem) in [
            ("", CommandProblem::Empty),
            ("  ", CommandProblem::Empty),
            ("'' ugi", CommandProblem::Empty),
            ("a 'b", CommandProblem::Open('\'')),
            ("a \"b\\\"", CommandProblem::Open('"')),
            ("a \\", CommandProblem::Backslash),
        ] {
            assert_eq!(CommandLine::parse(text), Err(problem), "{text:?}");
        }
    }
}
