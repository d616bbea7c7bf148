//! `loatune verify`: is everything that a population says true?

use std::fmt::Write as _;
use std::io::Write;

use anyhow::anyhow;
use clap::Args;
use serde::Serialize;

use crate::cli::args::PopulationArg;
use crate::cli::interrupt;
use crate::cli::output::{BadUsage, Progress, Stopped, thousands, write_json, write_text};
use crate::run::verify::{Advice, Replay, Report, Verification, VerifyError, VerifyProgress};
use crate::store::{Population, Remedy, StoreError};

/// Check that a population is what it says, without changing anything
///
/// Reads the journal entry by entry with its checksums, folds it from the
/// beginning, and compares every total of every file, every match, event and
/// counter with the store; plays all stored games through (every move legal, the
/// same result); compares params.toml and champion.toml with what they should
/// be. The first difference is named.
#[derive(Debug, Args)]
#[command(after_help = "\
With --replay or --all, matches are also searched again with the weights and
parameters that were valid then: the same engine plays the same moves. Matches of
another version of the engine (`loatune bench` tells its signature, the journal
that of the one that played) are not searched again, which is told. Pairs of games
of the proof and of the hall count as matches here. The engine of genome.engine is
started for that: look at its command first where a population is not your own.
Games of a run with --nondeterministic cannot be played again, which is told.

Nothing of the population is written or locked. A copy of the store is looked at,
in the directory for temporary files (TMPDIR). While a process works on the
population its store is not compared: the journal is checked as far as it went
when the command was started.

What a kill may leave, and the next run puts right, is told and no difference: an
entry that is in the journal only, or one that was not written to its end. Where
something is wrong, the command that mends it is named; it was tried on a copy. The
matches of a certificate are played again by `loatune certify`.

Exit codes: 0 everything is as it should be, 1 it is not or cannot be read.

Examples:
  loatune verify
  loatune verify --population mine --replay 500
  loatune verify --all --json

JSON: population, ok, running, entries, matches, games, files, events, values (of
the store, compared), games_checked, games_replayed, champion (whether
champion.toml was compared), differences [text] (the first 20), different (how
many), notes [text].")]
pub(crate) struct Verify {
    #[command(flatten)]
    population: PopulationArg,
    /// Search N matches again, evenly spread, pairs of the proof included
    #[arg(long, value_name = "N", conflicts_with = "all",
        value_parser = clap::value_parser!(u64).range(1..))]
    replay: Option<u64>,
    /// Search all matches again
    #[arg(long)]
    all: bool,
    /// Games at the same time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    population: &'a str,
    ok: bool,
    running: bool,
    entries: u64,
    matches: u64,
    games: u64,
    files: u64,
    events: u64,
    values: u64,
    games_checked: u64,
    games_replayed: u64,
    champion: bool,
    differences: &'a [String],
    different: u64,
    notes: &'a [String],
}

impl Verify {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let dir = self.population.resolve_existing()?;
        if !Population::exists(&dir.directory)? {
            return Err(BadUsage::new(dir.not_found_message()).into());
        }
        let stop = interrupt::stop_flag()?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let verification = Verification {
            dir: &dir.directory,
            name: &dir.name,
            replay: match (self.all, self.replay) {
                (true, _) => Replay::All,
                (false, Some(count)) => Replay::Some(count),
                (false, None) => Replay::Nothing,
            },
            threads: self.threads.map_or(cores, |threads| threads as usize),
            stop: &stop,
        };
        let mut progress = Progress::new();
        let found = verification.run(&mut |far: &VerifyProgress| {
            progress.show_games(far.checked, Some(2 * far.matches), &|line| {
                line.push(2, format!("  {} searched again", far.replayed));
            });
        });
        progress.finish();
        let report = match found {
            Err(VerifyError::Store(StoreError::Stopped)) => {
                return Err(Stopped(String::from("stopped; nothing was changed")).into());
            }
            found => found?,
        };
        if self.json {
            write_json(out, &json(&dir.name, &report))?;
        } else {
            write_text(out, &text(&dir.name, &report))?;
        }
        match report.audit.differences.first() {
            None => Ok(()),
            Some(first) => Err(anyhow!(
                "population {} is not what it should be: {first}{}\nWhat to do: {}",
                dir.name,
                match report.audit.difference_count {
                    1 => String::new(),
                    count => format!(" (the first of {count} differences)"),
                },
                advice(&report, &dir.as_flag())
            )),
        }
    }
}

/// The command that helps; `flag` names the population.
fn advice(report: &Report, flag: &str) -> String {
    let entries = thousands(report.audit.entries);
    match report.advice {
        Some(Advice::Stop) => {
            format!("`loatune stop{flag}`, then verify again: a process works on the population")
        }
        Some(Advice::Run) => format!("`loatune run{flag}` writes the file anew"),
        Some(Advice::Repair(Remedy::Cut)) => format!(
            "`loatune repair --cut{flag}` goes on from the {entries} entries of the journal that \
             are good and keeps the other files aside; `loatune run{flag}` plays what came after \
             again"
        ),
        Some(Advice::Repair(Remedy::Copy)) => String::from(
            "bring the journal and the store back from a copy; no repair can tell what they were",
        ),
        Some(Advice::Repair(Remedy::Repair)) | None => format!(
            "`loatune repair{flag}` makes the store anew from the journal, or the journal from \
             the store, and keeps what it replaces"
        ),
    }
}

fn json<'a>(name: &'a str, report: &'a Report) -> Json<'a> {
    let audit = &report.audit;
    Json {
        population: name,
        ok: audit.is_clean(),
        running: audit.running,
        entries: audit.entries,
        matches: audit.counts.matches,
        games: audit.counts.games,
        files: audit.counts.files,
        events: audit.counts.events,
        values: audit.compared,
        games_checked: report.progress.checked,
        games_replayed: report.progress.replayed,
        champion: report.champion,
        differences: &audit.differences,
        different: audit.difference_count,
        notes: &audit.notes,
    }
}

fn text(name: &str, report: &Report) -> String {
    let audit = &report.audit;
    let counts = &audit.counts;
    let mut text = String::new();
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<12} {value}");
    };
    row("population", name.to_owned());
    row(
        "journal",
        format!(
            "{} entries: {} matches, {} files, {} events",
            thousands(audit.entries),
            thousands(counts.matches),
            thousands(counts.files),
            thousands(counts.events)
        ),
    );
    row(
        "store",
        if audit.running {
            String::from("not compared")
        } else {
            format!("{} values compared", thousands(audit.compared))
        },
    );
    row(
        "games",
        format!(
            "{} played through, {} searched again",
            thousands(report.progress.checked),
            thousands(report.progress.replayed)
        ),
    );
    if report.champion {
        row("champion", String::from("compared"));
    }
    for note in &audit.notes {
        row("note", note.clone());
    }
    for difference in &audit.differences {
        row("difference", difference.clone());
    }
    let result = match audit.difference_count {
        0 => String::from("everything is as it should be"),
        1 => String::from("1 difference"),
        count => format!("{count} differences"),
    };
    row("result", result);
    text
}
