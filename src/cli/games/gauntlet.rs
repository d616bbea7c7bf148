//! `loatune gauntlet`: one player against a panel.

use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;
use serde::Serialize;

use super::game_runner::{GameRunner, ResultSink};
use super::match_report::{FinishedMatch, MatchReport, Score, describe, estimate};
use crate::arena::Summary;
use crate::arena::match_runner::{Ended, PlayedPair};
use crate::arena::schedule::Schedule;
use crate::cli::args::{ArenaFlags, PLAYER_HELP, PLAYERS_HELP, even_games};
use crate::cli::output::{Column, ProgressLine, TextTable, write_json, write_text};
use crate::stats::Tally;

/// How many pairs are played against each opponent where nothing else is asked
/// for.
const DEFAULT_PAIRS: u64 = 50;

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
    #[arg(long, value_name = "N", value_parser = even_games)]
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
    matches: Vec<MatchReport>,
}

/// The results against each opponent, in the order of the command line.
struct GauntletTally(Vec<Summary>);

impl GauntletTally {
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

impl ResultSink for GauntletTally {
    fn add(&mut self, played: &PlayedPair) -> ControlFlow<()> {
        self.0[played.pair.players[1] - 1].add(&played.games);
        ControlFlow::Continue(())
    }

    fn describe(&self, line: &mut ProgressLine) {
        describe(&self.total(), None, line);
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
        let pairs = self.flags.pairs(self.games, DEFAULT_PAIRS, &openings)?;
        let runner = GameRunner {
            flags: &self.flags,
            players: &players,
            schedule: &Schedule::gauntlet(players.len(), pairs),
            openings: &openings,
            rules,
        };
        let mut tally = GauntletTally(vec![Summary::default(); self.against.len()]);
        let played = runner.play(&mut tally)?;
        let total = tally.total();
        if self.flags.json {
            let interrupted = played.ended == Ended::Interrupted;
            write_json(
                out,
                &self.report(&tally, &total, interrupted, played.seconds),
            )?;
        } else {
            write_text(out, &self.text(&tally, &total))?;
        }
        played.result(total.tally.games())
    }

    fn report(
        &self,
        tally: &GauntletTally,
        total: &Summary,
        interrupted: bool,
        seconds: f64,
    ) -> GauntletReport {
        let one = |(summary, opponent): (&Summary, &String)| {
            FinishedMatch {
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
            score: total.tally.record().into(),
            elo: elo.map(|elo| elo.value).filter(|elo| elo.is_finite()),
            elo_error: elo.and_then(|elo| elo.error()),
            interrupted,
            seconds,
            matches: tally.0.iter().zip(&self.against).map(one).collect(),
        }
    }

    fn text(&self, tally: &GauntletTally, total: &Summary) -> String {
        let mut table = TextTable::new([
            Column::left("opponent"),
            Column::right("games"),
            Column::right("W").at_least(5),
            Column::right("D").at_least(4),
            Column::right("L").at_least(5),
            Column::right("score").at_least(6),
            Column::left("Elo").at_least(20),
            Column::right("LOS").at_least(5),
        ]);
        let names = self.against.iter().map(String::as_str);
        for (summary, name) in tally.0.iter().zip(names).chain([(total, "all")]) {
            table.row(row(summary, name));
        }
        let openings = self.flags.openings_text();
        format!("{}: {openings}\n{}", self.a, table.text())
    }
}

fn row(summary: &Summary, name: &str) -> Vec<String> {
    let record = summary.tally.record();
    let mut row = vec![name.to_owned(), record.games().to_string()];
    if let Some(moments) = summary.tally.moments() {
        row.extend([
            record.wins.to_string(),
            record.draws.to_string(),
            record.losses.to_string(),
            format!("{:.1} %", 100.0 * moments.mean),
            estimate(&moments.elo()),
            format!("{:.1} %", 100.0 * moments.los()),
        ]);
    }
    row
}
