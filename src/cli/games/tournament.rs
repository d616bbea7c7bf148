//! `loatune tournament`: everyone against everyone, with ratings.

use std::collections::HashSet;
use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;
use serde::Serialize;

use super::game_runner::{GameRunner, ResultSink};
use super::match_report::{Score, estimate};
use crate::arena::Summary;
use crate::arena::match_runner::{Ended, PlayedPair};
use crate::arena::schedule::Schedule;
use crate::cli::args::{ArenaFlags, PLAYERS_HELP, even_games};
use crate::cli::output::{BadUsage, Column, ProgressLine, TextTable, write_json, write_text};
use crate::stats::{Crosstable, Ratings, Record};

/// How many pairs each two players play where nothing else is asked for.
const DEFAULT_PAIRS: u64 = 10;

/// Play everyone against everyone and rate them
///
/// All meetings have the same openings. Ratings are Bradley-Terry maximum
/// likelihood estimates in Elo with 95 % errors; their mean is 0.
#[derive(Debug, Args)]
#[command(after_help = format!("\
A rating marked with * is finite only because every player was given one more
draw: the player won or lost everything, or nearly so.

{PLAYERS_HELP}

Examples:
  loatune tournament default random:1 random:2
  loatune tournament panel/*.toml --games 50 --depth 3

JSON: seed, ratings (best first) [{{player, elo, elo_error, games, points, score,
regularised}}], matches [{{players, games, wins, draws, losses, score}}], games,
interrupted, seconds."))]
pub(crate) struct Tournament {
    /// At least two players: weight files, champions, `default`, `random:SEED`,
    /// `ugi:COMMAND`; with @PLAYER[:DEPTH] another search
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    players: Vec<String>,
    /// Play N games between each two, an even number [default: 20, or two for
    /// each opening of a file]
    #[arg(long, value_name = "N", value_parser = even_games)]
    games: Option<u64>,
    #[command(flatten)]
    flags: ArenaFlags,
}

#[derive(Serialize)]
struct TournamentReport<'a> {
    seed: u64,
    ratings: Vec<Rated<'a>>,
    matches: Vec<MatchRow<'a>>,
    games: u64,
    interrupted: bool,
    seconds: f64,
}

#[derive(Serialize)]
struct Rated<'a> {
    player: &'a str,
    elo: f64,
    elo_error: Option<f64>,
    games: u64,
    points: f64,
    score: Option<f64>,
    regularised: bool,
}

#[derive(Serialize)]
struct MatchRow<'a> {
    players: [&'a str; 2],
    #[serde(flatten)]
    score: Score,
}

/// The results of each match: two players, and their games.
struct TournamentTally {
    meetings: Vec<[usize; 2]>,
    matches: Vec<Summary>,
}

impl ResultSink for TournamentTally {
    fn add(&mut self, played: &PlayedPair) -> ControlFlow<()> {
        let meetings = self.meetings.iter().zip(&mut self.matches);
        for (meeting, summary) in meetings {
            if *meeting == played.pair.players {
                summary.add(&played.games);
            }
        }
        ControlFlow::Continue(())
    }

    /// Results of single matches would fill more than a line.
    fn describe(&self, _: &mut ProgressLine) {}
}

impl TournamentTally {
    fn games(&self) -> u64 {
        self.matches.iter().map(|one| one.tally.games()).sum()
    }

    fn crosstable(&self, players: usize) -> anyhow::Result<Crosstable> {
        let mut table = Crosstable::new(players);
        for (&[a, b], summary) in self.meetings.iter().zip(&self.matches) {
            table.add(a, b, summary.tally.record())?;
        }
        Ok(table)
    }

    /// The results of `a` against `b`; `None` for the same player.
    fn record(&self, a: usize, b: usize) -> Option<Record> {
        let mut meetings = self.meetings.iter().zip(&self.matches);
        meetings.find_map(|(&meeting, summary)| match meeting {
            [first, second] if [first, second] == [a, b] => Some(summary.tally.record()),
            [first, second] if [second, first] == [a, b] => Some(summary.tally.record().reversed()),
            _ => None,
        })
    }
}

impl Tournament {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rules = self.flags.rules()?;
        let mut seen = HashSet::new();
        let mut players = Vec::new();
        for text in &self.players {
            if !seen.insert(text) {
                return Err(BadUsage::new(format!("{text} is there twice")).into());
            }
            players.push(self.flags.player(text)?);
        }
        let openings = self.flags.openings(&rules)?;
        let pairs = self.flags.pairs(self.games, DEFAULT_PAIRS, &openings)?;
        let schedule = Schedule::round_robin(players.len(), pairs);
        let runner = GameRunner {
            flags: &self.flags,
            players: &players,
            schedule: &schedule,
            openings: &openings,
            rules,
        };
        let mut tally = TournamentTally {
            meetings: schedule.matches().to_vec(),
            matches: vec![Summary::default(); schedule.matches().len()],
        };
        let played = runner.play(&mut tally)?;
        let ratings = Ratings::from_crosstable(&tally.crosstable(players.len())?);
        if self.flags.json {
            let interrupted = played.ended == Ended::Interrupted;
            write_json(
                out,
                &self.report(&tally, &ratings, interrupted, played.seconds),
            )?;
        } else {
            write_text(out, &self.text(&tally, &ratings))?;
        }
        played.result(tally.games())
    }

    /// The players' numbers, the best one's first.
    fn order(&self, ratings: &Ratings) -> Vec<usize> {
        let elo = |player: usize| ratings.players()[player].elo.value;
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)));
        order
    }

    fn report(
        &self,
        tally: &TournamentTally,
        ratings: &Ratings,
        interrupted: bool,
        seconds: f64,
    ) -> TournamentReport<'_> {
        let rated = |player: usize| {
            let rating = &ratings.players()[player];
            Rated {
                player: &self.players[player],
                elo: rating.elo.value,
                elo_error: rating.elo.error(),
                games: rating.games,
                points: rating.points,
                score: (rating.games > 0).then(|| rating.points / rating.games as f64),
                regularised: rating.regularised,
            }
        };
        let meeting = |(&[a, b], summary): (&[usize; 2], &Summary)| MatchRow {
            players: [&self.players[a], &self.players[b]],
            score: summary.tally.record().into(),
        };
        TournamentReport {
            seed: self.flags.seed(),
            ratings: self.order(ratings).into_iter().map(rated).collect(),
            matches: tally
                .meetings
                .iter()
                .zip(&tally.matches)
                .map(meeting)
                .collect(),
            games: tally.games(),
            interrupted,
            seconds,
        }
    }

    fn text(&self, tally: &TournamentTally, ratings: &Ratings) -> String {
        let order = self.order(ratings);
        let mut columns = vec![
            Column::right("").at_least(3),
            Column::left("player"),
            Column::left("Elo").at_least(17),
            Column::right("games").at_least(5),
            Column::right("points").at_least(6),
            Column::right("score").at_least(6),
        ];
        let opponents = 1..=order.len();
        columns.extend(opponents.map(|place| Column::right(place.to_string()).at_least(5)));
        let mut table = TextTable::new(columns);
        for (place, &player) in order.iter().enumerate() {
            let rating = &ratings.players()[player];
            let mark = if rating.regularised { "*" } else { "" };
            let score = 100.0 * rating.points / (rating.games.max(1)) as f64;
            let mut row = vec![
                (place + 1).to_string(),
                self.players[player].clone(),
                estimate(&rating.elo) + mark,
                rating.games.to_string(),
                format!("{:.1}", rating.points),
                format!("{score:.1} %"),
            ];
            row.extend(order.iter().map(|&other| {
                let record = tally.record(player, other);
                record.map_or_else(
                    || "-".to_owned(),
                    |record| format!("{:.1}", record.halves() as f64 / 2.0),
                )
            }));
            table.row(row);
        }
        format!("{}\n{}", self.flags.openings_text(), table.text())
    }
}
