//! `loatune status`: a population at a glance.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;

use super::open_population::{OpenPopulation, answer};
use crate::api::{BoundView, State, Status as StatusView, origin_name};
use crate::cli::args::{PopulationArg, PopulationDir};
use crate::cli::interrupt;
use crate::cli::output::{clock, thousands, write_json, write_text};

/// Show how far a population has come
///
/// Asks the process that works on it, or reads the store where none does.
#[derive(Debug, Args)]
#[command(after_help = "\
ETA is given with an interval: how long it takes if the next games are as fast as
the faster, or as slow as the slower ones of the last two minutes.

Examples:
  loatune status
  loatune status --population mine --watch
  loatune status --json

JSON: population, state (evolving, final, proving, finished or stopped), running,
stopping, games, budget, matches, progress (0 to 1), games_per_second,
eta_seconds, eta_low, eta_high (null where unknown), files, capacity, births,
deaths, leaders [{file, points, games, origin}], hall [{file, matches, games,
elo, error}], scholars [{file, matches, games, positions, log_likelihood, score,
error, won}], final (null, or last, elder, matches, score, error), champion (null, or
file, is_elder, is_scholar), at_bounds [{gene, value, is_most}] (genes whose
consensus lies at a bound), ends (the rule that will end it), seed, params (fingerprint),
threads, page (its address, or null).")]
pub(crate) struct Status {
    #[command(flatten)]
    population: PopulationArg,
    /// Show it again every two seconds, until it has ended
    #[arg(long, short)]
    watch: bool,
    /// Print JSON: one line, with --watch one line each time
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let stop = interrupt::stop_flag()?;
        let clear = self.watch && !self.json && io::stdout().is_terminal();
        loop {
            let dir = self.population.resolve_existing()?;
            // The store is closed again: another command may open it between two
            // looks.
            let (status, is_over) = OpenPopulation::ask(&dir, |open| {
                Ok((answer(open.source.status())?, !open.running))
            })?;
            if self.json {
                write_json(out, &status)?;
            } else {
                let clear = if clear { "\x1b[H\x1b[2J" } else { "" };
                write_text(out, &format!("{clear}{}", text(&status, &dir)))?;
            }
            out.flush()?;
            if !self.watch || is_over {
                return Ok(());
            }
            for _ in 0..20 {
                if stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                std::thread::sleep(Duration::from_millis(100));
            }
        }
    }
}

fn text(status: &StatusView, dir: &PopulationDir) -> String {
    let mut text = String::new();
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<12} {value}");
    };
    row("population", status.population.clone());
    let state = match status.state {
        State::Stopped => &format!("stopped; to go on: loatune run{}", dir.as_flag()),
        State::Proving => "proving the champion's strength",
        State::Finished => "finished",
        State::Final => "final",
        State::Evolving => "evolving",
    };
    let stopping = if status.stopping { ", stopping" } else { "" };
    row("state", format!("{state}{stopping}"));
    row(
        "games",
        format!(
            "{} of {} ({:.1} % of the whole)",
            thousands(status.games),
            thousands(status.budget),
            100.0 * status.progress
        ),
    );
    if let Some(rate) = status.games_per_second {
        row(
            "speed",
            format!("{rate:.1} games/s, {} threads", status.threads),
        );
    }
    if let (Some(eta), Some(low), Some(high)) =
        (status.eta_seconds, status.eta_low, status.eta_high)
    {
        row(
            "ETA",
            format!("{} ({} to {})", clock(eta), clock(low), clock(high)),
        );
    }
    row(
        "files",
        format!("{} of at most {}", status.files, status.capacity),
    );
    let each = |count: u64| match status.games {
        0 => String::new(),
        games => format!(
            " ({:.1} a hundred games)",
            100.0 * count as f64 / games as f64
        ),
    };
    row(
        "births",
        format!("{}{}", thousands(status.births), each(status.births)),
    );
    row(
        "deaths",
        format!("{}{}", thousands(status.deaths), each(status.deaths)),
    );
    for (n, leader) in status.leaders.iter().enumerate() {
        let name = if n == 0 { "leaders" } else { "" };
        row(
            name,
            format!(
                "{:<8} {:+.2} points in {} games, {}",
                leader.file.to_string(),
                leader.points,
                leader.games,
                origin_name(leader.origin)
            ),
        );
    }
    for (n, file) in status.hall.iter().enumerate() {
        let name = if n == 0 { "hall" } else { "" };
        let strength = match (file.elo, file.error) {
            (Some(elo), Some(error)) => {
                format!(", {elo:+.0} +/- {error:.0} Elo above the reference")
            }
            (Some(elo), None) => format!(", {elo:+.0} Elo above the reference"),
            _ => String::new(),
        };
        row(
            name,
            format!(
                "{:<8} match {}{strength}",
                file.file.to_string(),
                file.matches
            ),
        );
    }
    if let Some(last) = &status.last {
        let score = match (last.score, last.error) {
            (Some(score), Some(error)) => format!(", mean score {score:+.3} +/- {error:.3}"),
            _ => String::new(),
        };
        row(
            "final",
            format!(
                "{} against the elder {}, {} matches{score}",
                last.last, last.elder, last.matches
            ),
        );
    }
    for (n, scholar) in status.scholars.iter().enumerate() {
        let challenge = match (scholar.won, scholar.score, scholar.error) {
            (Some(won), Some(score), Some(error)) => format!(
                "challenge {} with {score:+.3} +/- {error:.3}",
                if won { "won" } else { "lost" }
            ),
            _ => String::from("challenge not over"),
        };
        row(
            if n == 0 { "scholars" } else { "" },
            format!(
                "{:<8} match {}, from {} games, {:.4} nats a position, {challenge}",
                scholar.file, scholar.matches, scholar.games, scholar.log_likelihood
            ),
        );
    }
    if let Some(champion) = &status.champion {
        let kind = if champion.is_elder {
            "the elder"
        } else if champion.is_scholar {
            "a scholar"
        } else {
            "the last file"
        };
        row("champion", format!("{}, {kind}", champion.file));
    }
    if !status.at_bounds.is_empty() {
        row("at a bound", bounds_text(&status.at_bounds));
    }
    row("ends", status.ends.clone());
    if let Some(page) = &status.page {
        row("page", page.clone());
    }
    row("seed", status.seed.to_string());
    row("params", status.params.clone());
    text
}

/// Genes whose consensus lies at a bound, with what follows from it.
pub(super) fn bounds_text(found: &[BoundView]) -> String {
    let one = |it: &BoundView| {
        let bound = if it.is_most { "most" } else { "least" };
        format!("{} {} ({bound})", it.gene, it.value)
    };
    let shown: Vec<String> = found.iter().take(12).map(one).collect();
    let more = found.len() - shown.len();
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "the consensus of {}{more}: better values may lie beyond",
        shown.join(", ")
    )
}
