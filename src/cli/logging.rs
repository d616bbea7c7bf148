//! Diagnostics on standard error: how much of them, by flag or `RUST_LOG`.

use std::io::Write;

use clap::{ArgAction, Args};
use log::LevelFilter;

#[derive(Debug, Args)]
#[command(next_help_heading = "Diagnostics")]
pub(super) struct Verbosity {
    /// Say more on standard error; twice or three times for still more
    ///
    /// Without -v and -q the variable RUST_LOG decides, and without that only
    /// warnings and errors are shown.
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    verbose: u8,
    /// Say less on standard error: no warnings
    #[arg(short, long, global = true)]
    quiet: bool,
}

impl Verbosity {
    /// Starts the logger.
    pub(super) fn start(&self) {
        let mut builder = env_logger::Builder::new();
        builder.filter_level(LevelFilter::Warn);
        match self.level() {
            Some(level) => builder.filter_level(level),
            None => builder.parse_default_env(),
        };
        builder.format_timestamp(None).format_target(false).init();
    }

    fn level(&self) -> Option<LevelFilter> {
        match (self.quiet, self.verbose) {
            (true, _) => Some(LevelFilter::Error),
            (false, 0) => None,
            (false, 1) => Some(LevelFilter::Info),
            (false, 2) => Some(LevelFilter::Debug),
            (false, _) => Some(LevelFilter::Trace),
        }
    }
}

/// Tells the user something that is neither data nor a problem, unless `-q` was
/// given.
pub(super) fn tell(what: &str) {
    if log::log_enabled!(log::Level::Warn) {
        // Where standard error is closed, there is nobody left to tell.
        let _ = writeln!(anstream::stderr(), "loatune: {what}");
    }
}
