//! `loatune suite`: players on a suite of errors.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Args;

use super::in_order::{in_order, threads_or_cores};
use super::proof::prove;
use super::rows::{Row, position_limit, rows};
use super::score::ScoreReport;
use crate::arena::{Fault, MoveLimits, StartError};
use crate::cli::args::{PLAYER_HELP, table_kib};
use crate::cli::interrupt;
use crate::cli::output::{BadUsage, Progress, ProgressLine, Stopped, write_json, write_text};
use crate::game::Rules;
use crate::suite::{self, Attempt, BUILT_IN, Player};
use crate::util::memory;

/// The memory of a table where nothing is said: it is cleared for every position,
/// and searches of some ten thousand positions fill no more.
const TABLE_KIB: u32 = 1024;

/// Score players on a suite of errors, or prove a suite again
///
/// Puts every position of a suite to each player, with each limit, and counts how
/// often it plays a right move. Without FILE it is the suite of this program.
/// Scores come with their 95 % errors.
#[derive(Debug, Args)]
#[command(after_help = "\
FILE is a suite as `loatune blunders` writes it; `errors` is that of this program
(suites/errors.toml). Its rules hold. Every position is searched with a clean
table, without the game that led to it; another program is told the position alone.

The limits of --limits are written as in a player's name: n20000 positions, 5
plies, t0.5 seconds, s2000 simulations (for mcts alone). A player with a limit of
its own keeps that. `to solution` are medians of the solved positions: the depth,
positions and time from which on the search had a right move. With limits by
positions, plies or simulations the counts are the same everywhere, with any number
of threads. Where a limit is a time, one thread is usual.

Exit codes: 0 done, 1 a player failed or an entry does not hold, 2 bad usage or a
bad suite, 3 stopped by a signal.

Examples:
  loatune suite --player champion@selective --limits n1000,n10000
  loatune suite --player default@mtdf:5 --player champion@mcts:s2000 --positions
  loatune suite mine.toml --check

JSON: suite, positions, horizon, by_lot (percent that moves drawn by lot solve),
kinds [{error, positions}], rows [{player, limit, positions, solved, percent,
error, kinds [{error, positions, solved}], nodes, seconds (means), to_solution
{depth, nodes, seconds} or null, faults, results (null without --positions) [{position,
line, error, right, chosen, solved, nodes, seconds, depth_to_solution,
nodes_to_solution, seconds_to_solution, fault}]}], interrupted, seconds. With
--check: suite, positions, checked, wrong [{line, position, what}], interrupted.")]
pub(crate) struct Suite {
    /// The suite
    #[arg(value_name = "FILE", default_value = BUILT_IN)]
    file: String,
    /// A player; may be repeated
    #[arg(long, value_name = "PLAYER", long_help = PLAYER_HELP,
        required_unless_present = "check", conflicts_with = "check")]
    player: Vec<String>,
    /// The limits of players that have none of their own [default: 4 plies]
    #[arg(long, value_name = "LIMIT,...", value_delimiter = ',', value_parser = position_limit,
        conflicts_with = "check")]
    limits: Vec<MoveLimits>,
    /// List every position: in the text those that were not solved
    #[arg(long, conflicts_with = "check")]
    positions: bool,
    /// Prove every position of the suite again, and score nobody
    #[arg(long)]
    check: bool,
    /// The memory of a player's transposition table in KiB, or with a unit as in 64M
    #[arg(long, value_name = "KIB", default_value_t = TABLE_KIB, value_parser = table_kib())]
    hash: u32,
    /// Positions at the same time [default: one a core; 1 where a limit is a time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A position for a player, by their numbers.
type Job = (usize, usize);

impl Suite {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let suite = self.suite()?;
        let rows = rows(&self.player, &self.limits, self.hash)?;
        let is_timed = rows.iter().any(|row| row.spec.limits.is_timed());
        let usual = is_timed.then_some(1);
        let threads = threads_or_cores(self.threads.or(usual));
        if self.check {
            return prove((&self.file, &suite), threads, self.json, out);
        }
        self.check_memory(&rows, threads)?;
        let begin = Instant::now();
        let (attempts, interrupted) = score(&suite, &rows, threads)?;
        let seconds = begin.elapsed().as_secs_f64();
        let named = (&*self.file, &suite);
        let report = ScoreReport::new(
            named,
            &rows,
            &attempts,
            self.positions,
            interrupted,
            seconds,
        );
        if self.json {
            write_json(out, &report)?;
        } else {
            write_text(out, &report.text())?;
        }
        if interrupted {
            let message = format!(
                "stopped by a signal; the scores are those of {} of {} attempts",
                attempts.len(),
                rows.len() * suite.entries.len()
            );
            return Err(Stopped(message).into());
        }
        let faults: usize = report.rows.iter().map(|row| row.faults).sum();
        anyhow::ensure!(faults == 0, "players failed at {faults} positions");
        Ok(())
    }

    /// Checks that the table or tree of a player has room on every thread.
    fn check_memory(&self, rows: &[Row], threads: usize) -> anyhow::Result<()> {
        let trees = rows.iter().map(|row| row.spec.tree_bytes()).max();
        let each = u64::from(self.hash) * 1024 + trees.unwrap_or(0);
        memory::check(each.saturating_mul(threads as u64)).map_err(|error| {
            let hash = self.hash;
            BadUsage::new(format!(
                "a table of --hash {hash} KiB, or the tree of mcts, for each of {threads} \
                 threads: {error}; give less to --hash, to the option memory of mcts or to \
                 --threads"
            ))
        })?;
        Ok(())
    }

    fn suite(&self) -> anyhow::Result<suite::Suite> {
        let path = Path::new(&self.file);
        if self.file == BUILT_IN && !path.exists() {
            return Ok(suite::built_in().map_err(BadUsage::new)?);
        }
        Ok(suite::Suite::read(path).map_err(BadUsage::new)?)
    }
}

/// The attempts of all rows, one after the other, and whether a signal ended it.
fn score(
    suite: &suite::Suite,
    rows: &[Row],
    threads: usize,
) -> anyhow::Result<(Vec<Attempt>, bool)> {
    let signal = interrupt::stop_flag()?;
    let halt = Arc::new(AtomicBool::new(false));
    let rules = suite.rules();
    let worker = |_| {
        let mut seat = Seat {
            suite,
            rows,
            rules,
            halt: Arc::clone(&halt),
            player: None,
        };
        move |job: Job| seat.attempt(job)
    };
    let positions = suite.entries.len();
    let jobs = (0..rows.len()).flat_map(|row| (0..positions).map(move |entry| (row, entry)));
    let (mut attempts, mut failure, mut interrupted) = (Vec::new(), None, false);
    let mut progress = Progress::new();
    in_order(
        jobs,
        (0..threads).map(worker).collect(),
        &halt,
        &mut |attempt: Result<Attempt, StartError>| match attempt {
            Ok(attempt) => {
                attempts.push(attempt);
                ControlFlow::Continue(())
            }
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        },
        &mut |done| {
            progress.show(&|_| {
                let mut line = ProgressLine::default();
                let row = &rows[(done / positions).min(rows.len() - 1)];
                line.push(0, format!("{done} of {} attempts", rows.len() * positions));
                line.push(1, format!(", {} with {}", row.spec.text, row.limit));
                line
            });
            interrupted = signal.load(Ordering::Relaxed);
            if interrupted {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        },
    )?;
    progress.finish();
    match failure {
        Some(error) => Err(BadUsage::new(error).into()),
        None => Ok((attempts, interrupted)),
    }
}

/// What a thread keeps: the player of the row that it works on.
struct Seat<'a> {
    suite: &'a suite::Suite,
    rows: &'a [Row],
    rules: Rules,
    halt: Arc<AtomicBool>,
    player: Option<(usize, Player)>,
}

impl Seat<'_> {
    fn attempt(&mut self, (row, entry): Job) -> Option<Result<Attempt, StartError>> {
        if self.player.as_ref().is_none_or(|(of, _)| *of != row) {
            match Player::start(&self.rows[row].spec, &self.halt) {
                Ok(player) => self.player = Some((row, player)),
                Err(error) => return Some(Err(error)),
            }
        }
        let (_, player) = self.player.as_mut()?;
        let attempt = player.attempt(&self.rules, &self.suite.entries[entry]);
        // A search that was cut short says nothing.
        if self.halt.load(Ordering::Relaxed) {
            return None;
        }
        if attempt.fault.as_ref().is_some_and(Fault::ends_player) {
            self.player = None;
        }
        Some(Ok(attempt))
    }
}
