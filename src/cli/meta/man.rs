//! `loatune man`: the manual pages, made from the same text as `--help`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Command, CommandFactory};

use crate::cli::Cli;
use crate::cli::output::write_text;

/// Print the manual page, or write a page for every command
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  loatune man > loatune.1
  loatune man --dir ~/.local/share/man/man1
  man loatune-perft")]
pub(crate) struct Man {
    /// Write loatune.1 and a page for each command into DIR, which is made if
    /// it does not exist
    #[arg(long)]
    dir: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut root = Cli::command().disable_help_subcommand(true);
        root.build();
        let Some(dir) = &self.dir else {
            return write_text(out, &page(&root)?);
        };
        fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
        write_all(dir, &root)
    }
}

/// A page for a command, and for each command below it.
fn write_all(dir: &Path, command: &Command) -> anyhow::Result<()> {
    write(dir, command)?;
    let is_own = |below: &&Command| !below.is_hide_set() && below.get_name() != "help";
    for below in command.get_subcommands().filter(is_own) {
        write_all(dir, below)?;
    }
    Ok(())
}

fn write(dir: &Path, command: &Command) -> anyhow::Result<()> {
    let path = dir.join(clap_mangen::Man::new(command.clone()).get_filename());
    fs::write(&path, page(command)?).with_context(|| format!("cannot write {}", path.display()))?;
    log::info!("wrote {}", path.display());
    Ok(())
}

fn page(command: &Command) -> anyhow::Result<String> {
    let man = clap_mangen::Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.get_subcommands().next().is_some() {
        man.render_subcommands_section(&mut page)?;
    }
    notes(command, &mut page)?;
    if command.get_version().is_some() {
        man.render_version_section(&mut page)?;
    }
    Ok(String::from_utf8(page)?)
}

/// The examples, line by line as the help has them.
fn notes(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let Some(notes) = command.get_after_help() else {
        return Ok(());
    };
    writeln!(page, ".SH NOTES\n.nf")?;
    for line in notes.to_string().lines() {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        // A dot or a quote at the start would be taken as a request.
        writeln!(page, "\\&{line}")?;
    }
    writeln!(page, ".fi")
}
