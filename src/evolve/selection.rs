//! The rule's steps after a match: points, consensus, breeding, deletion,
//! refilling, capacity. The state's loop calls them in this order.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::individual::Individual;
use super::space::Space;
use super::state::State;
use super::step_builder::StepBuilder;
use super::{Cause, FileId, Origin, Pairing, Plan};

impl State {
    /// Gives the winner points and takes as many from the loser. The score is
    /// multiplied by a coefficient of at least 1, which grows with the loser's
    /// lead in points per game. An individual that has died since the match was
    /// drawn gets no points; a dead opponent counts like one that never played.
    pub(super) fn award_points(&mut self, pairing: &Pairing, score: f64, step: &mut StepBuilder) {
        let [one, other] = pairing.files;
        let (winner, loser) = if score < 0.0 {
            (other, one)
        } else {
            (one, other)
        };
        let strength = |id| self.individual(id).and_then(Individual::points_per_game);
        let coefficient = match (strength(winner), strength(loser)) {
            (Some(winner), Some(loser)) => (1.0 + loser - winner).max(1.0),
            _ => 1.0,
        };
        let points = score.abs() * coefficient;
        for (id, points) in [(winner, points), (loser, -points)] {
            if let Some(index) = self.index_of(id) {
                self.individuals[index].totals.games += 2;
                self.add_points(id, points);
                step.totals_changed(id);
            }
        }
    }

    /// Moves the consensus to the mean of the individuals with points above 0
    /// that are young enough to count, where there are at least two. With `vote` above 0 it moves by the score
    /// of each match between twins instead, along the line between them. From
    /// `elder_from` on the elder is the running mean of the consensus.
    pub(super) fn update_consensus(
        &mut self,
        plan: &Plan,
        space: &Space,
        pairing: &Pairing,
        score: f64,
    ) {
        let vote = plan.evolution.vote;
        if vote > 0.0 {
            let [one, other] = pairing.files;
            let twin_of = |id| self.individual(id).and_then(|individual| individual.twin);
            if twin_of(one) == Some(other) || twin_of(other) == Some(one) {
                let [to, from] = &pairing.weights;
                space.shift(&mut self.consensus, from, to, vote * score);
            }
        } else {
            let oldest = self.oldest_in_consensus(plan);
            let good = || {
                self.individuals
                    .iter()
                    .filter(|one| one.totals.points > 0.0 && one.id >= oldest)
            };
            if good().nth(1).is_some()
                && let Some(mean) = space.mean(good().map(|one| &one.weights))
            {
                self.consensus = mean;
            }
        }
        if plan.progress_at(self.matches) > plan.evolution.elder_from {
            self.elder.count += 1;
            let share = 1.0 / self.elder.count as f64;
            space.move_toward(&mut self.elder.mean, &self.consensus, share);
        }
    }

    /// The oldest individual that may count in the consensus. Those born before
    /// the last `memory` births belong to a time when mutations were wider, and
    /// with many points they would stay for long; those from before the
    /// consensus moved to a scholar would pull it back.
    fn oldest_in_consensus(&self, plan: &Plan) -> FileId {
        let by_memory = match plan.evolution.memory {
            0 => 0,
            memory => self.next_id.saturating_sub(u64::from(memory)),
        };
        FileId(by_memory.max(self.school.counts_from))
    }

    /// Lets a mature individual with more than `max_points` have twins, with a
    /// mate (crossover) or alone (doubling). The parents share the price of
    /// `max_points`. Returns whether twins were born.
    pub(super) fn breed(
        &mut self,
        plan: &Plan,
        space: &Space,
        id: FileId,
        rng: &mut ChaCha8Rng,
        step: &mut StepBuilder,
    ) -> bool {
        let params = &plan.evolution;
        let is_ready = self.individual(id).is_some_and(|one| {
            one.totals.games >= u64::from(params.maturity) && one.totals.points > params.max_points
        });
        if !is_ready {
            return false;
        }
        let mate = if rng.random_bool(params.crossover.clamp(0.0, 1.0)) {
            self.choose_mate(id, rng)
        } else {
            None
        };
        let (origin, parents) = match mate {
            Some(mate) => (Origin::Crossover, vec![id, mate]),
            None => (Origin::Doubling, vec![id]),
        };
        let price = params.max_points / parents.len() as f64;
        for &parent in &parents {
            self.add_points(parent, -price);
            step.totals_changed(parent);
        }
        self.add_twins(plan, space, origin, &parents, rng, step);
        true
    }

    /// Another individual with points above 0, drawn uniformly.
    fn choose_mate(&self, id: FileId, rng: &mut ChaCha8Rng) -> Option<FileId> {
        let candidates = || {
            self.individuals
                .iter()
                .filter(|one| one.id != id && one.totals.points > 0.0)
        };
        match candidates().count() as u64 {
            0 => None,
            count => candidates()
                .nth(rng.random_range(0..count) as usize)
                .map(|one| one.id),
        }
    }

    /// Removes a mature individual with fewer than `min_points`, unless it is
    /// the only one.
    pub(super) fn delete_if_weak(&mut self, plan: &Plan, id: FileId, step: &mut StepBuilder) {
        let params = &plan.evolution;
        let Some(index) = self.index_of(id) else {
            return;
        };
        let totals = &self.individuals[index].totals;
        if totals.games >= u64::from(params.maturity)
            && totals.points < params.min_points
            && self.individuals.len() > 1
            && self.challenger() != Some(id)
        {
            self.remove(index, Cause::BelowMinimum, step);
        }
    }

    /// Whether free twins should be born: fewer individuals live than
    /// `refill_below` and than the capacity, no twins are waiting for their
    /// match, and the population has time to use them.
    pub(super) fn needs_refill(&self, plan: &Plan) -> bool {
        let enough = plan.evolution.refill_below.min(self.capacity(plan));
        (self.individuals.len() as u64) < u64::from(enough)
            && self.drawn < plan.evolution_matches()
            && self.progress(plan) < plan.evolution.shrink_from
            && !self.has_waiting_twins()
    }

    /// Removes the least in the survival order while more individuals live than
    /// `capacity`; one always stays, and so does a scholar until its challenge is
    /// over.
    pub(super) fn enforce_capacity(&mut self, capacity: u32, step: &mut StepBuilder) {
        while self.individuals.len() > capacity.max(1) as usize {
            let challenger = self.challenger();
            let least = (0..self.individuals.len())
                .filter(|&index| Some(self.individuals[index].id) != challenger)
                .min_by(|&a, &b| self.individuals[a].survival_order(&self.individuals[b]));
            let Some(index) = least else {
                return;
            };
            self.remove(index, Cause::Capacity, step);
        }
        let State {
            waiting_twins,
            individuals,
            ..
        } = self;
        let lives = |id: &FileId| individuals.binary_search_by_key(id, |one| one.id).is_ok();
        waiting_twins.retain(|twins| twins.iter().all(lives));
    }

    /// Ends the evolution: all but the leader are removed. Newborns are not
    /// spared here, because no match is left for them to play.
    pub(super) fn keep_only_leader(&mut self, step: &mut StepBuilder) {
        while self.individuals.len() > 1 {
            let last = (0..self.individuals.len())
                .min_by(|&a, &b| self.individuals[a].rank(&self.individuals[b]));
            let Some(index) = last else {
                return;
            };
            self.remove(index, Cause::Capacity, step);
        }
        self.waiting_twins.clear();
    }
}
