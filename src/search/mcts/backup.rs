//! Backpropagation: what a simulation teaches the nodes on its path. Results,
//! all-moves-as-first results, minimax values, proofs and proof numbers.

use crate::board::{Move, Side};

use super::judge::{Judge, for_black};
use super::proof::Proof;
use super::simulate::Simulation;
use super::tree::{INFINITE, Tree};

/// Adds `visits` visits whose results, for Black, have this sum. `first` is the
/// side to move at the path's root.
pub(super) fn add_results(tree: &mut Tree, path: &[usize], first: Side, visits: u32, sum: f64) {
    // The root's statistics are those of the side that does not move there.
    let mut mover = !first;
    for &place in path {
        let node = tree.node_mut(place);
        node.visits += visits;
        node.wins += match mover {
            Side::X => sum,
            Side::O => f64::from(visits) - sum,
        };
        mover = !mover;
    }
}

/// The first-occurrence table of all-moves-as-first: which moves each side has
/// played after some ply of the present simulation.
pub(super) struct Played {
    stamps: Vec<u32>,
    now: u32,
}

impl Played {
    pub(super) fn new() -> Played {
        Played {
            stamps: vec![0; 2 * 4096],
            now: 0,
        }
    }

    fn place(side: Side, mv: Move) -> usize {
        side.index() << 12 | mv.from().index() << 6 | mv.to().index()
    }

    /// Adds the all-moves-as-first result of a simulation, whose moves in the tree
    /// led along `path`.
    pub(super) fn add(
        &mut self,
        tree: &mut Tree,
        path: &[usize],
        in_tree: &[Move],
        first: Side,
        simulation: &Simulation,
    ) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.stamps.fill(0);
            self.now = 1;
        }
        let side_at = |ply: usize| if ply.is_multiple_of(2) { first } else { !first };
        for (n, &mv) in simulation.moves.iter().enumerate() {
            let side = side_at(in_tree.len() + n);
            self.stamps[Played::place(side, mv)] = self.now;
        }
        for ply in (0..path.len()).rev() {
            let side = side_at(ply);
            if let Some(&mv) = in_tree.get(ply) {
                self.stamps[Played::place(side, mv)] = self.now;
            }
            let result = for_black(side, simulation.result) as f32;
            for child in tree.children_mut(path[ply]) {
                if self.stamps[Played::place(side, child.mv)] == self.now {
                    child.amaf_visits += 1.0;
                    child.amaf_wins += result;
                }
            }
        }
    }
}

/// Carries minimax values up the path, as far as they change.
pub(super) fn back_up_values(tree: &mut Tree, path: &[usize]) {
    for &place in path.iter().rev() {
        if tree.node(place).is_leaf() {
            continue;
        }
        let best = tree
            .children(place)
            .iter()
            .fold(0f32, |best, child| best.max(child.value));
        let value = 1.0 - best;
        if tree.node(place).value == value {
            return;
        }
        tree.node_mut(place).value = value;
    }
}

/// Carries proofs up the path, as far as they go.
pub(super) fn back_up_proofs(tree: &mut Tree, path: &[usize]) {
    for &place in path.iter().rev() {
        if tree.node(place).is_leaf() || tree.node(place).proof.is_known() {
            continue;
        }
        let proof = Proof::from_children(tree.children(place).iter().map(|child| child.proof));
        if !proof.is_known() {
            return;
        }
        tree.node_mut(place).proof = proof;
    }
}

/// Carries proof numbers up the path. They count what it takes to prove that the
/// side to move at the root wins.
pub(super) fn back_up_proof_numbers(tree: &mut Tree, path: &[usize]) {
    for (ply, &place) in path.iter().enumerate().rev() {
        if tree.node(place).is_leaf() {
            continue;
        }
        let children = tree.children(place);
        let sum = |number: u32, more: u32| number.saturating_add(more).min(INFINITE);
        let proofs = children.iter().map(|child| child.proof_number);
        let disproofs = children.iter().map(|child| child.disproof_number);
        let (proof, disproof) = if ply.is_multiple_of(2) {
            (proofs.min().unwrap_or(INFINITE), disproofs.fold(0, sum))
        } else {
            (proofs.fold(0, sum), disproofs.min().unwrap_or(INFINITE))
        };
        let node = tree.node_mut(place);
        node.proof_number = proof;
        node.disproof_number = disproof;
    }
}

/// All that a batch of simulations from one leaf teaches.
pub(super) fn back_up(
    tree: &mut Tree,
    judge: &Judge<'_>,
    path: &[usize],
    first: Side,
    (visits, sum): (u32, f64),
) {
    let options = judge.options;
    add_results(tree, path, first, visits, sum);
    if options.alpha > 0.0 {
        back_up_values(tree, path);
    }
    if options.solver != 0 {
        back_up_proofs(tree, path);
    }
    if options.proof > 0.0 {
        back_up_proof_numbers(tree, path);
    }
}
