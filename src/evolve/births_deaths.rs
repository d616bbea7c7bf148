//! Births, deaths and the points in between, told as they happen.

use rand::rngs::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::breed::twins;
use super::individual::Individual;
use super::log::Log;
use super::space::Space;
use super::state::State;
use super::{Birth, Cause, Event, FileId, Origin, Plan, Totals};
use crate::eval::Weights;

/// A founder that had the most points, as it was then.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Noted {
    pub(super) file: FileId,
    pub(super) weights: Weights,
    points: f64,
}

impl State {
    /// Twins around the consensus are born.
    pub(super) fn bear_twins(
        &mut self,
        plan: &Plan,
        space: &Space,
        origin: Origin,
        parents: &[FileId],
        rng: &mut ChaCha8Rng,
        log: &mut Log,
    ) {
        let mut genes = Vec::with_capacity(parents.len());
        for &parent in parents {
            if let Some(n) = self.place(parent) {
                self.files[n].totals.children += 2;
                genes.push(self.files[n].weights);
                log.touch(parent);
            }
        }
        let pair = twins(space, &plan.evolution, &self.consensus, &genes, rng);
        let ids = [FileId(self.next_id), FileId(self.next_id + 1)];
        for (n, weights) in pair.into_iter().enumerate() {
            self.bear(origin, weights, parents, Some(ids[1 - n]), log);
        }
        self.waiting.push_back(ids);
    }

    /// A file is born into the population.
    pub(super) fn bear(
        &mut self,
        origin: Origin,
        weights: Weights,
        parents: &[FileId],
        twin: Option<FileId>,
        log: &mut Log,
    ) -> FileId {
        let mut file = self.new_file(origin, weights);
        file.twin = twin;
        self.tell_birth(&file, parents.to_vec(), log);
        let id = file.id;
        self.files.push(file);
        self.births += 1;
        id
    }

    /// A file with the next number.
    pub(super) fn new_file(&mut self, origin: Origin, weights: Weights) -> Individual {
        let id = FileId(self.next_id);
        self.next_id += 1;
        Individual {
            id,
            origin,
            twin: None,
            weights,
            totals: Totals::default(),
        }
    }

    pub(super) fn tell_birth(&self, file: &Individual, parents: Vec<FileId>, log: &mut Log) {
        log.touch(file.id);
        log.event(Event::Born(Birth {
            file: file.id,
            origin: file.origin,
            parents,
            twin: file.twin,
            at: self.matches,
            weights: file.weights,
        }));
    }

    pub(super) fn bury(&mut self, n: usize, cause: Cause, log: &mut Log) {
        let file = self.files.remove(n);
        self.deaths += 1;
        let mut totals = file.totals;
        totals.death = Some((self.matches, cause));
        log.gone(file.id, totals);
        log.event(Event::Died {
            file: file.id,
            cause,
        });
    }

    /// All points are given here, so that none of the best founder's is missed.
    pub(super) fn add_points(&mut self, id: FileId, points: f64) {
        let Some(n) = self.place(id) else {
            return;
        };
        let file = &mut self.files[n];
        file.totals.points += points;
        if !file.is_founder() {
            return;
        }
        let now = Noted {
            file: file.id,
            weights: file.weights,
            points: file.totals.points,
        };
        let better = self.best_founder.is_none_or(|best| {
            now.points > best.points || (now.points == best.points && now.file < best.file)
        });
        if better {
            self.best_founder = Some(now);
        }
    }
}
