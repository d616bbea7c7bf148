//! The tree: nodes in one block of memory, the children of a node side by side.

use std::ops::Range;

use crate::board::{Board, Move};

use super::budget::Budget;
use super::classes::{Class, is_threatened};
use super::judge::{Judge, after, for_black};
use super::proof::Proof;

/// More than any sum of proof numbers.
pub(super) const INFINITE: u32 = 1 << 24;

/// A position, by the move that leads to it. Results and values are those of the
/// side that made this move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The sum of the results.
    pub(super) wins: f64,
    pub(super) visits: u32,
    /// All-moves-as-first games, and the sum of their results.
    pub(super) amaf_visits: f32,
    pub(super) amaf_wins: f32,
    /// The minimax value of the evaluations below, as a probability.
    pub(super) value: f32,
    /// Its own evaluation, as a probability.
    pub(super) prior: f32,
    /// What it takes to prove, and to disprove, that the side to move at the root
    /// wins.
    pub(super) proof_number: u32,
    pub(super) disproof_number: u32,
    first_child: u32,
    pub(super) mv: Move,
    children: u8,
    /// For the side to move in this position.
    pub(super) proof: Proof,
}

impl Node {
    fn new(mv: Move) -> Node {
        Node {
            wins: 0.0,
            visits: 0,
            amaf_visits: 0.0,
            amaf_wins: 0.0,
            value: 0.5,
            prior: 0.5,
            proof_number: 1,
            disproof_number: 1,
            first_child: 0,
            mv,
            children: 0,
            proof: Proof::Unknown,
        }
    }

    /// The mean of the results; `None` without a visit.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.visits > 0).then(|| self.wins / f64::from(self.visits))
    }

    pub(super) fn is_leaf(&self) -> bool {
        self.children == 0
    }
}

/// The tree of one search; node 0 is its root.
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The most nodes that it may have.
    capacity: usize,
    /// The position of the root.
    pub(super) board: Board,
    /// Plies of the game to the root.
    pub(super) plies: u32,
}

/// The root's place.
pub(super) const ROOT: usize = 0;

impl Tree {
    /// A tree of its root alone that takes at most so many bytes.
    pub(super) fn new(board: &Board, plies: u32, bytes: u64) -> Tree {
        let capacity = bytes / size_of::<Node>() as u64;
        Tree {
            nodes: vec![Node::new(Move::PASS)],
            capacity: usize::try_from(capacity).unwrap_or(usize::MAX).max(128),
            board: *board,
            plies,
        }
    }

    pub(super) fn node(&self, place: usize) -> &Node {
        &self.nodes[place]
    }

    pub(super) fn node_mut(&mut self, place: usize) -> &mut Node {
        &mut self.nodes[place]
    }

    pub(super) fn children_of(&self, place: usize) -> Range<usize> {
        let node = &self.nodes[place];
        let first = node.first_child as usize;
        first..first + usize::from(node.children)
    }

    pub(super) fn children(&self, place: usize) -> &[Node] {
        &self.nodes[self.children_of(place)]
    }

    pub(super) fn children_mut(&mut self, place: usize) -> &mut [Node] {
        let children = self.children_of(place);
        &mut self.nodes[children]
    }

    /// How much of its memory is used, in thousandths.
    pub(super) fn permille(&self) -> u32 {
        (self.nodes.len() * 1000 / self.capacity) as u32
    }

    /// Puts the moves of a leaf into the tree; `board` is its unfinished position.
    /// Returns whether there was room for them in the tree and in the budget. The
    /// moves of the root are always looked at, because one of them is to be played.
    pub(super) fn expand(
        &mut self,
        place: usize,
        board: &Board,
        judge: &Judge<'_>,
        budget: &mut Budget,
    ) -> bool {
        let mut moves = board.moves().to_vec();
        if moves.is_empty() {
            moves.push(Move::PASS);
        }
        if self.nodes.len() + moves.len() > self.capacity {
            return false;
        }
        let positions = moves.len() as u64;
        if place == ROOT {
            budget.force(positions);
        } else if !budget.take(positions) {
            return false;
        }
        let options = judge.options;
        let evaluated = options.alpha > 0.0 || options.bias > 0.0 || options.widening > 0.0;
        let first = self.nodes.len();
        let terms = judge.evaluator.parent_terms(board, judge.age);
        let of_root = board.turn() == self.board.turn();
        for &mv in &moves {
            let mut node = Node::new(mv);
            let next = if mv.is_pass() {
                Err(*board.pass().snapshot())
            } else if evaluated {
                judge.value_after(&terms, board, mv)
            } else {
                Err(board.after(mv))
            };
            match next {
                Ok(value) => node.prior = 1.0 - judge.probability(value) as f32,
                Err(now) => match judge.result(&now) {
                    Some(result) => node.finish(for_black(board.turn(), result), of_root),
                    None if evaluated => {
                        let value = judge.value(&after(board, mv));
                        node.prior = 1.0 - judge.probability(value) as f32;
                    }
                    None => {}
                },
            }
            node.value = node.prior;
            self.nodes.push(node);
        }
        if options.rave > 0.0 {
            self.give_virtual_games(first, board, judge);
        }
        if options.widening > 0.0 {
            // Stable, so that equals stay in the order of the moves.
            self.nodes[first..].sort_by(|a, b| b.prior.total_cmp(&a.prior));
        }
        let node = &mut self.nodes[place];
        node.first_child = first as u32;
        node.children = moves.len() as u8;
        true
    }

    /// Gives the new nodes from `first` the all-moves-as-first games of their
    /// moves' classes.
    fn give_virtual_games(&mut self, first: usize, board: &Board, judge: &Judge<'_>) {
        let options = judge.options;
        let all = [
            options.virtual_block,
            options.virtual_connect,
            options.virtual_break,
            options.virtual_other,
        ];
        if all == [0.0; 4] {
            return;
        }
        let threatened = options.virtual_block != 0.0 && is_threatened(judge, board);
        for node in &mut self.nodes[first..] {
            if !node.mv.is_pass() {
                let class = Class::of(judge, board, node.mv, threatened);
                let games = class.virtual_games(options) as f32;
                node.amaf_visits = games.abs();
                node.amaf_wins = games.max(0.0);
            }
        }
    }

    /// The part of the tree below `place` as a tree of its own, whose root is
    /// `board`.
    pub(super) fn subtree(&self, place: usize, board: &Board, plies: u32) -> Tree {
        let mut nodes = vec![self.nodes[place]];
        let mut next = 0;
        // Breadth first: the children of a node stay side by side.
        while next < nodes.len() {
            let node = nodes[next];
            let first = node.first_child as usize;
            let children = first..first + usize::from(node.children);
            nodes[next].first_child = nodes.len() as u32;
            nodes.extend_from_slice(&self.nodes[children]);
            next += 1;
        }
        Tree {
            nodes,
            capacity: self.capacity,
            board: *board,
            plies,
        }
    }
}

impl Node {
    /// Marks it as a finished game with this result for the side that moved.
    /// `of_root` says whether that is the side to move at the root.
    fn finish(&mut self, result: f64, of_root: bool) {
        self.prior = result as f32;
        self.proof = if result > 0.5 {
            Proof::Loss(0)
        } else if result < 0.5 {
            Proof::Win(0)
        } else {
            Proof::Draw
        };
        let proved = if of_root { result > 0.5 } else { result < 0.5 };
        (self.proof_number, self.disproof_number) =
            if proved { (0, INFINITE) } else { (INFINITE, 0) };
    }
}
