//! How fast the board is, on one core: `cargo bench --bench board`.
//!
//! Each part is measured by itself; then the parts are measured once more, in
//! turns with a plain square-by-square generator, because the ratio between
//! the two stays the same where a noisy machine's speed does not. Random games
//! are also played as simulations of the tree search: what its tree costs is the
//! difference between the two rows.

#![allow(clippy::unwrap_used, missing_docs)]

#[allow(dead_code, unreachable_pub)]
#[path = "../tests/it/support/slow.rs"]
mod slow;
mod timing;

use std::hint::black_box;
use std::time::Instant;

use loatune::board::{Board, Move};
use loatune::eval::Weights;
use loatune::game::Rules;
use loatune::game::perft::{LeafCounting, perft};
use loatune::game::{Game, terminal_outcome};
use loatune::search::mcts::Options;
use loatune::search::{Algorithm, Engine, Limits};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use slow::Slow;
use timing::{is_measured, measure};

const START: &str = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x";

fn count(depth: u32, leaves: LeafCounting) -> u64 {
    perft(black_box(&Board::start()), depth, leaves, &Rules::default()).nodes
}

/// Every legal move of the positions of some random games.
fn sample() -> Vec<(Board, Vec<Move>)> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut sample = Vec::new();
    while sample.len() < 500 {
        let mut game = Game::new(Rules::default());
        while game.outcome().is_none() {
            let moves = game.moves();
            game.play(moves[rng.random_range(0..moves.len())]).unwrap();
            sample.push((*game.board(), game.board().moves().to_vec()));
        }
    }
    sample
}

fn make_all(sample: &[(Board, Vec<Move>)]) -> u64 {
    let made = |(board, moves): &(Board, Vec<Move>)| {
        for &mv in moves {
            black_box(board.play(mv));
        }
        moves.len() as u64
    };
    sample.iter().map(made).sum()
}

fn generate_all(sample: &[(Board, Vec<Move>)]) -> u64 {
    sample
        .iter()
        .map(|(board, _)| black_box(board).moves().len() as u64)
        .sum()
}

/// Full perft with the plain generator: every leaf is made and tested.
fn plain_perft(board: &Slow, depth: u32) -> u64 {
    if board.is_decided() {
        return u64::from(depth == 0);
    }
    if depth == 0 {
        return 1;
    }
    board
        .moves()
        .into_iter()
        .map(|step| plain_perft(&board.play(step), depth - 1))
        .sum()
}

/// Plays random games to the end under the default rules: connection, no
/// move, the third occurrence, 200 plies.
fn playouts(games: u64) -> u64 {
    let rules = Rules::default();
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut keys = Vec::with_capacity(rules.max_plies as usize);
    for _ in 0..games {
        let mut board = Board::start();
        let mut since_capture = 0;
        keys.clear();
        while terminal_outcome(&board, &rules).is_none() && keys.len() < rules.max_plies as usize {
            let same = keys[since_capture..]
                .iter()
                .filter(|&&key| key == board.key())
                .count();
            if same + 1 >= rules.repetition as usize {
                break;
            }
            keys.push(board.key());
            let mv = board
                .nth_move(rng.random_range(0..board.mobility(board.turn())))
                .unwrap();
            if mv.is_capture() {
                since_capture = keys.len();
            }
            board.make(mv);
        }
        black_box(board.is_decided());
    }
    games
}

/// Simulations of the tree search from the start, uniform and played to the end,
/// without the evaluation: the same games with a tree around them.
fn simulations(count: u64) -> u64 {
    let mut options = Options::default();
    for (name, value) in [("cutoff", "inf"), ("alpha", "0")] {
        options.set(name, value).unwrap();
    }
    let weights = Weights::source();
    let mut engine =
        Engine::new(Algorithm::Mcts, &weights, Rules::default(), 256).with_tree_options(options);
    let limits = Limits {
        simulations: Some(count),
        ..Limits::default()
    };
    let board = Board::start();
    black_box(engine.search(&board, 0, limits, &|| false, &mut |_| {}));
    count
}

fn each_part() {
    measure("perft, bulk 6", || count(6, LeafCounting::Bulk));
    measure("perft, full 5", || count(5, LeafCounting::Full));
    let sample = sample();
    measure("board, make", || make_all(&sample));
    measure("board, generate", || generate_all(&sample));
    measure("board, playout", || playouts(200));
    measure("mcts, uniform simulation", || simulations(2000));
}

/// Things a second, the best of some rounds in turns.
fn rates<const N: usize>(work: [&dyn Fn() -> u64; N]) -> [f64; N] {
    let mut best = [0f64; N];
    for _ in 0..7 {
        for (best, work) in best.iter_mut().zip(work) {
            let start = Instant::now();
            let things = work() as f64;
            *best = best.max(things / start.elapsed().as_secs_f64());
        }
    }
    best
}

fn ratio_part() {
    let sample = sample();
    let plain = Slow::from_text(START);
    let [plain, bulk, full, make, generate, playouts, simulations] = rates([
        &|| plain_perft(black_box(&plain), 3),
        &|| count(6, LeafCounting::Bulk),
        &|| count(5, LeafCounting::Full),
        &|| make_all(&sample),
        &|| generate_all(&sample),
        &|| playouts(500),
        &|| simulations(2000),
    ]);
    println!("\nmeasured in turns, best of 7            M/s   times the plain generator");
    let row = |name: &str, rate: f64| {
        println!("{name:<38}{:>8.3}{:>12.1}", rate / 1e6, rate / plain);
    };
    row("plain generator, full perft 3, leaves", plain);
    row("bulk perft 6, leaves", bulk);
    row("full perft 5, leaves", full);
    row("make, whole board, moves", make);
    row("generate, moves", generate);
    row("random playouts, games", playouts);
    row("the same in a tree search, games", simulations);
    println!(
        "a simulation of the tree search takes {:.2} times a playout",
        playouts / simulations
    );
}

fn main() {
    each_part();
    if is_measured() {
        ratio_part();
    }
}
