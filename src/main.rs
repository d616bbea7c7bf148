//! The `loatune` command: see `loatune::cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    loatune::cli::run()
}
