//! What can be wrong with a file, and how it is reported.

use std::path::PathBuf;
use std::{fmt, io};

/// What a file is expected to hold, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The parameters of the program.
    Parameters,
    /// The weights of a player.
    Weights,
    /// An experiment: players and games.
    Experiment,
    /// A suite of positions.
    Suite,
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Content::Parameters => "parameters",
            Content::Weights => "weights",
            Content::Experiment => "experiment",
            Content::Suite => "suite",
        })
    }
}

/// One thing that is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1; `None` for what is missing, or is wrong
    /// outside of the file.
    pub line: Option<usize>,
    /// The message: the key, its value and what is allowed.
    pub what: String,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read at all.
    #[error("cannot read {content} from {}", path.display())]
    Read {
        /// What the file was expected to hold.
        content: Content,
        /// The path as the caller gave it.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The file can be read, but says what is not allowed.
    #[error("{}", ProblemList { content: *content, file, problems })]
    Problems {
        /// What the file was expected to hold.
        content: Content,
        /// The file's name in messages.
        file: String,
        /// Everything that is wrong, in the order of lines; never empty.
        problems: Vec<Problem>,
    },
}

impl FileError {
    /// Accepts a file in which no problem was found.
    ///
    /// # Errors
    /// [`FileError::Problems`] with all of them, sorted by line, where there
    /// are any.
    pub(crate) fn check(
        content: Content,
        file: &str,
        mut problems: Vec<Problem>,
    ) -> Result<(), FileError> {
        if problems.is_empty() {
            return Ok(());
        }
        problems.sort_by_key(|problem| problem.line.unwrap_or(usize::MAX));
        Err(FileError::Problems {
            content,
            file: file.to_owned(),
            problems,
        })
    }
}

/// The most problems that a message lists; more are counted.
const MAX_LISTED: usize = 20;

/// The problems as text: a single one on one line, more below each other.
struct ProblemList<'a> {
    content: Content,
    file: &'a str,
    problems: &'a [Problem],
}

impl fmt::Display for ProblemList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProblemList { file, problems, .. } = self;
        let place = |line: Option<usize>| match (line, self.content) {
            (Some(line), _) => format!("{file}:{line}: "),
            (None, Content::Weights | Content::Experiment | Content::Suite) => format!("{file}: "),
            // No key is required in a file of parameters, so a problem without
            // a line comes from a flag or a variable.
            (None, Content::Parameters) => String::new(),
        };
        if let [Problem { line, what }] = problems {
            return write!(f, "{}{what}", place(*line));
        }
        write!(f, "{} problems in the {}", problems.len(), self.content)?;
        for Problem { line, what } in problems.iter().take(MAX_LISTED) {
            write!(f, "\n  {}{what}", place(*line))?;
        }
        match problems.len().saturating_sub(MAX_LISTED) {
            0 => Ok(()),
            rest => write!(f, "\n  and {rest} more"),
        }
    }
}
