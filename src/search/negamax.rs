//! Level 2: negamax. A position is worth as much to one side as it costs the
//! other, so one rule serves both; it visits as many positions as minimax.

use crate::board::Board;

use super::context::{Context, children};
use super::principal_variation::PvTable;
use super::value::INFINITY;

/// The value for the side to move, `depth` plies deep.
pub(super) fn negamax(
    context: &mut Context<'_>,
    pv_table: &mut PvTable,
    board: &Board,
    depth: u32,
    ply: u32,
) -> i32 {
    context.count(1);
    pv_table.clear(ply);
    if let Some(value) = context.terminal_value(board, ply) {
        return value;
    }
    if depth == 0 || context.stopped {
        return context.evaluate(board);
    }
    let mut best = -INFINITY;
    for (mv, next) in children(board) {
        let value = -negamax(context, pv_table, &next, depth - 1, ply + 1);
        if value > best {
            best = value;
            pv_table.set(ply, mv);
        }
    }
    best
}
