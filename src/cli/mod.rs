//! The command line: reads arguments, runs one command, prints.
//!
//! One file a command, in folders by what the commands are about; `args` holds
//! the arguments that they share and `output` how they print. A command gets a
//! writer for its data and returns an error instead of printing one. No module
//! that this one uses prints, and nothing here knows how the game is played.

mod args;
mod engine;
mod games;
mod interrupt;
mod learn;
mod meta;
mod output;
mod params;
mod population;
mod position;
mod suite;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

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
and so for all other parameters. A flag of match, gauntlet, tournament, certify,
play, analyse, fit or features that is named like the flag of a parameter takes
its variable, too: LOATUNE_DEPTH is --depth.

Data goes to standard output, diagnostics to standard error.
Exit codes: 0 done, 1 failure, 2 bad usage or parameters, 3 stopped by a signal.")]
struct Cli {
    #[command(flatten)]
    verbosity: output::Verbosity,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(population::Run),
    Status(population::Status),
    Stop(population::Stop),
    List(population::List),
    Export(population::Export),
    Import(population::Import),
    History(population::History),
    Games(population::Games),
    Fit(learn::Fit),
    Features(learn::Features),
    Serve(population::Serve),
    Worker(population::Worker),
    Fleet(population::Fleet),
    Verify(population::Verify),
    Repair(population::Repair),
    Copy(population::Copy),
    Rename(population::Rename),
    Systemd(population::Systemd),
    Perft(position::Perft),
    Moves(position::Moves),
    Show(position::Show),
    Analyse(position::Analyse),
    Solve(position::Solve),
    Weights(position::Weights),
    Params(params::Params),
    Match(games::Match),
    Gauntlet(games::Gauntlet),
    Tournament(games::Tournament),
    Experiment(games::Experiment),
    Blunders(suite::Blunders),
    Suite(suite::Suite),
    Certify(games::Certify),
    Book(games::Book),
    Bench(engine::Bench),
    Play(games::Play),
    Ugi(engine::Ugi),
    Completions(meta::Completions),
    Man(meta::Man),
}

/// Runs the command that the process was started with and prints its error, if
/// any. The exit code: 0 done, 1 failure, 2 bad usage or parameters, 3 stopped.
pub fn run() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    let command = match args::add_to_flags(Cli::command(), &arguments) {
        Ok(command) => command,
        Err(error) => return output::report(&error.into()),
    };
    let matches = command.try_get_matches_from(arguments);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return output::explain_usage(&error),
    };
    let log_file = match &cli.command {
        Command::Run(run) => run.log_file(),
        _ => None,
    };
    if let Err(error) = cli.verbosity.start(log_file) {
        return output::report(&error);
    }
    args::warn_of_unknown();
    match cli.command.run(&mut anstream::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => output::report(&error),
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
            Command::Games(command) => command.run(out),
            Command::Fit(command) => command.run(out),
            Command::Features(command) => command.run(out),
            Command::Serve(command) => command.run(out),
            Command::Worker(command) => command.run(out),
            Command::Fleet(command) => command.run(out),
            Command::Verify(command) => command.run(out),
            Command::Repair(command) => command.run(out),
            Command::Copy(command) => command.run(out),
            Command::Rename(command) => command.run(out),
            Command::Systemd(command) => command.run(out),
            Command::Perft(command) => command.run(out),
            Command::Moves(command) => command.run(out),
            Command::Show(command) => command.run(out),
            Command::Analyse(command) => command.run(out),
            Command::Solve(command) => command.run(out),
            Command::Weights(command) => command.run(out),
            Command::Params(command) => command.run(out),
            Command::Match(command) => command.run(out),
            Command::Gauntlet(command) => command.run(out),
            Command::Tournament(command) => command.run(out),
            Command::Experiment(command) => command.run(out),
            Command::Blunders(command) => command.run(out),
            Command::Suite(command) => command.run(out),
            Command::Certify(command) => command.run(out),
            Command::Book(command) => command.run(out),
            Command::Bench(command) => command.run(out),
            Command::Play(command) => command.run(out),
            Command::Ugi(command) => command.run(out),
            Command::Completions(command) => command.run(out),
            Command::Man(command) => command.run(out),
        }?;
        Ok(out.flush().map_err(output::OutputError)?)
    }
}
