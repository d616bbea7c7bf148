//! `loatune tournament`: everyone against everyone, with ratings.

use std::collections::HashSet;
use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;
use serde::Serialize;

use super::arena_flags::{self, ArenaFlags, PLAYERS_HELP};
use super::error::BadUsage;
use super::match_report::{Score, estimate};
use super::output::{put, put_json};
use super::session::{Counter, Session};
use crate::arena::Summary;
use crate::arena::match_runner::{Ended, PlayedPair};
use crate::arena::schedule::Schedule;
use crate::stats::{Crosstable, Ratings, Record};

/// Pairs of each two players where nothing else is said.
const USUAL_PAIRS: u64 = 10;

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
pub(super) struct Tournament {
    /// At least two players: weight files, champions, `default`, `random:SEED`,
    /// `ugi:COMMAND`; with @PLAYER[:DEPTH] another search
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    players: Vec<String>,
    /// Play N games between each two, an even number [default: 20, or two for
    /// each opening of a file]
    #[arg(long, value_name = "N", value_parser = arena_flags::games)]
    games: Option<u64>,
    #[command(flatten)]
    flags: ArenaFlags,
}

#[derive(Serialize)]
struct TournamentReport<'a> {
    seed: u64,
    ratings: Vec<Rated<'a>>,
    matches: Vec<Meeting<'a>>,
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
struct Meeting<'a> {
    players: [&'a str; 2],
    #[serde(flatten)]
    score: Score,
}

/// A match for each meeting of the schedule.
struct Count {
    meetings: Vec<[usize; 2]>,
    matches: Vec<Summary>,
}

impl Counter for Count {
    fn count(&mut self, played: &PlayedPair) -> ControlFlow<()> {
        let meetings = self.meetings.iter().zip(&mut self.matches);
        for (meeting, summary) in meetings {
            if *meeting == played.pair.players {
                summary.add(&played.games);
            }
        }
        ControlFlow::Continue(())
    }

    fn state(&self) -> String {
        String::new()
    }
}

impl Count {
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

    /// `a`'s games against `b`.
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
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
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
        let pairs = self.flags.pairs(self.games, USUAL_PAIRS, &openings)?;
        let schedule = Schedule::round_robin(players.len(), pairs);
        let session = Session {
            flags: &self.flags,
            players: &players,
            schedule: &schedule,
            openings: &openings,
            rules,
        };
        let mut count = Count {
            meetings: schedule.matches().to_vec(),
            matches: vec![Summary::default(); schedule.matches().len()],
        };
        let played = session.play(&mut count)?;
        let ratings = Ratings::from_crosstable(&count.crosstable(players.len())?);
        if self.flags.json {
            let interrupted = played.ended == Ended::Interrupted;
            put_json(
                out,
                &self.report(&count, &ratings, interrupted, played.seconds),
            )?;
        } else {
            put(out, &self.text(&count, &ratings))?;
        }
        played.result(count.games())
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
        count: &Count,
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
        let meeting = |(&[a, b], summary): (&[usize; 2], &Summary)| Meeting {
            players: [&self.players[a], &self.players[b]],
            score: Score::of(&summary.tally.record()),
        };
        TournamentReport {
            seed: self.flags.seed(),
            ratings: self.order(ratings).into_iter().map(rated).collect(),
            matches: count
                .meetings
                .iter()
                .zip(&count.matches)
                .map(meeting)
                .collect(),
            games: count.games(),
            interrupted,
            seconds,
        }
    }

    fn text(&self, count: &Count, ratings: &Ratings) -> String {
        let names = self.players.iter().map(|name| name.chars().count());
        let width = names.max().unwrap_or(0).max(6);
        let order = self.order(ratings);
        let mut text = format!("{}\n", self.flags.openings_text());
        text += &format!(
            "{:>3}  {:<width$} {:<18} {:>6} {:>7} {:>7}",
            "", "player", "Elo", "games", "points", "score"
        );
        for place in 1..=order.len() {
            text += &format!("{place:>7}");
        }
        text.push('\n');
        for (place, &player) in order.iter().enumerate() {
            let rating = &ratings.players()[player];
            let mark = if rating.regularised { "*" } else { "" };
            let score = 100.0 * rating.points / (rating.games.max(1)) as f64;
            text += &format!(
                "{:>3}  {:<width$} {:<18} {:>6} {:>7.1} {score:>5.1} %",
                place + 1,
                self.players[player],
                estimate(&rating.elo) + mark,
                rating.games,
                rating.points,
            );
            for &other in &order {
                let points = count.record(player, other);
                let cell = points.map_or_else(
                    || "-".to_owned(),
                    |record| format!("{:.1}", record.halves() as f64 / 2.0),
                );
                text += &format!("{cell:>7}");
            }
            text = text.trim_end().to_owned() + "\n";
        }
        text
    }
}
