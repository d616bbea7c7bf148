//! The Universal Game Interface: how match runners and other programs drive
//! the engine, line by line.
//!
//! `command` parses a line, `option` keeps the options, `info` writes what a
//! search reports, `features` what the evaluation sees in a position, and
//! `session` runs the protocol.
//! P1 is Black (`x`). The caller gives the input and the output; this module
//! reads no arguments, and of files only the weights that an option names.

mod command;
mod features;
mod info;
mod option;
mod session;

pub use command::{Command, CommandError, Go, Query, parse};
pub use option::{OptionError, Settings};
pub use session::{SessionError, run};
