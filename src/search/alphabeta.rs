//! Level 3: alpha-beta. Negamax that cuts off the moves that cannot change the
//! value, because one side would avoid the position.

use crate::board::Board;

use super::context::{Context, children};
use super::principal_variation::PvTable;
use super::value::INFINITY;

/// The value for the side to move if it lies between `alpha` and `beta`, and a
/// bound on it otherwise.
pub(super) fn alphabeta(
    context: &mut Context<'_>,
    pv_table: &mut PvTable,
    board: &Board,
    (mut alpha, beta): (i32, i32),
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
        let value = -alphabeta(
            context,
            pv_table,
            &next,
            (-beta, -alpha),
            depth - 1,
            ply + 1,
        );
        if value > best {
            best = value;
            if value > alpha {
                alpha = value;
                pv_table.set(ply, mv);
            }
            if value >= beta {
                break;
            }
        }
    }
    best
}
