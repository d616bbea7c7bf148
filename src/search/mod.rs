//! The searches: five players, each exact, each faster than the one before.
//!
//! `minimax`, `negamax`, `alphabeta`, `memory` and `mtdf` return the same value
//! for the same position, depth and weights. A search knows positions and an
//! evaluation; it asks no clock (whoever wants a time limit gives it a question
//! to ask) and no random number.

mod alphabeta;
mod context;
mod minimax;
mod mtdf;
mod negamax;
mod ordering;
mod principal_variation;
pub mod signature;
mod table;
mod table_search;
pub mod timed_search;
pub mod value;

use std::fmt;
use std::str::FromStr;

pub use context::StopFn;
pub use table::Table;

use crate::board::{Board, Move, Side};
use crate::eval::{Evaluator, Weights, age_of};
use crate::game::Rules;

use context::Context;
use ordering::Ordering;
use principal_variation::Lines;
use table_search::Memory;
use value::{INFINITY, MAX_DEPTH};

/// The five levels of the source document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Looks at everything; Black maximises, White minimises.
    Minimax,
    /// The same with one rule for both sides.
    Negamax,
    /// Leaves out what cannot matter.
    AlphaBeta,
    /// Alpha-beta with a transposition table.
    Memory,
    /// Empty-window searches that close in on the value.
    Mtdf,
}

impl Algorithm {
    /// All players, in the order of the levels 1 to 5.
    pub const ALL: [Algorithm; 5] = [
        Algorithm::Minimax,
        Algorithm::Negamax,
        Algorithm::AlphaBeta,
        Algorithm::Memory,
        Algorithm::Mtdf,
    ];

    /// The name that every command takes.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Minimax => "minimax",
            Algorithm::Negamax => "negamax",
            Algorithm::AlphaBeta => "alphabeta",
            Algorithm::Memory => "memory",
            Algorithm::Mtdf => "mtdf",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(text: &str) -> Result<Algorithm, UnknownAlgorithm> {
        let found = Algorithm::ALL
            .into_iter()
            .find(|player| player.name() == text);
        found.ok_or_else(|| UnknownAlgorithm(text.to_owned()))
    }
}

/// A name that is no player's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown player `{}`; one of minimax, negamax, alphabeta, memory, mtdf", .0.escape_debug())]
pub struct UnknownAlgorithm(pub String);

/// Where a search ends. The first limit that is reached counts; without any it
/// ends when it is stopped, at the deepest depth, or when the game is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
}

/// One finished depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Plies searched.
    pub depth: u32,
    /// The value for the side to move.
    pub value: i32,
    /// The best line, its first move the one to play.
    pub pv: Vec<Move>,
    /// Positions visited since the search began.
    pub nodes: u64,
    /// Empty-window searches of this depth; 1 where the search has no such.
    pub passes: u32,
    /// How full the table is, in thousandths; `None` where there is none.
    pub table_permille: Option<u32>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Every finished depth; the last one is the result.
    pub iterations: Vec<Iteration>,
    /// The move to play: the last finished depth's, or some legal move where
    /// not even the first was finished; `None` if the game is over.
    pub best: Option<Move>,
    /// Positions visited, those of an unfinished depth included.
    pub nodes: u64,
    /// Whether it was stopped before its depth.
    pub stopped: bool,
}

impl Report {
    /// The value of the last finished depth; 0 without one.
    pub fn value(&self) -> i32 {
        self.iterations.last().map_or(0, |last| last.value)
    }

    /// The last finished depth; 0 without one.
    pub fn depth(&self) -> u32 {
        self.iterations.last().map_or(0, |last| last.depth)
    }

    /// The best line of the last finished depth.
    pub fn pv(&self) -> &[Move] {
        self.iterations.last().map_or(&[], |last| &last.pv)
    }
}

/// A player with its weights and memory, ready to search.
pub struct Engine {
    player: Algorithm,
    evaluator: Evaluator,
    rules: Rules,
    table: Table,
    ordering: Ordering,
}

impl Engine {
    /// A player; `table_kib` is the memory of its transposition table.
    pub fn new(player: Algorithm, weights: &Weights, rules: Rules, table_kib: u32) -> Engine {
        Engine {
            player,
            evaluator: Evaluator::new(weights),
            rules,
            table: Table::new(table_kib),
            ordering: Ordering::new(),
        }
    }

    /// Forgets all earlier positions, so that the next game is played as if it
    /// were the first.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.ordering.clear();
    }

    /// Becomes another player of the same kind: as if it were made anew, with
    /// the memory it has.
    pub fn become_player(&mut self, weights: &Weights) {
        self.evaluator = Evaluator::new(weights);
        self.new_game();
    }

    /// Its evaluation.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// Which player it is.
    pub fn player(&self) -> Algorithm {
        self.player
    }

    /// How full its table is, in thousandths.
    pub fn table_permille(&self) -> u32 {
        self.table.permille()
    }

    /// Searches `board`, which `plies` plies of the game have led to. `stop` is
    /// asked about every thousand nodes; `finished` hears of every depth.
    pub fn search(
        &mut self,
        board: &Board,
        plies: usize,
        limits: Limits,
        stop: StopFn<'_>,
        finished: &mut dyn FnMut(&Iteration),
    ) -> Report {
        let mut report = Report::default();
        if value::finished(board, &self.rules, 0).is_some() {
            return report;
        }
        report.best = Some(board.moves().first().copied().unwrap_or(Move::PASS));
        let age = if self.evaluator.has_phases() {
            age_of(plies)
        } else {
            0
        };
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        // Only MTD(f) gains from the shallower depths; the others go there
        // only where nothing else says how deep.
        let deepens = self.player == Algorithm::Mtdf || limits.depth.is_none();
        let mut context = Context::new(&self.evaluator, &self.rules, age, limits.nodes, stop);
        self.table.next_search();
        self.ordering.age();

        let mut values = [0, 0];
        for depth in if deepens { 1 } else { deepest }..=deepest {
            let iteration = match self.player {
                Algorithm::Minimax | Algorithm::Negamax | Algorithm::AlphaBeta => {
                    plain(self.player, &mut context, board, depth)
                }
                Algorithm::Memory | Algorithm::Mtdf => {
                    let mut memory = Memory {
                        context: &mut context,
                        table: &mut self.table,
                        ordering: &mut self.ordering,
                        // Values of another age must not be taken for this one's.
                        salt: (age as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
                    };
                    // Values swing between odd and even depths, so the one two
                    // plies shallower is the better guess.
                    with_table(self.player, &mut memory, board, depth, values[0])
                }
            };
            let Some(iteration) = iteration else { break };
            values = [values[1], iteration.value];
            if depth == 1 {
                values[0] = iteration.value;
            }
            report.best = iteration.pv.first().copied().or(report.best);
            finished(&iteration);
            let decided = value::plies_to_end(iteration.value);
            report.iterations.push(iteration);
            // A win or loss within the depth searched will not change.
            if limits.depth.is_none() && decided.is_some_and(|plies| plies <= depth) {
                break;
            }
        }
        report.nodes = context.nodes;
        report.stopped = context.stopped;
        report
    }
}

fn plain(
    player: Algorithm,
    context: &mut Context<'_>,
    board: &Board,
    depth: u32,
) -> Option<Iteration> {
    let mut lines = Lines::new();
    let value = match player {
        Algorithm::Minimax => {
            let for_black = minimax::minimax(context, &mut lines, board, depth, 0);
            if board.turn() == Side::X {
                for_black
            } else {
                -for_black
            }
        }
        Algorithm::Negamax => negamax::negamax(context, &mut lines, board, depth, 0),
        _ => alphabeta::alphabeta(context, &mut lines, board, (-INFINITY, INFINITY), depth, 0),
    };
    let pv = lines.best().to_vec();
    (!context.stopped).then_some(Iteration {
        depth,
        value,
        pv,
        nodes: context.nodes,
        passes: 1,
        table_permille: None,
    })
}

fn with_table(
    player: Algorithm,
    memory: &mut Memory<'_, '_>,
    board: &Board,
    depth: u32,
    guess: i32,
) -> Option<Iteration> {
    let found = if player == Algorithm::Mtdf {
        mtdf::mtdf(memory, board, depth, guess)?
    } else {
        let (mv, value) = memory.root(board, (-INFINITY, INFINITY), depth);
        if memory.context.stopped {
            return None;
        }
        mtdf::Found {
            mv,
            value,
            passes: 1,
        }
    };
    let pv = found
        .mv
        .map_or_else(Vec::new, |mv| memory.line(board, mv, depth));
    let nodes = memory.context.nodes;
    Some(Iteration {
        depth,
        value: found.value,
        pv,
        nodes,
        passes: found.passes,
        table_permille: Some(memory.table.permille()),
    })
}
