//! An algorithm with its weights and tables, and its iterative deepening.

use crate::board::{Board, Move, Side};
use crate::eval::{Evaluator, Weights, age_of};
use crate::game::Rules;

use super::alphabeta::alphabeta;
use super::context::{Context, StopFn};
use super::mcts::{Options as TreeOptions, Position, TreeSearch};
use super::minimax::minimax;
use super::mtdf::{RootResult, mtdf};
use super::negamax::negamax;
use super::ordering::Ordering;
use super::principal_variation::PvTable;
use super::selective::{Experience, Reductions, RootMoves, SelectiveSearch, Tuning, typical_step};
use super::table::Table;
use super::table_search::TableSearch;
use super::value::{self, INFINITY, MAX_DEPTH};
use super::{Algorithm, EngineVersion, Iteration, Limits, Report, SearchSetup};

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
/// let mut engine = Engine::new(Algorithm::Mtdf, &Weights::source(), Rules::default(), 256);
/// let limits = Limits { depth: Some(2), ..Limits::default() };
/// let board = Board::start();
/// let report = engine.search(&board, 0, limits, &|| false, &mut |_| {});
/// let best = report.best.expect("the game is not over");
/// assert!(board.is_legal(best));
/// assert_eq!((report.depth(), report.pv().len()), (2, 2));
/// ```
pub struct Engine {
    algorithm: Algorithm,
    version: EngineVersion,
    evaluator: Evaluator,
    rules: Rules,
    table: Table,
    ordering: Ordering,
    /// Only for [`Algorithm::Selective`].
    selective: Option<Box<SelectiveState>>,
    /// Only for [`Algorithm::Mcts`].
    tree_search: Option<Box<TreeSearch>>,
    /// The keys of the positions of the game that may come back, the present one
    /// not: see [`Engine::set_past`].
    past: Vec<u64>,
}

/// What a selective search keeps from one move to the next.
struct SelectiveState {
    tuning: Tuning,
    reductions: Reductions,
    step: i32,
    experience: Experience,
}

impl SelectiveState {
    fn new(tuning: Tuning, evaluator: &Evaluator) -> SelectiveState {
        SelectiveState {
            tuning,
            reductions: Reductions::new(&tuning),
            step: typical_step(evaluator),
            experience: Experience::new(),
        }
    }
}

impl Engine {
    /// An engine whose transposition table takes at most `table_kib` KiB. Its search
    /// is an [`Algorithm`] with the usual options or a [`SearchSetup`].
    pub fn new(
        search: impl Into<SearchSetup>,
        weights: &Weights,
        rules: Rules,
        table_kib: u32,
    ) -> Engine {
        let SearchSetup {
            algorithm,
            tuning,
            tree_options,
        } = search.into();
        let evaluator = Evaluator::new(weights);
        let selective = (algorithm == Algorithm::Selective)
            .then(|| Box::new(SelectiveState::new(tuning, &evaluator)));
        let tree_search = (algorithm == Algorithm::Mcts).then(|| {
            let step = typical_step(&evaluator);
            Box::new(TreeSearch::new(tree_options, step))
        });
        Engine {
            algorithm,
            version: EngineVersion::PRESENT,
            evaluator,
            rules,
            table: Table::new(table_kib),
            ordering: Ordering::new(),
            selective,
            tree_search,
            past: Vec::new(),
        }
    }

    /// The same engine with other options of the Monte-Carlo tree search; the
    /// other searches have none.
    #[must_use]
    pub fn with_tree_options(mut self, options: TreeOptions) -> Engine {
        if self.tree_search.is_some() {
            let step = typical_step(&self.evaluator);
            self.tree_search = Some(Box::new(TreeSearch::new(options, step)));
        }
        self
    }

    /// The same engine with other constants of the selective search; the exact
    /// ones have none.
    #[must_use]
    pub fn with_tuning(mut self, tuning: Tuning) -> Engine {
        if self.selective.is_some() {
            let state = SelectiveState::new(tuning, &self.evaluator);
            self.selective = Some(Box::new(state));
        }
        self
    }

    /// Tells which positions of the game may come back, by their keys, the
    /// oldest first and the present one left out. The exact searches do not ask.
    pub fn set_past(&mut self, keys: &[u64]) {
        self.past.clear();
        self.past.extend_from_slice(keys);
    }

    /// The same engine, which searches as this version did.
    #[must_use]
    pub fn with_version(mut self, version: EngineVersion) -> Engine {
        self.version = version;
        self
    }

    /// Clears the table and the move ordering, so that the next game is played
    /// as if it were the first.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.ordering.clear();
        self.past.clear();
        if let Some(state) = &mut self.selective {
            state.experience.clear();
        }
        if let Some(tree_search) = &mut self.tree_search {
            tree_search.clear();
        }
    }

    /// Takes other weights and clears everything learnt: the same as a new
    /// engine, but without allocating its tables again.
    pub fn set_weights(&mut self, weights: &Weights) {
        self.evaluator = Evaluator::new(weights);
        if let Some(state) = &mut self.selective {
            state.step = typical_step(&self.evaluator);
        }
        if let Some(tree_search) = &mut self.tree_search {
            tree_search.set_step(typical_step(&self.evaluator));
        }
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

    /// How full its transposition table or its tree is, in thousandths.
    pub fn table_permille(&self) -> u32 {
        let tree_search = self.tree_search.as_ref();
        tree_search.map_or_else(|| self.table.permille(), |search| search.permille())
    }

    /// Searches `board`, which `plies` plies of the game have led to. MTD(f)
    /// and the selective search deepen, because they need the shallower value as
    /// their first guess; the others go straight to the depth where one is given.
    /// `stop` is polled about every thousand nodes; `progress` is called after
    /// every finished depth.
    pub fn search(
        &mut self,
        board: &Board,
        plies: usize,
        limits: Limits,
        stop: StopFn<'_>,
        progress: &mut dyn FnMut(&Iteration),
    ) -> Report {
        let deepens = matches!(self.algorithm, Algorithm::Mtdf | Algorithm::Selective)
            || limits.depth.is_none();
        self.search_depths(deepens, board, plies, limits, stop, progress)
    }

    /// [`Engine::search`] by iterative deepening, whatever the algorithm: a
    /// search that may be cut short has a result of every finished depth.
    pub fn deepening_search(
        &mut self,
        board: &Board,
        plies: usize,
        limits: Limits,
        stop: StopFn<'_>,
        progress: &mut dyn FnMut(&Iteration),
    ) -> Report {
        self.search_depths(true, board, plies, limits, stop, progress)
    }

    fn search_depths(
        &mut self,
        deepens: bool,
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
        if let Some(tree_search) = &mut self.tree_search {
            let position = Position {
                board,
                plies,
                past: &self.past,
                age,
            };
            let judged_by = (&self.evaluator, &self.rules);
            return tree_search.search(judged_by, &position, limits, stop, progress);
        }
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let shallowest = if deepens { 1 } else { deepest };
        let mut context = Context::new(&self.evaluator, &self.rules, age, limits.nodes, stop);
        let mut selective = self.selective.as_deref_mut();
        if let Some(state) = &mut selective {
            state.experience.age(&state.tuning);
        }
        let mut roots = RootMoves::new(board);
        // Values of another age must not be taken for this one's.
        let salt = (age as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);

        let mut values = [0, 0];
        for depth in shallowest..=deepest {
            if depth == shallowest || self.version.ages_by_depth(self.algorithm, limits) {
                self.table.next_search();
                self.ordering.age();
            }
            let iteration = match self.algorithm {
                Algorithm::Minimax | Algorithm::Negamax | Algorithm::AlphaBeta => {
                    search_without_table(self.algorithm, &mut context, board, depth)
                }
                Algorithm::Memory | Algorithm::Mtdf => {
                    let mut table_search = TableSearch {
                        context: &mut context,
                        table: &mut self.table,
                        ordering: &mut self.ordering,
                        version: self.version,
                        salt,
                    };
                    // Values swing between odd and even depths, so the one two
                    // plies shallower is the better guess.
                    search_with_table(self.algorithm, &mut table_search, board, depth, values[0])
                }
                Algorithm::Selective => {
                    let state = selective
                        .as_deref_mut()
                        .expect("a selective engine has its state");
                    let mut search = SelectiveSearch {
                        context: &mut context,
                        table: &mut self.table,
                        experience: &mut state.experience,
                        tuning: &state.tuning,
                        reductions: &state.reductions,
                        step: state.step,
                        salt,
                        pv_table: PvTable::new(),
                        path: self.past.clone(),
                        root_depth: 0,
                    };
                    let guess = (depth > 1).then_some(values[1]);
                    search_selectively(&mut search, board, &mut roots, depth, guess)
                }
                Algorithm::Mcts => unreachable!("a tree search does not go by depths"),
            };
            let Some(iteration) = iteration else { break };
            values = [values[1], iteration.value];
            if depth == 1 {
                values[0] = iteration.value;
            }
            report.best = iteration.pv.first().copied().or(report.best);
            progress(&iteration);
            // A win or loss within the searched depth is exact: every deeper
            // search has the same value and the same best moves.
            let is_proven = value::is_proven(iteration.value, depth);
            report.iterations.push(iteration);
            if is_proven && self.version.ends_with_proof(self.algorithm, limits) {
                break;
            }
            // Small depths may end before the stop condition is polled.
            if depth < deepest && stop() {
                context.stopped = true;
                break;
            }
        }
        // An unfinished depth begins with the best move of the one before, so what
        // it has found since is better.
        if context.stopped {
            report.best = roots.unfinished.or(report.best);
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
        table_search.principal_variation(board, mv, result.value, depth)
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

fn search_selectively(
    search: &mut SelectiveSearch<'_, '_>,
    board: &Board,
    roots: &mut RootMoves,
    depth: u32,
    guess: Option<i32>,
) -> Option<Iteration> {
    roots.unfinished = None;
    let (value, passes) = search.root(board, roots, depth, guess)?;
    Some(Iteration {
        depth,
        value,
        pv: search.pv_table.best().to_vec(),
        nodes: search.context.nodes,
        passes,
        table_permille: Some(search.table.permille()),
    })
}
