//! Taking a finished evolution further: it goes on from its champion with a
//! larger budget.
//!
//! The parts of the evolution are counted with the new budget, as if it had been
//! the budget from the beginning: the capacity is whole again until it shrinks at
//! the new end, and mutations are as wide as they are at that part of a run of
//! this length. The consensus begins at the champion, and so does the elder. The
//! last individual lives on; the population grows from twins around the
//! champion.

use serde::{Deserialize, Serialize};

use super::space::Space;
use super::state::State;
use super::step_builder::StepBuilder;
use super::{Event, FileId, Origin, Plan, Refused, Step};
use crate::genome::Genome;
use crate::random::{self, Purpose};

/// The champion of an earlier end of the evolution. It is kept by value, because
/// nothing else in the state knows it any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerChampion {
    /// The champion's number.
    pub file: FileId,
    /// The weights that it plays with.
    pub weights: Genome,
}

impl State {
    /// Takes an evolution that is over further; the caller passes `new_plan` to
    /// all later calls. `keys` says what changed, one line per key.
    ///
    /// # Errors
    ///
    /// [`Refused::NotOver`] before there is a champion, [`Refused::Phases`] if
    /// the genome would get another shape, and [`Refused::NothingLeft`] if the
    /// new budget leaves no match to the evolution. The state is unchanged then.
    pub fn extend(&mut self, new_plan: &Plan, keys: Vec<String>) -> Result<Step, Refused> {
        let champion = self.champion().ok_or(Refused::NotOver)?;
        self.check_phases(new_plan)?;
        if new_plan.evolution_matches() <= self.matches {
            return Err(Refused::NothingLeft {
                budget: new_plan.evolution.budget,
                games: self.games(),
            });
        }
        let mut step = StepBuilder::default();
        step.event(Event::Extended {
            champion: champion.file,
            budget: new_plan.evolution.budget,
            keys,
        });
        self.former_champions.push(FormerChampion {
            file: champion.file,
            weights: champion.weights.clone(),
        });
        self.final_stage = None;
        self.restart_schedule(new_plan);
        let space = Space::new(&new_plan.genome);
        self.move_consensus(new_plan, &champion.weights);
        let mut rng = random::rng(new_plan.seed, Purpose::Extension(self.matches));
        let half = (self.capacity(new_plan) / 2).max(2) as usize;
        while self.individuals.len() < half {
            self.add_twins(new_plan, &space, Origin::Refill, &[], &mut rng, &mut step);
        }
        self.draw_pairings(new_plan);
        Ok(self.finish_step(step))
    }

    /// The champions of earlier ends of the evolution, the oldest first.
    pub fn former_champions(&self) -> &[FormerChampion] {
        &self.former_champions
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::evolve::{MatchResult, Stage};
    use crate::genome::GeneTable;
    use crate::params::Params;

    fn plan(budget: u64) -> Plan {
        let mut params = Params::with_first_genes();
        params.evolution.budget = budget;
        params.evolution.population = 12;
        params.school.enabled = false;
        Plan::with_genes(&params, &GeneTable::first(), &[])
    }

    /// Plays to the end; the individual with the larger sum of genes wins.
    fn finish(state: &mut State, plan: &Plan) {
        while let Some(pairing) = state.pending().front() {
            let [one, other] = &pairing.weights;
            let [one, other] = [one, other].map(|w| w.opening.iter().sum::<i32>());
            let result = MatchResult {
                number: pairing.number,
                files: pairing.files,
                score: f64::from((one - other).signum()) / 2.0,
            };
            state.apply(plan, &result).unwrap();
        }
    }

    fn finished() -> State {
        let plan = plan(400);
        let mut state = State::new(&plan).0;
        finish(&mut state, &plan);
        state
    }

    #[test]
    fn it_goes_on_from_the_champion() {
        let mut state = finished();
        let champion = state.champion().unwrap();
        let longer = plan(1200);
        let keys = vec![String::from("evolution.budget: 400 -> 1200")];
        let step = state.extend(&longer, keys.clone()).unwrap();
        assert_eq!(
            step.events[0],
            Event::Extended {
                champion: champion.file,
                budget: 1200,
                keys
            }
        );
        assert_eq!((state.stage(), state.matches()), (Stage::Evolving, 200));
        assert_eq!(state.capacity(&longer), 12);
        assert_eq!(state.individuals().len(), 7);
        let former = FormerChampion {
            file: champion.file,
            weights: champion.weights.clone(),
        };
        assert_eq!(state.former_champions(), [former]);
        let hall = state.hall_of_fame().len();
        finish(&mut state, &longer);
        assert_eq!((state.stage(), state.games()), (Stage::Over, 1200));
        assert_eq!(state.individuals().len(), 1);
        // Parts 4 to 10 of the longer evolution have an elder of their own.
        assert_eq!(state.hall_of_fame().len(), hall + 7);
        assert_ne!(state.champion().unwrap().file, champion.file);
        let sum = |weights: &Genome| weights.opening.iter().sum::<i32>();
        assert!(sum(&state.champion().unwrap().weights) >= sum(&champion.weights));
    }

    #[test]
    fn it_is_the_same_every_time() {
        let [one, other] = [(), ()].map(|()| {
            let mut state = finished();
            state.extend(&plan(1000), Vec::new()).unwrap();
            finish(&mut state, &plan(1000));
            state
        });
        assert_eq!(one, other);
    }

    #[test]
    fn what_is_not_over_or_has_nothing_left_is_refused() {
        let mut young = State::new(&plan(400)).0;
        let refused = young.extend(&plan(800), Vec::new());
        assert_eq!(refused, Err(Refused::NotOver));
        let mut state = finished();
        let before = state.clone();
        let refused = state.extend(&plan(420), Vec::new());
        let (budget, games) = (420, 400);
        assert_eq!(refused, Err(Refused::NothingLeft { budget, games }));
        let mut other = plan(800);
        other.genome.phases = 2;
        assert!(matches!(
            state.extend(&other, Vec::new()),
            Err(Refused::Phases { .. })
        ));
        assert_eq!(state, before);
    }
}
