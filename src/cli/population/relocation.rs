//! What `copy` and `rename` share: two names, and how they fail.

use std::io::{self, Write};
use std::path::Path;

use clap::Args;
use serde_json::json;

use super::open_population::{Reached, reach};
use crate::cli::args::PopulationDir;
use crate::cli::output::{BadUsage, write_json, write_text};
use crate::store::StoreError;

/// The population and its new name.
#[derive(Debug, Args)]
pub(super) struct Relocation {
    /// The population: a name in populations/, or a directory (with a slash)
    #[arg(value_name = "FROM")]
    from: String,
    /// The new name in populations/, or a new directory (with a slash)
    #[arg(value_name = "TO")]
    to: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Carries `relocate` out and prints what was done; `verb` and `done` are its two
/// forms in messages.
///
/// # Errors
/// One of the names cannot be used, the population is in use, or the disk fails.
pub(super) fn run(
    relocation: &Relocation,
    verb: &str,
    done: &str,
    relocate: fn(&Path, &Path) -> Result<(), StoreError>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let from = PopulationDir::parse("FROM", &relocation.from)?;
    let to = PopulationDir::parse("TO", &relocation.to)?;
    let relocate = |from: &Path| relocate(from, &to.directory);
    let explain = |error| explained(error, verb, &from, &to);
    match reach(&from, &|| false, &relocate).map_err(explain)? {
        Reached::Free(()) => {}
        // The error says which process has it; the daemon may also have just ended.
        Reached::Daemon(_) => relocate(&from.directory).map_err(|error| explain(error.into()))?,
    }
    let directory = to.directory.display();
    if relocation.json {
        let directory = directory.to_string();
        return write_json(
            out,
            &json!({"from": from.name, "to": to.name, "directory": directory}),
        );
    }
    let text = format!("{done} {} to {}: {directory}\n", from.name, to.name);
    write_text(out, &text)
}

/// What the user is told where it cannot be done.
fn explained(
    error: anyhow::Error,
    verb: &str,
    from: &PopulationDir,
    to: &PopulationDir,
) -> anyhow::Error {
    let cannot = format!("cannot {verb} {}", from.name);
    match error.downcast_ref() {
        Some(StoreError::Occupied { .. }) => BadUsage::new(format!("{cannot}: {error}")).into(),
        Some(StoreError::Io { source, .. }) if source.kind() == io::ErrorKind::CrossesDevices => {
            anyhow::anyhow!(
                "{cannot}: {} lies on another file system; `loatune copy` copies it there",
                to.directory.display()
            )
        }
        Some(_) => error.context(cannot),
        None => error,
    }
}
