//! `loatune analyse`: what a position is worth, and what to play in it.

use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;

use super::{moves, trace_table};
use crate::api::{Analysis, TimedReport, move_names};
use crate::board::Move;
use crate::cli::args::{
    DEFAULT_TABLE_KIB, DEFAULT_WEIGHTS, PositionArg, RuleFlags, WEIGHTS_HELP, check_table,
    check_tree, read_weights, search_setup, seconds, table_kib,
};
use crate::cli::interrupt;
use crate::cli::output::{BadUsage, OutputError, thousands, write_json, write_text};
use crate::eval::age_of;
use crate::game::Game;
use crate::notation;
use crate::search::value::{self, MAX_DEPTH};
use crate::search::{
    Algorithm, Deadline, Engine, Iteration, Limits, Report, SearchSetup, timed_search,
};

/// The depth in plies where no limit is given.
const DEFAULT_DEPTH: u32 = 6;

/// Evaluate a position feature by feature and search for the best move
///
/// Shows what each side has, what the weights make of it and how the value
/// adds up; then the search, depth by depth. A position stands for itself,
/// without the moves that led to it, so repetition and the ply limit do not
/// matter. Ctrl-C ends the search and shows what it has found.
#[derive(Debug, Args)]
#[command(after_help = "\
Values are points for the side to move. Beyond 21,000 the game is decided: a
win n plies away is worth 30,000 - 16 n and one more for each group left to the
loser, a loss the same below zero.

Examples:
  loatune analyse startpos
  loatune analyse 8/2x5/8/3x4/3oo3/8/6o1/x7 o --depth 4
  loatune analyse startpos --weights mine.toml --time 10
  loatune analyse --json --nodes 1000000 --player memory startpos
  loatune analyse startpos --nodes 100000 --player selective:lmr=0

JSON: position, side_to_move, legal_moves (sorted), result, reason, weights
(their name), player, features {x, o} (pieces, groups, euler, quad3, quad4,
spread, capturable, mobility, blocked, mobility_centre), terms {gene: points for
the side to move}, static_value (their sum, rounded toward zero), value,
plies_to_end (null, or in how many plies the game is decided), best, pv, depth,
nodes, seconds, nodes_per_second, iterations [{depth, value, passes, nodes, pv}],
stopped (whether a limit of nodes or time, or Ctrl-C, cut it short). Where not
even depth 1 was finished, value is null and best is just some legal move; in a
finished game best is null.")]
pub(crate) struct Analyse {
    #[command(flatten)]
    position: PositionArg,
    #[arg(
        long,
        value_name = "FILE",
        default_value = DEFAULT_WEIGHTS,
        help = WEIGHTS_HELP
    )]
    weights: String,
    /// The search to use; all but selective and mcts find the same value, the later
    /// ones faster. Those two take options, as in selective:lmr=0 or mcts:c=0.1
    #[arg(long, value_name = "NAME[:OPTIONS]", default_value = Algorithm::Mtdf.name(), value_parser = search_setup())]
    player: SearchSetup,
    #[command(flatten)]
    limits: LimitFlags,
    /// The memory of the transposition table in KiB, or with a unit as in 64M
    #[arg(long, value_name = "KIB", default_value_t = DEFAULT_TABLE_KIB, value_parser = table_kib())]
    hash: u32,
    /// Plies played before the position: they move weights that have an
    /// endgame toward it
    #[arg(long, value_name = "N", default_value_t = 0)]
    plies: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

/// Where the search ends; the first that is reached counts.
#[derive(Debug, Args)]
struct LimitFlags {
    /// Search N plies deep [default: 6 where there is no other limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Search N positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search for S seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
}

impl LimitFlags {
    fn limits(&self) -> Limits {
        let is_open = self.depth.is_none() && self.nodes.is_none() && self.time.is_none();
        Limits {
            depth: self.depth.or(is_open.then_some(DEFAULT_DEPTH)),
            nodes: self.nodes,
            ..Limits::default()
        }
    }
}

impl Analyse {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let game = Game::from_board(self.rules.rules()?, self.position.board()?);
        let file = read_weights(&self.weights)?;
        check_table(&format!("--hash {} KiB", self.hash), self.hash)?;
        let setting = format!("--player {}", self.player);
        check_tree(&setting, &self.player)?;
        let checked = self.player.check(self.limits.time.is_some());
        checked.map_err(|error| BadUsage::new(format!("{setting}: {error}")))?;
        let mut engine = Engine::new(self.player, &file.weights, *game.rules(), self.hash);
        let trace = engine.evaluator().trace(game.board(), age_of(self.plies));
        if self.json {
            let timed = self.search(&mut engine, &game, &mut |_| Ok(()))?;
            let analysis = Analysis::new(&game, &file.name, &self.player, &trace, &timed);
            return write_json(out, &analysis);
        }
        write_text(out, &(notation::position_text(game.board()) + "\n"))?;
        write_text(out, &(moves::text(&game) + "\n"))?;
        write_text(out, &trace_table::table(&trace))?;
        let has_phases = engine.evaluator().has_phases();
        write_text(out, &trace_table::legend(&trace, has_phases))?;
        if let Some(value) = value::terminal_value(game.board(), game.rules(), 0) {
            return write_text(out, &format!("\nvalue {value:+}: the game is over\n"));
        }
        write_text(out, HEADER)?;
        let timed = self.search(&mut engine, &game, &mut |iteration| {
            write_text(out, &row(iteration))?;
            Ok(out.flush().map_err(OutputError)?)
        })?;
        write_text(out, &conclusion(&timed.report))?;
        write_text(out, &timing(&timed))
    }

    /// Searches, and calls `finished` with every depth.
    ///
    /// # Errors
    /// The first error of `finished`, which ends the search.
    fn search(
        &self,
        engine: &mut Engine,
        game: &Game,
        finished: &mut dyn FnMut(&Iteration) -> anyhow::Result<()>,
    ) -> anyhow::Result<TimedReport> {
        let stop = interrupt::stop_flag()?;
        let mut failure = None;
        let start = Instant::now();
        let limits = self.limits.limits();
        let mut progress = |iteration: &Iteration| {
            if let Err(error) = finished(iteration) {
                failure.get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
            }
        };
        let (board, plies) = (game.board(), self.plies);
        engine.set_past(game.reversible_keys());
        // Where time or nodes may cut the search short, every algorithm deepens.
        let report = if self.limits.time.is_some() || limits.nodes.is_some() {
            let deadline = Deadline {
                soft: None,
                hard: self.limits.time.and_then(|time| start.checked_add(time)),
            };
            timed_search(engine, board, plies, limits, deadline, &stop, &mut progress)
        } else {
            let stopped = || stop.load(Ordering::Relaxed);
            engine.search(board, plies, limits, &stopped, &mut progress)
        };
        let seconds = start.elapsed().as_secs_f64();
        match failure {
            Some(error) => Err(error),
            None => Ok(TimedReport { report, seconds }),
        }
    }
}

/// Rows are printed while the search goes on, so their widths are fixed.
const HEADER: &str = "
depth    value passes        nodes  line
";

fn row(iteration: &Iteration) -> String {
    format!(
        "{:>5} {:>+8} {:>6} {:>12}  {}\n",
        iteration.depth,
        iteration.value,
        iteration.passes,
        thousands(iteration.nodes),
        move_names(&iteration.pv).join(" "),
    )
}

fn conclusion(report: &Report) -> String {
    let best = report.best.unwrap_or(Move::PASS);
    let (value, depth) = (report.value(), report.depth());
    if depth == 0 {
        return format!("stopped before depth 1 was finished; {best} is a legal move\n");
    }
    let end = value::plies_to_end(value).map_or_else(String::new, |plies| {
        let end = if value > 0 { "wins" } else { "loses" };
        let unit = if plies == 1 { "ply" } else { "plies" };
        format!(", {end} in {plies} {unit}")
    });
    format!("best {best}: value {value:+} at depth {depth}{end}\n")
}

fn timing(timed: &TimedReport) -> String {
    format!(
        "{} nodes in {:.3} s, {:.2} M nodes/s\n",
        thousands(timed.report.nodes),
        timed.seconds,
        timed.rate() / 1e6,
    )
}
