//! `loatune params`: the file of parameters, made, checked and shown.

mod check;
mod init;
mod show;

use std::io::Write;

use clap::{Args, Subcommand};

/// Make, check or show the parameters
///
/// Parameters decide how games end, what evolves, who plays and how long. They
/// come from flags, else from environment variables, else from a file, else
/// they are built in.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
A variable is LOATUNE_ and the flag in capitals: --max-plies is also
LOATUNE_MAX_PLIES. The file is the one that --params or LOATUNE_PARAMS names,
else ./params.toml if it exists.

Examples:
  loatune params init
  loatune params check
  loatune params show --quick")]
pub(crate) struct Params {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Init(init::Init),
    Check(check::Check),
    Show(show::Show),
}

impl Params {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        match &self.action {
            Action::Init(action) => action.run(out),
            Action::Check(action) => action.run(out),
            Action::Show(action) => action.run(out),
        }
    }
}
