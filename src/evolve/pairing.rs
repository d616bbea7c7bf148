//! Who plays next.

use rand::RngExt;

use super::state::State;
use super::{FileId, Pairing, Plan};
use crate::random::{self, Purpose};

impl State {
    /// Draws matches until as many are pending as the window has places, the
    /// budget is drawn, or there are no two files.
    pub(super) fn draw(&mut self, plan: &Plan) {
        let window = plan.window.max(1) as usize;
        let all = plan.evolution_matches();
        while self.pending.len() < window && self.drawn < all {
            let Some(files) = self.next_pair(plan.seed) else {
                return;
            };
            let [Some(one), Some(other)] = files.map(|id| self.file(id)) else {
                return;
            };
            self.pending.push_back(Pairing {
                number: self.drawn,
                files,
                weights: [one.weights, other.weights],
                is_final: false,
            });
            self.drawn += 1;
        }
    }

    /// Step 1: the oldest twins that have not met, else two different files at
    /// random.
    fn next_pair(&mut self, seed: u64) -> Option<[FileId; 2]> {
        while let Some(twins) = self.waiting.pop_front() {
            if twins.iter().all(|&id| self.file(id).is_some()) {
                return Some(twins);
            }
        }
        let count = self.files.len() as u64;
        if count < 2 {
            return None;
        }
        let mut rng = random::rng(seed, Purpose::Pairing(self.drawn));
        let one = rng.random_range(0..count);
        let other = rng.random_range(0..count - 1);
        let other = other + u64::from(other >= one);
        Some([one, other].map(|n| self.files[n as usize].id))
    }

    /// Whether twins live that have not met.
    pub(super) fn twins_wait(&self) -> bool {
        let drawn = self.pending.iter().map(|pairing| &pairing.files);
        self.waiting
            .iter()
            .chain(drawn)
            .any(|&[one, other]| self.are_twins(one, other))
    }

    fn are_twins(&self, one: FileId, other: FileId) -> bool {
        self.file(other).is_some() && self.file(one).is_some_and(|file| file.twin == Some(other))
    }
}
