//! Answers about the server itself and to what changes a population:
//! `/api/session`, `/api/stop`, `/api/import`, and the body of every refusal.

use serde::Serialize;
use utoipa::ToSchema;

use crate::evolve::FileId;
use crate::game::Rules;

/// What the client may do, and the rules of the population's games.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Session)]
pub struct SessionView {
    /// The version of the program.
    pub version: &'static str,
    /// Whether the request carried the token and may change things.
    pub may_change: bool,
    /// Whether the server has a token at all; without one nothing can be
    /// changed.
    pub has_token: bool,
    /// Whether only this machine can reach the server.
    pub loopback: bool,
    /// The rules of the population's games.
    pub rules: Rules,
}

/// The answer to a request to stop the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Stopping {
    /// Whether the run was asked to stop, which is always so.
    pub stopping: bool,
}

/// The answer to an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Imported {
    /// The number of the file that the weights became.
    pub file: FileId,
}

/// The body of every refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorView {
    /// Why there is no answer, as a sentence.
    pub error: String,
}
