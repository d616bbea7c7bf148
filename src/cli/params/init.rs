//! `loatune params init`: a file of parameters to start from.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::cli::args::DEFAULT_PARAMS_FILE;
use crate::cli::output::{save_file, write_text};
use crate::params::{DEFAULT_TEXT, GROUPS, keys};

/// Write a file with every parameter at its default, and what it means
///
/// Each key has a comment: its range, and what happens when it is too high or
/// too low. Change what you like and delete what you do not care about; a key
/// that is left out has its default.
#[derive(Debug, Args)]
#[command(after_help = "\
A file that exists is left alone, and the exit code is 2, unless --force is
given. The file is written whole or not at all.

Examples:
  loatune params init
  loatune params init olympiad.toml
  loatune params init --force")]
pub(super) struct Init {
    /// The file to write
    #[arg(value_name = "FILE", default_value = DEFAULT_PARAMS_FILE)]
    file: PathBuf,
    /// Overwrite a file that exists
    #[arg(long)]
    force: bool,
}

impl Init {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let name = self.file.display();
        save_file(&self.file, DEFAULT_TEXT.as_bytes(), self.force)?;
        let (groups, keys) = (GROUPS.len(), keys().count());
        write_text(
            out,
            &format!("wrote {name}: {keys} parameters in {groups} groups, all at their defaults\n"),
        )
    }
}
