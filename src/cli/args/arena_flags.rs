//! The flags that all commands with games share: limits, openings, threads,
//! where games are written. Owns how they become a [`MatchRunner`].

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;

use super::param_flags::RuleFlags;
use super::values::{seconds, table_kib};
use crate::arena::openings::RandomOpenings;
use crate::arena::{Builtin, MoveLimits, Openings, PlayerSpec};
use crate::cli::output::BadUsage;
use crate::game::Rules;
use crate::random::Stream;
use crate::search::value::MAX_DEPTH;

/// What an argument that names a player may be, for help texts.
pub(crate) const PLAYER_HELP: &str = "\
A weight file, a published champion's name, `default`, `random:SEED` or \
`ugi:COMMAND`; with @PLAYER[:DEPTH] another search, as in mine.toml@alphabeta:3";

/// The end of the help of every command with games.
pub(crate) const PLAYERS_HELP: &str = "\
Players: FILE is a weight file; NAME a champion, populations/published/NAME.toml;
`default` the built-in weights; `random:SEED` weights drawn from a seed;
`ugi:COMMAND` another program. All but the last take @PLAYER, the search
(minimax, negamax, alphabeta, memory, mtdf), and after it a limit of their own:
@mtdf:5 plies, @mtdf:n20000 positions, @mtdf:t0.5 seconds a move.

Games differ by their openings; each is played twice, with colours swapped. With
limits by depth or positions the same command gives the same games, whatever the
threads. Ctrl-C prints what has been played and ends with exit code 3; a second
Ctrl-C ends at once.";

/// How games are played: limits, openings, rules and threads; not who plays.
#[derive(Debug, Args)]
pub(crate) struct ArenaFlags {
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
    pub(crate) sgf: Option<PathBuf>,
    /// Overwrite an SGF file that exists
    #[arg(long, requires = "sgf")]
    pub(crate) force: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

impl ArenaFlags {
    /// The rules of the games.
    ///
    /// # Errors
    /// The parameters that name them are bad.
    pub(crate) fn rules(&self) -> anyhow::Result<Rules> {
        self.rules.rules()
    }

    /// The player that a text names, with the limits and the table of the flags
    /// where the text has none.
    ///
    /// # Errors
    /// The text names no player, or its weights cannot be read.
    pub(crate) fn player(&self, text: &str) -> anyhow::Result<PlayerSpec> {
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
    ///
    /// # Errors
    /// The file of openings cannot be used.
    pub(crate) fn openings(&self, rules: &Rules) -> anyhow::Result<Openings> {
        if let Some(file) = &self.openings {
            return Ok(Openings::read(file, rules, self.seed).map_err(BadUsage::new)?);
        }
        let random = RandomOpenings {
            plies: self.opening_plies,
            bound: self.opening_bound,
        };
        Ok(Openings::random(random, self.seed, Stream::Match))
    }

    /// How many pairs two players play: the games that were asked for, else one
    /// pair an opening of the file, else `default`. The same opening again would
    /// be the same game again.
    ///
    /// # Errors
    /// More pairs are asked for than the file has openings.
    pub(crate) fn pairs(
        &self,
        games: Option<u64>,
        default: u64,
        openings: &Openings,
    ) -> anyhow::Result<u64> {
        let available = openings.count();
        if let (Some(games), Some(available)) = (games, available)
            && games / 2 > available
        {
            let file = self.openings.as_deref().unwrap_or(Path::new(""));
            let message = format!(
                "{games} games need {} openings, but {} has {available}, enough for {} games",
                games / 2,
                file.display(),
                2 * available
            );
            return Err(BadUsage::new(message).into());
        }
        Ok(games
            .map(|games| games / 2)
            .or(available)
            .unwrap_or(default))
    }

    /// How many games are played at the same time: at least 1.
    pub(crate) fn threads(&self) -> usize {
        match self.threads {
            Some(threads) => threads as usize,
            None => available_parallelism().map_or(1, usize::from),
        }
    }

    /// What the games begin with, for the first line of a report.
    pub(crate) fn openings_text(&self) -> String {
        match &self.openings {
            Some(file) => format!("openings from {}", file.display()),
            None => format!(
                "{} random opening plies, seed {}",
                self.opening_plies, self.seed
            ),
        }
    }

    /// The seed of the openings.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }
}
