//! `loatune status`: a population at a glance.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;

use crate::api::{State, Status as View, origin_name};
use crate::cli::args::population_arg::{PopulationArg, answer};
use crate::cli::interrupt;
use crate::cli::output::progress::clock;
use crate::cli::output::{put, put_json, thousands};

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
deaths, leaders [{file, points, games, origin}], hall [{file, matches, elo,
error}], final (null, or last, elder, matches, score, error), champion (null, or
file, is_elder), ends (the rule that will end it), seed, params (fingerprint),
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
            let (_, look) = self.population.look()?;
            let view = answer(look.source.status())?;
            let is_over = !look.running;
            drop(look);
            if self.json {
                put_json(out, &view)?;
            } else {
                let clear = if clear { "\x1b[H\x1b[2J" } else { "" };
                put(out, &format!("{clear}{}", text(&view)))?;
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

fn text(view: &View) -> String {
    let mut text = String::new();
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<12} {value}");
    };
    row("population", view.population.clone());
    let state = match view.state {
        State::Stopped => "stopped; `loatune run` goes on with it",
        State::Proving => "proving the champion's strength",
        State::Finished => "finished",
        State::Final => "final",
        State::Evolving => "evolving",
    };
    let stopping = if view.stopping { ", stopping" } else { "" };
    row("state", format!("{state}{stopping}"));
    row(
        "games",
        format!(
            "{} of {} ({:.1} % of the whole)",
            thousands(view.games),
            thousands(view.budget),
            100.0 * view.progress
        ),
    );
    if let Some(rate) = view.games_per_second {
        row(
            "speed",
            format!("{rate:.1} games/s, {} threads", view.threads),
        );
    }
    if let (Some(eta), Some(low), Some(high)) = (view.eta_seconds, view.eta_low, view.eta_high) {
        row(
            "ETA",
            format!("{} ({} to {})", clock(eta), clock(low), clock(high)),
        );
    }
    row(
        "files",
        format!("{} of at most {}", view.files, view.capacity),
    );
    let each = |count: u64| match view.games {
        0 => String::new(),
        games => format!(
            " ({:.1} a hundred games)",
            100.0 * count as f64 / games as f64
        ),
    };
    row(
        "births",
        format!("{}{}", thousands(view.births), each(view.births)),
    );
    row(
        "deaths",
        format!("{}{}", thousands(view.deaths), each(view.deaths)),
    );
    for (n, leader) in view.leaders.iter().enumerate() {
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
    for (n, file) in view.hall.iter().enumerate() {
        let name = if n == 0 { "hall" } else { "" };
        let strength = match (file.elo, file.error) {
            (Some(elo), Some(error)) => format!(", {elo:+.0} +/- {error:.0} Elo above the default"),
            (Some(elo), None) => format!(", {elo:+.0} Elo above the default"),
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
    if let Some(last) = &view.last {
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
    if let Some(champion) = &view.champion {
        let kind = match champion.is_elder {
            true => "the elder",
            false => "the last file",
        };
        row("champion", format!("{}, {kind}", champion.file));
    }
    row("ends", view.ends.clone());
    if let Some(page) = &view.page {
        row("page", page.clone());
    }
    row("seed", view.seed.to_string());
    row("params", view.params.clone());
    text
}
