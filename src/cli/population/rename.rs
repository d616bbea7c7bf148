//! `loatune rename`: another name for a population.

use std::io::Write;

use clap::Args;

use super::relocation::{Relocation, run};
use crate::store;

/// Rename a population, or move it to another directory
///
/// A population on which a process works is refused. It has the new name
/// afterwards, or still the old one.
#[derive(Debug, Args)]
#[command(after_help = "\
Nothing in the population changes: it goes on as before, and a champion's file
keeps its name once it is written. A systemd service names its population: write
its unit again with `loatune systemd`. To move a population to another file system
or machine, copy it and remove the old one.

Exit codes: 0 renamed, 1 it is in use or lies on another file system, 2 there is
no such population, or the new name is taken.

Examples:
  loatune rename default depth-4
  loatune rename quick archive/quick

JSON: from, to (the names), directory (where it lies now).")]
pub(crate) struct Rename {
    #[command(flatten)]
    relocation: Relocation,
}

impl Rename {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        run(&self.relocation, "rename", "renamed", store::move_to, out)
    }
}
