//! Answers about the server itself and to what changes a population:
//! `/api/session`, `/api/login`, `/api/logout`, `/api/stop`, `/api/import`, and the body of every refusal.

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
    /// Whether the request carried the token or a session and may change things.
    pub may_change: bool,
    /// Whether the server has a token at all; without one nothing can be
    /// changed.
    pub has_token: bool,
    /// Whether only this machine can reach the server.
    pub loopback: bool,
    /// The rules of the population's games.
    pub rules: Rules,
    /// The command that shows the population again when the program has ended;
    /// null where it is not known.
    pub show_again: Option<String>,
}

/// The answer to the token: a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Login)]
pub struct LoginView {
    /// The secret of the session, which does what the token does.
    pub session: String,
    /// The longest life of the session, in seconds.
    pub seconds: u64,
}

/// The answer to the end of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Logout)]
pub struct LogoutView {
    /// The number of sessions that have ended.
    pub ended: usize,
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
