//! The rule's steps after a match: points, consensus, breeding, deletion,
//! refilling, capacity.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::individual::Individual;
use super::log::Log;
use super::space::Space;
use super::state::State;
use super::{Cause, FileId, Origin, Pairing, Plan};

impl State {
    /// Points for both. Nobody dead gets any; who played against a file that
    /// has died since is scored as against one that never played.
    pub(super) fn score(&mut self, pairing: &Pairing, score: f64, log: &mut Log) {
        let [one, other] = pairing.files;
        let (winner, loser) = if score < 0.0 {
            (other, one)
        } else {
            (one, other)
        };
        let each = |id| self.file(id).and_then(Individual::yield_a_game);
        let coeff = match (each(winner), each(loser)) {
            (Some(winner), Some(loser)) => (1.0 + loser - winner).max(1.0),
            _ => 1.0,
        };
        let points = score.abs() * coeff;
        for (id, points) in [(winner, points), (loser, -points)] {
            if let Some(n) = self.place(id) {
                self.files[n].totals.games += 2;
                self.add_points(id, points);
                log.touch(id);
            }
        }
    }

    /// The consensus of those who do well; with `vote` it moves by what twins
    /// brought instead.
    pub(super) fn agree(&mut self, plan: &Plan, space: &Space, pairing: &Pairing, score: f64) {
        let vote = plan.evolution.vote;
        if vote > 0.0 {
            let [one, other] = pairing.files;
            let twin_of = |id| self.file(id).and_then(|file| file.twin);
            if twin_of(one) == Some(other) || twin_of(other) == Some(one) {
                let [to, from] = &pairing.weights;
                space.shift(&mut self.consensus, from, to, vote * score);
            }
        } else {
            let good = || self.files.iter().filter(|file| file.totals.points > 0.0);
            if good().nth(1).is_some()
                && let Some(mean) = space.mean(good().map(|file| &file.weights))
            {
                self.consensus = mean;
            }
        }
        if plan.part(self.matches) > plan.evolution.elder_from {
            self.elder.count += 1;
            let share = 1.0 / self.elder.count as f64;
            space.approach(&mut self.elder.mean, &self.consensus, share);
        }
    }

    /// A mature file with enough points has twins, with another or alone.
    pub(super) fn breed(
        &mut self,
        plan: &Plan,
        space: &Space,
        id: FileId,
        rng: &mut ChaCha8Rng,
        log: &mut Log,
    ) -> bool {
        let params = &plan.evolution;
        let ready = self.file(id).is_some_and(|file| {
            file.totals.games >= u64::from(params.maturity)
                && file.totals.points > params.max_points
        });
        if !ready {
            return false;
        }
        let mate = if rng.random_bool(params.crossover.clamp(0.0, 1.0)) {
            self.mate(id, rng)
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
            log.touch(parent);
        }
        self.bear_twins(plan, space, origin, &parents, rng, log);
        true
    }

    /// Another file with points above 0, at random.
    fn mate(&self, id: FileId, rng: &mut ChaCha8Rng) -> Option<FileId> {
        let good = || {
            self.files
                .iter()
                .filter(|file| file.id != id && file.totals.points > 0.0)
        };
        match good().count() as u64 {
            0 => None,
            count => good()
                .nth(rng.random_range(0..count) as usize)
                .map(|file| file.id),
        }
    }

    /// A mature file with too few points goes.
    pub(super) fn delete(&mut self, plan: &Plan, id: FileId, log: &mut Log) {
        let params = &plan.evolution;
        let Some(n) = self.place(id) else {
            return;
        };
        let totals = &self.files[n].totals;
        if totals.games >= u64::from(params.maturity)
            && totals.points < params.min_points
            && self.files.len() > 1
        {
            self.bury(n, Cause::BelowMinimum, log);
        }
    }

    /// Fewer files than the parameter and than there is room for, nobody about
    /// to bring any, and time for it.
    pub(super) fn needs_refill(&self, plan: &Plan) -> bool {
        let few = plan.evolution.refill_below.min(self.capacity(plan));
        (self.files.len() as u64) < u64::from(few)
            && self.drawn < plan.evolution_matches()
            && self.progress(plan) < plan.evolution.shrink_from
            && !self.twins_wait()
    }

    /// The lowest go while there are more files than there is room for.
    pub(super) fn make_room(&mut self, room: u32, log: &mut Log) {
        while self.files.len() > room.max(1) as usize {
            let places = 0..self.files.len();
            let Some(n) = places.min_by(|&a, &b| self.files[a].staying(&self.files[b])) else {
                return;
            };
            self.bury(n, Cause::Capacity, log);
        }
        let State { waiting, files, .. } = self;
        let lives = |id: &FileId| files.binary_search_by_key(id, |file| file.id).is_ok();
        waiting.retain(|twins| twins.iter().all(lives));
    }

    /// The evolution is over: all but the leader go. Who never played is not
    /// spared any more, having nothing left to play.
    pub(super) fn leave_one(&mut self, log: &mut Log) {
        while self.files.len() > 1 {
            let places = 0..self.files.len();
            let Some(n) = places.min_by(|&a, &b| self.files[a].rank(&self.files[b])) else {
                return;
            };
            self.bury(n, Cause::Capacity, log);
        }
        self.waiting.clear();
    }
}
