//! Which files and which matches to list: the queries of `/api/files` and
//! `/api/matches`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::evolve::{FileId, Origin};

/// Which files to list, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileQuery {
    /// Only files with this number or a greater one.
    pub from: FileId,
    /// The greatest number of files to list.
    pub count: usize,
    /// How many of the files that fit are left out at the beginning.
    pub skip: usize,
    /// Only files in this state.
    pub state: Option<FileState>,
    /// Only files that came into the population in this way.
    pub origin: Option<Origin>,
    /// Only the children of this file.
    pub parent: Option<FileId>,
    /// Only files whose number begins with this text or whose name has it,
    /// in capitals or not.
    pub search: Option<String>,
    /// What the files are ordered by.
    pub sort: FileSort,
    /// Whether the greatest comes first.
    pub descending: bool,
}

/// Where a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FileState {
    /// It lives in the population.
    Living,
    /// It has left the population.
    Dead,
    /// It is an elder, which never lived in the population.
    Hall,
}

/// What files are ordered by; equal ones by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FileSort {
    /// Their numbers, which follow their births.
    #[default]
    Number,
    /// Their points.
    Points,
    /// The games that counted for their points.
    Games,
    /// The twins that were bred from them.
    Children,
}

impl FileQuery {
    /// At most `count` files from a number on, in the order of their numbers.
    pub fn page(from: FileId, count: usize) -> FileQuery {
        FileQuery {
            from,
            count,
            ..FileQuery::default()
        }
    }
}

/// Which matches to list; the newest come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchQuery {
    /// Only matches with smaller numbers; `None` starts at the newest match.
    pub before: Option<u64>,
    /// The greatest number of matches to list.
    pub count: usize,
    /// Only matches of this file; `None` lists those of all files.
    pub file: Option<FileId>,
    /// Only matches with this result for the file, or for the first of the
    /// two files where none is named.
    pub result: Option<MatchOutcome>,
}

/// How a match ended for a file: by its score, the mean of both games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MatchOutcome {
    /// Its score is above 0.
    Won,
    /// Its score is 0.
    Drawn,
    /// Its score is below 0.
    Lost,
}

impl MatchOutcome {
    /// The outcome of a score.
    pub fn of_score(score: f64) -> MatchOutcome {
        if score > 0.0 {
            MatchOutcome::Won
        } else if score < 0.0 {
            MatchOutcome::Lost
        } else {
            MatchOutcome::Drawn
        }
    }
}
