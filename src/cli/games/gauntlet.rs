//! `loatune gauntlet`: one player against a panel.

use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;
use serde::Serialize;

use super::game_runner::{GameRunner, PlayedGames, ResultSink};
use super::match_report::{
    FinishedMatch, GivenUp, MatchReport, Score, describe, estimate, faults_headline,
};
use super::match_settings::MatchSettings;
use super::resume_file::RESUME;
use crate::arena::Summary;
use crate::arena::match_runner::PlayedPair;
use crate::arena::schedule::Schedule;
use crate::cli::args::{ArenaFlags, PLAYER_HELP, PLAYERS_HELP, even_games};
use crate::cli::output::{Column, ProgressLine, TextTable, write_json, write_text};

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
games without faults), on_board, faults, given_up, interrupted, resumed, seconds,
matches: for each opponent what `loatune match --json` prints but for settings,
and settings."))]
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
    on_board: Score,
    faults: u64,
    given_up: Option<GivenUp>,
    interrupted: bool,
    resumed: u64,
    seconds: f64,
    matches: Vec<MatchReport>,
    settings: MatchSettings,
}

/// The results against each opponent, in the order of the command line.
struct GauntletTally(Vec<Summary>);

impl GauntletTally {
    fn total(&self) -> Summary {
        let mut total = Summary::default();
        for summary in &self.0 {
            total += summary;
        }
        total
    }
}

impl ResultSink for GauntletTally {
    fn add(&mut self, played: &PlayedPair) -> ControlFlow<()> {
        let summary = &mut self.0[played.pair.players[1] - 1];
        summary.add_played(played);
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
            sprt: None,
            kept: &RESUME,
        };
        let mut tally = GauntletTally(vec![Summary::default(); self.against.len()]);
        let played = runner.play(&mut tally)?;
        let total = tally.total();
        if self.flags.json {
            write_json(out, &self.report(&tally, &total, &played))?;
        } else {
            write_text(out, &self.text(&tally, &total, &played.settings))?;
        }
        played.result(total.tally.games(), total.faults())
    }

    fn report(
        &self,
        tally: &GauntletTally,
        total: &Summary,
        played: &PlayedGames,
    ) -> GauntletReport {
        let name = |player: usize| played.settings.name(player);
        let one = |(n, summary): (usize, &Summary)| {
            FinishedMatch {
                players: [name(0), name(n + 1)],
                summary,
                sprt: None,
                seed: self.flags.seed(),
                played,
            }
            .report()
        };
        let elo = total.faultless.moments().map(|moments| moments.elo());
        GauntletReport {
            player: name(0).to_owned(),
            seed: self.flags.seed(),
            score: total.tally.record().into(),
            elo: elo.map(|elo| elo.value).filter(|elo| elo.is_finite()),
            elo_error: elo.and_then(|elo| elo.error()),
            on_board: total.on_board.into(),
            faults: total.faults(),
            given_up: GivenUp::of(played),
            interrupted: played.is_interrupted(),
            resumed: played.resumed,
            seconds: played.seconds,
            matches: tally.0.iter().enumerate().map(one).collect(),
            settings: played.settings.clone(),
        }
    }

    fn text(&self, tally: &GauntletTally, total: &Summary, settings: &MatchSettings) -> String {
        let has_faults = total.faults() > 0;
        let mut columns = vec![
            Column::left("opponent"),
            Column::right("games"),
            Column::right("W").at_least(5),
            Column::right("D").at_least(4),
            Column::right("L").at_least(5),
            Column::right("score").at_least(6),
            Column::left("Elo").at_least(18),
            Column::right("LOS").at_least(7),
            Column::right("s/move").at_least(8),
            Column::right("its s/move"),
        ];
        if has_faults {
            columns.push(Column::right("faults"));
        }
        let mut table = TextTable::new(columns);
        let names = (1..=tally.0.len()).map(|player| settings.name(player));
        for (summary, name) in tally.0.iter().zip(names.clone()).chain([(total, "all")]) {
            let mut row = row(summary, name);
            if has_faults {
                row.push(summary.faults().to_string());
            }
            table.row(row);
        }
        let work = names.zip(tally.0.iter().map(|summary| summary.work[1]));
        let work = [(settings.name(0), total.work[0])].into_iter().chain(work);
        let faults = faults_headline(total.tally.games(), work);
        format!(
            "{}: {faults}{}\n{}{}",
            settings.name(0),
            self.flags.openings_text(),
            settings.text(),
            table.text()
        )
    }
}

fn row(summary: &Summary, name: &str) -> Vec<String> {
    let record = summary.tally.record();
    let mut row = vec![
        name.to_owned(),
        record.games().to_string(),
        record.wins.to_string(),
        record.draws.to_string(),
        record.losses.to_string(),
    ];
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let none = || String::from("-");
    row.push(record.score().map_or_else(none, percent));
    let moments = summary.faultless.moments();
    row.push(moments.map_or_else(none, |moments| estimate(&moments.elo())));
    row.push(moments.map_or_else(none, |moments| percent(moments.los())));
    row.extend([0, 1].map(|player| {
        let seconds = summary.seconds_per_move(player);
        seconds.map_or_else(none, |seconds| format!("{seconds:.4}"))
    }));
    row
}
