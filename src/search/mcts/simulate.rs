//! One simulation: from a leaf of the tree to the end of the game, or to where the
//! evaluation judges it.

use crate::board::{Board, Move};
use crate::random::{Purpose, rng};

use super::budget::Budget;
use super::judge::{Judge, after, for_black};
use super::policy;

/// Plies between two looks at the margin that decides a simulation.
const MARGIN_INTERVAL: u32 = 3;

/// Where simulations begin.
pub(super) struct Start {
    pub(super) board: Board,
    /// Plies of the game to here.
    pub(super) plies: u32,
    /// The keys of the positions since the last capture, the present one not.
    pub(super) keys: Vec<u64>,
}

impl Start {
    /// Plays a move and keeps the keys.
    #[inline(always)]
    pub(super) fn play(&mut self, mv: Move) {
        if mv.is_capture() {
            self.keys.clear();
        } else {
            self.keys.push(self.board.key());
        }
        if mv.is_pass() {
            self.board = after(&self.board, mv);
        } else {
            self.board.make(mv);
        }
        self.plies += 1;
    }

    /// How often the present position was there before, since the last capture.
    #[inline(always)]
    pub(super) fn occurrences_before(&self) -> u32 {
        let key = self.board.key();
        self.keys.iter().map(|&other| u32::from(other == key)).sum()
    }

    /// Becomes a copy without taking memory anew.
    fn copy_from(&mut self, other: &Start) {
        self.board = other.board;
        self.plies = other.plies;
        self.keys.clear();
        self.keys.extend_from_slice(&other.keys);
    }
}

/// A simulation and the memory that it plays in.
pub(super) struct Simulation {
    now: Start,
    /// The result for Black.
    pub(super) result: f64,
    /// Its moves; only where they are asked for.
    pub(super) moves: Vec<Move>,
    budget: Budget,
}

impl Simulation {
    pub(super) fn new() -> Simulation {
        Simulation {
            now: Start {
                board: Board::start(),
                plies: 0,
                keys: Vec::with_capacity(256),
            },
            result: 0.5,
            moves: Vec::with_capacity(256),
            budget: Budget::new(0),
        }
    }

    /// Plays the simulation of this number, from an unfinished position. It
    /// depends on its start, the seed, its number and `most_nodes` alone, the
    /// positions that it may look at, at least one: it is judged early where they
    /// do not last.
    pub(super) fn run(
        &mut self,
        judge: &Judge<'_>,
        start: &Start,
        (seed, number): (u64, u64),
        most_nodes: u64,
    ) {
        self.now.copy_from(start);
        self.moves.clear();
        self.budget = Budget::new(most_nodes);
        let options = judge.options;
        let traced = options.rave > 0.0;
        // Beyond any game where it is infinite.
        let cutoff = options.cutoff as u32;
        let mut played = 0;
        if cutoff == 0 {
            self.judge(judge);
            return;
        }
        let mut rng = rng(seed, Purpose::Simulation(number));
        self.result = loop {
            // A ply takes a position, and so does the judgement after it.
            if played >= cutoff || self.budget.left() < 2 {
                return self.judge(judge);
            }
            let is_looked_at = judge.margin.is_finite() && played % MARGIN_INTERVAL == 0;
            if is_looked_at && self.budget.keeping(2, |budget| budget.take(1)) {
                let value = judge.value(&self.now.board);
                if f64::from(value.abs()) >= judge.margin {
                    let ahead = 0.5 + 0.5 * f64::from(value.signum());
                    break for_black(self.now.board.turn(), ahead);
                }
            }
            if self.now.plies >= judge.rules.max_plies {
                break 0.5;
            }
            let board = &self.now.board;
            let draw = |budget: &mut Budget| policy::draw(judge, board, &mut rng, budget);
            let mv = self.budget.keeping(2, draw);
            self.now.play(mv);
            self.budget.force(1);
            played += 1;
            if traced {
                self.moves.push(mv);
            }
            if let Some(result) = judge.result(&self.now.board) {
                break result;
            }
            let most = judge.rules.repetition;
            if most > 0 && self.now.occurrences_before() + 1 >= most {
                break 0.5;
            }
        };
    }

    /// Positions that were looked at.
    pub(super) fn nodes(&self) -> u64 {
        self.budget.used()
    }

    /// The result that the evaluation expects.
    fn judge(&mut self, judge: &Judge<'_>) {
        self.budget.force(1);
        let board = &self.now.board;
        let expected = judge.probability(judge.value(board));
        self.result = for_black(board.turn(), expected);
    }
}
