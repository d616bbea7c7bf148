//! The requests and answers of the socket, each one line of JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::api::{FileChoice, FileQuery, MatchQuery};
use crate::evolve::FileId;

/// A request: the methods of [`Source`](crate::api::Source) and their arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub(super) enum Request {
    Status,
    Fleet,
    Files(FileQuery),
    File { file: FileId },
    Descent { file: FileId },
    Options { which: FileChoice },
    Living,
    Params,
    Speed,
    Matches(MatchQuery),
    Match { number: u64 },
    Events { after: Option<u64>, count: usize },
    EventsBetween { after: u64, before: u64 },
    Champion,
    Leader,
    Elder,
    Weights { file: FileId },
    History,
    Charts,
    Chart { name: String, dark: bool },
    Stop,
    Import { weights: String },
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// The result of the method as JSON.
    #[serde(rename = "answer")]
    Given(Value),
    /// The population's state does not allow it, or the request is malformed.
    Refused(String),
    /// The answer could not be read or computed.
    Failed(String),
    /// The run has ended and the population is closed.
    Ended(String),
    /// The daemon, which has this process number, still opens the population.
    Opening(u32),
}

/// The longest request and answer, in bytes: room for a history of many years.
pub(super) const MAX_LINE_BYTES: u64 = 256 * 1024 * 1024;
