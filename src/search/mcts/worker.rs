//! One thread's work on a tree: selection down to a leaf, expansion, simulations,
//! backpropagation.

use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use crate::board::{Board, Move};

use super::backup::{Played, back_up};
use super::budget::Budget;
use super::judge::{Judge, for_black};
use super::proof::Proof;
use super::select::select;
use super::simulate::{Simulation, Start};
use super::tree::{ROOT, Tree};

/// How a way through the tree ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// With a result for Black that needs no simulation.
    Known(f64),
    /// At a position to simulate from.
    Open,
    /// Nowhere: the positions that may be looked at do not last.
    Spent,
}

/// The simulations from one leaf: where the first stands in the search's count,
/// and how many there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    pub(super) first: u64,
    pub(super) count: u32,
}

impl Batch {
    /// The simulations of which each can look at a position at least.
    fn within(self, budget: &Budget) -> Batch {
        let count = u64::from(self.count).min(budget.left()) as u32;
        Batch { count, ..self }
    }
}

/// A thread's memory between the steps of a simulation.
pub(super) struct Worker<'a> {
    judge: &'a Judge<'a>,
    /// The keys of the game's positions that may come back.
    past: &'a [u64],
    seed: u64,
    /// Plays the simulations of one leaf side by side.
    pool: Option<&'a ThreadPool>,
    now: Start,
    path: Vec<usize>,
    moves: Vec<Move>,
    simulations: Vec<Simulation>,
    played: Option<Played>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        judge: &'a Judge<'a>,
        past: &'a [u64],
        seed: u64,
        pool: Option<&'a ThreadPool>,
    ) -> Worker<'a> {
        let options = judge.options;
        Worker {
            judge,
            past,
            seed,
            pool,
            now: Start {
                board: Board::start(),
                plies: 0,
                keys: Vec::new(),
            },
            path: Vec::new(),
            moves: Vec::new(),
            simulations: (0..options.leaf).map(|_| Simulation::new()).collect(),
            played: (options.rave > 0.0).then(Played::new),
        }
    }

    /// A whole step: descent, simulations and backpropagation. Returns the
    /// simulations that were played, 0 where the budget does not last.
    pub(super) fn step(&mut self, tree: &mut Tree, batch: Batch, budget: &mut Budget) -> u32 {
        let end = self.descend(tree, budget);
        let count = match end {
            End::Known(_) => batch.count,
            End::Open => self.simulate(batch, budget),
            End::Spent => 0,
        };
        if count > 0 {
            self.back_up(tree, end, count);
        }
        count
    }

    /// Goes down from the root to where simulations begin, and puts the moves of a
    /// leaf that was visited often enough into the tree. Returns how it ended.
    pub(super) fn descend(&mut self, tree: &mut Tree, budget: &mut Budget) -> End {
        let (judge, options) = (self.judge, self.judge.options);
        self.now.board = tree.board;
        self.now.plies = tree.plies;
        self.now.keys.clear();
        self.now.keys.extend_from_slice(self.past);
        self.path.clear();
        self.path.push(ROOT);
        self.moves.clear();
        let mut place = ROOT;
        let mut expanded = false;
        loop {
            let node = tree.node(place);
            let turn = self.now.board.turn();
            if place != ROOT
                && let Some(result) = self.known_result(node.proof)
            {
                return End::Known(result);
            }
            if node.is_leaf() {
                // The tree grows by the moves of one node at a time, and of its root.
                if place != ROOT && (expanded || node.visits < options.expand) {
                    return End::Open;
                }
                if !tree.expand(place, &self.now.board, judge, budget) {
                    return End::Open;
                }
                expanded = place != ROOT;
                if options.solver != 0 {
                    let children = tree.children(place).iter();
                    let proof = Proof::from_children(children.map(|child| child.proof));
                    tree.node_mut(place).proof = proof;
                    if let Some(result) = proof.result() {
                        return End::Known(for_black(turn, result));
                    }
                }
            }
            if !budget.take(1) {
                return End::Spent;
            }
            place = select(tree, place, options, turn == tree.board.turn());
            let mv = tree.node(place).mv;
            self.now.play(mv);
            self.path.push(place);
            self.moves.push(mv);
        }
    }

    /// The result for Black of the present position, where it needs no simulation:
    /// it is proven, repeats one of the game or the path, or the game is too long.
    fn known_result(&self, proof: Proof) -> Option<f64> {
        let rules = self.judge.rules;
        if let Some(result) = proof.result() {
            return Some(for_black(self.now.board.turn(), result));
        }
        let repeats = rules.repetition > 0 && self.now.occurrences_before() > 0;
        (repeats || self.now.plies >= rules.max_plies).then_some(0.5)
    }

    /// Plays simulations from where the descent has ended; the results stand in
    /// their order, whatever the threads. Each may look at the same part of the
    /// positions that are left. Returns how many were played.
    pub(super) fn simulate(&mut self, batch: Batch, budget: &mut Budget) -> u32 {
        let batch = batch.within(budget);
        let most_nodes = budget.left() / u64::from(batch.count.max(1));
        let (judge, start, seed) = (self.judge, &self.now, self.seed);
        let run = |(n, simulation): (usize, &mut Simulation)| {
            let number = (seed, batch.first + n as u64);
            simulation.run(judge, start, number, most_nodes);
        };
        let simulations = &mut self.simulations[..batch.count as usize];
        match self.pool {
            Some(pool) => pool.install(|| simulations.par_iter_mut().enumerate().for_each(run)),
            None => simulations.iter_mut().enumerate().for_each(run),
        }
        budget.force(simulations.iter().map(Simulation::nodes).sum());
        batch.count
    }

    /// Tells the tree the results of `count` simulations.
    pub(super) fn back_up(&mut self, tree: &mut Tree, end: End, count: u32) {
        let first = tree.board.turn();
        let sum = match end {
            End::Spent => return,
            End::Known(result) => result * f64::from(count),
            End::Open => {
                let simulations = &self.simulations[..count as usize];
                if let Some(played) = &mut self.played {
                    for simulation in simulations {
                        played.add(tree, &self.path, &self.moves, first, simulation);
                    }
                }
                simulations.iter().map(|simulation| simulation.result).sum()
            }
        };
        back_up(tree, self.judge, &self.path, first, (count, sum));
    }

    /// Counts losses on the path, so that other threads look elsewhere.
    pub(super) fn add_virtual_loss(&self, tree: &mut Tree) {
        for &place in &self.path {
            tree.node_mut(place).visits += self.judge.options.virtual_loss;
        }
    }

    /// Takes them back.
    pub(super) fn remove_virtual_loss(&self, tree: &mut Tree) {
        for &place in &self.path {
            tree.node_mut(place).visits -= self.judge.options.virtual_loss;
        }
    }
}
