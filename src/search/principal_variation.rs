//! The principal variation of the searches that have no transposition table to
//! read it from.

use crate::board::Move;

use super::value::MAX_DEPTH;

/// A triangular table: the principal variation from each ply on.
pub(super) struct PvTable {
    rows: Vec<Vec<Move>>,
}

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable {
            rows: vec![Vec::new(); MAX_DEPTH as usize + 2],
        }
    }

    /// Forgets the variation from `ply` on.
    pub(super) fn clear(&mut self, ply: u32) {
        self.rows[ply as usize].clear();
    }

    /// From `ply` on, `mv` followed by the variation of the next ply is best.
    pub(super) fn set(&mut self, ply: u32, mv: Move) {
        let (upper, lower) = self.rows.split_at_mut(ply as usize + 1);
        let row = &mut upper[ply as usize];
        row.clear();
        row.push(mv);
        row.extend_from_slice(&lower[0]);
    }

    /// The variation from the root.
    pub(super) fn best(&self) -> &[Move] {
        &self.rows[0]
    }
}
