//! The command line: reads arguments, runs one command, prints.
//!
//! One file a command. A command gets its arguments and a writer for its data;
//! it returns an error instead of printing one. Nothing below this module
//! prints, and nothing here knows how the game is played.

mod analyse;
mod arena_flags;
mod bench;
mod certify;
mod champion_report;
mod completions;
mod draw;
mod error;
mod export;
mod gauntlet;
mod history;
mod import;
mod interrupt;
mod list;
mod log_file;
mod logging;
mod man;
mod match_games;
mod match_report;
mod moves;
mod output;
mod page;
mod param_flags;
mod params;
mod perft;
mod play;
mod population;
mod position;
mod progress;
mod repair;
mod run;
mod run_progress;
mod serve;
mod service;
mod session;
mod sgf_file;
mod show;
mod status;
mod stop;
mod systemd;
mod tournament;
mod trace_table;
mod ugi;
mod verify;
mod weights;
mod weights_arg;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Evolves evaluation weights for the board game Lines of Action, unattended
///
/// A population of weight files plays against itself; files that do well breed,
/// others go, until one is left. `loatune run` does it all, may be stopped at any
/// time and goes on where it stood. The champion comes with the proof of its
/// strength.
#[derive(Debug, Parser)]
#[command(name = "loatune", version, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  loatune run --quick
  loatune status --watch
  loatune export -o mine.toml
  loatune match mine.toml default
  loatune play --weights mine.toml
  loatune analyse startpos --depth 8
  loatune help run

Rules come from flags, else from LOATUNE_SIMULTANEOUS, LOATUNE_NO_MOVES,
LOATUNE_REPETITION and LOATUNE_MAX_PLIES, else from the file that --params or
LOATUNE_PARAMS names (./params.toml if neither does), else they are built in:
mover-wins, loses, 3 and 200. `loatune params show` says which are in force,
and so for all other parameters.

Data goes to standard output, diagnostics to standard error.
Exit codes: 0 done, 1 failure, 2 bad usage or parameters, 3 stopped by a signal.")]
struct Cli {
    #[command(flatten)]
    verbosity: logging::Verbosity,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Run),
    Status(status::Status),
    Stop(stop::Stop),
    List(list::List),
    Export(export::Export),
    Import(import::Import),
    History(history::History),
    Serve(serve::Serve),
    Verify(verify::Verify),
    Repair(repair::Repair),
    Systemd(systemd::Systemd),
    Perft(perft::Perft),
    Moves(moves::Moves),
    Show(show::Show),
    Analyse(analyse::Analyse),
    Weights(weights::Weights),
    Params(params::Params),
    Match(match_games::Match),
    Gauntlet(gauntlet::Gauntlet),
    Tournament(tournament::Tournament),
    Certify(certify::Certify),
    Bench(bench::Bench),
    Play(play::Play),
    Ugi(ugi::Ugi),
    Completions(completions::Completions),
    Man(man::Man),
}

/// Runs the command that the process was started with and prints its error, if
/// any. The exit code: 0 done, 1 failure, 2 bad usage or parameters, 3 stopped.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return error::explain_usage(&error),
    };
    let log_file = match &cli.command {
        Command::Run(run) => run.log_file(),
        _ => None,
    };
    if let Err(error) = cli.verbosity.start(log_file) {
        return error::report(&error.into());
    }
    match cli.command.run(&mut anstream::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error::report(&error),
    }
}

impl Command {
    fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self {
            Command::Run(command) => command.run(out),
            Command::Status(command) => command.run(out),
            Command::Stop(command) => command.run(out),
            Command::List(command) => command.run(out),
            Command::Export(command) => command.run(out),
            Command::Import(command) => command.run(out),
            Command::History(command) => command.run(out),
            Command::Serve(command) => command.run(out),
            Command::Verify(command) => command.run(out),
            Command::Repair(command) => command.run(out),
            Command::Systemd(command) => command.run(out),
            Command::Perft(command) => command.run(out),
            Command::Moves(command) => command.run(out),
            Command::Show(command) => command.run(out),
            Command::Analyse(command) => command.run(out),
            Command::Weights(command) => command.run(out),
            Command::Params(command) => command.run(out),
            Command::Match(command) => command.run(out),
            Command::Gauntlet(command) => command.run(out),
            Command::Tournament(command) => command.run(out),
            Command::Certify(command) => command.run(out),
            Command::Bench(command) => command.run(out),
            Command::Play(command) => command.run(out),
            Command::Ugi(command) => command.run(out),
            Command::Completions(command) => command.run(out),
            Command::Man(command) => command.run(out),
        }?;
        Ok(out.flush().map_err(output::Unwritable)?)
    }
}
