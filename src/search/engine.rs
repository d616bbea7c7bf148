//! An algorithm with its weights and tables, and its iterative deepening.

use crate::board::{Board, Move, Side};
use crate::eval::{Evaluator, Weights, age_of};
use crate::game::Rules;

use super::alphabeta::alphabeta;
use super::context::{Context, StopFn};
use super::minimax::minimax;
use super::mtdf::{RootResult, mtdf};
use super::negamax::negamax;
use super::ordering::Ordering;
use super::principal_variation::PvTable;
use super::table::Table;
use super::table_search::TableSearch;
use super::value::{self, INFINITY, MAX_DEPTH};
use super::{Algorithm, Iteration, Limits, Report};

/// An algorithm with its weights and tables, ready to search.
///
/// # Examples
///
/// ```
/// use loatune::board::Board;
/// use loatune::eval::Weights;
/// use loatune::game::Rules;
/// use loatune::search::{Algorithm, Engine, Limits};
///
/// let mut engine = Engine::new(Algorithm::Mtdf, &Weights::default(), Rules::default(), 256);
/// let limits = Limits { depth: Some(2), nodes: None };
/// let board = Board::start();
/// let report = engine.search(&board, 0, limits, &|| false, &mut |_| {});
/// let best = report.best.expect("the game is not over");
/// assert!(board.is_legal(best));
/// assert_eq!((report.depth(), report.pv().len()), (2, 2));
/// ```
pub struct Engine {
    algorithm: Algorithm,
    evaluator: Evaluator,
    rules: Rules,
    table: Table,
    ordering: Ordering,
}

impl Engine {
    /// An engine whose transposition table takes at most `table_kib` KiB.
    pub fn new(algorithm: Algorithm, weights: &Weights, rules: Rules, table_kib: u32) -> Engine {
        Engine {
            algorithm,
            evaluator: Evaluator::new(weights),
            rules,
            table: Table::new(table_kib),
            ordering: Ordering::new(),
        }
    }

    /// Clears the table and the move ordering, so that the next game is played
    /// as if it were the first.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.ordering.clear();
    }

    /// Takes other weights and clears everything learnt: the same as a new
    /// engine, but without allocating its tables again.
    pub fn set_weights(&mut self, weights: &Weights) {
        self.evaluator = Evaluator::new(weights);
        self.new_game();
    }

    /// The evaluation that its leaves are valued with.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// The algorithm it searches with.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// How full its transposition table is, in thousandths.
    pub fn table_permille(&self) -> u32 {
        self.table.permille()
    }

    /// Searches `board`, which `plies` plies of the game have led to. `stop` is
    /// polled about every thousand nodes; `progress` is called after every
    /// finished depth.
    pub fn search(
        &mut self,
        board: &Board,
        plies: usize,
        limits: Limits,
        stop: StopFn<'_>,
        progress: &mut dyn FnMut(&Iteration),
    ) -> Report {
        let mut report = Report::default();
        if value::terminal_value(board, &self.rules, 0).is_some() {
            return report;
        }
        report.best = Some(board.moves().first().copied().unwrap_or(Move::PASS));
        let age = if self.evaluator.has_phases() {
            age_of(plies)
        } else {
            0
        };
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        // Iterative deepening: MTD(f) needs the shallower value as its first
        // guess; the others deepen only where no depth is given.
        let deepens = self.algorithm == Algorithm::Mtdf || limits.depth.is_none();
        let mut context = Context::new(&self.evaluator, &self.rules, age, limits.nodes, stop);
        self.table.next_search();
        self.ordering.age();

        let mut values = [0, 0];
        for depth in if deepens { 1 } else { deepest }..=deepest {
            let iteration = match self.algorithm {
                Algorithm::Minimax | Algorithm::Negamax | Algorithm::AlphaBeta => {
                    search_without_table(self.algorithm, &mut context, board, depth)
                }
                Algorithm::Memory | Algorithm::Mtdf => {
                    let mut table_search = TableSearch {
                        context: &mut context,
                        table: &mut self.table,
                        ordering: &mut self.ordering,
                        // Values of another age must not be taken for this one's.
                        salt: (age as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
                    };
                    // Values swing between odd and even depths, so the one two
                    // plies shallower is the better guess.
                    search_with_table(self.algorithm, &mut table_search, board, depth, values[0])
                }
            };
            let Some(iteration) = iteration else { break };
            values = [values[1], iteration.value];
            if depth == 1 {
                values[0] = iteration.value;
            }
            report.best = iteration.pv.first().copied().or(report.best);
            progress(&iteration);
            let decided = value::plies_to_end(iteration.value);
            report.iterations.push(iteration);
            // A win or loss within the searched depth is exact.
            if limits.depth.is_none() && decided.is_some_and(|plies| plies <= depth) {
                break;
            }
        }
        report.nodes = context.nodes;
        report.stopped = context.stopped;
        report
    }
}

fn search_without_table(
    algorithm: Algorithm,
    context: &mut Context<'_>,
    board: &Board,
    depth: u32,
) -> Option<Iteration> {
    let mut pv_table = PvTable::new();
    let value = match algorithm {
        Algorithm::Minimax => {
            let for_black = minimax(context, &mut pv_table, board, depth, 0);
            if board.turn() == Side::X {
                for_black
            } else {
                -for_black
            }
        }
        Algorithm::Negamax => negamax(context, &mut pv_table, board, depth, 0),
        _ => alphabeta(
            context,
            &mut pv_table,
            board,
            (-INFINITY, INFINITY),
            depth,
            0,
        ),
    };
    let pv = pv_table.best().to_vec();
    (!context.stopped).then_some(Iteration {
        depth,
        value,
        pv,
        nodes: context.nodes,
        passes: 1,
        table_permille: None,
    })
}

fn search_with_table(
    algorithm: Algorithm,
    table_search: &mut TableSearch<'_, '_>,
    board: &Board,
    depth: u32,
    guess: i32,
) -> Option<Iteration> {
    let result = if algorithm == Algorithm::Mtdf {
        mtdf(table_search, board, depth, guess)?
    } else {
        let (mv, value) = table_search.root(board, (-INFINITY, INFINITY), depth);
        if table_search.context.stopped {
            return None;
        }
        RootResult {
            mv,
            value,
            passes: 1,
        }
    };
    let pv = result.mv.map_or_else(Vec::new, |mv| {
        table_search.principal_variation(board, mv, depth)
    });
    let nodes = table_search.context.nodes;
    Some(Iteration {
        depth,
        value: result.value,
        pv,
        nodes,
        passes: result.passes,
        table_permille: Some(table_search.table.permille()),
    })
}
