//! The seventh player: Monte-Carlo tree search. It grows a tree by simulations:
//! selection by a bandit formula, expansion, simulation, backpropagation.
//!
//! Deterministic under limits of simulations or positions: the same position,
//! past, weights, options and limits give the same move on every machine and with
//! any number of threads, because every simulation has random numbers of its own
//! and results are added up in their order. Only IEEE operations and `libm`'s
//! functions touch a result. The exception is a tree that threads share, which is
//! meant for limits of time. What it says to be won or lost is proven.
//!
//! | file | purpose |
//! |---|---|
//! | `options`, `choices` | the options: name, meaning, default, range |
//! | `judge` | the evaluation as a probability, results of finished games |
//! | `tree`, `proof` | the nodes, and what is proven of them |
//! | `select` | which move of a node is looked at next |
//! | `classes`, `policy`, `simulate` | the simulations |
//! | `backup` | what a simulation teaches the nodes on its path |
//! | `worker` | one simulation, from the root to its backpropagation |
//! | `budget` | the positions that may still be looked at |
//! | `growth`, `parallel` | limits of a tree; several trees and threads |
//! | `result` | the move to play, its value, the principal variation |

mod backup;
mod budget;
pub mod choices;
mod classes;
mod growth;
mod judge;
pub mod options;
mod parallel;
mod policy;
mod proof;
mod result;
mod select;
mod simulate;
mod tree;
mod worker;

pub use options::Options;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::board::Board;
use crate::eval::Evaluator;
use crate::game::Rules;

use super::context::StopFn;
use super::{Iteration, Limits, Report};
use growth::Growth;
use judge::{Judge, after};
use parallel::Round;
use tree::{ROOT, Tree};

/// The simulations that stand for a ply where a search is limited by depth alone.
pub const SIMULATIONS_A_PLY: u64 = 500;

/// The simulations of the first round; each further one has twice as many up to
/// [`WIDE_ROUND`], and a quarter more from there on.
const FIRST_ROUND: u64 = 64;
const WIDE_ROUND: u64 = 4096;

/// What a tree search keeps from one move to the next.
pub(super) struct TreeSearch {
    options: Options,
    /// How much one move typically changes an evaluation.
    step: i32,
    /// The trees of the last search.
    trees: Vec<Tree>,
    /// Plays the simulations of one leaf side by side.
    pool: Option<ThreadPool>,
}

/// The position that a search begins with.
pub(super) struct Position<'a> {
    pub(super) board: &'a Board,
    /// Plies of the game that led to it.
    pub(super) plies: usize,
    /// The keys of the game's positions that may come back.
    pub(super) past: &'a [u64],
    /// The plies in steps of the evaluation's phase.
    pub(super) age: i32,
}

impl TreeSearch {
    pub(super) fn new(options: Options, step: i32) -> TreeSearch {
        let by_leaf = options.leaf > 1 && options.roots == 1 && options.shared_tree == 0;
        let pool = (options.threads > 1 && by_leaf).then(|| {
            let builder = ThreadPoolBuilder::new().num_threads(options.threads as usize);
            // Without threads of its own it plays the same on this one.
            builder.build().ok()
        });
        TreeSearch {
            options,
            step,
            trees: Vec::new(),
            pool: pool.flatten(),
        }
    }

    /// Forgets the tree.
    pub(super) fn clear(&mut self) {
        self.trees.clear();
    }

    /// Takes the step of other weights, and forgets the tree.
    pub(super) fn set_step(&mut self, step: i32) {
        self.step = step;
        self.clear();
    }

    /// How much of its memory the fullest tree uses, in thousandths.
    pub(super) fn permille(&self) -> u32 {
        self.trees.iter().map(Tree::permille).max().unwrap_or(0)
    }

    /// Searches an unfinished position. `progress` is called after every round.
    pub(super) fn search(
        &mut self,
        (evaluator, rules): (&Evaluator, &Rules),
        position: &Position<'_>,
        limits: Limits,
        stop: StopFn<'_>,
        progress: &mut dyn FnMut(&Iteration),
    ) -> Report {
        let mut growths = self.growths(position, limits);
        let judge = Judge::new(evaluator, rules, &self.options, position.age, self.step);
        let mut report = Report::default();
        let mut until = FIRST_ROUND;
        loop {
            let round = Round {
                judge: &judge,
                past: position.past,
                pool: self.pool.as_ref(),
                until: until.div_ceil(growths.len() as u64),
                stop,
            };
            let stopped = round.run(&mut growths);
            if let Some(iteration) = result::iteration(&growths, &judge) {
                report.best = iteration.pv.first().copied();
                progress(&iteration);
                report.iterations.push(iteration);
            }
            let proven = growths.iter().any(Growth::is_proven);
            let done = growths.iter().all(Growth::is_done);
            if proven || done || stopped || stop() {
                let in_full = |growth: &Growth| growth.simulations >= growth.most_simulations;
                report.stopped = !proven && !growths.iter().all(in_full);
                break;
            }
            until += if until < WIDE_ROUND { until } else { until / 4 };
        }
        report.nodes = growths.iter().map(|growth| growth.nodes).sum();
        self.trees = growths.into_iter().map(|growth| growth.tree).collect();
        report
    }

    /// The trees of a search, each with its part of the limits: those of the last
    /// search where the game went on in them.
    fn growths(&mut self, position: &Position<'_>, limits: Limits) -> Vec<Growth> {
        let options = &self.options;
        let count = u64::from(options.roots);
        let by_depth = limits
            .depth
            .map(|depth| u64::from(depth) * SIMULATIONS_A_PLY);
        let simulations = limits.simulations.or(by_depth).unwrap_or(u64::MAX);
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let mut old = std::mem::take(&mut self.trees).into_iter();
        let bytes = options.memory_bytes() / count;
        let tree = |old: Option<Tree>| {
            let kept = old.filter(|_| options.reuse != 0);
            kept.and_then(|tree| continued(&tree, position))
                .unwrap_or_else(|| Tree::new(position.board, position.plies as u32, bytes))
        };
        let share = |whole: u64, number: u64| {
            if whole == u64::MAX {
                return whole;
            }
            (whole / count + u64::from(number < whole % count)).max(1)
        };
        let growth = |number| Growth {
            tree: tree(old.next()),
            seed: seed(options.seed, position, number),
            simulations: 0,
            nodes: 0,
            reserved: 0,
            most_simulations: share(simulations, number),
            most_nodes: share(nodes, number),
        };
        (0..count).map(growth).collect()
    }
}

/// The seed of a tree's simulations: from the player's seed, the position, the
/// plies of the game and the tree's number (SplitMix64's finaliser).
fn seed(seed: u32, position: &Position<'_>, tree: u64) -> u64 {
    let parts = [u64::from(seed), position.plies as u64, tree];
    parts.into_iter().fold(position.board.key(), |hash, part| {
        let mut z = (hash ^ part).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// The part of a tree that the game has reached with a move of each side; `None`
/// where the tree does not hold it.
fn continued(tree: &Tree, position: &Position<'_>) -> Option<Tree> {
    if position.plies as u32 != tree.plies + 2 {
        return None;
    }
    for child in tree.children_of(ROOT) {
        let between = after(&tree.board, tree.node(child).mv);
        for grandchild in tree.children_of(child) {
            let now = after(&between, tree.node(grandchild).mv);
            if now.same_position(position.board) {
                return Some(tree.subtree(grandchild, &now, position.plies as u32));
            }
        }
    }
    None
}
