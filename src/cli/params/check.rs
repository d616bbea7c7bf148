//! `loatune params check`: whether a file is good, and what it changes.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};

use crate::cli::args::{DEFAULT_PARAMS_FILE, check_panel};
use crate::cli::output::{BadUsage, write_json, write_text};
use crate::params::{Difference, Effective, Layers, Params, Source, keys};

/// Check a file of parameters
///
/// Looks at the file alone, not at flags or variables, and says which of its
/// values are not the defaults.
#[derive(Debug, Args)]
#[command(after_help = "\
Everything that is wrong is reported at once, with key, value, line and what is
allowed, and the exit code is 2.

Examples:
  loatune params check
  loatune params check olympiad.toml --json

JSON: file, keys_set (how many keys the file has), changed {key: {value,
default, line}} and fingerprint.")]
pub(super) struct Check {
    /// The file to check
    #[arg(
        value_name = "FILE",
        env = "LOATUNE_PARAMS",
        hide_env_values = true,
        default_value = DEFAULT_PARAMS_FILE
    )]
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut layers = Layers::new();
        layers.add_file(&self.file).map_err(BadUsage::new)?;
        let found = layers.finish().map_err(BadUsage::new)?;
        check_panel(&found)?;
        if self.json {
            write_json(out, &self.as_json(&found))
        } else {
            write_text(out, &self.as_text(&found))
        }
    }

    fn as_text(&self, found: &Effective) -> String {
        let file = self.file.display();
        let (set, all) = (found.keys_in_file, keys().count());
        let changed = changed(found);
        let mut text = format!("{file} is good: {set} of {all} keys set, ");
        text += &match changed.len() {
            0 => String::from("all at their defaults\n"),
            1 => String::from("1 not at its default\n"),
            many => format!("{many} not at their defaults\n"),
        };
        for (Difference { key, ours, theirs }, line) in changed {
            let path = key.path();
            text += &format!("  line {line}: {path} = {theirs} (the default is {ours})\n");
        }
        if !found.params.genome.genes.is_empty() {
            let rows = found.params.genome.genes.len();
            text += &format!("  [genes]: {rows} options of genome.engine are tuned\n");
        }
        text
    }

    fn as_json(&self, found: &Effective) -> Value {
        let row = |(Difference { key, .. }, line): (Difference, usize)| {
            let value = json!({
                "value": key.json(&found.params),
                "default": key.json(&Params::default()),
                "line": line,
            });
            (key.path(), value)
        };
        let changed: Map<_, _> = changed(found).into_iter().map(row).collect();
        json!({
            "file": self.file.display().to_string(),
            "keys_set": found.keys_in_file,
            "changed": changed,
            "fingerprint": found.params.fingerprint(),
        })
    }
}

/// What the file itself changes, with its lines; not what follows from that.
fn changed(found: &Effective) -> Vec<(Difference, usize)> {
    let changed = Params::default().differences(&found.params).into_iter();
    changed
        .filter_map(|difference| match found.source(difference.key) {
            Source::File { line, .. } => Some((difference, *line)),
            _ => None,
        })
        .collect()
}
