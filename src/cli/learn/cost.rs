//! What features cost: how much slower a search is that computes one at every
//! leaf.
//!
//! A plain alpha-beta search visits some positions twice, once without the
//! feature and once with it, in turns, so that whatever else the machine does
//! meets both. On Linux the processor time of the thread counts, which other
//! processes hardly touch; elsewhere the time that passes. A candidate is
//! computed anew for both sides, which is the most that it can cost; a gene has
//! its real cost.

use std::hint::black_box;
use std::time::Duration;

use crate::board::{Board, Side};
use crate::eval::candidates::Candidate;
use crate::eval::features::FEATURE_GENES;
use crate::eval::{Evaluator, Weights};

/// Plies of the search.
const DEPTH: u32 = 3;

/// How long the search without a feature lasts, each time: short enough to be
/// left alone by other processes now and then.
const LEAST_TIME: Duration = Duration::from_millis(4);

/// How often both searches are done; the fastest count.
const ROUNDS: usize = 12;

/// Measures costs on some positions.
pub(super) struct CostMeter {
    boards: Vec<Board>,
    weights: Weights,
}

impl CostMeter {
    /// A meter for the evaluation by `weights`.
    pub(super) fn new(boards: Vec<Board>, weights: &Weights) -> CostMeter {
        CostMeter {
            boards,
            weights: *weights,
        }
    }

    /// The speed with feature `n` of the evaluation, as a part of the speed
    /// without it.
    pub(super) fn of_gene(&self, n: usize) -> f64 {
        let gene = FEATURE_GENES[n] as usize;
        let with_value = |value: i32| {
            let mut weights = self.weights;
            weights.opening[gene] = value;
            weights.endgame[gene] = value;
            Evaluator::new(&weights)
        };
        let value = match self.weights.opening[gene] {
            0 => 1,
            value => value,
        };
        let (without, with) = (with_value(0), with_value(value));
        self.speed(
            |board| without.value(board, board.movers(), 0),
            |board| with.value(board, board.movers(), 0),
        )
    }

    /// The speed with a candidate computed at every leaf, as a part of the
    /// speed without it.
    pub(super) fn of_candidate(&self, candidate: &Candidate) -> f64 {
        let evaluator = Evaluator::new(&self.weights);
        let value = |board: &Board| evaluator.value(board, board.movers(), 0);
        self.speed(value, |board| {
            for side in Side::BOTH {
                black_box((candidate.of)(board, side));
            }
            value(board)
        })
    }

    /// Nodes a second with the second leaf function by those with the first.
    fn speed(&self, without: impl Fn(&Board) -> i32, with: impl Fn(&Board) -> i32) -> f64 {
        let mut least = [f64::INFINITY; 2];
        for _ in 0..ROUNDS {
            let mut boards = 0;
            let begin = own_time();
            let spent = |begin: Duration| own_time().saturating_sub(begin);
            let mut nodes = [0; 2];
            for board in &self.boards {
                search(board, DEPTH, -i32::MAX, i32::MAX, &without, &mut nodes[0]);
                boards += 1;
                if spent(begin) >= LEAST_TIME {
                    break;
                }
            }
            least[0] = least[0].min(spent(begin).as_secs_f64() / f64::from(nodes[0].max(1)));
            let begin = own_time();
            for board in &self.boards[..boards] {
                search(board, DEPTH, -i32::MAX, i32::MAX, &with, &mut nodes[1]);
            }
            least[1] = least[1].min(spent(begin).as_secs_f64() / f64::from(nodes[1].max(1)));
        }
        least[0] / least[1].max(f64::MIN_POSITIVE)
    }
}

/// The processor time that this thread has used.
#[cfg(target_os = "linux")]
fn own_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// The time that has passed since it was asked for first.
#[cfg(not(target_os = "linux"))]
fn own_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

/// Alpha-beta without any ornament.
fn search(
    board: &Board,
    depth: u32,
    mut alpha: i32,
    beta: i32,
    leaf: &impl Fn(&Board) -> i32,
    nodes: &mut u32,
) -> i32 {
    *nodes += 1;
    if depth == 0 || board.is_decided() {
        return leaf(board);
    }
    for &mv in board.moves().iter() {
        let value = -search(&board.play(mv), depth - 1, -beta, -alpha, leaf, nodes);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    alpha
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::candidates::CANDIDATES;

    #[test]
    fn a_feature_that_takes_long_is_seen_to() {
        fn slow(board: &Board, _: Side) -> f64 {
            let mut sum = 0;
            for n in 0..1500u64 {
                sum ^= black_box(board.key().rotate_left(n as u32 & 63));
            }
            sum as f64
        }
        let meter = CostMeter::new(vec![Board::start()], &Weights::source());
        let speed = meter.of_candidate(&Candidate {
            of: slow,
            ..CANDIDATES[0]
        });
        // It takes several times as long as all the rest of a leaf.
        assert!(speed > 0.0 && speed < 0.9, "{speed}");
    }
}
