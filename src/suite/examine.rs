//! A position with every move proved.
//!
//! Each move is looked at by exhaustive search up to the horizon, for a win of
//! either side, and beyond it by proof-number search with a budget. What follows
//! from the moves is the fate of the position. The same position, rules and
//! settings give the same result and the same count of nodes everywhere.

use super::fate::{Fate, Judgement, Proof};
use crate::board::{Board, Move, Side};
use crate::game::{Rules, Winner, terminal_outcome};
use crate::search::StopFn;
use crate::search::solver::exhaustive::Exhaustive;
use crate::search::solver::{Verdict, solve};

/// The memory of the solver's table, in KiB.
const TABLE_KIB: u32 = 1024;

/// How much is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofSettings {
    /// Plies up to which every line is looked at.
    pub horizon: u32,
    /// Positions that the solver may visit behind each move.
    pub solver_nodes: u64,
}

impl ProofSettings {
    /// Allowed horizons. Two more plies take about a hundred times as long.
    pub const HORIZONS: std::ops::RangeInclusive<u32> = 2..=11;
}

impl Default for ProofSettings {
    fn default() -> ProofSettings {
        ProofSettings {
            horizon: 7,
            solver_nodes: 10_000,
        }
    }
}

/// A position with every move proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// Every legal move, and what becomes of the side that plays it.
    pub moves: Vec<(Move, Judgement)>,
    /// What becomes of it with the best move.
    pub before: Judgement,
    /// Positions visited.
    pub nodes: u64,
}

/// Proves every move of an unfinished position; `None` where `stop` ended it, or
/// where there is no legal move to choose.
pub fn examine(
    board: &Board,
    rules: &Rules,
    settings: &ProofSettings,
    stop: StopFn<'_>,
) -> Option<Examined> {
    let mut examiner = Examiner {
        rules,
        settings,
        stop,
        searches: Side::BOTH.map(|attacker| Exhaustive::new(rules, attacker, stop)),
        solver_nodes: 0,
    };
    let mut moves = Vec::new();
    for &mv in board.moves().iter() {
        moves.push((mv, examiner.judge(board, mv)?));
    }
    let before = best(moves.iter().map(|(_, judgement)| *judgement))?;
    let searched: u64 = examiner.searches.iter().map(Exhaustive::nodes).sum();
    Some(Examined {
        moves,
        before,
        nodes: searched + examiner.solver_nodes,
    })
}

impl Examined {
    /// What becomes of the side that plays this move.
    pub fn after(&self, mv: Move) -> Option<Judgement> {
        let found = self.moves.iter().find(|(other, _)| *other == mv);
        found.map(|(_, judgement)| *judgement)
    }

    /// Whether a move keeps what the position offers: a win that was proved, the
    /// draw where all else loses, or no proved loss where nothing is decided.
    pub fn keeps(&self, judgement: Judgement) -> bool {
        match self.before.fate {
            Fate::Win | Fate::Draw | Fate::Loss => judgement.fate == self.before.fate,
            Fate::Open => judgement.fate != Fate::Loss,
        }
    }

    /// The moves that keep what the position offers.
    pub fn right_moves(&self) -> Vec<Move> {
        let right = self.moves.iter().filter(|(_, found)| self.keeps(*found));
        right.map(|(mv, _)| *mv).collect()
    }

    /// Moves with this fate.
    pub fn count(&self, fate: Fate) -> usize {
        let same = self.moves.iter().filter(|(_, found)| found.fate == fate);
        same.count()
    }

    /// Whether the right moves are beyond doubt. A win within the horizon leaves
    /// none: no other move wins as soon as that. Where the win lies beyond it, an
    /// open move might win as well.
    pub fn is_exact(&self) -> bool {
        let within = self.before.proof == Proof::Exhaustive;
        self.before.fate != Fate::Win || within || self.count(Fate::Open) == 0
    }
}

struct Examiner<'a> {
    rules: &'a Rules,
    settings: &'a ProofSettings,
    stop: StopFn<'a>,
    /// Does Black win? Does White?
    searches: [Exhaustive<'a>; 2],
    solver_nodes: u64,
}

impl Examiner<'_> {
    fn judge(&mut self, board: &Board, mv: Move) -> Option<Judgement> {
        let own = board.turn();
        let next = board.play(mv);
        let fate_of = |winner: Side| if winner == own { Fate::Win } else { Fate::Loss };
        let proved = |fate, plies| Judgement {
            fate,
            plies,
            proof: Proof::Exhaustive,
        };
        if let Some(outcome) = terminal_outcome(&next, self.rules) {
            let fate = match outcome.winner {
                Winner::Side(side) => fate_of(side),
                Winner::Draw => Fate::Draw,
            };
            return Some(proved(fate, 1));
        }
        let most = self.settings.horizon - 1;
        for winner in [!own, own] {
            let found = self.searches[winner.index()].shortest_win(&next, most)?;
            if let Some(plies) = found {
                return Some(proved(fate_of(winner), plies + 1));
            }
        }
        let budget = Some(self.settings.solver_nodes);
        let found = solve(&next, self.rules, budget, TABLE_KIB, self.stop);
        self.solver_nodes += found.nodes;
        if (self.stop)() {
            return None;
        }
        Some(match found.verdict {
            Verdict::Wins(winner) => Judgement {
                fate: fate_of(winner),
                plies: found.plies.unwrap_or(0) + 1,
                proof: Proof::Solver,
            },
            Verdict::Over | Verdict::Unknown => proved(Fate::Open, self.settings.horizon),
        })
    }
}

/// What the best of some moves leads to: the soonest win, else what is open, else
/// a draw, else the loss that is farthest away.
fn best(moves: impl Iterator<Item = Judgement>) -> Option<Judgement> {
    moves.min_by_key(|judgement| {
        let plies = i64::from(judgement.plies);
        // A proof within the horizon comes before one beyond it.
        let beyond = judgement.proof == Proof::Solver;
        match judgement.fate {
            Fate::Win => (0, beyond, plies),
            Fate::Open => (1, beyond, plies),
            Fate::Draw => (2, beyond, plies),
            Fate::Loss => (3, !beyond, -plies),
        }
    })
}
