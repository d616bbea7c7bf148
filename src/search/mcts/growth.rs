//! How far a tree may grow: its part of the simulations and positions of a search,
//! and the loop that uses them up.

use super::budget::Budget;
use super::proof::Proof;
use super::tree::{ROOT, Tree};
use super::worker::{Batch, Worker};

/// Positions between two polls of the stop condition.
const POLL_INTERVAL: u64 = 1024;

/// A tree with its share of a search.
pub(super) struct Growth {
    pub(super) tree: Tree,
    /// The seed of its simulations.
    pub(super) seed: u64,
    /// Simulations and positions of this search so far.
    pub(super) simulations: u64,
    pub(super) nodes: u64,
    /// Positions that other threads may look at before they count them.
    pub(super) reserved: u64,
    pub(super) most_simulations: u64,
    pub(super) most_nodes: u64,
}

impl Growth {
    /// Whether it is at an end: by its limits or because its root is proven.
    pub(super) fn is_done(&self) -> bool {
        self.simulations >= self.most_simulations
            || self.nodes >= self.most_nodes
            || self.is_proven()
    }

    pub(super) fn is_proven(&self) -> bool {
        self.simulations > 0 && self.tree.node(ROOT).proof != Proof::Unknown
    }

    /// The next simulations, of at most `count`.
    pub(super) fn batch(&self, count: u32) -> Batch {
        let left = self.most_simulations - self.simulations;
        Batch {
            first: self.simulations,
            count: u64::from(count).min(left) as u32,
        }
    }

    /// The positions that may still be looked at.
    pub(super) fn budget(&self) -> Budget {
        let taken = self.nodes.saturating_add(self.reserved);
        Budget::new(self.most_nodes.saturating_sub(taken))
    }

    /// Counts the simulations and positions of a step.
    pub(super) fn count(&mut self, simulations: u32, nodes: u64) {
        self.simulations += u64::from(simulations);
        self.nodes += nodes;
    }

    /// Grows the tree to `until` simulations, or to its end, or until `stop`
    /// holds. One batch is always played.
    pub(super) fn grow(
        &mut self,
        worker: &mut Worker<'_>,
        count: u32,
        until: u64,
        stop: &dyn Fn() -> bool,
    ) {
        let mut next_poll = self.nodes + POLL_INTERVAL;
        while !self.is_done() && self.simulations < until {
            let batch = self.batch(count);
            let mut budget = self.budget();
            let count = worker.step(&mut self.tree, batch, &mut budget);
            self.count(count, budget.used());
            if self.nodes >= next_poll {
                if stop() {
                    return;
                }
                next_poll = self.nodes + POLL_INTERVAL;
            }
        }
    }
}
