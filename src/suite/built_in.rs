//! The suite that belongs to the program, so that it is there without a file.

use super::entry::Suite;
use crate::document::FileError;

/// Its name, where a file of a suite is asked for.
pub const BUILT_IN: &str = "errors";

/// The suite of the file `suites/errors.toml`.
///
/// # Errors
/// That file is broken, which a test would show.
pub fn built_in() -> Result<Suite, FileError> {
    let text = include_str!("../../suites/errors.toml");
    Suite::parse(text, "suites/errors.toml")
}
