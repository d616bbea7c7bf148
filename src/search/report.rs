//! Where a search ends, and what it found.

use crate::board::Move;

/// Where a search ends. The first limit that is reached counts; without any it
/// ends when it is stopped, at [`MAX_DEPTH`](super::value::MAX_DEPTH), or when
/// the game is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The number of positions visited.
    pub nodes: Option<u64>,
    /// The number of simulations of a Monte-Carlo tree search; the other searches
    /// make none and do not ask.
    pub simulations: Option<u64>,
}

/// One finished depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Plies searched.
    pub depth: u32,
    /// The value for the side to move.
    pub value: i32,
    /// The principal variation, its first move the one to play.
    pub pv: Vec<Move>,
    /// Positions visited since the search began.
    pub nodes: u64,
    /// Null-window searches of this depth; 1 for an algorithm that has none.
    pub passes: u32,
    /// How full the table is, in thousandths; `None` for an algorithm without
    /// a table.
    pub table_permille: Option<u32>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Every finished depth; the last one is the result.
    pub iterations: Vec<Iteration>,
    /// The move to play: the last finished depth's, or some legal move where
    /// not even the first was finished; `None` if the game is over.
    pub best: Option<Move>,
    /// Positions visited, those of an unfinished depth included.
    pub nodes: u64,
    /// Whether it was stopped before its depth.
    pub stopped: bool,
}

impl Report {
    /// The value of the last finished depth; 0 without one.
    pub fn value(&self) -> i32 {
        self.iterations.last().map_or(0, |last| last.value)
    }

    /// The last finished depth in plies; 0 without one.
    pub fn depth(&self) -> u32 {
        self.iterations.last().map_or(0, |last| last.depth)
    }

    /// The principal variation of the last finished depth.
    pub fn pv(&self) -> &[Move] {
        self.iterations.last().map_or(&[], |last| &last.pv)
    }
}
