//! The torture: does what must never hurt a population to the real program, and
//! looks whether it did. It takes minutes, so it is no part of `cargo test`:
//! `cargo test --release --test torture` runs it, and whatever stands after `--`
//! are its own options.
//!
//! | file | purpose |
//! |---|---|
//! | `victim` | the program as a process, in a directory of its own |
//! | `kills` | kills at random moments |
//! | `damage` | broken, missing, foreign and newer files |
//! | `world` | full disks, read-only directories, clocks, second processes |

mod damage;
mod kills;
mod victim;
mod world;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Parser;
use rayon::prelude::*;
use serde::Serialize;

use victim::{Victim, Way};

/// Kill the program and break its files, and see that nothing is lost
///
/// Runs `loatune` as a process with a small budget, kills it at random
/// moments, breaks each of its files in every way, fills the disk. After each:
/// either the run goes on to the same champion, byte for byte, or it says in one
/// message what is wrong and what to do. Never a panic, never a new beginning
/// without a word, never a match that counts twice.
#[derive(Debug, Parser)]
#[command(
    name = "torture",
    after_help = "\
Works in a directory of its own for temporary files (TMPDIR), which it removes.
Cases that this system does not allow (mounting, file limits) are named as
skipped. With LOATUNE_TEST_ALL=1 a missing tool (libfaketime, setpriv) is a
failure instead.

Exit codes: 0 everything held, 1 it did not.

Examples:
  cargo test --release --test torture
  cargo test --release --test torture -- --kills 1000 --seed 7
  cargo test --test torture -- --short --program target/release/loatune

JSON: ok, kills, rounds, cases [{case, outcome, ok}]."
)]
struct Torture {
    /// The program to torture, if not the one that was built along with this
    #[arg(long, value_name = "FILE", default_value = env!("CARGO_BIN_EXE_loatune"), hide_default_value = true)]
    program: PathBuf,
    /// How often the program is killed
    #[arg(long, value_name = "N", default_value_t = 200)]
    kills: u32,
    /// The seed of everything that is chosen at random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The budget of a run, in games
    #[arg(long, value_name = "N", default_value_t = 400,
        value_parser = clap::value_parser!(u64).range(100..=100_000))]
    games: u64,
    /// 25 kills, and only some of the ways to break a file
    #[arg(long)]
    short: bool,
    /// Leave the directory where it is
    #[arg(long)]
    keep: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What came of a case.
#[derive(Clone, Debug, Serialize)]
struct Outcome {
    case: String,
    outcome: String,
    ok: bool,
}

impl Outcome {
    fn of(case: impl Into<String>, found: anyhow::Result<String>) -> Outcome {
        let (outcome, ok) = match found {
            Ok(outcome) => (outcome, true),
            Err(error) => (format!("VIOLATION: {error:#}"), false),
        };
        Outcome {
            case: case.into(),
            outcome,
            ok,
        }
    }
}

/// What is done to the program, and what came of it in a sentence.
type Deed = dyn Fn(&Victim) -> anyhow::Result<String> + Send + Sync;

/// A case that waits for its turn.
struct Case {
    name: String,
    run: Box<Deed>,
}

impl Case {
    fn new(
        name: impl Into<String>,
        run: impl Fn(&Victim) -> anyhow::Result<String> + Send + Sync + 'static,
    ) -> Case {
        Case {
            name: name.into(),
            run: Box::new(run),
        }
    }
}

#[derive(Serialize)]
struct Json<'a> {
    ok: bool,
    kills: u32,
    rounds: u32,
    cases: &'a [Outcome],
}

fn main() -> ExitCode {
    let torture = Torture::parse();
    match torture.run(&mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("torture: error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

impl Torture {
    fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let program = self.program.canonicalize();
        let program = program.with_context(|| format!("no program {}", self.program.display()))?;
        let scratch = tempfile::Builder::new()
            .prefix("loatune-torture-")
            .disable_cleanup(self.keep)
            .tempdir()
            .context("cannot make a directory to work in")?;
        if self.keep {
            eprintln!("everything is left in {}", scratch.path().display());
        }
        let kills = if self.short { 25 } else { self.kills };
        let mut told = Told {
            out,
            json: self.json,
            outcomes: Vec::new(),
        };
        let victim = Victim::prepare(program, scratch.path(), self.games, self.seed)?;
        told.add(Outcome::of(
            "undisturbed, 1 thread",
            Ok(format!("champion after {:.1} s", victim.calm.as_secs_f64())),
        ))?;
        told.add(Outcome::of(
            "undisturbed, 4 threads",
            victim.run_whole("four", &Way::Threads(4)),
        ))?;
        let (rounds, found) = kills::run(&victim, kills, self.seed);
        told.add(Outcome::of(format!("{kills} kills"), found))?;

        let stock = victim.stock()?;
        let mut cases = damage::cases(&stock, self.short)?;
        cases.extend(world::cases(&stock));
        // Two at a time: most of a case is waiting for a process.
        for pair in cases.chunks(2) {
            let found: Vec<Outcome> = pair
                .par_iter()
                .map(|case| Outcome::of(case.name.clone(), (case.run)(&victim)))
                .collect();
            for outcome in found {
                told.add(outcome)?;
            }
        }
        let bad = told.outcomes.iter().filter(|outcome| !outcome.ok).count();
        if self.json {
            let json = Json {
                ok: bad == 0,
                kills,
                rounds,
                cases: &told.outcomes,
            };
            writeln!(told.out, "{}", serde_json::to_string(&json)?)?;
        }
        match bad {
            0 => Ok(()),
            1 => Err(anyhow!("1 case did not hold")),
            count => Err(anyhow!("{count} cases did not hold")),
        }
    }
}

/// What is printed, as soon as it is known.
struct Told<'a> {
    out: &'a mut dyn Write,
    json: bool,
    outcomes: Vec<Outcome>,
}

impl Told<'_> {
    fn add(&mut self, outcome: Outcome) -> anyhow::Result<()> {
        if !self.json {
            let mark = if outcome.ok { "ok " } else { "BAD" };
            writeln!(self.out, "{mark} {:<46} {}", outcome.case, outcome.outcome)?;
            self.out.flush()?;
        } else if !outcome.ok {
            eprintln!("{}: {}", outcome.case, outcome.outcome);
        }
        self.outcomes.push(outcome);
        Ok(())
    }
}
