//! Level 4: alpha-beta with a transposition table, move ordering and enhanced
//! transposition cutoffs (ETC). MTD(f) is a driver around this.
//!
//! The value of a position at a depth is the same as minimax's: only entries
//! of exactly that depth are used, nothing is reduced or extended.

use multiversion::multiversion;

use crate::board::{Board, Move, MoveList, Side, Snapshot};
use crate::eval::{LeafValue, ParentTerms};

use super::context::Context;
use super::ordering::Ordering;
use super::table::{Table, TableEntry};
use super::value::{INFINITY, is_proven, plies_to_end};
use super::version::EngineVersion;

/// The least depth of enhanced transposition cutoffs: below it, looking up all
/// children costs more than it saves.
const ETC_DEPTH: u32 = 4;

/// Fail-soft alpha-beta over one transposition table.
pub(super) struct TableSearch<'a, 'c> {
    pub(super) context: &'a mut Context<'c>,
    pub(super) table: &'a mut Table,
    pub(super) ordering: &'a mut Ordering,
    pub(super) version: EngineVersion,
    /// Mixed into every key, so that values of different ages do not meet: see
    /// [`super::Engine`].
    pub(super) salt: u64,
}

impl TableSearch<'_, '_> {
    /// The best move and the value of an unfinished position at the root: exact
    /// if it lies between `alpha` and `beta`, else a bound. The move is `None`
    /// where no move is known to reach more than `alpha`.
    pub(super) fn root(
        &mut self,
        board: &Board,
        window: (i32, i32),
        depth: u32,
    ) -> (Option<Move>, i32) {
        self.context.count(1);
        let entry = self.table.probe(board.key() ^ self.salt, 0);
        self.search_moves(board, window, depth, 0, entry)
    }

    /// The value of an unfinished position `depth` ≥ 1 plies deep, fail-soft.
    fn search(
        &mut self,
        board: &Board,
        (mut alpha, mut beta): (i32, i32),
        depth: u32,
        ply: u32,
    ) -> i32 {
        self.context.count(1);
        if self.context.stopped {
            return 0;
        }

        // Step 1: the bounds of the transposition table.
        let entry = self.table.probe(board.key() ^ self.salt, ply);
        if let Some(entry) = entry
            && entry.depth == depth
        {
            if entry.lower >= beta || entry.lower == entry.upper {
                return entry.lower;
            }
            if entry.upper <= alpha {
                return entry.upper;
            }
            alpha = alpha.max(entry.lower);
            beta = beta.min(entry.upper);
        }
        self.search_moves(board, (alpha, beta), depth, ply, entry).1
    }

    fn search_moves(
        &mut self,
        board: &Board,
        (alpha, beta): (i32, i32),
        depth: u32,
        ply: u32,
        entry: Option<TableEntry>,
    ) -> (Option<Move>, i32) {
        // Step 2: the pass of a side without a move.
        if board.mobility(board.turn()) == 0 {
            let value = -self.child(&board.pass(), (-beta, -alpha), depth - 1, ply + 1);
            return (Some(Move::PASS), value);
        }

        let first = entry.and_then(|entry| entry.mv);
        let found = if depth == 1 {
            search_leaves(self, board, (alpha, beta), ply, first)
        } else {
            let moves = board.moves();
            // Step 3: a move that wins at once.
            if let Some((mv, value)) = self.context.win_at_once(board, &moves, ply) {
                return (Some(mv), value);
            }
            // Step 4: enhanced transposition cutoff, a child whose stored bound
            // causes a beta cutoff.
            if depth >= ETC_DEPTH
                && ply > 0
                && let Some((mv, value)) = self.child_cutoff(board, &moves, beta, depth, ply)
            {
                return (Some(mv), value);
            }
            self.search_children(board, &moves, (alpha, beta), depth, ply, first)
        };
        if self.context.stopped {
            return (None, 0);
        }

        // Step 6: store. The other bound stays if it is of this depth.
        let (best_move, best) = found;
        let (mut lower, mut upper) = match entry {
            Some(entry) if entry.depth == depth => (entry.lower, entry.upper),
            _ => (-INFINITY, INFINITY),
        };
        if best > alpha {
            lower = best;
        }
        if best < beta {
            upper = best;
        }
        let mv = best_move.or(first);
        self.table.store(
            board.key() ^ self.salt,
            TableEntry {
                lower,
                upper,
                mv,
                depth,
            },
            ply,
        );
        (best_move, best)
    }

    /// Step 5: the moves, best first.
    #[inline(always)]
    fn search_children(
        &mut self,
        board: &Board,
        moves: &MoveList,
        (alpha, beta): (i32, i32),
        depth: u32,
        ply: u32,
        first: Option<Move>,
    ) -> (Option<Move>, i32) {
        let (mut best, mut best_move) = (-INFINITY, None);
        for mv in self.ordering.rank(board, moves, first, (depth, ply)) {
            let window = (-beta, -alpha.max(best));
            let value = -self.child(&board.play(mv), window, depth - 1, ply + 1);
            if self.context.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                }
                if value >= beta {
                    self.ordering.reward(board.turn(), mv, depth, ply);
                    break;
                }
            }
        }
        (best_move, best)
    }

    #[inline(always)]
    fn search_leaves_by(
        &mut self,
        side: Side,
        board: &Board,
        (alpha, beta): (i32, i32),
        ply: u32,
        first: Option<Move>,
    ) -> (Option<Move>, i32) {
        let parent_terms = self.context.evaluator.parent_terms(board, self.context.age);
        let (mut best, mut best_move) = (-INFINITY, None);
        let mut leaves = 0;
        for mv in self.ordering.staged(board, first, ply) {
            leaves += 1;
            let value = -self.leaf(&parent_terms, board, side, mv, ply + 1);
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                }
                if value >= beta {
                    self.ordering.reward(board.turn(), mv, 1, ply);
                    break;
                }
            }
        }
        self.context.count(leaves);
        (best_move, best)
    }

    /// Enhanced transposition cutoff: a move whose stored upper bound for the
    /// opponent is enough for a beta cutoff.
    #[inline(never)]
    fn child_cutoff(
        &self,
        board: &Board,
        moves: &MoveList,
        beta: i32,
        depth: u32,
        ply: u32,
    ) -> Option<(Move, i32)> {
        moves.iter().find_map(|&mv| {
            let child = self.table.probe(board.key_after(mv) ^ self.salt, ply + 1)?;
            (child.depth == depth - 1 && -child.upper >= beta).then_some((mv, -child.upper))
        })
    }

    /// The value of a position that may be finished or at the horizon.
    #[inline(always)]
    fn child(&mut self, board: &Board, window: (i32, i32), depth: u32, ply: u32) -> i32 {
        if let Some(value) = self.context.terminal_value(board, ply) {
            self.context.count(1);
            return value;
        }
        if depth == 0 {
            self.context.count(1);
            return self.context.evaluate(board);
        }
        self.search(board, window, depth, ply)
    }

    /// The value after `mv` at the horizon.
    #[inline(always)]
    fn leaf(
        &self,
        parent_terms: &ParentTerms,
        board: &Board,
        side: Side,
        mv: Move,
        ply: u32,
    ) -> i32 {
        let evaluator = self.context.evaluator;
        match evaluator.value_after(parent_terms, board, side, mv) {
            LeafValue::Value(value) => value,
            LeafValue::MaybeTerminal(leaf) => self.maybe_terminal_leaf(&leaf, board, mv, ply),
        }
    }

    /// A leaf that is finished, or whose side to move has to pass.
    #[cold]
    fn maybe_terminal_leaf(&self, leaf: &Snapshot, board: &Board, mv: Move, ply: u32) -> i32 {
        match self.context.terminal_value(leaf, ply) {
            Some(value) => value,
            None => self.context.evaluate(&board.play(mv)),
        }
    }

    /// The principal variation that begins with `first`: to the end of the game
    /// where `value` is proven, else as far as the table holds it.
    pub(super) fn principal_variation(
        &mut self,
        board: &Board,
        first: Move,
        value: i32,
        depth: u32,
    ) -> Vec<Move> {
        if self.version.completes_proofs() && is_proven(value, depth) {
            return self.proven_line(board, first, value, depth);
        }
        let mut pv = vec![first];
        let mut now = after(board, first);
        while pv.len() < depth as usize && self.context.terminal_value(&now, 0).is_none() {
            let entry = self.table.probe(now.key() ^ self.salt, 0);
            let Some(mv) = entry
                .and_then(|entry| entry.mv)
                .filter(|&mv| now.is_legal(mv))
            else {
                break;
            };
            pv.push(mv);
            now = now.play(mv);
        }
        pv
    }

    /// The moves of a proven win or loss, from `first` to the end of the game.
    /// Positions that are won at once are not in the table, and others may have
    /// been replaced there, so each one is searched again in a window around the
    /// value that is known. A search that is stopped leaves the line short.
    fn proven_line(&mut self, board: &Board, first: Move, value: i32, depth: u32) -> Vec<Move> {
        let plies = plies_to_end(value).unwrap_or(0);
        let mut line = vec![first];
        let mut now = after(board, first);
        for ply in 1..plies {
            if self.context.terminal_value(&now, ply).is_some() {
                break;
            }
            // The side to move changes with every ply, and so does the sign.
            let value = if ply % 2 == 0 { value } else { -value };
            self.context.count(1);
            let entry = self.table.probe(now.key() ^ self.salt, ply);
            let window = (value - 1, value + 1);
            let (Some(mv), _) = self.search_moves(&now, window, depth - ply, ply, entry) else {
                break;
            };
            line.push(mv);
            now = after(&now, mv);
        }
        line
    }
}

/// Step 5 one ply above the horizon, where most of the time goes. It is compiled
/// twice, once for processors that count bits in one instruction; which of the two
/// runs is decided when the program does.
#[multiversion(targets("x86_64+popcnt+bmi1+bmi2+lzcnt"))]
fn search_leaves<'a, 'c>(
    search: &mut TableSearch<'a, 'c>,
    board: &Board,
    window: (i32, i32),
    ply: u32,
    first: Option<Move>,
) -> (Option<Move>, i32) {
    // Two copies of the loop, each with the side known to the compiler.
    match board.turn() {
        Side::X => search.search_leaves_by(Side::X, board, window, ply, first),
        Side::O => search.search_leaves_by(Side::O, board, window, ply, first),
    }
}

fn after(board: &Board, mv: Move) -> Board {
    if mv.is_pass() {
        board.pass()
    } else {
        board.play(mv)
    }
}
