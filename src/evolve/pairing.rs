//! Who plays next.

use rand::RngExt;

use super::state::State;
use super::{FileId, Pairing, Plan};
use crate::genome::Genome;
use crate::random::{self, Purpose};

impl State {
    /// Draws matches, those of a challenge first, until the window is full, the budget of the evolution is
    /// drawn, or fewer than two individuals live.
    pub(super) fn draw_pairings(&mut self, plan: &Plan) {
        let window = plan.window.max(1) as usize;
        let budget = plan.evolution_matches();
        while self.pending.len() < window && self.drawn < budget {
            let Some((files, weights)) = self.draw_challenge().or_else(|| self.draw_pair(plan))
            else {
                return;
            };
            self.pending.push_back(Pairing {
                number: self.drawn,
                files,
                weights,
                is_final: false,
            });
            self.drawn += 1;
        }
    }

    /// The next players and their weights; `None` with fewer than two.
    fn draw_pair(&mut self, plan: &Plan) -> Option<([FileId; 2], [Genome; 2])> {
        let ids = self.next_pair(plan.seed)?;
        let [first, second] = ids.map(|id| self.individual(id));
        Some((ids, [first?.weights.clone(), second?.weights.clone()]))
    }

    /// Step 1 of the rule: the oldest twins that have not met, else two
    /// different individuals drawn uniformly.
    fn next_pair(&mut self, seed: u64) -> Option<[FileId; 2]> {
        while let Some(twins) = self.waiting_twins.pop_front() {
            if twins.iter().all(|&id| self.individual(id).is_some()) {
                return Some(twins);
            }
        }
        let count = self.individuals.len() as u64;
        if count < 2 {
            return None;
        }
        let mut rng = random::rng(seed, Purpose::Pairing(self.drawn));
        // The second is drawn among the others, so it is skipped over the
        // first.
        let first = rng.random_range(0..count);
        let second = rng.random_range(0..count - 1);
        let second = second + u64::from(second >= first);
        Some([first, second].map(|index| self.individuals[index as usize].id))
    }

    /// Whether twins live whose first match is not yet applied.
    pub(super) fn has_waiting_twins(&self) -> bool {
        let drawn = self.pending.iter().map(|pairing| &pairing.files);
        self.waiting_twins
            .iter()
            .chain(drawn)
            .any(|&[one, other]| self.are_living_twins(one, other))
    }

    fn are_living_twins(&self, one: FileId, other: FileId) -> bool {
        self.individual(other).is_some()
            && self
                .individual(one)
                .is_some_and(|individual| individual.twin == Some(other))
    }
}
