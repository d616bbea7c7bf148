//! Level 5: MTD(f) (A. Plaat). Null-window searches close in on the value: each
//! gives a lower or an upper bound, and the transposition table makes all but
//! the first of them cheap.

use crate::board::{Board, Move};

use super::table_search::TableSearch;
use super::value::INFINITY;

/// The result of one depth at the root.
pub(super) struct RootResult {
    pub(super) mv: Option<Move>,
    pub(super) value: i32,
    /// The number of null-window searches that it took.
    pub(super) passes: u32,
}

/// The exact value `depth` plies deep, beginning at `guess`; `None` if it was
/// stopped. The move comes from the last search that failed high, which is the
/// one that proved the value.
pub(super) fn mtdf(
    table_search: &mut TableSearch<'_, '_>,
    board: &Board,
    depth: u32,
    guess: i32,
) -> Option<RootResult> {
    let (mut lower, mut upper) = (-INFINITY, INFINITY);
    let mut result = RootResult {
        mv: None,
        value: guess,
        passes: 0,
    };
    while lower < upper {
        let beta = result.value.max(lower + 1);
        let (mv, value) = table_search.root(board, (beta - 1, beta), depth);
        if table_search.context.stopped {
            return None;
        }
        result.passes += 1;
        result.value = value;
        if value < beta {
            upper = value;
        } else {
            lower = value;
            result.mv = mv;
        }
    }
    Some(result)
}
