//! The requests and answers, as they go over the socket.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::evolve::FileId;

/// What can be asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub(super) enum Request {
    Status,
    Files {
        from: FileId,
        count: usize,
    },
    File {
        file: FileId,
    },
    Matches {
        before: Option<u64>,
        count: usize,
        file: Option<FileId>,
    },
    Match {
        number: u64,
    },
    Events {
        after: Option<u64>,
        count: usize,
    },
    EventsBetween {
        after: u64,
        before: u64,
    },
    Champion,
    Leader,
    Elder,
    Weights {
        file: FileId,
    },
    History,
    Charts,
    Chart {
        name: String,
        dark: bool,
    },
    Stop,
    Import {
        weights: String,
    },
}

/// What comes back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// What was asked for.
    #[serde(rename = "answer")]
    Given(Value),
    /// It cannot be done as things are.
    Refused(String),
    /// It went wrong.
    Failed(String),
}

/// The longest request and answer: a history of many years.
pub(super) const LONGEST: u64 = 256 * 1024 * 1024;
