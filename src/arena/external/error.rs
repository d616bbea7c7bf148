//! Why an engine cannot be started, said before the first game.

use std::io;

use super::command_line::CommandProblem;

/// An engine that cannot be started. Every message names the command.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The text is not a command.
    #[error("cannot read the engine's command {command:?}: {problem}")]
    Command {
        /// As written.
        command: String,
        /// What is wrong with it.
        problem: CommandProblem,
    },
    /// A search without an end.
    #[error("the engine `{command}` needs a limit: a depth, a number of nodes or a time")]
    Endless {
        /// As written.
        command: String,
    },
    /// No such program.
    #[error(
        "cannot start the engine `{command}`: there is no program {program:?}, neither as a \
         path nor in PATH"
    )]
    NotFound {
        /// As written.
        command: String,
        /// Its first word.
        program: String,
    },
    /// Not a program, or not ours to run.
    #[error("cannot start the engine `{command}`: {program:?} may not be executed")]
    NotExecutable {
        /// As written.
        command: String,
        /// Its first word.
        program: String,
    },
    /// Another reason of the system's.
    #[error("cannot start the engine `{command}`")]
    System {
        /// As written.
        command: String,
        /// The reason.
        #[source]
        cause: io::Error,
    },
    /// It ended, or did not say in time that it is ready.
    #[error("the engine `{command}` does not start: {why}")]
    NotReady {
        /// As written.
        command: String,
        /// What was waited for, and what came instead.
        why: String,
    },
}

impl StartError {
    pub(super) fn from_spawn(cause: io::Error, command: String, program: String) -> StartError {
        match cause.kind() {
            io::ErrorKind::NotFound => StartError::NotFound { command, program },
            io::ErrorKind::PermissionDenied => StartError::NotExecutable { command, program },
            _ => StartError::System { command, cause },
        }
    }
}
