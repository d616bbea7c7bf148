//! How fast the evaluation, the table and the searches are, on one core:
//! `cargo bench --bench search`.
//!
//! Criterion measures each part; then nodes per second are measured in turns
//! with full perft, because the ratio between the two stays the same where a
//! noisy machine's speed does not.

#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, Throughput};
use loatune::board::Board;
use loatune::eval::genes::GeneId;
use loatune::eval::{Evaluator, LeafValue, Weights};
use loatune::game::Rules;
use loatune::game::perft::{LeafCounting, perft};
use loatune::search::signature::{POSITIONS, board_of, run, search};
use loatune::search::{Algorithm, Engine, Limits};

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
        let parent_terms = evaluator.parent_terms(board);
        for &mv in board.moves().iter() {
            leaves += 1;
            if let LeafValue::Value(value) =
                evaluator.value_after(&parent_terms, board, board.turn(), mv, 0)
            {
                black_box(value);
            }
        }
    }
    leaves
}

fn powered() -> Weights {
    let mut weights = Weights::default();
    weights.opening[GeneId::MobilityPower as usize] = 3;
    weights.opening[GeneId::MobilityCentre as usize] = 3;
    Weights::uniform(weights.opening)
}

fn criterion_part(criterion: &mut Criterion) {
    let boards = boards();
    let mut group = criterion.benchmark_group("evaluation");
    for (name, weights) in [
        ("default weights", Weights::default()),
        ("powers and centre", powered()),
    ] {
        let evaluator = Evaluator::new(&weights);
        group.throughput(Throughput::Elements(evaluate_all(&evaluator, &boards)));
        group.bench_function(name, |bench| {
            bench.iter(|| evaluate_all(&evaluator, &boards));
        });
    }
    group.bench_function("prepare weights", |bench| {
        bench.iter(|| black_box(Evaluator::new(&Weights::default())));
    });
    group.finish();

    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    for (player, depth) in [
        (Algorithm::AlphaBeta, 4),
        (Algorithm::Memory, 5),
        (Algorithm::Mtdf, 5),
        (Algorithm::Mtdf, 6),
    ] {
        let total = |boards: &[Board]| -> u64 {
            boards
                .iter()
                .map(|board| search(player, board, depth, None).nodes)
                .sum()
        };
        group.throughput(Throughput::Elements(total(&boards)));
        group.bench_function(format!("{player} {depth}"), |bench| {
            bench.iter(|| total(&boards));
        });
    }
    group.finish();
}

/// The same search with tables of different size: what the memory costs.
fn table_part(criterion: &mut Criterion) {
    let boards = boards();
    let mut group = criterion.benchmark_group("table");
    group.sample_size(10);
    for kib in [64, 1024, 16 * 1024] {
        let total = || -> u64 {
            let mut engine =
                Engine::new(Algorithm::Mtdf, &Weights::default(), Rules::default(), kib);
            let limits = Limits {
                depth: Some(6),
                nodes: None,
            };
            let mut nodes = 0;
            for board in &boards {
                engine.new_game();
                nodes += engine
                    .search(board, 0, limits, &|| false, &mut |_| {})
                    .nodes;
            }
            nodes
        };
        group.throughput(Throughput::Elements(total()));
        group.bench_function(format!("mtdf 6 with {kib} KiB"), |bench| bench.iter(total));
    }
    group.finish();
}

/// Nodes of the bench and leaves of full perft a second, the best of some
/// rounds in turns.
fn ratio_part() {
    let (mut nodes_per_second, mut leaves_per_second) = (0f64, 0f64);
    for _ in 0..7 {
        let start = Instant::now();
        let nodes: u64 = POSITIONS
            .iter()
            .map(|&(position, depth)| run(position, depth).nodes)
            .sum();
        nodes_per_second = nodes_per_second.max(nodes as f64 / start.elapsed().as_secs_f64());
        let start = Instant::now();
        let leaves = perft(&Board::start(), 5, LeafCounting::Full, &Rules::default()).nodes;
        leaves_per_second = leaves_per_second.max(leaves as f64 / start.elapsed().as_secs_f64());
    }
    println!("\nmeasured in turns, best of 7          M/s");
    println!(
        "mtdf, nodes of the bench         {:>8.2}",
        nodes_per_second / 1e6
    );
    println!(
        "full perft 5, leaves             {:>8.2}",
        leaves_per_second / 1e6
    );
    println!(
        "ratio                            {:>8.3}",
        nodes_per_second / leaves_per_second
    );
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    criterion_part(&mut criterion);
    table_part(&mut criterion);
    criterion.final_summary();
    if std::env::args().any(|arg| arg == "--bench") {
        ratio_part();
    }
}
