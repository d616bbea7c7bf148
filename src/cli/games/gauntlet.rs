//! `loatune gauntlet`: one player against a panel.

use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;
use serde::Serialize;

use super::game_runner::{Counter, Session};
use super::match_report::{Finished, Report, Score, brief, estimate};
use crate::arena::Summary;
use crate::arena::match_runner::{Ended, PlayedPair};
use crate::arena::schedule::Schedule;
use crate::cli::args::arena_flags::{self, ArenaFlags, PLAYER_HELP, PLAYERS_HELP};
use crate::cli::output::{put, put_json};
use crate::stats::{Record, Tally};

/// Pairs against each opponent where nothing else is said.
const USUAL_PAIRS: u64 = 50;

/// Play one player against each of a panel
///
/// All opponents meet A from the same openings.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{PLAYERS_HELP}

Examples:
  loatune gauntlet mine.toml --against default random:1 random:2
  loatune gauntlet mine.toml --against panel/*.toml --games 200 --depth 3

JSON: player, seed, games, wins, draws, losses, score, elo, elo_error (of all
games together), interrupted, seconds, and matches: for each opponent what
`loatune match --json` prints."))]
pub(crate) struct Gauntlet {
    #[arg(value_name = "A", help = PLAYER_HELP)]
    a: String,
    /// Its opponents, named in the same way
    #[arg(long, value_name = "PLAYER", required = true, num_args = 1..)]
    against: Vec<String>,
    /// Play N games against each, an even number [default: 100, or two for each
    /// opening of a file]
    #[arg(long, value_name = "N", value_parser = arena_flags::games)]
    games: Option<u64>,
    #[command(flatten)]
    flags: ArenaFlags,
}

#[derive(Serialize)]
struct GauntletReport {
    player: String,
    seed: u64,
    #[serde(flatten)]
    score: Score,
    elo: Option<f64>,
    elo_error: Option<f64>,
    interrupted: bool,
    seconds: f64,
    matches: Vec<Report>,
}

/// A match for each opponent.
struct Count(Vec<Summary>);

impl Count {
    fn total(&self) -> Summary {
        let mut tally = Tally::default();
        for summary in &self.0 {
            tally += summary.tally;
        }
        Summary {
            tally,
            ..Summary::default()
        }
    }
}

impl Counter for Count {
    fn count(&mut self, played: &PlayedPair) -> ControlFlow<()> {
        self.0[played.pair.players[1] - 1].add(&played.games);
        ControlFlow::Continue(())
    }

    fn state(&self) -> String {
        brief(&self.total(), None)
    }
}

impl Gauntlet {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rules = self.flags.rules()?;
        let mut players = vec![self.flags.player(&self.a)?];
        for opponent in &self.against {
            players.push(self.flags.player(opponent)?);
        }
        let openings = self.flags.openings(&rules)?;
        let pairs = self.flags.pairs(self.games, USUAL_PAIRS, &openings)?;
        let session = Session {
            flags: &self.flags,
            players: &players,
            schedule: &Schedule::gauntlet(players.len(), pairs),
            openings: &openings,
            rules,
        };
        let mut count = Count(vec![Summary::default(); self.against.len()]);
        let played = session.play(&mut count)?;
        let total = count.total();
        if self.flags.json {
            let interrupted = played.ended == Ended::Interrupted;
            put_json(
                out,
                &self.report(&count, &total, interrupted, played.seconds),
            )?;
        } else {
            put(out, &self.text(&count, &total))?;
        }
        played.result(total.tally.games())
    }

    fn report(
        &self,
        count: &Count,
        total: &Summary,
        interrupted: bool,
        seconds: f64,
    ) -> GauntletReport {
        let one = |(summary, opponent): (&Summary, &String)| {
            Finished {
                players: [&self.a, opponent],
                summary,
                sprt: None,
                seed: self.flags.seed(),
                interrupted,
                seconds,
            }
            .report()
        };
        let elo = total.tally.moments().map(|moments| moments.elo());
        GauntletReport {
            player: self.a.clone(),
            seed: self.flags.seed(),
            score: Score::of(&total.tally.record()),
            elo: elo.map(|elo| elo.value).filter(|elo| elo.is_finite()),
            elo_error: elo.and_then(|elo| elo.error()),
            interrupted,
            seconds,
            matches: count.0.iter().zip(&self.against).map(one).collect(),
        }
    }

    fn text(&self, count: &Count, total: &Summary) -> String {
        let names = self.against.iter().map(|name| name.chars().count());
        let width = names.max().unwrap_or(0).max(8);
        let mut text = format!(
            "{}: {}\n{:<width$} {:>6} {:>6} {:>5} {:>6} {:>7}  {:<20} {:>6}\n",
            self.a,
            self.flags.openings_text(),
            "opponent",
            "games",
            "W",
            "D",
            "L",
            "score",
            "Elo",
            "LOS",
        );
        let rows = count.0.iter().zip(self.against.iter().map(String::as_str));
        for (summary, name) in rows.chain([(total, "all")]) {
            text += &row(summary, name, width);
        }
        text
    }
}

fn row(summary: &Summary, name: &str, width: usize) -> String {
    let record = summary.tally.record();
    let Record {
        wins,
        draws,
        losses,
    } = record;
    let Some(moments) = summary.tally.moments() else {
        return format!("{name:<width$}      0\n");
    };
    format!(
        "{name:<width$} {:>6} {wins:>6} {draws:>5} {losses:>6} {:>5.1} %  {:<20} {:>4.1} %\n",
        record.games(),
        100.0 * moments.mean,
        estimate(&moments.elo()),
        100.0 * moments.los(),
    )
}
