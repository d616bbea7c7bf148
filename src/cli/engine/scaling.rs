//! `loatune bench --scaling`: what one ply more costs each player.

use std::io::Write;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::board::Board;
use crate::cli::output::{OutputError, Progress, ProgressLine, thousands, write_json, write_text};
use crate::game::Rules;
use crate::search::signature::{POSITIONS, POSITIONS_OF_FIRST, TABLE_KIB, board_of};
use crate::search::{Algorithm, Engine, Limits};
use crate::weights::WeightFile;

/// What is measured, and how far.
pub(super) struct Scaling<'a> {
    pub(super) players: &'a [Algorithm],
    pub(super) weights: &'a WeightFile,
    /// The deepest depth.
    pub(super) depth: u32,
    /// The most nodes of all positions at one depth.
    pub(super) node_limit: u64,
    pub(super) json: bool,
}

/// All positions, searched to one depth by one player.
#[derive(Serialize)]
struct DepthRow {
    player: &'static str,
    depth: u32,
    nodes: u64,
    /// Times the nodes of the depth before.
    growth: Option<f64>,
    seconds: f64,
    time_growth: Option<f64>,
    nodes_per_second: u64,
}

/// What the depths of one player have in common.
#[derive(Serialize)]
struct PlayerSummary {
    player: &'static str,
    /// The deepest depth that was finished; 0 without one.
    depth: u32,
    branching_factor: Option<f64>,
    time_factor: Option<f64>,
    /// The depth that would have taken more nodes than the limit.
    left_out_from: Option<u32>,
}

#[derive(Serialize)]
struct ScalingJson<'a> {
    weights: &'a str,
    positions: usize,
    node_limit: u64,
    depths: Vec<DepthRow>,
    players: Vec<PlayerSummary>,
}

const HEADER: &str =
    "player      depth           nodes  growth    seconds  growth  nodes per second\n";

impl Scaling<'_> {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let boards: Vec<Board> = POSITIONS[..POSITIONS_OF_FIRST]
            .iter()
            .map(|(position, _)| board_of(position))
            .collect();
        if !self.json {
            let title = format!(
                "{} positions, {} weights\n",
                boards.len(),
                self.weights.name
            );
            write_text(out, &(title + HEADER))?;
        }
        let (mut depths, mut players) = (Vec::new(), Vec::new());
        let mut progress = Progress::new();
        for &player in self.players {
            let mut rows: Vec<DepthRow> = Vec::new();
            let mut engine =
                Engine::new(player, &self.weights.weights, Rules::default(), TABLE_KIB);
            let mut left_out_from = None;
            for depth in 1..=self.depth {
                let cost = self.cost(&mut engine, &boards, depth, &mut progress);
                let row = cost.map(|cost| depth_row(player, depth, cost, rows.last()));
                if !self.json {
                    // A row must not meet the line of progress.
                    progress.finish();
                    let text = row.as_ref().map_or_else(
                        || format!("{player:<10} {depth:>6} {:>15}\n", "-"),
                        row_text,
                    );
                    write_text(out, &text)?;
                    out.flush().map_err(OutputError)?;
                    progress = Progress::new();
                }
                match row {
                    Some(row) => rows.push(row),
                    None => {
                        left_out_from = Some(depth);
                        break;
                    }
                }
            }
            players.push(summary(player, &rows, left_out_from));
            depths.extend(rows);
        }
        progress.finish();
        if self.json {
            return write_json(
                out,
                &ScalingJson {
                    weights: &self.weights.name,
                    positions: boards.len(),
                    node_limit: self.node_limit,
                    depths,
                    players,
                },
            );
        }
        write_text(out, &summary_text(&players))
    }

    /// The nodes and the time of all positions, or nothing where they take more
    /// nodes than the limit.
    fn cost(
        &self,
        engine: &mut Engine,
        boards: &[Board],
        depth: u32,
        progress: &mut Progress,
    ) -> Option<(u64, Duration)> {
        let (mut nodes, mut time) = (0, Duration::ZERO);
        for (n, board) in boards.iter().enumerate() {
            progress.show(&|_| {
                let mut line = ProgressLine::default();
                line.push(0, format!("{} at depth {depth}", engine.algorithm()));
                line.push(1, format!(", position {} of {}", n + 1, boards.len()));
                line.push(2, format!(", {} nodes", thousands(nodes)));
                line
            });
            // One node more than is allowed tells that they are too many.
            let limits = Limits {
                depth: Some(depth),
                nodes: Some((self.node_limit - nodes).saturating_add(1)),
                ..Limits::default()
            };
            engine.new_game();
            let start = Instant::now();
            let report = engine.search(board, 0, limits, &|| false, &mut |_| {});
            time += start.elapsed();
            nodes += report.nodes;
            if report.stopped || nodes > self.node_limit {
                return None;
            }
        }
        Some((nodes, time))
    }
}

fn depth_row(
    player: Algorithm,
    depth: u32,
    (nodes, time): (u64, Duration),
    before: Option<&DepthRow>,
) -> DepthRow {
    // A clock may stand still over a few hundred nodes.
    let seconds = time.as_secs_f64().max(1e-9);
    DepthRow {
        player: player.name(),
        depth,
        nodes,
        growth: before.map(|before| nodes as f64 / before.nodes as f64),
        seconds,
        time_growth: before.map(|before| seconds / before.seconds),
        nodes_per_second: (nodes as f64 / seconds) as u64,
    }
}

fn summary(player: Algorithm, rows: &[DepthRow], left_out_from: Option<u32>) -> PlayerSummary {
    let factor = |cost: fn(&DepthRow) -> f64| {
        let (first, last) = (rows.first()?, rows.last()?);
        mean_growth(cost(first), cost(last), last.depth - first.depth)
    };
    PlayerSummary {
        player: player.name(),
        depth: rows.last().map_or(0, |row| row.depth),
        branching_factor: factor(|row| row.nodes as f64),
        time_factor: factor(|row| row.seconds),
        left_out_from,
    }
}

/// The factor by which each of `plies` plies multiplied the cost, on (geometric)
/// average: an effective branching factor.
fn mean_growth(first: f64, last: f64, plies: u32) -> Option<f64> {
    (plies > 0).then(|| (last / first).powf(1.0 / f64::from(plies)))
}

fn factor_text(factor: Option<f64>) -> String {
    factor.map_or_else(|| "-".to_owned(), |factor| format!("{factor:.2}"))
}

fn row_text(row: &DepthRow) -> String {
    format!(
        "{:<10} {:>6} {:>15} {:>7} {:>10.3} {:>7} {:>17}\n",
        row.player,
        row.depth,
        thousands(row.nodes),
        factor_text(row.growth),
        row.seconds,
        factor_text(row.time_growth),
        thousands(row.nodes_per_second),
    )
}

fn summary_text(players: &[PlayerSummary]) -> String {
    let mut text = String::from("\nplayer      depth  branching factor  time factor\n");
    for row in players {
        text += &format!(
            "{:<10} {:>6} {:>17} {:>12}\n",
            row.player,
            row.depth,
            factor_text(row.branching_factor),
            factor_text(row.time_factor),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branching_factor_is_the_mean_growth_of_a_ply() {
        let factor = mean_growth(3.0, 3.0 * 6.0 * 24.0, 2).expect("two plies");
        assert!((factor - 12.0).abs() < 1e-9);
        assert_eq!(mean_growth(3.0, 3.0, 0), None);
    }
}
