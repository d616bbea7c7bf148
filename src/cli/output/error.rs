//! How a command fails: the exit codes, and the one place that prints an error.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;

use super::progress::above_progress;
use super::text::OutputError;

const FAILURE: u8 = 1;
const BAD_USAGE: u8 = 2;
const STOPPED: u8 = 3;

/// Marks an error as bad usage or bad parameters (exit code 2); its text is that
/// of the error itself.
#[derive(Debug)]
pub(crate) struct BadUsage(Box<dyn Error + Send + Sync>);

impl BadUsage {
    /// Marks `error`.
    pub(crate) fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> BadUsage {
        BadUsage(error.into())
    }
}

impl fmt::Display for BadUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for BadUsage {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// A signal ended the command after it had printed what it had done; the text
/// is the last word to the user (exit code 3).
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Stopped(pub(crate) String);

/// Prints an error with its causes, and gives the exit code.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    if is_closed_pipe(error) {
        return ExitCode::SUCCESS;
    }
    if let Some(stopped) = error.downcast_ref::<Stopped>() {
        print(format_args!("loatune: {stopped}\n"));
        return ExitCode::from(STOPPED);
    }
    print(format_args!("loatune: error: {}\n", with_causes(error)));
    let usage = error.downcast_ref::<BadUsage>().is_some();
    ExitCode::from(if usage { BAD_USAGE } else { FAILURE })
}

/// An error and its causes. Many errors name their cause themselves: a cause
/// that the text contains already is not repeated.
fn with_causes(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Prints what the argument parser has to say, which may be the help that was
/// asked for, and gives the exit code.
pub(crate) fn explain_usage(error: &clap::Error) -> ExitCode {
    if error.exit_code() == 0 || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    {
        // A closed output must not change the exit code.
        let _ = error.print();
    } else {
        print(format_args!("loatune: {}", error.render().ansi()));
    }
    ExitCode::from(if error.exit_code() == 0 { 0 } else { BAD_USAGE })
}

/// Whether the reader of the output has closed it (`… | head -1`), which is no
/// failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<OutputError>()
        .is_some_and(|OutputError(cause)| cause.kind() == io::ErrorKind::BrokenPipe)
}

fn print(text: fmt::Arguments<'_>) {
    // A closed standard error must not change the exit code.
    let _ = above_progress(|| anstream::stderr().write_fmt(text));
}
