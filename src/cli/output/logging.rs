//! Diagnostics on standard error or in a file: how much of them, by flag or
//! `RUST_LOG`.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{ArgAction, Args};
use env_logger::Target;
use log::LevelFilter;

use super::error::BadUsage;
use super::log_file::LogFile;

/// Whether diagnostics go to a file.
static IN_FILE: AtomicBool = AtomicBool::new(false);

#[derive(Debug, Args)]
#[command(next_help_heading = "Diagnostics")]
pub(crate) struct Verbosity {
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
    /// Starts the logger. In a file, lines have their time, and without a flag
    /// or `RUST_LOG` it says more: there is nobody whom it would disturb.
    pub(crate) fn start(&self, file: Option<&Path>) -> Result<(), BadUsage> {
        let mut builder = env_logger::Builder::new();
        builder.filter_level(LevelFilter::Warn);
        if let Some(path) = file {
            let opened = LogFile::open(path).map_err(|error| {
                BadUsage::new(format!("--log-file {}: {error}", path.display()))
            })?;
            IN_FILE.store(true, Ordering::Relaxed);
            builder.filter_level(LevelFilter::Info);
            builder.target(Target::Pipe(Box::new(opened)));
        }
        match self.level() {
            Some(level) => builder.filter_level(level),
            None => builder.parse_default_env(),
        };
        let time = file.map(|_| env_logger::TimestampPrecision::Seconds);
        builder.format_timestamp(time).format_target(false).init();
        Ok(())
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
pub(crate) fn tell(what: &str) {
    if IN_FILE.load(Ordering::Relaxed) {
        log::info!("{what}");
    } else if log::log_enabled!(log::Level::Warn) {
        // Where standard error is closed, there is nobody left to tell.
        let _ = writeln!(anstream::stderr(), "loatune: {what}");
    }
}
