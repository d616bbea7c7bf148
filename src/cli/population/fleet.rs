//! `loatune fleet`: the machines that play for a run.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::open_population::{answer, find_daemon};
use crate::api::{FleetRecord, FleetView, Source};
use crate::cli::args::PopulationArg;
use crate::cli::interrupt;
use crate::cli::output::{BadUsage, Column, TextTable, thousands, utc, write_json, write_text};
use crate::serve::fleet::coordinator::read_logbook;
use crate::store::{Layout, Population};

/// How many events are shown.
const EVENTS: usize = 10;

/// List the workers of a run's fleet: games, speed, checks and faults
///
/// Asks the process that coordinates the fleet, on this machine. What happened to
/// the fleet is also recorded beside the journal, and --events shows that without a
/// process.
#[derive(Debug, Args)]
#[command(after_help = "\
A worker is new until enough of its first matches were played again and found
right, then trusted; one that gave a false result is barred, one that was not
heard of for some time is gone. docs/fleet.md says what each failure looks like.

Exit codes: 0 done, 1 failure, 2 bad usage: nobody works on the population, or its
run has no fleet.

Examples:
  loatune fleet
  loatune fleet --population deep --watch
  loatune fleet --json
  loatune fleet --events

JSON: name, broker, connected, games_per_second, games, waiting, out, checking,
republished, duplicates, late, refused, checks, differences, workers [{worker,
state (new, trusted, gone or barred), threads, games, games_per_second, load,
checked, faults, holding, seen_seconds, why}], events [{number, seconds_ago,
text}]. With --events: events [{number, time (seconds since 1970), text, and where a
worker was barred worker and why}].")]
pub(crate) struct Fleet {
    #[command(flatten)]
    population: PopulationArg,
    /// Show it again every two seconds, until the run has ended
    #[arg(long, short)]
    watch: bool,
    /// Show everything that is recorded of the population's fleets, the oldest
    /// first, whether a run goes on or not
    #[arg(long, conflicts_with = "watch")]
    events: bool,
    /// Print JSON: one line, with --watch one line each time
    #[arg(long)]
    json: bool,
}

impl Fleet {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.events {
            return self.print_events(out);
        }
        let stop = interrupt::stop_flag()?;
        let clear = self.watch && !self.json && io::stdout().is_terminal();
        let mut is_first = true;
        loop {
            let dir = self.population.resolve_running()?;
            let Some(daemon) = find_daemon(&dir)? else {
                if !is_first {
                    return Ok(());
                }
                let message = format!(
                    "nobody works on the population {} in {}",
                    dir.name,
                    dir.directory.display()
                );
                return Err(BadUsage::new(message).into());
            };
            let Some(fleet) = answer(daemon.fleet())? else {
                let message = format!(
                    "the run of {} plays by itself: `loatune run --fleet URL` would have a fleet",
                    dir.name
                );
                return Err(BadUsage::new(message).into());
            };
            if self.json {
                write_json(out, &fleet)?;
            } else {
                let clear = if clear { "\x1b[H\x1b[2J" } else { "" };
                write_text(out, &format!("{clear}{}", text(&fleet)))?;
            }
            out.flush()?;
            if !self.watch {
                return Ok(());
            }
            is_first = false;
            for _ in 0..20 {
                if stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                std::thread::sleep(Duration::from_millis(100));
            }
        }
    }
}

impl Fleet {
    /// Prints what is recorded beside the journal.
    fn print_events(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let dir = self.population.resolve_existing()?;
        if !Population::exists(&dir.directory)? {
            return Err(BadUsage::new(dir.not_found_message()).into());
        }
        let path = Layout::new(&dir.directory).fleet_log();
        let events =
            read_logbook(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if self.json {
            return write_json(out, &RecordedEvents { events });
        }
        let mut text = String::new();
        for event in &events {
            let _ = writeln!(text, "{}  {}", utc(event.time), event.text);
        }
        if events.is_empty() {
            let _ = writeln!(text, "no fleet has played for {}", dir.name);
        }
        write_text(out, &text)
    }
}

/// The JSON of `--events`.
#[derive(Serialize)]
struct RecordedEvents {
    events: Vec<FleetRecord>,
}

fn text(fleet: &FleetView) -> String {
    let mut text = String::new();
    let lost = if fleet.connected {
        ""
    } else {
        ", not connected"
    };
    let _ = writeln!(text, "fleet {} at {}{lost}", fleet.name, fleet.broker);
    let _ = writeln!(
        text,
        "{:.1} games/s, {} games; {} matches wait, {} are out, {} are checked",
        fleet.games_per_second,
        thousands(fleet.games),
        thousands(fleet.waiting),
        thousands(fleet.out),
        thousands(fleet.checking)
    );
    let _ = writeln!(
        text,
        "{} checks, {} differences, {} refused, {} published again, {} duplicates, {} late\n",
        thousands(fleet.checks),
        fleet.differences,
        thousands(fleet.refused),
        thousands(fleet.republished),
        thousands(fleet.duplicates),
        thousands(fleet.late)
    );
    let mut table = TextTable::new([
        Column::left("worker"),
        Column::left("state"),
        Column::right("threads"),
        Column::right("games"),
        Column::right("games/s"),
        Column::right("load"),
        Column::right("checked"),
        Column::right("faults"),
        Column::right("seen"),
    ]);
    for worker in &fleet.workers {
        let load = worker.load.map(|load| format!("{load:.2}"));
        table.row([
            worker.worker.as_str(),
            worker.state.name(),
            &worker.threads.to_string(),
            &thousands(worker.games),
            &format!("{:.1}", worker.games_per_second),
            load.as_deref().unwrap_or("-"),
            &thousands(worker.checked),
            &worker.faults.to_string(),
            &format!("{:.0} s", worker.seen_seconds),
        ]);
        if let Some(why) = &worker.why {
            table.note(why);
        }
    }
    if fleet.workers.is_empty() {
        text.push_str("no worker yet: `loatune worker --fleet URL` on any machine\n");
    } else {
        text.push_str(&table.text());
    }
    let skipped = fleet.events.len().saturating_sub(EVENTS);
    for event in &fleet.events[skipped..] {
        let _ = writeln!(text, "{:>6.0} s ago  {}", event.seconds_ago, event.text);
    }
    text
}
