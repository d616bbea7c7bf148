//! Level 5: MTD(f). The value is closed in on by searches with an empty
//! window, each of which says "at least" or "less"; the table makes all but
//! the first of them cheap.

use crate::board::{Board, Move};

use super::table_search::Memory;
use super::value::INFINITY;

/// One finished iteration.
pub(super) struct Found {
    pub(super) mv: Option<Move>,
    pub(super) value: i32,
    /// Searches with an empty window that it took.
    pub(super) passes: u32,
}

/// The exact value `depth` plies deep, beginning at `guess`; `None` if it was
/// stopped. The move comes from the last search that said "at least", which is
/// the one that proved the value.
pub(super) fn mtdf(
    memory: &mut Memory<'_, '_>,
    board: &Board,
    depth: u32,
    guess: i32,
) -> Option<Found> {
    let (mut lower, mut upper) = (-INFINITY, INFINITY);
    let mut found = Found {
        mv: None,
        value: guess,
        passes: 0,
    };
    while lower < upper {
        let beta = found.value.max(lower + 1);
        let (mv, value) = memory.root(board, (beta - 1, beta), depth);
        if memory.context.stopped {
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
