//! `loatune completions`: scripts that complete the command line.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::cli::output::write_text;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  loatune completions bash > ~/.local/share/bash-completion/completions/loatune
  loatune completions zsh > ~/.zfunc/_loatune
  loatune completions fish > ~/.config/fish/completions/loatune.fish")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        // Into memory first: the generator panics where it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "loatune", &mut script);
        write_text(out, &String::from_utf8(script)?)
    }
}
