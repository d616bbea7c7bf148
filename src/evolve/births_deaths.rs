//! Births, deaths and the points in between: every change to the list of
//! living individuals goes through here, so that events, totals and counters
//! agree with it.

use rand::rngs::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::breed::twins;
use super::individual::Individual;
use super::mutation::MutationSize;
use super::space::Space;
use super::state::State;
use super::step_builder::StepBuilder;
use super::{Birth, Cause, Event, FileId, Origin, Plan, Totals};
use crate::genome::Genome;

/// The founder that ever had the most points. It is kept by value, because it
/// may die later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct BestFounder {
    pub(super) id: FileId,
    pub(super) weights: Genome,
    /// The most points that it ever had.
    points: f64,
}

impl State {
    /// Adds twins around the consensus. Their first match is with each other.
    pub(super) fn add_twins(
        &mut self,
        plan: &Plan,
        space: &Space,
        origin: Origin,
        parents: &[FileId],
        rng: &mut ChaCha8Rng,
        step: &mut StepBuilder,
    ) {
        let mut genes = Vec::with_capacity(parents.len());
        for &parent in parents {
            if let Some(index) = self.index_of(parent) {
                self.individuals[index].totals.children += 2;
                genes.push(self.individuals[index].weights.clone());
                step.totals_changed(parent);
            }
        }
        let mutation = MutationSize::at(plan, self.matches).at_most(self.largest_mutation(plan));
        let inherit = plan.evolution.inherit;
        let pair = twins(space, inherit, mutation, &self.consensus, &genes, rng);
        let ids = [FileId(self.next_id), FileId(self.next_id + 1)];
        for (n, weights) in pair.into_iter().enumerate() {
            self.add_birth(origin, weights, parents, Some(ids[1 - n]), step);
        }
        self.waiting_twins.push_back(ids);
    }

    /// Adds a new individual to the population and returns its number.
    pub(super) fn add_birth(
        &mut self,
        origin: Origin,
        weights: Genome,
        parents: &[FileId],
        twin: Option<FileId>,
        step: &mut StepBuilder,
    ) -> FileId {
        let mut newborn = self.new_individual(origin, weights);
        newborn.twin = twin;
        self.report_birth(&newborn, parents.to_vec(), step);
        let id = newborn.id;
        self.individuals.push(newborn);
        self.births += 1;
        id
    }

    /// Creates an individual with the next number, outside of the population.
    pub(super) fn new_individual(&mut self, origin: Origin, weights: Genome) -> Individual {
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

    pub(super) fn report_birth(
        &self,
        newborn: &Individual,
        parents: Vec<FileId>,
        step: &mut StepBuilder,
    ) {
        step.totals_changed(newborn.id);
        step.event(Event::Born(Birth {
            file: newborn.id,
            origin: newborn.origin,
            parents,
            twin: newborn.twin,
            at: self.matches,
            weights: newborn.weights.clone(),
        }));
    }

    /// Removes the individual at `index` from the population.
    pub(super) fn remove(&mut self, index: usize, cause: Cause, step: &mut StepBuilder) {
        let dead = self.individuals.remove(index);
        self.deaths += 1;
        let mut totals = dead.totals;
        totals.death = Some((self.matches, cause));
        step.last_totals(dead.id, totals);
        step.event(Event::Died {
            file: dead.id,
            cause,
        });
    }

    /// Adds points, which may be negative, to an individual if it lives. All
    /// points are added here, so that the best founder is always up to date.
    pub(super) fn add_points(&mut self, id: FileId, points: f64) {
        let Some(index) = self.index_of(id) else {
            return;
        };
        let individual = &mut self.individuals[index];
        individual.totals.points += points;
        if !individual.is_founder() {
            return;
        }
        let candidate = BestFounder {
            id: individual.id,
            weights: individual.weights.clone(),
            points: individual.totals.points,
        };
        let is_better = self.best_founder.as_ref().is_none_or(|best| {
            candidate.points > best.points
                || (candidate.points == best.points && candidate.id < best.id)
        });
        if is_better {
            self.best_founder = Some(candidate);
        }
    }
}
