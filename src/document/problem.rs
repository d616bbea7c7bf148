//! What can be wrong with a file.

use std::path::PathBuf;
use std::{fmt, io};

/// What a file is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The parameters of the program.
    Parameters,
    /// The weights of a player.
    Weights,
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Content::Parameters => "parameters",
            Content::Weights => "weights",
        })
    }
}

/// One thing that is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1; `None` for what is missing, or is wrong
    /// outside of the file.
    pub line: Option<usize>,
    /// The key, its value and what is allowed.
    pub what: String,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read at all.
    #[error("cannot read {content} from {}", path.display())]
    Read {
        /// What it was to hold.
        content: Content,
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// It says what is not allowed.
    #[error("{}", Listed { content: *content, file, problems })]
    Problems {
        /// What it was to hold.
        content: Content,
        /// The file's name.
        file: String,
        /// Everything that is wrong, in the order of lines; never empty.
        problems: Vec<Problem>,
    },
}

impl FileError {
    /// The error for these problems; `None` if there are none.
    pub(crate) fn of(
        content: Content,
        file: &str,
        mut problems: Vec<Problem>,
    ) -> Option<FileError> {
        problems.sort_by_key(|problem| problem.line.unwrap_or(usize::MAX));
        let file = file.to_owned();
        (!problems.is_empty()).then_some(FileError::Problems {
            content,
            file,
            problems,
        })
    }
}

/// The problems as text: a single one on one line, more below each other.
struct Listed<'a> {
    content: Content,
    file: &'a str,
    problems: &'a [Problem],
}

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Listed { file, problems, .. } = self;
        let place = |line: Option<usize>| match (line, self.content) {
            (Some(line), _) => format!("{file}:{line}: "),
            (None, Content::Weights) => format!("{file}: "),
            // Nothing has to stand in the file; a flag is wrong.
            (None, Content::Parameters) => String::new(),
        };
        if let [Problem { line, what }] = problems {
            return write!(f, "{}{what}", place(*line));
        }
        write!(f, "{} problems in the {}", problems.len(), self.content)?;
        for Problem { line, what } in *problems {
            write!(f, "\n  {}{what}", place(*line))?;
        }
        Ok(())
    }
}
