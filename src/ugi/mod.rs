//! The Universal Game Interface: how match runners and other programs drive
//! the engine, line by line.
//!
//! `command` reads a line, `option` keeps what can be set, `clock` divides the
//! time, `info` writes what a search says, and `session` is the dialogue. P1 is
//! Black (`x`). This module is given its input and its output; it reads no
//! arguments, and of files only the weights that it is told to.

mod clock;
mod command;
mod info;
mod option;
mod session;

pub use command::{Command, CommandError, Go, Query, parse};
pub use option::{OptionError, Settings};
pub use session::{SessionError, run};
