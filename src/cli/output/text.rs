//! A command's data on standard output.

use std::io::{self, Write};

use serde::Serialize;

/// Standard output does not take the data.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output")]
pub(crate) struct OutputError(#[source] pub(crate) io::Error);

/// Writes text.
///
/// # Errors
/// An [`OutputError`].
pub(crate) fn write_text(out: &mut dyn Write, text: &str) -> anyhow::Result<()> {
    Ok(out.write_all(text.as_bytes()).map_err(OutputError)?)
}

/// Writes a value as one line of JSON.
///
/// # Errors
/// An [`OutputError`].
pub(crate) fn write_json(out: &mut dyn Write, value: &impl Serialize) -> anyhow::Result<()> {
    write_text(out, &(serde_json::to_string(value)? + "\n"))
}
