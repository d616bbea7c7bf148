//! What every search shares: the evaluation, the rules, the node count and the
//! polling of the stop condition.

use crate::board::{Board, Move, Snapshot};
use crate::eval::Evaluator;
use crate::game::Rules;

use super::value::{terminal_value, win_in};

/// Nodes between two polls of the stop condition.
const POLL_INTERVAL: u64 = 1024;

/// The stop condition that a search polls: `true` ends the search.
pub type StopFn<'a> = &'a dyn Fn() -> bool;

/// The evaluation, the rules and the limits of one search.
pub(super) struct Context<'a> {
    pub(super) evaluator: &'a Evaluator,
    pub(super) rules: &'a Rules,
    /// How far the game had gone when the search began, in steps of the phase.
    pub(super) age: i32,
    /// Positions visited, leaves included.
    pub(super) nodes: u64,
    pub(super) node_limit: u64,
    next_poll: u64,
    stop: StopFn<'a>,
    pub(super) stopped: bool,
}

impl<'a> Context<'a> {
    pub(super) fn new(
        evaluator: &'a Evaluator,
        rules: &'a Rules,
        age: i32,
        node_limit: Option<u64>,
        stop: StopFn<'a>,
    ) -> Context<'a> {
        let node_limit = node_limit.unwrap_or(u64::MAX);
        Context {
            evaluator,
            rules,
            age,
            nodes: 0,
            node_limit,
            next_poll: POLL_INTERVAL.min(node_limit),
            stop,
            stopped: false,
        }
    }

    /// Counts nodes; sets `stopped` at the node limit or when the stop condition
    /// holds.
    #[inline(always)]
    pub(super) fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    #[cold]
    fn poll(&mut self) {
        self.stopped |= self.nodes >= self.node_limit || (self.stop)();
        self.next_poll = (self.nodes + POLL_INTERVAL).min(self.node_limit.max(self.nodes + 1));
    }

    /// The value of a finished position for its side to move; `None` if the
    /// game goes on.
    #[inline(always)]
    pub(super) fn terminal_value(&self, now: &Snapshot, ply: u32) -> Option<i32> {
        terminal_value(now, self.rules, ply)
    }

    /// The best of the moves that win at once.
    #[inline(never)]
    pub(super) fn win_at_once(
        &self,
        board: &Board,
        moves: &[Move],
        ply: u32,
    ) -> Option<(Move, i32)> {
        let own = board.turn();
        if !board.may_connect_by_move(own) {
            return None;
        }
        let mut best: Option<(Move, i32)> = None;
        for &mv in moves {
            // An Euler number above 1 proves more than one group, and costs less
            // than the whole position.
            if board.euler4_after(mv)[0] > 4 {
                continue;
            }
            let next = board.after(mv);
            if next.is_connected(own)
                && let Some(value) = self.terminal_value(&next, ply + 1)
                && -value >= win_in(ply + 1, 0)
                && best.is_none_or(|(_, best)| -value > best)
            {
                best = Some((mv, -value));
            }
        }
        best
    }

    /// The same value as [`Context::win_at_once`], from the groups alone; among
    /// moves of equal value it may name another one.
    #[inline(never)]
    pub(super) fn winning_move(&self, board: &Board, ply: u32) -> Option<(Move, i32)> {
        let mut best: Option<(Move, i32)> = None;
        board.connecting_moves(board.turn(), |mv| {
            if let Some(value) = self.terminal_value(&board.after(mv), ply + 1)
                && -value >= win_in(ply + 1, 0)
                && best.is_none_or(|(_, best)| -value > best)
            {
                best = Some((mv, -value));
            }
        });
        best
    }

    /// The static value for the side to move.
    #[inline(always)]
    pub(super) fn evaluate(&self, board: &Board) -> i32 {
        self.evaluator.value(board, board.movers(), self.age)
    }
}

/// The positions one ply further, and the moves that lead there: those of
/// every legal move, or the one after a pass. Only for unfinished positions.
pub(super) fn children(board: &Board) -> impl Iterator<Item = (Move, Board)> {
    let moves = board.moves();
    let pass = moves.is_empty().then(|| (Move::PASS, board.pass()));
    let board = *board;
    let played = (0..moves.len()).map(move |n| (moves[n], board.play(moves[n])));
    played.chain(pass)
}
