//! `loatune book build`: a book from games of a player against itself.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread::available_parallelism;

use anyhow::Context;
use clap::Args;

use super::file_arg::{BookNumbers, save_book};
use super::game_log::GameLog;
use crate::arena::openings::RandomOpenings;
use crate::arena::spec::PlayerKind;
use crate::arena::{MoveLimits, Opening, Openings, PlayerSpec};
use crate::book::{Book, Making, MakingOpenings};
use crate::cli::args::{PLAYER_HELP, RuleFlags, table_kib};
use crate::cli::games::match_settings::{openings_fingerprint, weights_fingerprint};
use crate::cli::interrupt;
use crate::cli::output::{
    BadUsage, Progress, Stopped, count, notice, thousands, write_json, write_text,
};
use crate::game::Rules;
use crate::learn::book::{BookBuild, BookBuildError, Growth, Planner, book_openings};
use crate::search::signature;

/// Make a book from games of a player against itself
///
/// Each game begins at an opening, follows the book as far as it goes, and is
/// played to its end by the player. Both sides prefer moves that have won, and try
/// others now and then, so that the book knows more than one line.
#[derive(Debug, Args)]
#[command(after_help = "\
At a position with N games, 1 + W sqrt(N) moves are tried (rounded up): first the
player's own, then others in the order of a shallow search. Among them the one with
the greatest p + C sqrt(ln N / n) is played, where p is its score in n games.

Openings are random ones as in matches, of a seed that no match has, those of a
file, or the initial position (--opening-plies 0). Their own moves are not in the
book, because nobody chose them. A book helps in matches that begin at positions
which it has seen: with few random plies (--opening-plies 2 of `loatune match`),
or with the same file of openings.

The games are kept in FILE.games as they are played. After Ctrl-C or a kill the same
command goes on and loses none; more --games take a book further. The same
arguments give the same book, whatever the threads. FILE is written at the end and
after Ctrl-C, whole or not at all.

Exit codes: 0 done, 1 failure, 2 bad usage, 3 stopped by a signal.

Examples:
  loatune book build champion@selective:n2000 -o mine.book
  loatune book build champion@selective:n2000 -o two.book --opening-plies 2 \\
      --opening-count 70 --games 10000
  loatune book build mine.toml@mcts:s500 -o start.book --opening-plies 0

JSON: file, games, positions, moves, made [{player, weights, engine, hash_kib,
openings {count, plies, bound, file, content}, from_start, plies, explore, widening,
seed, games}], pruned, resumed (games of earlier parts), interrupted.")]
pub(super) struct Build {
    #[arg(value_name = "PLAYER", help = PLAYER_HELP)]
    player: String,
    /// Write the book to FILE, and its games to FILE.games
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Play N games, those of earlier parts included
    #[arg(long, value_name = "N", default_value_t = 2000,
        value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The plies after an opening that are in the book
    #[arg(long, value_name = "N", default_value_t = 12,
        value_parser = clap::value_parser!(u32).range(1..=100))]
    plies: u32,
    /// C: how much moves with few games are tried
    #[arg(long, value_name = "C", default_value_t = 0.3, value_parser = factor)]
    explore: f64,
    /// W: how fast further moves join
    #[arg(long, value_name = "W", default_value_t = 0.5, value_parser = positive_factor)]
    widening: f64,
    /// Begin so many games of a hundred at the initial position
    #[arg(long, value_name = "PERCENT", default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(0..=100), help_heading = "Openings")]
    from_start: u32,
    /// Take openings from FILE: a position or a list of moves a line, or SGF
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    openings: Option<PathBuf>,
    /// Random plies of an opening; 0 begins all games at the initial position
    #[arg(long, value_name = "N", default_value_t = RandomOpenings::default().plies,
        value_parser = clap::value_parser!(u32).range(0..=40),
        conflicts_with = "openings", help_heading = "Openings")]
    opening_plies: u32,
    /// How many random openings there are; games take them in turn
    #[arg(long, value_name = "N", default_value_t = 100,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000),
        conflicts_with = "openings", help_heading = "Openings")]
    opening_count: u64,
    /// The largest value of an opening, for either side, that is not lopsided
    #[arg(long, value_name = "V", default_value_t = RandomOpenings::default().bound,
        value_parser = clap::value_parser!(i32).range(0..=100_000),
        conflicts_with = "openings", help_heading = "Openings")]
    opening_bound: i32,
    /// The seed of the random openings
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Openings")]
    seed: u64,
    /// The memory of the player's transposition table in KiB, or with a unit as in
    /// 64M
    #[arg(long, value_name = "KIB", default_value_t = 1024, value_parser = table_kib())]
    hash: u32,
    /// Games at the same time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Overwrite a book that exists and is not of this building
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

/// The numbers of a book that was made.
#[derive(serde::Serialize)]
struct BuildReport<'a> {
    #[serde(flatten)]
    book: BookNumbers<'a>,
    resumed: u64,
    interrupted: bool,
}

impl Build {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rules = self.rules.rules()?;
        let player = self.player()?;
        let (openings, described) = self.openings(&rules)?;
        let build = BookBuild {
            growth: Growth {
                plies: self.plies,
                explore: self.explore,
                widening: self.widening,
                from_start: if openings.is_empty() {
                    100
                } else {
                    self.from_start
                },
            },
            player,
            rules,
            openings,
            games: self.games,
            threads: self.threads.map_or_else(
                || available_parallelism().map_or(1, usize::from),
                |threads| threads as usize,
            ),
        };
        let mut planner = build.planner().map_err(BadUsage::new)?;
        let making = self.making(&build, described)?;
        let log_path = self.log_path();
        self.check_output(&log_path)?;
        let mut settings = serde_json::to_value(&making).context("settings are JSON")?;
        settings["rules"] = serde_json::to_value(rules).context("rules are JSON")?;
        let mut log = GameLog::open(&log_path, &settings, &mut planner, self.games, &rules)?;
        let resumed = planner.counted();
        if resumed > 0 {
            let path = log_path.display();
            notice(&format!("going on after {resumed} games of {path}"));
        }
        let stop = interrupt::stop_flag()?;
        let mut progress = Progress::new().after_games(resumed);
        let mut counted = |game: &_| log.add(game);
        let waiting = &mut |planner: &Planner| {
            let positions = thousands(planner.book().len() as u64);
            progress.show_games(planner.counted(), Some(self.games), &|line| {
                line.push(2, format!(", {positions} positions"));
            });
            match stop.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let complete = build.play(&mut planner, &mut counted, waiting);
        progress.finish();
        let complete = complete?;
        log.finish()?;
        let mut book = planner.book().clone();
        book.makings.push(Making {
            games: planner.counted(),
            ..making
        });
        save_book(&self.output, &book, true)?;
        self.report(out, &book, resumed, !complete)
    }

    fn report(
        &self,
        out: &mut dyn Write,
        book: &Book,
        resumed: u64,
        interrupted: bool,
    ) -> anyhow::Result<()> {
        let numbers = BookNumbers::new(&self.output, book);
        if self.json {
            let report = BuildReport {
                book: numbers,
                resumed,
                interrupted,
            };
            write_json(out, &report)?;
        } else {
            write_text(out, &numbers.text())?;
        }
        if interrupted {
            let games = count(book.games() as usize, "game");
            let message = format!("stopped by a signal after {games}; the same command goes on");
            return Err(Stopped(message).into());
        }
        Ok(())
    }

    fn player(&self) -> anyhow::Result<PlayerSpec> {
        let limits = MoveLimits::default().or_default();
        let mut player =
            PlayerSpec::parse(&self.player, limits, Path::new("")).map_err(BadUsage::new)?;
        if let Some(book) = &player.book {
            let message = format!(
                "{:?} follows book {}; a book is made by a player without one",
                player.text, book.path
            );
            return Err(BadUsage::new(message).into());
        }
        player.table_kib = self.hash;
        Ok(player)
    }

    /// The openings, and what the book says of them.
    fn openings(&self, rules: &Rules) -> anyhow::Result<(Vec<Opening>, MakingOpenings)> {
        let mut described = MakingOpenings {
            count: 1,
            plies: None,
            bound: None,
            file: None,
            content: None,
        };
        if let Some(file) = &self.openings {
            let read = Openings::read(file, rules, self.seed).map_err(BadUsage::new)?;
            let count = read.count().unwrap_or(0);
            let mut opener = read.opener(rules);
            let opening = |number| Ok(opener.get(number).map_err(BadUsage::new)?.opening);
            let openings: anyhow::Result<Vec<Opening>> = (0..count).map(opening).collect();
            described.count = count;
            described.file = Some(file.display().to_string());
            described.content = Some(openings_fingerprint(&read, count, rules));
            return Ok((openings?, described));
        }
        if self.opening_plies == 0 {
            return Ok((Vec::new(), described));
        }
        let random = RandomOpenings {
            plies: self.opening_plies,
            bound: self.opening_bound,
        };
        described.count = self.opening_count;
        described.plies = Some(random.plies);
        described.bound = Some(random.bound);
        let openings = book_openings(random, self.opening_count, self.seed, rules);
        Ok((openings.map_err(BadUsage::new)?, described))
    }

    /// The conditions of the building, with no games yet.
    fn making(&self, build: &BookBuild, openings: MakingOpenings) -> anyhow::Result<Making> {
        let PlayerKind::Builtin { search, weights } = &build.player.kind else {
            return Err(BookBuildError::Player(self.player.clone()).into());
        };
        Ok(Making {
            player: self.player.clone(),
            weights: weights_fingerprint(weights),
            engine: signature::of_players([search.algorithm]),
            hash_kib: self.hash,
            openings,
            from_start: build.growth.from_start,
            plies: self.plies,
            explore: self.explore,
            widening: self.widening,
            seed: self.seed,
            games: 0,
        })
    }

    /// The file of games beside the book.
    fn log_path(&self) -> PathBuf {
        let mut name = self.output.clone().into_os_string();
        name.push(".games");
        name.into()
    }

    /// A book is overwritten where its games are beside it, because it follows
    /// from them.
    fn check_output(&self, log: &Path) -> anyhow::Result<()> {
        if self.output.exists() && !log.exists() && !self.force {
            let (book, log) = (self.output.display(), log.display());
            let message = format!(
                "{book} exists without its games in {log}, and is left alone; --force overwrites it"
            );
            return Err(BadUsage::new(message).into());
        }
        Ok(())
    }
}

fn factor(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let number = number.filter(|number| (0.0..=10.0).contains(number));
    number.ok_or_else(|| String::from("must be a number from 0 to 10"))
}

fn positive_factor(text: &str) -> Result<f64, String> {
    let number = factor(text).ok().filter(|number| *number >= 0.01);
    number.ok_or_else(|| String::from("must be a number from 0.01 to 10"))
}
