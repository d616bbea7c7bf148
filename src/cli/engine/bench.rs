//! `loatune bench`: the engine's signature and speed.

use std::io::Write;
use std::time::Instant;

use clap::{ArgGroup, Args};
use serde::Serialize;

use super::scaling::Scaling;
use crate::cli::args::{DEFAULT_WEIGHTS, WEIGHTS_HELP, player_name, read_weights};
use crate::cli::output::{thousands, write_json, write_text};
use crate::search::Algorithm;
use crate::search::signature::{
    self, POSITIONS, POSITIONS_OF_FIRST, PositionResult, TREE_SIMULATIONS, WEIGHT_SETS, WeightSet,
};
use crate::weights::WeightFile;

/// The deepest depth and the node limit of `--players`, where none are given.
const PLAYERS_DEPTH: u32 = 5;
const PLAYERS_NODES: u64 = 20_000_000;

/// The same of `--scaling`: all players together take a few seconds.
const SCALING_DEPTH: u32 = 10;
const SCALING_NODES: u64 = 2_000_000;

/// Search a fixed set of positions; the node total is the engine's signature
///
/// Eighteen positions (openings, middle games, endings, positions that are
/// decided) are searched by `mtdf` with three sets of weights: the hand-written
/// ones, a champion's, and some with two phases; each from a clean table, on one core. The
/// node total depends on nothing but what the engine does: the same number means
/// the same behaviour, on every machine. It signs the five exact searches; the
/// selective one and the tree search have signatures of their own, which
/// `--selective` and `--mcts` count.
/// Nodes per second depend on the machine, and on the features that the weights
/// ask for: the built-in default weights, which use them all and may be learned
/// anew, are timed beside the others and not signed.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("comparison").args(["players", "scaling"]))]
#[command(after_help = "\
Examples:
  loatune bench
  loatune bench --selective
  loatune bench --mcts
  loatune bench --players --depth 6
  loatune bench --scaling
  loatune bench --scaling --player mtdf,selective --weights champion --depth 8

JSON: player, positions [{weights, position, depth, nodes, value, best, passes}], nodes,
seconds, nodes_per_second (of the signed sets), sets [{weights, signed, nodes, seconds,
nodes_per_second}];
with --players instead players [{player, depth, nodes}]; with --scaling weights
(their name), positions (how many), node_limit, depths [{player, depth, nodes,
growth, seconds, time_growth, nodes_per_second}], where a growth is the factor
over the depth before, and players [{player, depth, branching_factor, time_factor,
left_out_from}], whose factors are the mean growth of all depths.")]
pub(crate) struct Bench {
    /// Sign the selective search instead of the exact ones; it goes two plies deeper
    #[arg(long, conflicts_with_all = ["players", "scaling"])]
    selective: bool,
    /// Sign the Monte-Carlo tree search instead, with 100 simulations a position; its
    /// depth is the length of the line that it expects
    #[arg(long, conflicts_with_all = ["players", "scaling", "selective"])]
    mcts: bool,
    /// Compare instead how many nodes each of the players needs, by depth, over
    /// the positions that are not decided, with the source weights
    #[arg(long)]
    players: bool,
    /// Show instead what each ply more costs: nodes and time by depth, and the
    /// effective branching factor of each player, over the same positions
    #[arg(long, conflicts_with = "players")]
    scaling: bool,
    /// With --scaling, only these players, by their names with commas between them
    /// [default: all that search by depth]
    #[arg(long, value_name = "NAME", requires = "scaling", value_delimiter = ',',
        value_parser = player_name(Algorithm::BY_DEPTH))]
    player: Vec<Algorithm>,
    #[arg(long, value_name = "FILE", requires = "scaling", default_value = DEFAULT_WEIGHTS,
        help = format!("With --scaling, the weights: {WEIGHTS_HELP}"))]
    weights: String,
    /// The deepest depth of --players or --scaling, 1 to 10 [default: 5 and 10]
    #[arg(long, requires = "comparison",
        value_parser = clap::value_parser!(u32).range(1..=10))]
    depth: Option<u32>,
    /// With --players or --scaling, leave a player out from the depth on at which
    /// it would need more nodes than this, over those positions [default: 20000000
    /// and 2000000]
    #[arg(long, value_name = "N", requires = "comparison",
        value_parser = clap::value_parser!(u64).range(1..))]
    node_limit: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    weights: &'static str,
    position: &'static str,
    depth: u32,
    nodes: u64,
    value: i32,
    best: String,
    passes: u32,
    /// Depths that were searched.
    #[serde(skip)]
    depths: u32,
}

/// What all positions took with one set of weights.
#[derive(Serialize)]
struct SetRow {
    weights: &'static str,
    /// Whether its nodes are a part of the signature.
    signed: bool,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

#[derive(Serialize)]
struct Summary {
    player: &'static str,
    positions: Vec<Row>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
    sets: Vec<SetRow>,
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

/// The built-in weights, in the middle of a game.
fn built_in_set() -> WeightSet {
    WeightSet {
        name: DEFAULT_WEIGHTS,
        weights: WeightFile::built_in().weights,
        plies: 20,
    }
}

impl Bench {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.players {
            return self.compare(out);
        }
        if self.scaling {
            return self.show_scaling(out);
        }
        let (mut positions, mut sets) = (Vec::new(), Vec::new());
        for set in &WEIGHT_SETS {
            let (rows, summary) = self.search_set(set, out)?;
            positions.extend(rows);
            sets.push(summary);
        }
        let seconds = sets.iter().map(|set| set.seconds).sum();
        let nodes: u64 = sets.iter().map(|set| set.nodes).sum();
        let (_, mut built_in) = self.search_set(&built_in_set(), out)?;
        built_in.signed = false;
        sets.push(built_in);
        let nodes_per_second = (nodes as f64 / seconds) as u64;
        if self.json {
            return write_json(
                out,
                &Summary {
                    player: self.algorithm().name(),
                    positions,
                    nodes,
                    seconds,
                    nodes_per_second,
                    sets,
                },
            );
        }
        let mut text = String::from("weights          nodes  nodes per second\n");
        for set in &sets {
            let (nodes, speed) = (thousands(set.nodes), thousands(set.nodes_per_second));
            let note = if set.signed { "" } else { "  (not signed)" };
            text += &format!("{:<9} {nodes:>12} {speed:>17}{note}\n", set.weights);
        }
        let (title, figure) = self.figure(&positions);
        text += &format!(
            "\n{title:<22} {figure}\nseconds                {seconds:.3}\nnodes per second       {}\nBench: {nodes}\n",
            thousands(nodes_per_second),
        );
        write_text(out, &text)
    }

    /// The search that is signed; MTD(f) stands for all exact ones.
    fn algorithm(&self) -> Algorithm {
        if self.selective {
            Algorithm::Selective
        } else if self.mcts {
            Algorithm::Mcts
        } else {
            Algorithm::Mtdf
        }
    }

    /// The title and the figure of what a search repeats.
    fn figure(&self, positions: &[Row]) -> (&'static str, String) {
        let passes: u32 = positions.iter().map(|row| row.passes).sum();
        let depths: u32 = positions.iter().map(|row| row.depths).sum();
        let a_depth = || format!("{:.2}", f64::from(passes) / f64::from(depths));
        match self.algorithm() {
            Algorithm::Mcts => ("simulations", TREE_SIMULATIONS.to_string()),
            Algorithm::Selective => ("windows a depth", a_depth()),
            _ => ("MTD(f) passes a depth", a_depth()),
        }
    }

    /// Searches all positions with one set of weights.
    fn search_set(
        &self,
        set: &WeightSet,
        out: &mut dyn Write,
    ) -> anyhow::Result<(Vec<Row>, SetRow)> {
        if !self.json {
            let title = format!("{} weights\n", set.name);
            write_text(
                out,
                &(title + "depth        nodes    value  best   position\n"),
            )?;
        }
        let mut rows = Vec::new();
        let mut seconds = 0.0;
        for (position, depth) in POSITIONS {
            let start = Instant::now();
            let found = match self.algorithm() {
                Algorithm::Selective => signature::run_selective(set, position, depth),
                Algorithm::Mcts => signature::run_tree(set, position),
                _ => signature::run(set, position, depth),
            };
            seconds += start.elapsed().as_secs_f64();
            let row = row(set, &found);
            if !self.json {
                let nodes = thousands(row.nodes);
                let (depth, value, best) = (row.depth, row.value, &row.best);
                write_text(
                    out,
                    &format!("{depth:>5} {nodes:>12} {value:>8}  {best}  {position}\n"),
                )?;
                out.flush()?;
            }
            rows.push(row);
        }
        if !self.json {
            write_text(out, "\n")?;
        }
        let nodes: u64 = rows.iter().map(|row| row.nodes).sum();
        let summary = SetRow {
            weights: set.name,
            signed: true,
            nodes,
            seconds,
            nodes_per_second: (nodes as f64 / seconds) as u64,
        };
        Ok((rows, summary))
    }

    fn show_scaling(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut players = Algorithm::BY_DEPTH.to_vec();
        if !self.player.is_empty() {
            players.retain(|player| self.player.contains(player));
        }
        let scaling = Scaling {
            players: &players,
            weights: &read_weights(&self.weights)?,
            depth: self.depth.unwrap_or(SCALING_DEPTH),
            node_limit: self.node_limit.unwrap_or(SCALING_NODES),
            json: self.json,
        };
        scaling.run(out)
    }

    fn compare(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut rows = Vec::new();
        if !self.json {
            let names: String = Algorithm::EXACT
                .iter()
                .map(|algorithm| format!("{algorithm:>16}"))
                .collect();
            write_text(out, &format!("depth{names}\n"))?;
        }
        let mut left_out = [false; Algorithm::EXACT.len()];
        for depth in 1..=self.depth.unwrap_or(PLAYERS_DEPTH) {
            let mut text = format!("{depth:>5}");
            for (algorithm, left_out) in Algorithm::EXACT.into_iter().zip(&mut left_out) {
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

    /// The nodes of the undecided positions, or nothing where they are too many.
    fn total(&self, algorithm: Algorithm, depth: u32) -> Option<u64> {
        let mut total = 0;
        for (position, _) in &POSITIONS[..POSITIONS_OF_FIRST] {
            let board = signature::board_of(position);
            let limit = self.node_limit.unwrap_or(PLAYERS_NODES);
            let left = limit.saturating_sub(total).max(1);
            let report = signature::search(algorithm, &board, depth, Some(left));
            if report.stopped {
                return None;
            }
            total += report.nodes;
        }
        Some(total)
    }
}

fn row(set: &WeightSet, line: &PositionResult) -> Row {
    Row {
        weights: set.name,
        position: line.position,
        depth: line.depth,
        nodes: line.nodes,
        value: line.value,
        best: line.best.to_string(),
        passes: line.passes,
        depths: line.depths,
    }
}
