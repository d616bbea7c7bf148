//! Level 5: MTD(f) (A. Plaat). Null-window searches close in on the value: each
//! gives a lower or an upper bound, and the transposition table makes all but
//! the first of them cheap.

use crate::board::{Board, Move};
use crate::eval::MAX_VALUE;

use super::table_search::TableSearch;
use super::value::INFINITY;
use super::version::EngineVersion;

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
    let mut stride = Stride::new(table_search.version);
    let mut beta = guess;
    while lower < upper {
        let (mv, value) = table_search.root(board, (beta - 1, beta), depth);
        if table_search.context.stopped {
            return None;
        }
        result.passes += 1;
        result.value = value;
        if value < beta {
            upper = value;
            beta = (upper - stride.after_failure(false)).max(lower + 1);
        } else {
            lower = value;
            result.mv = mv;
            beta = (lower + 1 + stride.after_failure(true)).min(upper);
        }
    }
    Some(result)
}

/// How far beyond the last bound the next search looks. Where one search after
/// the other fails on the same side, the value is far away: the steps grow, and
/// beyond [`Stride::LONGEST`] it is asked whether the game is decided.
struct Stride {
    grows: bool,
    /// The side of the last failure, and how many there were on it in a row.
    failed_high: bool,
    failures: u32,
}

impl Stride {
    /// Failures on one side before the steps grow. Of the values tried (1 to 3,
    /// first steps of 1 or 2, longest ones of 32 to 128) these visit the fewest
    /// nodes of the bench.
    const PATIENCE: u32 = 2;

    const LONGEST: i32 = 32;

    fn new(version: EngineVersion) -> Stride {
        Stride {
            grows: version.grows_strides(),
            failed_high: false,
            failures: 0,
        }
    }

    fn after_failure(&mut self, high: bool) -> i32 {
        if self.failed_high != high {
            self.failed_high = high;
            self.failures = 0;
        }
        self.failures += 1;
        if !self.grows || self.failures <= Stride::PATIENCE {
            return 0;
        }
        let step = 1 << (self.failures - Stride::PATIENCE - 1).min(14);
        if step > Stride::LONGEST {
            MAX_VALUE
        } else {
            step
        }
    }
}
