//! Level 5: MTD(f). The value is closed in on by searches with an empty
//! window, each of which says "at least" or "less"; the table makes all but
//! the first of them cheap.

use crate::board::{Board, Move};

use super::table_search::TableSearch;
use super::value::INFINITY;

/// One finished iteration.
pub(super) struct RootResult {
    pub(super) mv: Option<Move>,
    pub(super) value: i32,
    /// Searches with an empty window that it took.
    pub(super) passes: u32,
}

/// The exact value `depth` plies deep, beginning at `guess`; `None` if it was
/// stopped. The move comes from the last search that said "at least", which is
/// the one that proved the value.
pub(super) fn mtdf(
    table_search: &mut TableSearch<'_, '_>,
    board: &Board,
    depth: u32,
    guess: i32,
) -> Option<RootResult> {
    let (mut lower, mut upper) = (-INFINITY, INFINITY);
    let mut found = RootResult {
        mv: None,
        value: guess,
        passes: 0,
    };
    while lower < upper {
        let beta = found.value.max(lower + 1);
        let (mv, value) = table_search.root(board, (beta - 1, beta), depth);
        if table_search.context.stopped {
            return None;
        }
        found.passes += 1;
        found.value = value;
        if value < beta {
            upper = value;
        } else {
            lower = value;
            found.mv = mv;
        }
    }
    Some(found)
}
