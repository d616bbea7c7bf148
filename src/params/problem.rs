//! What can be wrong with parameters.

use std::path::PathBuf;
use std::{fmt, io};

/// One thing that is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1.
    pub line: usize,
    /// The key, its value and what is allowed.
    pub what: String,
}

/// Why a file of parameters cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ParamsError {
    /// It cannot be read at all.
    #[error("cannot read parameters from {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// It says what is not allowed.
    #[error("{}", Listed { file, problems })]
    Problems {
        /// The file's name.
        file: String,
        /// Everything that is wrong, in the order of lines; never empty.
        problems: Vec<Problem>,
    },
}

/// The problems as text: a single one on one line, more below each other.
struct Listed<'a> {
    file: &'a str,
    problems: &'a [Problem],
}

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Listed { file, problems } = self;
        if let [Problem { line, what }] = problems {
            return write!(f, "{file}:{line}: {what}");
        }
        write!(f, "{} problems in the parameters", problems.len())?;
        for Problem { line, what } in *problems {
            write!(f, "\n  {file}:{line}: {what}")?;
        }
        Ok(())
    }
}
