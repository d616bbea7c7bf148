//! Diagnostics on standard error or in a file: how much of them, by flag or
//! `RUST_LOG`. Log lines on a terminal stand above the progress line. Those of
//! sled stay away unless `RUST_LOG` names it: what they tell of is answered by
//! the store, and its users can do nothing with them.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::{ArgAction, Args};
use env_logger::Target;
use log::{LevelFilter, Log, Metadata, Record};

use super::log_file::LogFile;
use super::progress::above_progress;

/// Whether diagnostics go to a file instead of standard error.
static LOGS_TO_FILE: AtomicBool = AtomicBool::new(false);

#[derive(Debug, Args)]
#[command(next_help_heading = "Diagnostics")]
pub(crate) struct Verbosity {
    /// Say more on standard error; twice or three times for still more
    ///
    /// Without -v and -q the variable RUST_LOG decides, and without that only
    /// warnings and errors are shown. The lines of sled, the database, come only
    /// where RUST_LOG names it: sled=debug.
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    verbose: u8,
    /// Say less on standard error: no warnings
    #[arg(short, long, global = true)]
    quiet: bool,
}

impl Verbosity {
    /// Starts the logger. In a file, lines have their time, and without a flag
    /// or `RUST_LOG` the level is `info`: no person has to read past its lines.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub(crate) fn start(&self, file: Option<&Path>) -> anyhow::Result<()> {
        let mut builder = env_logger::Builder::new();
        builder.filter_level(LevelFilter::Warn);
        // Its errors are returned and told by us; `-vvv` and RUST_LOG show its own.
        if self.level() != Some(LevelFilter::Trace) {
            builder.filter_module("sled", LevelFilter::Off);
        }
        if let Some(path) = file {
            let opened = LogFile::open(path)
                .with_context(|| format!("cannot write --log-file {}", path.display()))?;
            LOGS_TO_FILE.store(true, Ordering::Relaxed);
            builder.filter_level(LevelFilter::Info);
            builder.target(Target::Pipe(Box::new(opened)));
        }
        // A directive of `RUST_LOG` for the same target replaces this one.
        builder.filter_module("sled", LevelFilter::Off);
        match self.level() {
            Some(level) => builder.filter_level(level),
            None => builder.parse_default_env(),
        };
        let time = file.map(|_| env_logger::TimestampPrecision::Seconds);
        builder.format_timestamp(time).format_target(false);
        let logger = builder.build();
        log::set_max_level(logger.filter());
        let logger: Box<dyn Log> = match file {
            Some(_) => Box::new(logger),
            None => Box::new(AboveProgress(logger)),
        };
        log::set_boxed_logger(logger).expect("the logger is started once");
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

/// A logger on standard error that takes the progress line away while it
/// writes.
struct AboveProgress(env_logger::Logger);

impl Log for AboveProgress {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.0.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if self.0.matches(record) {
            above_progress(|| self.0.log(record));
        }
    }

    fn flush(&self) {
        self.0.flush();
    }
}

/// Tells the user something that is neither data nor a problem, unless `-q` was
/// given.
pub(crate) fn notice(what: &str) {
    if LOGS_TO_FILE.load(Ordering::Relaxed) {
        log::info!("{what}");
    } else if log::log_enabled!(log::Level::Warn) {
        // A closed standard error must not end the command.
        let _ = above_progress(|| writeln!(anstream::stderr(), "loatune: {what}"));
    }
}
