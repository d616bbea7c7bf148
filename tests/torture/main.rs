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
//! | `power_cut` | images of the disk after a power cut |
//! | `faults` | a fault at each call that concerns a file |
//! | `parallel` | many cases at a time |
//! | `io_shim`, `shim` | the library that sees those calls, for both |

mod damage;
mod faults;
mod io_shim;
mod kills;
mod parallel;
mod power_cut;
mod victim;
mod world;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::{Parser, ValueEnum};
use rayon::prelude::*;
use serde::Serialize;

use faults::Faults;
use io_shim::Shim;
use power_cut::Recordings;
use victim::{Size, Victim, Way};

/// Kill the program and break its files, and see that nothing is lost
///
/// Runs `loatune` as a process with a small budget, kills it at random
/// moments, breaks each of its files in every way, fills the disk, cuts the
/// power in a simulation, and lets calls of the system fail. After each:
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

A power cut: the writes, syncs, renames and other changes of whole runs are
recorded by a library that stands before the C library (LD_PRELOAD, Linux only).
An image of the directory has what was synced before a random moment, and of the
rest whatever chance leaves: nothing, all, some sectors or pages, with or without
the names. A fault: the same library lets the N-th call fail with EIO, ENOSPC,
EROFS, EMFILE, ENFILE or EINTR, or reads or writes only a half. The library is
compiled by rustc (or $RUSTC) when the torture begins.

Exit codes: 0 everything held, 1 it did not.

Examples:
  cargo test --release --test torture
  cargo test --release --test torture -- --kills 1000 --seed 7
  cargo test --test torture -- --short --program target/release/loatune
  cargo test --test torture -- --long --program target/release/loatune
  cargo test --test torture -- --only power-cuts --images 3000 --seed 7
  cargo test --test torture -- --image 17 --recordings DIR --seed 7

JSON: ok, kills, rounds, images, cases [{case, outcome, ok}]."
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
    /// How many disks after a power cut are tried
    #[arg(long, value_name = "N", default_value_t = 1000)]
    images: u64,
    /// How many faults are tried, drawn from all that are possible
    #[arg(long, value_name = "N", default_value_t = 300)]
    faults: usize,
    /// 25 kills, 500 images, 120 faults, and only some of the ways to break a file
    #[arg(long)]
    short: bool,
    /// 10,000 kills, 10,000 images, and every fault; takes hours
    #[arg(long, conflicts_with = "short")]
    long: bool,
    /// Only these parts
    #[arg(long, value_name = "PART", value_enum, num_args = 1..)]
    only: Vec<Part>,
    /// Rebuild the image of this number, leave it and go on from it; nothing else
    #[arg(long, value_name = "N", requires = "recordings")]
    image: Option<u64>,
    /// Take the recordings that a torture has left when it failed, not new ones
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
    /// Leave the directory where it is
    #[arg(long)]
    keep: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A part of the torture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    Kills,
    /// Broken files, full disks, clocks, second processes
    Damage,
    PowerCuts,
    Faults,
}

/// How much of everything is done.
struct Amount {
    kills: u32,
    images: u64,
    /// `None` for every one.
    faults: Option<usize>,
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
    images: u64,
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
        let amount = self.amount();
        let mut told = Told {
            out,
            json: self.json,
            outcomes: Vec::new(),
        };
        let mut rounds = 0;
        if self.has(Part::Kills) || self.has(Part::Damage) {
            let size = Size::new(self.games);
            let victim = Victim::prepare(program.clone(), scratch.path(), size, self.seed)?;
            told.add(Outcome::of(
                "undisturbed, 1 thread",
                Ok(format!("champion after {:.1} s", victim.calm.as_secs_f64())),
            ))?;
            told.add(Outcome::of(
                "undisturbed, 4 threads",
                victim.run_whole("four", &Way::Threads(4)),
            ))?;
            if self.has(Part::Kills) {
                let found;
                (rounds, found) = kills::run(&victim, amount.kills, self.seed);
                told.add(Outcome::of(format!("{} kills", amount.kills), found))?;
            }
            if self.has(Part::Damage) {
                self.damage(&victim, &mut told)?;
            }
        }
        if self.has(Part::PowerCuts) || self.has(Part::Faults) {
            let place = scratch.path().join("shim");
            self.shim(program, &place, &amount, &mut told)?;
        }
        let bad = told.outcomes.iter().filter(|outcome| !outcome.ok).count();
        if self.json {
            let json = Json {
                ok: bad == 0,
                kills: amount.kills,
                rounds,
                images: amount.images,
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

    fn has(&self, part: Part) -> bool {
        match self.image {
            Some(_) => part == Part::PowerCuts,
            None => self.only.is_empty() || self.only.contains(&part),
        }
    }

    fn amount(&self) -> Amount {
        let (kills, images, faults) = match (self.short, self.long) {
            (true, _) => (25, 500, Some(120)),
            (_, true) => (10_000, 10_000, None),
            _ => (self.kills, self.images, Some(self.faults)),
        };
        Amount {
            kills,
            images,
            faults,
        }
    }

    fn damage(&self, victim: &Victim, told: &mut Told<'_>) -> anyhow::Result<()> {
        let stock = victim.stock()?;
        let mut cases = damage::cases(&stock, self.short)?;
        cases.extend(world::cases(&stock));
        // Two at a time: most of a case is waiting for a process.
        for pair in cases.chunks(2) {
            let found: Vec<Outcome> = pair
                .par_iter()
                .map(|case| Outcome::of(case.name.clone(), (case.run)(victim)))
                .collect();
            for outcome in found {
                told.add(outcome)?;
            }
        }
        Ok(())
    }

    /// Power cuts and faults, done to a run that is as small as can be.
    fn shim(
        &self,
        program: PathBuf,
        place: &Path,
        amount: &Amount,
        told: &mut Told<'_>,
    ) -> anyhow::Result<()> {
        if cfg!(not(target_os = "linux")) {
            let skipped = String::from("skipped: they need Linux");
            return told.add(Outcome::of("power cuts and faults", Ok(skipped)));
        }
        fs::create_dir_all(place)?;
        let place = place.canonicalize()?;
        let shim = Shim::build(&place)?;
        let victim = Victim::prepare(program, &place, Size::TINY, self.seed)?;
        let recordings = match &self.recordings {
            Some(dir) => Recordings::read(dir, self.seed)?,
            None => Recordings::make(&victim, &shim, &place.join("recordings"), self.seed)?,
        };
        if let Some(number) = self.image {
            let left = std::env::temp_dir().join(format!("loatune-image-{number}"));
            let found = recordings.rebuild(&victim, number, &left);
            return told.add(Outcome::of(format!("image {number}"), found));
        }
        if self.has(Part::PowerCuts) {
            let found = recordings.torture(&victim, amount.images);
            let case = format!("{} power cuts, seed {}", amount.images, self.seed);
            told.add(Outcome::of(case, found))?;
        }
        if self.has(Part::Faults) {
            let half = recordings.half_way(&place.join("half"))?;
            let beginnings = faults::beginnings(&victim, &half)?;
            let faults = Faults::new(&victim, &shim, &beginnings);
            let found = faults.torture(amount.faults, self.seed);
            let case = match amount.faults {
                Some(count) => format!("{count} faults, seed {}", self.seed),
                None => String::from("every fault"),
            };
            told.add(Outcome::of(case, found))?;
        }
        Ok(())
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
