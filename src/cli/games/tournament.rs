//! `loatune tournament`: everyone against everyone, with ratings.

use std::collections::HashSet;
use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;
use serde::Serialize;

use super::game_runner::{GameRunner, PlayedGames, ResultSink};
use super::match_report::{GivenUp, Score, estimate, faults_headline};
use super::match_settings::MatchSettings;
use super::resume_file::RESUME;
use crate::arena::match_runner::PlayedPair;
use crate::arena::schedule::Schedule;
use crate::arena::summary::Work;
use crate::arena::{Summary, TimeUsed};
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
regularised, faults, book_moves, seconds_per_move}}], matches [{{players, games, wins, draws,
losses, score, on_board, faults}}], games, faults, given_up, interrupted, resumed,
seconds, settings. Ratings come from games that ended on the board."))]
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
    faults: u64,
    given_up: Option<GivenUp>,
    interrupted: bool,
    resumed: u64,
    seconds: f64,
    settings: &'a MatchSettings,
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
    /// Games that it lost by faults, which the rest leaves out.
    faults: u64,
    /// Its moves that came from an opening book.
    book_moves: u64,
    seconds_per_move: Option<f64>,
}

#[derive(Serialize)]
struct MatchRow<'a> {
    players: [&'a str; 2],
    #[serde(flatten)]
    score: Score,
    on_board: Score,
    faults: u64,
}

/// The results of all matches.
struct TournamentTally {
    /// The two players' numbers, and their games from the first one's point of
    /// view, in the order of the schedule.
    matches: Vec<([usize; 2], Summary)>,
}

impl ResultSink for TournamentTally {
    fn add(&mut self, played: &PlayedPair) -> ControlFlow<()> {
        for (players, summary) in &mut self.matches {
            if *players == played.pair.players {
                summary.add_played(played);
            }
        }
        ControlFlow::Continue(())
    }

    /// Results of single matches would fill more than a line.
    fn describe(&self, _: &mut ProgressLine) {}
}

impl TournamentTally {
    fn games(&self) -> u64 {
        let games = self.matches.iter();
        games.map(|(_, summary)| summary.tally.games()).sum()
    }

    fn faults(&self) -> u64 {
        self.matches
            .iter()
            .map(|(_, summary)| summary.faults())
            .sum()
    }

    /// The work of one player, and the time that it took.
    fn work(&self, player: usize) -> (Work, TimeUsed) {
        let (mut work, mut time) = (Work::default(), TimeUsed::default());
        for (players, summary) in &self.matches {
            for (seat, _) in players.iter().enumerate().filter(|(_, n)| **n == player) {
                work += summary.work[seat];
                time.add(summary.time[seat]);
            }
        }
        (work, time)
    }

    fn seconds_per_move(&self, player: usize) -> Option<f64> {
        let (work, time) = self.work(player);
        (work.moves > 0).then(|| time.total.as_secs_f64() / work.moves as f64)
    }

    /// Games that ended by a fault say nothing of strength.
    fn crosstable(&self, players: usize) -> anyhow::Result<Crosstable> {
        let mut table = Crosstable::new(players);
        for ([a, b], summary) in &self.matches {
            table.add(*a, *b, summary.on_board)?;
        }
        Ok(table)
    }

    /// The results of `a` against `b`; `None` for the same player.
    fn record(&self, a: usize, b: usize) -> Option<Record> {
        self.matches.iter().find_map(|(players, summary)| {
            let record = summary.on_board;
            if *players == [a, b] {
                Some(record)
            } else if *players == [b, a] {
                Some(record.reversed())
            } else {
                None
            }
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
            sprt: None,
            kept: &RESUME,
        };
        let matches = schedule.matches().iter();
        let mut tally = TournamentTally {
            matches: matches
                .map(|&players| (players, Summary::default()))
                .collect(),
        };
        let played = runner.play(&mut tally)?;
        let ratings = Ratings::from_crosstable(&tally.crosstable(players.len())?);
        if self.flags.json {
            write_json(out, &self.report(&tally, &ratings, &played))?;
        } else {
            write_text(out, &self.text(&tally, &ratings, &played.settings))?;
        }
        played.result(tally.games(), tally.faults())
    }

    /// The players' numbers, the best one's first.
    fn order(&self, ratings: &Ratings) -> Vec<usize> {
        let elo = |player: usize| ratings.players()[player].elo.value;
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)));
        order
    }

    fn report<'a>(
        &self,
        tally: &TournamentTally,
        ratings: &Ratings,
        played: &'a PlayedGames,
    ) -> TournamentReport<'a> {
        let name = |player: usize| played.settings.name(player);
        let rated = |player: usize| {
            let rating = &ratings.players()[player];
            Rated {
                player: name(player),
                elo: rating.elo.value,
                elo_error: rating.elo.error(),
                games: rating.games,
                points: rating.points,
                score: (rating.games > 0).then(|| rating.points / rating.games as f64),
                regularised: rating.regularised,
                faults: tally.work(player).0.faults(),
                book_moves: tally.work(player).0.book_moves,
                seconds_per_move: tally.seconds_per_move(player),
            }
        };
        let match_row = |([a, b], summary): &([usize; 2], Summary)| MatchRow {
            players: [name(*a), name(*b)],
            score: summary.tally.record().into(),
            on_board: summary.on_board.into(),
            faults: summary.faults(),
        };
        TournamentReport {
            seed: self.flags.seed(),
            ratings: self.order(ratings).into_iter().map(rated).collect(),
            matches: tally.matches.iter().map(match_row).collect(),
            games: tally.games(),
            faults: tally.faults(),
            given_up: GivenUp::of(played),
            interrupted: played.is_interrupted(),
            resumed: played.resumed,
            seconds: played.seconds,
            settings: &played.settings,
        }
    }

    fn text(&self, tally: &TournamentTally, ratings: &Ratings, settings: &MatchSettings) -> String {
        let order = self.order(ratings);
        let mut columns = vec![
            Column::right("").at_least(3),
            Column::left("player"),
            Column::left("Elo").at_least(17),
            Column::right("games").at_least(5),
            Column::right("points").at_least(6),
            Column::right("score").at_least(6),
            Column::right("s/move").at_least(8),
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
                settings.name(player).to_owned(),
                estimate(&rating.elo) + mark,
                rating.games.to_string(),
                format!("{:.1}", rating.points),
                format!("{score:.1} %"),
                tally
                    .seconds_per_move(player)
                    .map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.4}")),
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
        let names = (0..self.players.len()).map(|player| settings.name(player));
        let work = names.enumerate();
        let work = work.map(|(player, name)| (name, tally.work(player).0));
        let faults = faults_headline(tally.games(), work);
        let openings = self.flags.openings_text();
        format!("{faults}{openings}\n{}{}", settings.text(), table.text())
    }
}
