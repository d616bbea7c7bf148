//! Level 1: minimax. Black picks the largest value, White the smallest; every
//! position down to the depth is visited.

use crate::board::{Board, Side};

use super::context::{Context, children};
use super::principal_variation::PvTable;
use super::value::INFINITY;

/// The value for Black, `depth` plies deep.
pub(super) fn minimax(
    context: &mut Context<'_>,
    pv_table: &mut PvTable,
    board: &Board,
    depth: u32,
    ply: u32,
) -> i32 {
    context.count(1);
    pv_table.clear(ply);
    let for_black = |value: i32| {
        if board.turn() == Side::X {
            value
        } else {
            -value
        }
    };
    if let Some(value) = context.terminal_value(board, ply) {
        return for_black(value);
    }
    if depth == 0 || context.stopped {
        return for_black(context.evaluate(board));
    }
    let mut best = for_black(-INFINITY);
    for (mv, next) in children(board) {
        let value = minimax(context, pv_table, &next, depth - 1, ply + 1);
        let better = match board.turn() {
            Side::X => value > best,
            Side::O => value < best,
        };
        if better {
            best = value;
            pv_table.set(ply, mv);
        }
    }
    best
}
