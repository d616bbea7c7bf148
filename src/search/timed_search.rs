//! A search for someone who waits: with a clock and a way to stop it.
//!
//! Owns deadlines and the wish to stop; the searches themselves ask no clock.
//! All five players go through the depths one by one here, so that whoever
//! stops them early gets the move of the last finished depth. It prints
//! nothing and starts no thread.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::board::Board;
use crate::search::value::{MAX_DEPTH, plies_to_end};
use crate::search::{Algorithm, Engine, Iteration, Limits, Report};

/// When a search is over. The first of these that is reached counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Until {
    /// Depth and nodes.
    pub limits: Limits,
    /// No depth is begun after this moment.
    pub enough: Option<Instant>,
    /// Stops in the middle of a depth.
    pub deadline: Option<Instant>,
}

/// Hears of every finished depth.
pub type Progress<'a> = &'a mut dyn FnMut(&Iteration);

/// Searches `board`, which `plies` plies of the game have led to, until `until`
/// or until `stop` is set; `finished` hears of every depth.
pub fn think(
    engine: &mut Engine,
    board: &Board,
    plies: usize,
    until: Until,
    stop: &AtomicBool,
    finished: Progress<'_>,
) -> Report {
    let passed = |moment: Option<Instant>| moment.is_some_and(|moment| Instant::now() >= moment);
    let enough = Cell::new(false);
    let asked = || enough.get() || stop.load(Ordering::Relaxed) || passed(until.deadline);

    // MTD(f) goes through the depths itself, and so do the others where no
    // depth is given.
    let Some(deepest) = until
        .limits
        .depth
        .filter(|_| engine.player() != Algorithm::Mtdf)
    else {
        return engine.search(board, plies, until.limits, &asked, &mut |iteration| {
            finished(iteration);
            enough.set(passed(until.enough));
        });
    };

    let mut whole = Report::default();
    for depth in 1..=deepest.clamp(1, MAX_DEPTH) {
        let left = until.limits.nodes.map(|nodes| nodes - whole.nodes);
        let limits = Limits {
            depth: Some(depth),
            nodes: left,
        };
        let report = engine.search(board, plies, limits, &asked, &mut |_| {});
        let before = whole.nodes;
        whole.nodes += report.nodes;
        whole.stopped = report.stopped;
        for mut iteration in report.iterations {
            iteration.nodes += before;
            finished(&iteration);
            whole.iterations.push(iteration);
            whole.best = report.best;
        }
        whole.best = whole.best.or(report.best);
        let out_of_nodes = until.limits.nodes.is_some_and(|most| whole.nodes >= most);
        let decided = plies_to_end(whole.value()).is_some_and(|plies| plies <= depth);
        if whole.stopped || out_of_nodes || decided || whole.best.is_none() {
            break;
        }
        if depth < deepest && (passed(until.enough) || asked()) {
            whole.stopped = true;
            break;
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::game::Rules;
    use std::time::Duration;

    fn search(player: Algorithm, until: Until, stop: bool) -> (Report, Vec<u32>) {
        let mut engine = Engine::new(player, &Weights::default(), Rules::default(), 1024);
        let mut depths = Vec::new();
        let report = think(
            &mut engine,
            &Board::start(),
            0,
            until,
            &AtomicBool::new(stop),
            &mut |iteration| depths.push(iteration.depth),
        );
        (report, depths)
    }

    fn depth(depth: u32) -> Until {
        Until {
            limits: Limits {
                depth: Some(depth),
                nodes: None,
            },
            ..Until::default()
        }
    }

    #[test]
    fn every_player_goes_through_the_depths() {
        let mut values = Vec::new();
        for player in Algorithm::ALL {
            let (report, depths) = search(player, depth(3), false);
            assert_eq!(depths, [1, 2, 3], "{player}");
            assert!(!report.stopped);
            assert_eq!(report.best, report.pv().first().copied());
            let nodes: Vec<u64> = report.iterations.iter().map(|depth| depth.nodes).collect();
            assert!(nodes.is_sorted() && nodes[2] <= report.nodes, "{nodes:?}");
            values.push(report.value());
        }
        assert!(values.iter().all(|&value| value == values[0]), "{values:?}");
    }

    #[test]
    fn a_search_stops_and_still_has_a_move() {
        for player in Algorithm::ALL {
            let (report, _) = search(player, depth(40), true);
            assert!(report.stopped && report.best.is_some(), "{player}");
            let now = Until {
                deadline: Some(Instant::now() + Duration::from_millis(20)),
                ..depth(40)
            };
            let (report, _) = search(player, now, false);
            assert!(report.stopped && report.best.is_some(), "{player}");
            let enough = Until {
                enough: Some(Instant::now()),
                ..depth(40)
            };
            let (report, depths) = search(player, enough, false);
            assert!(
                report.stopped && depths.contains(&1),
                "{player}: {depths:?}"
            );
            assert!(report.depth() < 40);
            let nodes = Until {
                limits: Limits {
                    depth: Some(40),
                    nodes: Some(5000),
                },
                ..Until::default()
            };
            let (report, _) = search(player, nodes, false);
            assert!((5000..6100).contains(&report.nodes), "{}", report.nodes);
        }
    }
}
