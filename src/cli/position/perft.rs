//! `loatune perft`: counts the game tree, to check and to time the rules.

use std::fmt::Write as _;
use std::io::Write;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::board::{Board, Move};
use crate::cli::args::{RuleFlags, parse_board};
use crate::cli::output::{BadUsage, thousands, write_json, write_text};
use crate::game::Rules;
use crate::game::perft::{LeafCounting, PerftCounts, divide, perft};

const MAX_DEPTH: u32 = 12;

/// Count the positions a number of plies away, and time it
///
/// The numbers are known, so this proves the move generator right and measures
/// it. A leaf is a position reached by the last ply; `captures` are the leaves
/// reached by a capture, `wins` those in which a side has won by connection.
/// Nothing is counted below a finished position. Repetition and the ply limit
/// do not matter here.
#[derive(Debug, Args)]
#[command(override_usage = "loatune perft [OPTIONS] <DEPTH>")]
#[command(after_help = "\
Each ply multiplies the leaves by about 35: depth 6 from the start has
1,938,494,632.

Examples:
  loatune perft 5
  loatune perft 3 --divide
  loatune perft 4 --json --position 8/2x5/8/3x4/3oo3/8/6o1/x7 o

JSON: depth, nodes (the leaves), captures, wins, seconds, nodes_per_second, and
with --divide moves {move: nodes}.")]
pub(crate) struct Perft {
    /// The number of plies, 0 to 12
    #[arg(required_unless_present = "position", value_parser = depth)]
    depth: Option<u32>,
    /// Count from this position instead of the start, quoted or not; - reads it
    /// from standard input
    #[arg(long, value_name = "TEXT", num_args = 1..)]
    position: Option<Vec<String>>,
    /// Count behind each move separately
    #[arg(long)]
    divide: bool,
    /// Make every leaf move and test both sides' connection, instead of reading
    /// the leaves from the sums that the board keeps: slower, the same numbers
    #[arg(long)]
    full: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

/// The root of the tree, and how it is counted.
struct PerftTask {
    board: Board,
    rules: Rules,
    leaves: LeafCounting,
}

/// One depth, counted and timed.
struct TimedCount {
    depth: u32,
    count: PerftCounts,
    /// The leaves behind each move, if they were asked for.
    parts: Option<Vec<(Move, PerftCounts)>>,
    seconds: f64,
}

#[derive(Serialize)]
struct Summary {
    depth: u32,
    nodes: u64,
    captures: u64,
    wins: u64,
    seconds: f64,
    nodes_per_second: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Map<String, Value>>,
}

impl Perft {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (depth, board) = self.depth_and_board()?;
        let task = PerftTask {
            board,
            rules: self.rules.rules()?,
            leaves: if self.full {
                LeafCounting::Full
            } else {
                LeafCounting::Bulk
            },
        };
        if self.json {
            return write_json(out, &summary(&task.count(depth, self.divide)));
        }
        // The shallow depths take next to no time, and show the growth.
        write_text(out, HEADER)?;
        for shallow in depth.min(1)..depth {
            write_text(out, &row(&task.count(shallow, false)))?;
        }
        let last = task.count(depth, self.divide);
        write_text(out, &row(&last))?;
        write_text(out, &division(&last))
    }

    fn depth_and_board(&self) -> anyhow::Result<(u32, Board)> {
        let Some(words) = &self.position else {
            let depth = self.depth.expect("required where there is no position");
            return Ok((depth, Board::start()));
        };
        if let Some(depth) = self.depth {
            return Ok((depth, parse_board(words)?));
        }
        // In `--position TEXT DEPTH` the depth looks like one more word.
        match words.split_last() {
            Some((last, words)) if !words.is_empty() && last.parse::<u32>().is_ok() => {
                let depth = depth(last).map_err(BadUsage::new)?;
                Ok((depth, parse_board(words)?))
            }
            _ => Err(
                BadUsage::new("the depth is missing: loatune perft DEPTH --position TEXT").into(),
            ),
        }
    }
}

fn depth(text: &str) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|depth| *depth <= MAX_DEPTH)
        .ok_or_else(|| format!("the depth must be an integer from 0 to {MAX_DEPTH}, not {text}"))
}

impl PerftTask {
    fn count(&self, depth: u32, by_move: bool) -> TimedCount {
        let start = Instant::now();
        let (count, parts) = if by_move {
            let parts = divide(&self.board, depth, self.leaves, &self.rules);
            (self.total(depth, &parts), Some(parts))
        } else {
            (perft(&self.board, depth, self.leaves, &self.rules), None)
        };
        TimedCount {
            depth,
            count,
            parts,
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    fn total(&self, depth: u32, parts: &[(Move, PerftCounts)]) -> PerftCounts {
        if depth == 0 {
            return perft(&self.board, depth, self.leaves, &self.rules);
        }
        let mut total = PerftCounts::default();
        for (_, count) in parts {
            total += *count;
        }
        total
    }
}

impl TimedCount {
    fn nodes_per_second(&self) -> f64 {
        self.count.nodes as f64 / self.seconds.max(f64::EPSILON)
    }
}

fn summary(timed: &TimedCount) -> Summary {
    let by_move = |parts: &Vec<(Move, PerftCounts)>| {
        parts
            .iter()
            .map(|(mv, count)| (mv.to_string(), count.nodes.into()))
            .collect()
    };
    Summary {
        depth: timed.depth,
        nodes: timed.count.nodes,
        captures: timed.count.captures,
        wins: timed.count.wins,
        seconds: timed.seconds,
        nodes_per_second: timed.nodes_per_second() as u64,
        moves: timed.parts.as_ref().map(by_move),
    }
}

/// Rows are printed while depths are counted, so their widths are fixed.
const HEADER: &str = "\
depth               leaves          captures          wins    seconds       rate
";

fn row(timed: &TimedCount) -> String {
    /// A rate from fewer seconds would be noise.
    const SHORTEST: f64 = 0.001;
    let rate = if timed.seconds < SHORTEST {
        "-".to_owned()
    } else {
        format!("{:.1} M/s", timed.nodes_per_second() / 1e6)
    };
    format!(
        "{:>5} {:>20} {:>17} {:>13} {:>10.3} {rate:>10}\n",
        timed.depth,
        thousands(timed.count.nodes),
        thousands(timed.count.captures),
        thousands(timed.count.wins),
        timed.seconds,
    )
}

fn division(timed: &TimedCount) -> String {
    let mut text = String::new();
    for (mv, count) in timed.parts.iter().flatten() {
        let _ = writeln!(text, "{mv} {:>20}", thousands(count.nodes));
    }
    text
}
