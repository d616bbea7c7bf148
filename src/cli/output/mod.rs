//! What every command shares in talking to people: data on standard output;
//! errors, log lines and progress on standard error. Knows no command.

mod board_drawing;
mod error;
mod file;
mod log_file;
mod logging;
mod numbers;
mod progress;
mod table;
mod text;

pub(super) use crate::util::numbers::thousands;
pub(super) use board_drawing::{View, drawing};
pub(super) use error::{BadUsage, Stopped, explain_usage, report};
pub(super) use file::{create_file, save_file};
pub(super) use logging::{Verbosity, notice};
pub(super) use numbers::{clock, count, utc};
pub(super) use progress::{Progress, ProgressLine};
pub(super) use table::{Column, TextTable};
pub(super) use text::{OutputError, write_json, write_text};
