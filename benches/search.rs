//! How fast the evaluation, the table and the searches are, on one core:
//! `cargo bench --bench search`.
//!
//! Each part is measured by itself; then nodes per second are measured in turns
//! with full perft, because the ratio between the two stays the same where a
//! noisy machine's speed does not.

#![allow(clippy::unwrap_used, missing_docs)]

mod timing;

use std::hint::black_box;
use std::time::Instant;

use loatune::board::Board;
use loatune::eval::genes::GeneId;
use loatune::eval::{Evaluator, LeafValue, Weights};
use loatune::game::Rules;
use loatune::game::perft::{LeafCounting, perft};
use loatune::search::signature::{POSITIONS, WEIGHT_SETS, board_of, run, search};
use loatune::search::{Algorithm, Engine, Limits};
use timing::{is_measured, measure};

fn boards() -> Vec<Board> {
    POSITIONS
        .iter()
        .map(|(position, _)| board_of(position))
        .collect()
}

/// Evaluates every child of every position, the way the search does.
fn evaluate_all(evaluator: &Evaluator, boards: &[Board]) -> u64 {
    let mut leaves = 0;
    for board in boards {
        let parent_terms = evaluator.parent_terms(board, 0);
        for &mv in board.moves().iter() {
            leaves += 1;
            if let LeafValue::Value(value) =
                evaluator.value_after(&parent_terms, board, board.turn(), mv)
            {
                black_box(value);
            }
        }
    }
    leaves
}

fn powered() -> Weights {
    let mut weights = Weights::source();
    weights.opening[GeneId::MobilityPower as usize] = 3;
    weights.opening[GeneId::MobilityCentre as usize] = 3;
    Weights::uniform(weights.opening)
}

fn evaluation_part() {
    let boards = boards();
    for (name, weights) in [
        ("evaluation, source weights", Weights::source()),
        ("evaluation, powers and centre", powered()),
    ] {
        let evaluator = Evaluator::new(&weights);
        measure(name, || evaluate_all(&evaluator, &boards));
    }
    measure("evaluation, prepare weights", || {
        black_box(Evaluator::new(&Weights::source()));
        1
    });
}

/// Time for each node.
fn search_part() {
    let boards = boards();
    for (player, depth) in [
        (Algorithm::AlphaBeta, 4),
        (Algorithm::Memory, 5),
        (Algorithm::Mtdf, 5),
        (Algorithm::Mtdf, 6),
    ] {
        let nodes = |board: &Board| search(player, board, depth, None).nodes;
        measure(&format!("search, {player} {depth}"), || {
            boards.iter().map(nodes).sum()
        });
    }
}

/// The same search with tables of different size: what the memory costs.
fn table_part() {
    let boards = boards();
    for kib in [64, 1024, 16 * 1024] {
        measure(&format!("table, mtdf 6 with {kib} KiB"), || {
            let mut engine =
                Engine::new(Algorithm::Mtdf, &Weights::source(), Rules::default(), kib);
            let limits = Limits {
                depth: Some(6),
                nodes: None,
                ..Limits::default()
            };
            let mut nodes = 0;
            for board in &boards {
                engine.new_game();
                nodes += engine
                    .search(board, 0, limits, &|| false, &mut |_| {})
                    .nodes;
            }
            nodes
        });
    }
}

/// Nodes of the bench with each set of weights and leaves of full perft a
/// second, the best of some rounds in turns.
fn ratio_part() {
    let mut nodes_per_second = WEIGHT_SETS.map(|_| 0f64);
    let mut leaves_per_second = 0f64;
    for _ in 0..7 {
        for (best, set) in nodes_per_second.iter_mut().zip(&WEIGHT_SETS) {
            let start = Instant::now();
            let nodes: u64 = POSITIONS
                .iter()
                .map(|&(position, depth)| run(set, position, depth).nodes)
                .sum();
            *best = best.max(nodes as f64 / start.elapsed().as_secs_f64());
        }
        let start = Instant::now();
        let leaves = perft(&Board::start(), 5, LeafCounting::Full, &Rules::default()).nodes;
        leaves_per_second = leaves_per_second.max(leaves as f64 / start.elapsed().as_secs_f64());
    }
    println!("\nmeasured in turns, best of 7          M/s   of source    of perft");
    for (best, set) in nodes_per_second.iter().zip(&WEIGHT_SETS) {
        println!(
            "mtdf, nodes, {:<19} {:>8.2} {:>12.3} {:>10.3}",
            set.name,
            best / 1e6,
            best / nodes_per_second[0],
            best / leaves_per_second,
        );
    }
    println!(
        "full perft 5, leaves             {:>8.2}",
        leaves_per_second / 1e6
    );
}

fn main() {
    evaluation_part();
    search_part();
    table_part();
    if is_measured() {
        ratio_part();
    }
}
