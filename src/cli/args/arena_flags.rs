//! The flags that all commands with games share: limits, openings, threads,
//! where games are written. Owns how they become a [`MatchRunner`].

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Duration;

use clap::{Args, FromArgMatches};

use super::param_flags::RuleFlags;
use super::table_memory::PlayerMemory;
use super::values::{DEFAULT_TABLE_KIB, seconds, seconds_or_none, table_kib};
use crate::arena::external::Timeouts;
use crate::arena::openings::RandomOpenings;
use crate::arena::spec::PlayerKind;
use crate::arena::{Adjudication, MoveLimits, Openings, PlayerSpec, Referee, TimeControl};
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
(minimax, negamax, alphabeta, memory, mtdf, selective, mcts), and after it a limit of
their own: @mtdf:5 plies, @mtdf:n20000 positions, @mtdf:t0.5 seconds a move,
@mtdf:c10+0.1 a clock, @mcts:s2000 simulations. Options of selective and mcts follow
by name: @mcts:s2000,c=0.5,rave=1000 (docs/players.md has all). Every search takes
book=FILE, an opening book of `loatune book`: @mtdf:5,book=mine.book.
A program is told the limits of the flags (`go depth 4` without any).

Games differ by their openings; each is played twice, with colours swapped. With
limits by depth or positions the same command gives the same games, whatever the
threads; with a time, a clock or another program it may not.

A player that hangs, dies, plays an illegal move or exceeds its time loses that
game by a fault. Such games are counted apart: Elo, LOS and the sequential test
come from pairs without a fault. A player that dies or hangs in 3 games in a row,
or fails in 10 games and in a quarter of all, ends the games.

Ctrl-C prints what has been played; a second Ctrl-C ends at once. With --resume
FILE the same command goes on after that, after a kill and after a crash, and
ends with the result that it would have had; other settings are refused by name.

Exit codes: 0 done, 1 games were lost by faults or something failed, 2 bad usage,
3 stopped by a signal.";

/// How games are played: limits, openings, rules and threads; not who plays.
#[derive(Debug, Args)]
pub(crate) struct ArenaFlags {
    /// Search N plies deep [default: 4 where there is no other limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Search N positions a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Play N simulations a move; only for mcts, which plays 500 a ply of --depth
    /// where it has no other limit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    simulations: Option<u64>,
    /// Search for S seconds a move
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Give each player a clock: BASE seconds for the game and INC more after
    /// every move, as 10+0.1
    #[arg(long, value_name = "BASE+INC", conflicts_with = "time")]
    clock: Option<TimeControl>,
    /// The seconds by which a player may exceed its time before it loses on time
    #[arg(long, value_name = "S", default_value = "0.5", value_parser = seconds_or_none)]
    time_margin: Duration,
    /// The seconds that another program may take to start
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    start_timeout: Duration,
    /// The seconds that another program may take for a move without a time or a
    /// clock
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    move_timeout: Duration,
    /// End a game as won once both players have seen the same side ahead by
    /// VALUE for MOVES moves each in a row, as 500,3
    #[arg(long, value_name = "VALUE,MOVES")]
    adjudicate: Option<Adjudication>,
    /// The memory of each player's transposition table in KiB, or with a unit as
    /// in 64M
    #[arg(long, value_name = "KIB", default_value_t = DEFAULT_TABLE_KIB, value_parser = table_kib())]
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
    /// the source weights' after a search of two plies
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
    /// Keep the games in FILE as they are played; where FILE exists, go on with
    /// what it holds
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
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
    /// The flags that a list of arguments sets, for commands that read them from a
    /// file; all others have their defaults, whatever the environment says.
    ///
    /// # Errors
    /// Where a value is not allowed.
    pub(crate) fn from_arguments(arguments: &[String]) -> Result<ArenaFlags, clap::Error> {
        let command = clap::Command::new("arena").no_binary_name(true);
        let command = ArenaFlags::augment_args(command);
        ArenaFlags::from_arg_matches(&command.try_get_matches_from(arguments)?)
    }

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
            simulations: self.simulations,
            time: self.time,
            clock: self.clock,
        };
        let found = PlayerSpec::parse(text, limits.or_default(), Path::new(""));
        let mut spec = found.map_err(BadUsage::new)?;
        spec.table_kib = self.hash;
        let usual = Timeouts::default();
        spec.timeouts = Timeouts {
            start: self.start_timeout,
            ready: self.start_timeout,
            search: self.move_timeout,
            // What comes within the margin is in time, so it is waited for.
            grace: usual.grace + self.time_margin,
            ..usual
        };
        Ok(spec)
    }

    /// What may end a game beside its rules.
    pub(crate) fn referee(&self) -> Referee {
        Referee {
            adjudication: self.adjudicate,
            time_margin: self.time_margin,
        }
    }

    /// Checks that the transposition tables and the trees of all players on all
    /// threads have room in memory.
    ///
    /// # Errors
    /// They have not.
    pub(crate) fn check_memory(&self, players: &[PlayerSpec]) -> anyhow::Result<()> {
        let has_table = |player: &&PlayerSpec| matches!(player.kind, PlayerKind::Builtin { .. });
        let tables = players.iter().filter(has_table).count() * self.threads();
        let bytes = (tables as u64).saturating_mul(u64::from(self.hash) * 1024);
        let trees = players.iter().map(PlayerSpec::tree_bytes);
        let trees = trees.fold(0, u64::saturating_add);
        let memory = PlayerMemory {
            tables: bytes,
            trees: trees.saturating_mul(self.threads() as u64),
        };
        let hash = self.hash;
        let checked = memory.check(
            &format!("{tables} tables of --hash {hash} KiB, one a player and thread"),
            "the tables of --hash and the trees of mcts, for each player and thread",
            "--hash or --threads",
        );
        Ok(checked?)
    }

    /// Where the games begin.
    ///
    /// # Errors
    /// The file of openings cannot be used.
    pub(crate) fn openings(&self, rules: &Rules) -> anyhow::Result<Openings> {
        if let Some(file) = &self.openings {
            return Ok(Openings::read(file, rules, self.seed).map_err(BadUsage::new)?);
        }
        let random = self.random_openings().unwrap_or_default();
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
                "{} random opening plies, bound {}, seed {}",
                self.opening_plies, self.opening_bound, self.seed
            ),
        }
    }

    /// How random openings are drawn; `None` where they come from a file.
    pub(crate) fn random_openings(&self) -> Option<RandomOpenings> {
        self.openings.is_none().then_some(RandomOpenings {
            plies: self.opening_plies,
            bound: self.opening_bound,
        })
    }

    /// The file of openings.
    pub(crate) fn openings_file(&self) -> Option<&Path> {
        self.openings.as_deref()
    }

    /// The seed of the openings.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }
}
