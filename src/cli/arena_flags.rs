//! The flags that all commands with games share: limits, openings, threads,
//! where games are written. Owns how they become a [`MatchRunner`].

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;

use super::analyse::{seconds, table_kib};
use super::error::BadUsage;
use super::param_flags::RuleFlags;
use crate::arena::openings::RandomOpenings;
use crate::arena::{Builtin, MoveLimits, Openings, PlayerSpec};
use crate::game::Rules;
use crate::random::Stream;
use crate::search::value::MAX_DEPTH;

/// What an argument that names a player may be, for help texts.
pub(super) const PLAYER_HELP: &str = "\
A weight file, a published champion's name, `default`, `random:SEED` or \
`ugi:COMMAND`; with @PLAYER[:DEPTH] another search, as in mine.toml@alphabeta:3";

/// The end of the help of every command with games.
pub(super) const PLAYERS_HELP: &str = "\
Players: FILE is a weight file; NAME a champion, populations/published/NAME.toml;
`default` the built-in weights; `random:SEED` weights drawn from a seed;
`ugi:COMMAND` another program. All but the last take @PLAYER, the search
(minimax, negamax, alphabeta, memory, mtdf), and after it a limit of their own:
@mtdf:5 plies, @mtdf:n20000 positions, @mtdf:t0.5 seconds a move.

Games differ by their openings; each is played twice, with colours swapped. With
limits by depth or positions the same command gives the same games, whatever the
threads. Ctrl-C prints what has been played and ends with exit code 3; a second
Ctrl-C ends at once.";

/// The games to play, but for who plays them.
#[derive(Debug, Args)]
pub(super) struct ArenaFlags {
    /// Search N plies deep [default: 4 where there is no other limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Search N positions a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search for S seconds a move
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// The memory of each player's transposition table in KiB
    #[arg(long, value_name = "KIB", default_value_t = Builtin::DEFAULT_TABLE_KIB, value_parser = table_kib())]
    hash: u32,
    /// Take openings from FILE: a position or a list of moves a line, # before a
    /// comment, or SGF
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    openings: Option<PathBuf>,
    /// Random plies of an opening
    #[arg(long, value_name = "N", default_value_t = RandomOpenings::default().plies,
        value_parser = clap::value_parser!(u32).range(1..=40),
        conflicts_with = "openings", help_heading = "Openings")]
    opening_plies: u32,
    /// The largest value of an opening, for either side, that is not lopsided:
    /// the default weights' after a search of two plies
    #[arg(long, value_name = "V", default_value_t = RandomOpenings::default().bound,
        value_parser = clap::value_parser!(i32).range(0..=100_000),
        conflicts_with = "openings", help_heading = "Openings")]
    opening_bound: i32,
    /// The seed of the random openings
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Openings")]
    seed: u64,
    /// Games at the same time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Write all games to FILE as SGF
    #[arg(long, value_name = "FILE")]
    pub(super) sgf: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

/// A number of games: whole pairs.
pub(super) fn games(text: &str) -> Result<u64, String> {
    let number: Option<u64> = text.parse().ok();
    let is_good = |number: &u64| *number > 0 && number.is_multiple_of(2);
    number.filter(is_good).ok_or_else(|| {
        String::from("must be an even number, because every opening is played twice")
    })
}

impl ArenaFlags {
    /// The rules of the games.
    pub(super) fn rules(&self) -> anyhow::Result<Rules> {
        self.rules.rules()
    }

    /// The player that a text names.
    pub(super) fn player(&self, text: &str) -> anyhow::Result<PlayerSpec> {
        let limits = MoveLimits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time,
        };
        let found = PlayerSpec::parse(text, limits.or_default(), Path::new(""));
        let mut spec = found.map_err(BadUsage::new)?;
        spec.table_kib = self.hash;
        Ok(spec)
    }

    /// Where the games begin.
    pub(super) fn openings(&self, rules: &Rules) -> anyhow::Result<Openings> {
        if let Some(file) = &self.openings {
            return Ok(Openings::read(file, rules, self.seed).map_err(BadUsage::new)?);
        }
        let random = RandomOpenings {
            plies: self.opening_plies,
            bound: self.opening_bound,
        };
        Ok(Openings::random(random, self.seed, Stream::Match))
    }

    /// How many pairs two players play: what was asked for, else what the file
    /// of openings has, else `usual`. More than the file has are refused: the
    /// same opening again would be the same game again.
    pub(super) fn pairs(
        &self,
        games: Option<u64>,
        usual: u64,
        openings: &Openings,
    ) -> anyhow::Result<u64> {
        let there = openings.count();
        if let (Some(games), Some(there)) = (games, there)
            && games / 2 > there
        {
            let file = self.openings.as_deref().unwrap_or(Path::new(""));
            let message = format!(
                "{games} games need {} openings, but {} has {there}, enough for {} games",
                games / 2,
                file.display(),
                2 * there
            );
            return Err(BadUsage::new(message).into());
        }
        Ok(games.map(|games| games / 2).or(there).unwrap_or(usual))
    }

    /// How many games at a time.
    pub(super) fn threads(&self) -> usize {
        match self.threads {
            Some(threads) => threads as usize,
            None => available_parallelism().map_or(1, usize::from),
        }
    }

    /// What the games begin with, in words.
    pub(super) fn openings_text(&self) -> String {
        match &self.openings {
            Some(file) => format!("openings from {}", file.display()),
            None => format!(
                "{} random opening plies, seed {}",
                self.opening_plies, self.seed
            ),
        }
    }

    /// The seed of the openings.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }
}
