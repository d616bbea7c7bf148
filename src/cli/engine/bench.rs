//! `loatune bench`: the engine's signature and speed.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use crate::cli::output::{thousands, write_json, write_text};
use crate::search::Algorithm;
use crate::search::signature::{self, POSITIONS, PositionResult};

/// Search a fixed set of positions; the node total is the engine's signature
///
/// Fourteen positions (openings, middle games, endings) are searched by `mtdf`
/// with the default weights, each from a clean table, on one core. The node
/// total depends on nothing but what the engine does: the same number means
/// the same behaviour, on every machine. Nodes per second depend on the
/// machine.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  loatune bench
  loatune bench --players --depth 6

JSON: positions [{position, depth, nodes, value, best, passes}], nodes, seconds,
nodes_per_second; with --players instead players [{player, depth, nodes}].")]
pub(crate) struct Bench {
    /// Compare instead how many nodes each of the players needs, by depth, over
    /// all positions
    #[arg(long)]
    players: bool,
    /// The deepest depth of --players, 1 to 10
    #[arg(long, default_value_t = 5, requires = "players",
        value_parser = clap::value_parser!(u32).range(1..=10))]
    depth: u32,
    /// With --players, leave a player out from the depth on at which it would
    /// need more nodes than this, over all positions
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20_000_000,
        requires = "players"
    )]
    node_limit: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    position: &'static str,
    depth: u32,
    nodes: u64,
    value: i32,
    best: String,
    passes: u32,
}

#[derive(Serialize)]
struct Summary {
    positions: Vec<Row>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

#[derive(Serialize)]
struct PlayerRow {
    player: &'static str,
    depth: u32,
    /// `None`: more than the limit.
    nodes: Option<u64>,
}

#[derive(Serialize)]
struct Players {
    players: Vec<PlayerRow>,
}

impl Bench {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.players {
            return self.compare(out);
        }
        let start = Instant::now();
        if !self.json {
            write_text(out, "depth        nodes    value  best   position\n")?;
        }
        let mut positions = Vec::new();
        for (position, depth) in POSITIONS {
            let row = row(&signature::run(position, depth));
            if !self.json {
                let nodes = thousands(row.nodes);
                let (value, best) = (row.value, &row.best);
                write_text(
                    out,
                    &format!("{depth:>5} {nodes:>12} {value:>8}  {best}  {position}\n"),
                )?;
                out.flush()?;
            }
            positions.push(row);
        }
        let seconds = start.elapsed().as_secs_f64();
        let nodes: u64 = positions.iter().map(|row| row.nodes).sum();
        let nodes_per_second = (nodes as f64 / seconds) as u64;
        if self.json {
            return write_json(
                out,
                &Summary {
                    positions,
                    nodes,
                    seconds,
                    nodes_per_second,
                },
            );
        }
        let passes: u32 = positions.iter().map(|row| row.passes).sum();
        let depths: u32 = positions.iter().map(|row| row.depth).sum();
        let text = format!(
            "\nMTD(f) passes a depth  {:.2}\nseconds                {seconds:.3}\nnodes per second       {}\nBench: {nodes}\n",
            f64::from(passes) / f64::from(depths),
            thousands(nodes_per_second),
        );
        write_text(out, &text)
    }

    fn compare(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut rows = Vec::new();
        if !self.json {
            let names: String = Algorithm::ALL
                .iter()
                .map(|algorithm| format!("{algorithm:>16}"))
                .collect();
            write_text(out, &format!("depth{names}\n"))?;
        }
        let mut left_out = [false; Algorithm::ALL.len()];
        for depth in 1..=self.depth {
            let mut text = format!("{depth:>5}");
            for (algorithm, left_out) in Algorithm::ALL.into_iter().zip(&mut left_out) {
                let nodes = if *left_out {
                    None
                } else {
                    self.total(algorithm, depth)
                };
                *left_out = nodes.is_none();
                let shown = nodes.map_or_else(|| "-".to_owned(), thousands);
                text += &format!("{shown:>16}");
                rows.push(PlayerRow {
                    player: algorithm.name(),
                    depth,
                    nodes,
                });
            }
            if !self.json {
                write_text(out, &(text + "\n"))?;
                out.flush()?;
            }
        }
        if self.json {
            return write_json(out, &Players { players: rows });
        }
        Ok(())
    }

    /// The nodes of all positions, or nothing where they are too many.
    fn total(&self, algorithm: Algorithm, depth: u32) -> Option<u64> {
        let mut total = 0;
        for (position, _) in POSITIONS {
            let board = signature::board_of(position);
            let left = self.node_limit.saturating_sub(total).max(1);
            let report = signature::search(algorithm, &board, depth, Some(left));
            if report.stopped {
                return None;
            }
            total += report.nodes;
        }
        Some(total)
    }
}

fn row(line: &PositionResult) -> Row {
    Row {
        position: line.position,
        depth: line.depth,
        nodes: line.nodes,
        value: line.value,
        best: line.best.to_string(),
        passes: line.passes,
    }
}
