//! `loatune solve`: who wins a position, proved.

use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use crate::api::move_names;
use crate::board::Side;
use crate::cli::args::{
    DEFAULT_TABLE_KIB, PositionArg, RuleFlags, check_table, seconds, table_kib,
};
use crate::cli::interrupt;
use crate::cli::output::{Stopped, thousands, write_json, write_text};
use crate::notation::position_text;
use crate::search::solver::{Solution, Verdict, solve};

/// The positions visited where no limit is given.
const DEFAULT_NODES: u64 = 2_000_000;

/// Prove who wins a position, and show how
///
/// Proof-number search: it looks for a win of either side that no defence
/// stops, however far away, and needs no weights. What it proves is exact; where
/// it proves nothing, nothing is known. A position stands for itself, without the
/// moves that led to it. Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 also where nothing was proved; 2 for a bad position or limit, 3 where a
signal ended it before.

Examples:
  loatune solve 3x4/4o3/x7/2ox2o1/1oo1x3/x3o3/2ox1o2/1x6 o
  loatune solve --time 60 --hash 256M 8/2x5/8/3x4/3oo3/8/6o1/x7 o
  loatune solve --json --nodes 100000 startpos

JSON: position, side_to_move, result (win or loss for the side to move, unknown,
or over), winner (x, o or null), plies (that the winner needs at most, or null),
line (moves to the end), nodes, seconds, nodes_per_second, stopped (whether a
limit or Ctrl-C ended it).")]
pub(crate) struct Solve {
    #[command(flatten)]
    position: PositionArg,
    /// Visit at most N positions [default: 2000000 where there is no other limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search for S seconds at most
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// The memory of the table in KiB, or with a unit as in 64M
    #[arg(long, value_name = "KIB", default_value_t = DEFAULT_TABLE_KIB, value_parser = table_kib())]
    hash: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

#[derive(Serialize)]
struct SolutionView {
    position: String,
    side_to_move: &'static str,
    result: &'static str,
    winner: Option<&'static str>,
    plies: Option<u32>,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
    stopped: bool,
}

impl Solve {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (board, rules) = (self.position.board()?, self.rules.rules()?);
        check_table(&format!("--hash {} KiB", self.hash), self.hash)?;
        let nodes = match (self.nodes, self.time) {
            (None, None) => Some(DEFAULT_NODES),
            (nodes, _) => nodes,
        };
        let stop = interrupt::stop_flag()?;
        let start = Instant::now();
        let is_over = || {
            stop.load(Ordering::Relaxed) || self.time.is_some_and(|time| start.elapsed() >= time)
        };
        let found = solve(&board, &rules, nodes, self.hash, &is_over);
        let seconds = start.elapsed().as_secs_f64();
        let is_interrupted = found.verdict == Verdict::Unknown && stop.load(Ordering::Relaxed);
        let ended = if is_interrupted {
            Err(Stopped(String::from("stopped by a signal")).into())
        } else {
            Ok(())
        };
        if !self.json {
            let why = if is_interrupted {
                "was stopped"
            } else {
                "ended at its limit"
            };
            write_text(out, &text(board.turn(), &found, why, seconds))?;
            return ended;
        }
        let winner = match found.verdict {
            Verdict::Wins(side) => Some(side),
            Verdict::Over | Verdict::Unknown => None,
        };
        write_json(
            out,
            &SolutionView {
                position: position_text(&board),
                side_to_move: name(board.turn()),
                result: match (found.verdict, winner == Some(board.turn())) {
                    (Verdict::Over, _) => "over",
                    (Verdict::Unknown, _) => "unknown",
                    (Verdict::Wins(_), true) => "win",
                    (Verdict::Wins(_), false) => "loss",
                },
                winner: winner.map(name),
                plies: found.plies,
                line: move_names(&found.line),
                nodes: found.nodes,
                seconds,
                nodes_per_second: (found.nodes as f64 / seconds.max(1e-9)) as u64,
                stopped: found.stopped,
            },
        )?;
        ended
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::X => "x",
        Side::O => "o",
    }
}

/// `why` says how a search that did not finish came to its end.
fn text(turn: Side, found: &Solution, why: &str, seconds: f64) -> String {
    let unit = if found.nodes == 1 { "node" } else { "nodes" };
    let work = format!("{} {unit} in {seconds:.3} s", thousands(found.nodes));
    match found.verdict {
        Verdict::Over => String::from("the game is over\n"),
        Verdict::Unknown if found.stopped => {
            format!("nothing was proved: the search {why}; {work}\n")
        }
        Verdict::Unknown => format!("no forced win was found for either side; {work}\n"),
        Verdict::Wins(winner) => {
            let plies = found.plies.unwrap_or(0);
            let unit = if plies == 1 { "ply" } else { "plies" };
            let whose = if winner == turn {
                "the side to move"
            } else {
                "the other side"
            };
            format!(
                "{winner} wins ({whose}), in {plies} {unit} at most; {work}\n{}\n",
                move_names(&found.line).join(" ")
            )
        }
    }
}
