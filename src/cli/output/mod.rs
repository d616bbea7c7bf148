//! What every command shares in talking to people: data on standard output,
//! errors, log lines and progress on standard error. Knows no command.

pub(super) mod board_drawing;
pub(super) mod error;
mod log_file;
pub(super) mod logging;
pub(super) mod progress;
mod text;

pub(super) use text::{Unwritable, count, put, put_json, thousands};
