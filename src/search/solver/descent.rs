//! The recursion of df-pn: it goes down to the most promising leaf, stays there as
//! long as it is the most promising one, and comes back with better numbers.

use crate::board::{Board, Move, Side};
use crate::game::Rules;
use crate::search::context::StopFn;
use crate::search::value::{MAX_DEPTH, terminal_value};

use super::numbers::{INFINITE, Numbers};
use super::table::ProofTable;

/// Nodes between two polls of the stop condition.
const POLL_INTERVAL: u64 = 1024;

/// One question: does the attacker win?
pub(super) struct Descent<'a> {
    rules: &'a Rules,
    attacker: Side,
    table: &'a mut ProofTable,
    budget: u64,
    stop: StopFn<'a>,
    nodes: u64,
    stopped: bool,
    /// The keys of the positions above the present one.
    path: Vec<u64>,
}

/// A move and what is known of the position behind it.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub(super) mv: Move,
    pub(super) numbers: Numbers,
}

impl<'a> Descent<'a> {
    /// A question with a budget of nodes.
    pub(super) fn new(
        rules: &'a Rules,
        attacker: Side,
        table: &'a mut ProofTable,
        budget: u64,
        stop: StopFn<'a>,
    ) -> Descent<'a> {
        Descent {
            rules,
            attacker,
            table,
            budget,
            stop,
            nodes: 0,
            stopped: false,
            path: Vec::new(),
        }
    }

    /// Positions visited.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Works on `board` until it is decided or the budget is used up.
    pub(super) fn run(&mut self, board: &Board) -> Numbers {
        self.descend(board, INFINITE, INFINITE)
    }

    /// Tells which positions came before, so that they are not returned to.
    pub(super) fn set_path(&mut self, keys: &[u64]) {
        self.path.clear();
        self.path.extend_from_slice(keys);
    }

    /// The numbers of the positions after each move. Only for unfinished ones.
    pub(super) fn children(&self, board: &Board) -> Vec<Child> {
        let moves = board.moves();
        if moves.is_empty() {
            let next = board.pass();
            let numbers = self.look_up(next.key(), next.turn(), next.mobility(next.turn()));
            let mv = Move::PASS;
            return vec![Child { mv, numbers }];
        }
        let of = |&mv: &Move| {
            let next = board.after(mv);
            let numbers = match terminal_value(&next, self.rules, 0) {
                Some(value) => {
                    let attacks = next.turn() == self.attacker;
                    let attacker_wins = if attacks { value > 0 } else { value < 0 };
                    if attacker_wins == attacks {
                        Numbers::REACHED
                    } else {
                        Numbers::PREVENTED
                    }
                }
                None => self.look_up(next.key(), next.turn(), next.mobility(next.turn())),
            };
            Child { mv, numbers }
        };
        moves.iter().map(of).collect()
    }

    fn look_up(&self, key: u64, turn: Side, moves: u32) -> Numbers {
        // Who returns to where the game was before has not won; and no win is
        // looked for beyond the deepest search.
        if self.path.contains(&key) || self.path.len() >= MAX_DEPTH as usize {
            return if turn == self.attacker {
                Numbers::PREVENTED
            } else {
                Numbers::REACHED
            };
        }
        let stored = self.table.get(key ^ self.salt());
        stored.unwrap_or_else(|| Numbers::unknown(moves))
    }

    /// Keeps the numbers of the two questions apart.
    fn salt(&self) -> u64 {
        match self.attacker {
            Side::X => 0,
            Side::O => 0x5bd1_e995_9d1f_0a63,
        }
    }

    /// The numbers of an unfinished position, better than before: until `phi`
    /// or `delta` reaches its threshold.
    fn descend(&mut self, board: &Board, most_phi: u32, most_delta: u32) -> Numbers {
        self.nodes += 1;
        if self.nodes >= self.budget || (self.nodes.is_multiple_of(POLL_INTERVAL) && (self.stop)())
        {
            self.stopped = true;
        }
        let before = self.nodes;
        self.path.push(board.key());
        let mut children = self.children(board);
        let numbers = loop {
            let numbers = self.sum(board, &children);
            if numbers.phi >= most_phi || numbers.delta >= most_delta || self.stopped {
                break numbers;
            }
            let (best, second) = two_best(&children);
            let Child {
                mv,
                numbers: chosen,
            } = children[best];
            let phi = most_delta - numbers.delta + chosen.phi;
            // A little more than the second best, so that two equals are not
            // visited in turns.
            let delta = most_phi.min((second + second / 4).saturating_add(1));
            let next = if mv.is_pass() {
                board.pass()
            } else {
                board.play(mv)
            };
            children[best].numbers = self.descend(&next, phi.min(INFINITE), delta);
        };
        self.path.pop();
        let work = self.nodes - before + 1;
        self.table.put(board.key() ^ self.salt(), numbers, work);
        numbers
    }

    /// The numbers of a position from those of its children.
    fn sum(&self, board: &Board, children: &[Child]) -> Numbers {
        let attacks = board.turn() == self.attacker;
        let of = || children.iter().map(|child| child.numbers);
        let phi = of().map(|child| child.delta).min().unwrap_or(INFINITE);
        let delta = of().fold(0u32, |sum, child| {
            sum.saturating_add(child.phi).min(INFINITE)
        });
        let plies = if attacks && phi == 0 {
            let proved = of().filter(|child| child.delta == 0);
            proved.map(|child| child.plies).min().map_or(0, |n| n + 1)
        } else if !attacks && delta == 0 {
            of().map(|child| child.plies).max().map_or(0, |n| n + 1)
        } else {
            0
        };
        Numbers { phi, delta, plies }
    }
}

/// The place of the child that is easiest to prevent, and the number of the one
/// after it.
fn two_best(children: &[Child]) -> (usize, u32) {
    let (mut best, mut second) = (0, INFINITE);
    for (n, child) in children.iter().enumerate().skip(1) {
        let (now, least) = (child.numbers, children[best].numbers);
        if (now.delta, now.phi) < (least.delta, least.phi) {
            second = least.delta;
            best = n;
        } else {
            second = second.min(now.delta);
        }
    }
    (best, second)
}
