//! A search with deadlines and a stop flag.
//!
//! Owns deadlines and the request to stop; the searches themselves read no
//! clock. Every command that searches with a clock comes here. All algorithms
//! deepen one ply at a time, so that a search that is stopped early returns the
//! move of the last finished depth. It prints nothing and starts no thread.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::board::Board;
use crate::search::{Engine, Iteration, Limits, Report};

/// The moments at which a search ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deadline {
    /// No depth is begun after this moment.
    pub soft: Option<Instant>,
    /// The search is stopped at this moment, in the middle of a depth.
    pub hard: Option<Instant>,
}

/// Called after every finished depth.
pub type Progress<'a> = &'a mut dyn FnMut(&Iteration);

/// Searches `board`, which `plies` plies of the game have led to, until the
/// first of the `limits` or deadlines is reached or `stop` is set; calls
/// `progress` after every finished depth.
///
/// # Examples
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use std::time::{Duration, Instant};
///
/// use loatune::board::Board;
/// use loatune::eval::Weights;
/// use loatune::game::Rules;
/// use loatune::search::{Algorithm, Deadline, Engine, Limits, timed_search};
///
/// let mut engine = Engine::new(Algorithm::Mtdf, &Weights::source(), Rules::default(), 256);
/// let limits = Limits { depth: Some(3), ..Limits::default() };
/// let deadline = Deadline {
///     soft: None,
///     hard: Some(Instant::now() + Duration::from_secs(5)),
/// };
/// let stop = AtomicBool::new(false);
/// let mut depths = Vec::new();
/// let mut progress = |iteration: &loatune::search::Iteration| depths.push(iteration.depth);
/// let report = timed_search(
///     &mut engine, &Board::start(), 0, limits, deadline, &stop, &mut progress,
/// );
/// assert_eq!(depths, [1, 2, 3]);
/// assert!(!report.stopped && report.best.is_some());
/// ```
pub fn timed_search(
    engine: &mut Engine,
    board: &Board,
    plies: usize,
    limits: Limits,
    deadline: Deadline,
    stop: &AtomicBool,
    progress: Progress<'_>,
) -> Report {
    let passed = |moment: Option<Instant>| moment.is_some_and(|moment| Instant::now() >= moment);
    let soft_passed = Cell::new(false);
    let must_stop = || soft_passed.get() || stop.load(Ordering::Relaxed) || passed(deadline.hard);

    engine.deepening_search(board, plies, limits, &must_stop, &mut |iteration| {
        progress(iteration);
        soft_passed.set(passed(deadline.soft));
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::game::Rules;
    use crate::search::Algorithm;
    use std::time::Duration;

    fn search(
        algorithm: Algorithm,
        limits: Limits,
        deadline: Deadline,
        stop: bool,
    ) -> (Report, Vec<u32>) {
        let mut engine = Engine::new(algorithm, &Weights::source(), Rules::default(), 1024);
        let mut depths = Vec::new();
        let report = timed_search(
            &mut engine,
            &Board::start(),
            0,
            limits,
            deadline,
            &AtomicBool::new(stop),
            &mut |iteration| depths.push(iteration.depth),
        );
        (report, depths)
    }

    fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            nodes: None,
            ..Limits::default()
        }
    }

    #[test]
    fn every_algorithm_goes_through_the_depths() {
        let mut values = Vec::new();
        // A tree search has rounds of simulations instead of depths.
        let by_depth = |algorithm: &Algorithm| *algorithm != Algorithm::Mcts;
        for algorithm in Algorithm::ALL.into_iter().filter(by_depth) {
            let (report, depths) = search(algorithm, depth(3), Deadline::default(), false);
            assert_eq!(depths, [1, 2, 3], "{algorithm}");
            assert!(!report.stopped);
            assert_eq!(report.best, report.pv().first().copied());
            let nodes: Vec<u64> = report.iterations.iter().map(|depth| depth.nodes).collect();
            assert!(nodes.is_sorted() && nodes[2] <= report.nodes, "{nodes:?}");
            values.push(report.value());
        }
        values.truncate(Algorithm::EXACT.len());
        assert!(values.iter().all(|&value| value == values[0]), "{values:?}");
    }

    #[test]
    fn a_search_stops_and_still_has_a_move() {
        for algorithm in Algorithm::ALL {
            let endless = if algorithm == Algorithm::Mcts {
                Limits::default()
            } else {
                depth(40)
            };
            let (report, _) = search(algorithm, endless, Deadline::default(), true);
            assert!(report.stopped && report.best.is_some(), "{algorithm}");
            let hard = Deadline {
                hard: Some(Instant::now() + Duration::from_millis(20)),
                ..Deadline::default()
            };
            let (report, _) = search(algorithm, endless, hard, false);
            assert!(report.stopped && report.best.is_some(), "{algorithm}");
            let soft = Deadline {
                soft: Some(Instant::now()),
                ..Deadline::default()
            };
            let (report, depths) = search(algorithm, endless, soft, false);
            assert!(
                report.stopped && (depths.contains(&1) || algorithm == Algorithm::Mcts),
                "{algorithm}: {depths:?}"
            );
            assert!(report.depth() < 40);
            let nodes = Limits {
                depth: Some(40),
                nodes: Some(5000),
                ..Limits::default()
            };
            let (report, _) = search(algorithm, nodes, Deadline::default(), false);
            assert!((5000..6100).contains(&report.nodes), "{}", report.nodes);
        }
    }
}
