//! Principal variations of the searches that have no table to read them from.

use crate::board::Move;

use super::value::MAX_DEPTH;

/// The best line found from each ply on, as a triangle.
pub(super) struct PvTable {
    rows: Vec<Vec<Move>>,
}

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable {
            rows: vec![Vec::new(); MAX_DEPTH as usize + 2],
        }
    }

    /// Nothing is known from `ply` on.
    pub(super) fn clear(&mut self, ply: u32) {
        self.rows[ply as usize].clear();
    }

    /// From `ply` on, `mv` and then the line of the next ply is best.
    pub(super) fn set(&mut self, ply: u32, mv: Move) {
        let (upper, lower) = self.rows.split_at_mut(ply as usize + 1);
        let row = &mut upper[ply as usize];
        row.clear();
        row.push(mv);
        row.extend_from_slice(&lower[0]);
    }

    pub(super) fn best(&self) -> &[Move] {
        &self.rows[0]
    }
}
