//! The state of an evolution, and the loop that each match's result drives.
//!
//! Nothing in a state grows with the matches played: it holds the living
//! individuals, waiting twins, pending matches, two points of the gene space,
//! and a few numbers for each part of the evolution and each time that it was
//! taken further.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::births_deaths::BestFounder;
use super::extension::FormerChampion;
use super::final_stage::FinalStage;
use super::founders::founders;
use super::individual::Individual;
use super::school::School;
use super::space::{AtBound, Point, Space};
use super::step_builder::StepBuilder;
use super::{Event, FileId, MatchResult, Origin, Pairing, Plan, Refused, Step};
use crate::genome::{GeneTable, Genome};
use crate::random::{self, Purpose};

/// The hall of fame gets an elder after each of so many parts of the evolution.
const HALL_OF_FAME_PARTS: u32 = 10;

/// A sample is taken after each of so many parts of the evolution.
const SAMPLE_PARTS: u32 = 100;

/// Everything that later steps depend on, except the plan and the results.
/// (The fields' order is part of the checkpoint's stored format.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Phases of the genome: fixed for the whole run.
    phases: u32,
    /// Matches applied.
    pub(super) matches: u64,
    /// Matches drawn: the number of the next one.
    pub(super) drawn: u64,
    pub(super) births: u64,
    pub(super) deaths: u64,
    pub(super) next_id: u64,
    /// The living individuals, sorted by number.
    pub(super) individuals: Vec<Individual>,
    /// Twins whose match is not drawn yet; all of them live.
    pub(super) waiting_twins: VecDeque<[FileId; 2]>,
    /// Matches drawn and not yet applied, the oldest first.
    pub(super) pending: VecDeque<Pairing>,
    pub(super) consensus: Point,
    pub(super) elder: Elder,
    pub(super) best_founder: Option<BestFounder>,
    hall_of_fame: Vec<FileId>,
    /// Parts of the evolution after which the hall of fame got an elder.
    hall_of_fame_parts: u32,
    /// Parts of the evolution after which a sample was taken.
    sample_parts: u32,
    /// The final and its result, once the evolution has ended.
    pub(super) final_stage: Option<FinalStage>,
    /// The champions after which the evolution was taken further.
    pub(super) former_champions: Vec<FormerChampion>,
    pub(super) school: School,
}

/// The running mean of the consensus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Elder {
    pub(super) mean: Point,
    /// How many consensuses the mean was taken over.
    pub(super) count: u64,
}

impl State {
    /// The first population and its first pending matches.
    pub fn new(plan: &Plan) -> (State, Step) {
        let mut step = StepBuilder::default();
        let space = Space::new(&plan.genome);
        let founders = founders(plan, &space);
        let consensus = space
            .mean(founders.iter().map(|(_, weights)| weights))
            .expect("there is at least one founder");
        let mut state = State {
            phases: plan.genome.phases,
            matches: 0,
            drawn: 0,
            births: 0,
            deaths: 0,
            next_id: 0,
            individuals: Vec::with_capacity(founders.len()),
            waiting_twins: VecDeque::new(),
            pending: VecDeque::new(),
            elder: Elder {
                mean: consensus.clone(),
                count: 0,
            },
            consensus,
            best_founder: None,
            hall_of_fame: Vec::new(),
            hall_of_fame_parts: 0,
            sample_parts: 0,
            final_stage: None,
            former_champions: Vec::new(),
            school: School::default(),
        };
        for (origin, weights) in founders {
            let id = state.add_birth(origin, weights, &[], None, &mut step);
            state.add_points(id, 0.0);
        }
        state.draw_pairings(plan);
        state.apply_schedule(plan, true, &mut step);
        let step = state.finish_step(step);
        (state, step)
    }

    /// Applies the result of the oldest pending match. The numbered steps are
    /// those of the selection rule; the first two, pairing and playing, came
    /// before the result.
    ///
    /// # Errors
    ///
    /// [`Refused::NotNext`] if the result is not that of the oldest pending
    /// match, [`Refused::Score`] if its score is not from -1 to 1,
    /// [`Refused::LessonDue`] while a lesson is due, and [`Refused::Over`] if no
    /// match is pending. The state is unchanged then.
    pub fn apply(&mut self, plan: &Plan, result: &MatchResult) -> Result<Step, Refused> {
        let pairing = self.check_next(result)?;
        if self.lesson(plan).is_some() {
            let number = result.number;
            return Err(Refused::LessonDue { number });
        }
        self.pending.pop_front();
        self.matches += 1;
        let mut step = StepBuilder::default();
        if pairing.is_final {
            self.score_final(result.score, plan, &mut step);
            return Ok(self.finish_step(step));
        }
        if self.is_challenge(&pairing) {
            self.score_challenge(plan, result.score, &mut step);
            self.enforce_capacity(self.capacity(plan), &mut step);
            self.draw_pairings(plan);
            self.apply_schedule(plan, false, &mut step);
            return Ok(self.finish_step(step));
        }
        let space = Space::new(&plan.genome);
        let mut rng = random::rng(plan.seed, Purpose::Breeding(pairing.number));

        // Step 3: points.
        self.award_points(&pairing, result.score, &mut step);

        // Step 4: the consensus, and the elder.
        self.update_consensus(plan, &space, &pairing, result.score);

        // Step 5: breed. Once all matches of the evolution are drawn, newborns
        // could not play any more.
        let mut born = false;
        if self.drawn < plan.evolution_matches() {
            for id in pairing.files {
                born |= self.breed(plan, &space, id, &mut rng, &mut step);
            }
        }

        // Step 6: delete.
        for id in pairing.files {
            self.delete_if_weak(plan, id, &mut step);
        }

        // Step 7: refill.
        if !born && self.needs_refill(plan) {
            self.add_twins(plan, &space, Origin::Refill, &[], &mut rng, &mut step);
        }

        // Step 8: capacity.
        self.enforce_capacity(self.capacity(plan), &mut step);

        // Step 1 for a match to come, and what falls due at this moment.
        self.draw_pairings(plan);
        self.apply_schedule(plan, false, &mut step);
        Ok(self.finish_step(step))
    }

    /// Takes weights into the population, with no points and no games.
    ///
    /// # Errors
    ///
    /// [`Refused::FinalBegun`] once the final has begun, and
    /// [`Refused::OutOfBounds`] or [`Refused::TwoValues`] if the weights do not
    /// fit the genome. The state is unchanged then.
    pub fn immigrate(&mut self, plan: &Plan, weights: &Genome) -> Result<Step, Refused> {
        self.require_evolving()?;
        Space::new(&plan.genome).check(weights)?;
        let mut step = StepBuilder::default();
        self.add_birth(Origin::Immigrant, weights.clone(), &[], None, &mut step);
        self.enforce_capacity(self.capacity(plan), &mut step);
        self.draw_pairings(plan);
        Ok(self.finish_step(step))
    }

    /// Changes the plan between two matches; the caller passes `new_plan` to
    /// all later calls. `keys` says what changed, one line per key.
    /// Individuals stay as they are; the consensus and the elder are moved into
    /// the new bounds.
    ///
    /// # Errors
    ///
    /// [`Refused::FinalBegun`] once the final has begun, and
    /// [`Refused::Phases`] if the genome would get another shape. The state is
    /// unchanged then.
    pub fn change_plan(&mut self, new_plan: &Plan, keys: Vec<String>) -> Result<Step, Refused> {
        self.require_evolving()?;
        self.check_phases(new_plan)?;
        let mut step = StepBuilder::default();
        step.event(Event::Changed { keys });
        let space = Space::new(&new_plan.genome);
        space.constrain(&mut self.consensus);
        space.constrain(&mut self.elder.mean);
        self.enforce_capacity(self.capacity(new_plan), &mut step);
        self.draw_pairings(new_plan);
        Ok(self.finish_step(step))
    }

    /// Whether every genome in it has a value for each gene of a table, as all
    /// do unless the state was read from a damaged file.
    pub fn has_genes(&self, table: &GeneTable) -> bool {
        let stage = self.final_stage.as_ref();
        let all = self.individuals.iter().map(|one| &one.weights);
        let pending = self.pending.iter().flat_map(|pairing| &pairing.weights);
        let founder = self.best_founder.iter().map(|best| &best.weights);
        let mut genomes = all
            .chain(pending)
            .chain(founder)
            .chain(stage.map(|stage| &stage.elder.weights));
        let mut points = [&self.consensus, &self.elder.mean].into_iter();
        genomes.all(|genome| table.check_length(genome).is_ok())
            && points
                .all(|point| [&point.opening, &point.endgame].map(Vec::len) == [table.len(); 2])
    }

    /// Matches that are drawn and not yet applied, the next one first. There
    /// are at most as many as the window (more for a while after a change to a
    /// smaller window), and none only when the evolution is over.
    pub fn pending(&self) -> &VecDeque<Pairing> {
        &self.pending
    }

    /// Matches applied.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// Games of the matches applied, two each.
    pub fn games(&self) -> u64 {
        2 * self.matches
    }

    /// The fraction of the evolution that is done, from 0 to 1; 1 from the
    /// final on.
    pub fn progress(&self, plan: &Plan) -> f64 {
        match self.final_stage {
            None => plan.progress_at(self.matches),
            Some(_) => 1.0,
        }
    }

    /// How many individuals may live now.
    pub fn capacity(&self, plan: &Plan) -> u32 {
        plan.capacity_at(self.progress(plan))
    }

    /// Whether an individual, an elder or a challenged consensus has this number.
    pub fn is_born(&self, id: FileId) -> bool {
        id.0 < self.next_id
    }

    /// Individuals born, founders included, elders not.
    pub fn births(&self) -> u64 {
        self.births
    }

    /// Individuals that died.
    pub fn deaths(&self) -> u64 {
        self.deaths
    }

    /// The living individuals, in the order of birth.
    pub fn individuals(&self) -> &[Individual] {
        &self.individuals
    }

    /// A living individual by its number.
    pub fn individual(&self, id: FileId) -> Option<&Individual> {
        self.index_of(id).map(|index| &self.individuals[index])
    }

    /// The individual with most points, then most games, then the oldest.
    pub fn leader(&self) -> Option<&Individual> {
        self.individuals.iter().max_by(|one, other| one.rank(other))
    }

    /// The consensus, rounded to the grid.
    pub fn consensus(&self) -> Genome {
        self.consensus.nearest()
    }

    /// The genes whose consensus lies at a bound. None before the evolution has
    /// come as far as its elder: founders are drawn anywhere.
    pub fn at_bounds(&self, plan: &Plan) -> Vec<AtBound> {
        if self.elder.count == 0 {
            return Vec::new();
        }
        Space::new(&plan.genome).at_bounds(&self.consensus)
    }

    /// The elder, rounded to the grid, once there is one.
    pub fn elder(&self) -> Option<Genome> {
        (self.elder.count > 0).then(|| self.elder.mean.nearest())
    }

    /// The elders in the hall of fame, the oldest first.
    pub fn hall_of_fame(&self) -> &[FileId] {
        &self.hall_of_fame
    }

    /// The founder that ever had the most points (the oldest of equals),
    /// whether it lives or not.
    pub fn best_founder(&self) -> Option<(FileId, Genome)> {
        let best = self.best_founder.as_ref()?;
        Some((best.id, best.weights.clone()))
    }

    /// Matches of the whole run, the final included, as far as can be known
    /// now.
    pub fn total_matches(&self, plan: &Plan) -> u64 {
        match &self.final_stage {
            None => {
                let evolution = plan.evolution_matches().max(self.drawn);
                evolution.saturating_add(plan.final_matches())
            }
            Some(stage) => stage.end(),
        }
    }

    /// The pairing that a result belongs to, if it is the oldest pending one.
    fn check_next(&self, result: &MatchResult) -> Result<Pairing, Refused> {
        let next = self.pending.front().ok_or(Refused::Over)?;
        if (result.number, result.files) != (next.number, next.files) {
            return Err(Refused::NotNext {
                number: result.number,
                files: result.files,
                wanted: next.number,
                wanted_files: next.files,
            });
        }
        if !(-1.0..=1.0).contains(&result.score) {
            return Err(Refused::Score {
                number: result.number,
                score: result.score,
            });
        }
        Ok(next.clone())
    }

    /// Checks that a plan's genome has the shape of the living individuals.
    pub(super) fn check_phases(&self, plan: &Plan) -> Result<(), Refused> {
        let (before, now) = (self.phases, plan.genome.phases);
        if before == now {
            Ok(())
        } else {
            Err(Refused::Phases { before, now })
        }
    }

    /// Counts the parts of the evolution that are complete by a new plan.
    pub(super) fn restart_schedule(&mut self, plan: &Plan) {
        self.hall_of_fame_parts = plan.complete_parts(self.matches, HALL_OF_FAME_PARTS);
        self.sample_parts = plan.complete_parts(self.matches, SAMPLE_PARTS);
    }

    fn require_evolving(&self) -> Result<(), Refused> {
        match self.final_stage {
            None => Ok(()),
            Some(_) => Err(Refused::FinalBegun),
        }
    }

    /// Does what falls due at fixed parts of the evolution: an elder for the
    /// hall of fame, a sample, the end of the evolution.
    fn apply_schedule(&mut self, plan: &Plan, is_first: bool, step: &mut StepBuilder) {
        let hall_of_fame_parts = plan.complete_parts(self.matches, HALL_OF_FAME_PARTS);
        if self.matches > 0 && hall_of_fame_parts > self.hall_of_fame_parts {
            self.hall_of_fame_parts = hall_of_fame_parts;
            let elder = self.create_elder(step);
            step.last_totals(elder.id, elder.totals);
            self.hall_of_fame.push(elder.id);
            step.event(Event::Hall { file: elder.id });
        }
        let is_over = self.pending.is_empty();
        if is_over {
            self.keep_only_leader(step);
        }
        let sample_parts = plan.complete_parts(self.matches, SAMPLE_PARTS);
        if is_first || is_over || sample_parts > self.sample_parts {
            self.sample_parts = sample_parts;
            step.event(Event::Sample(self.sample(plan)));
        }
        if is_over {
            self.begin_final(plan, step);
        }
    }

    /// Where a living individual stands in the list.
    pub(super) fn index_of(&self, id: FileId) -> Option<usize> {
        self.individuals
            .binary_search_by_key(&id, |one| one.id)
            .ok()
    }

    pub(super) fn finish_step(&self, step: StepBuilder) -> Step {
        step.build(|id| {
            let elder = self.final_stage.as_ref().map(|stage| &stage.elder);
            let outside = [elder, self.challenged()].into_iter().flatten();
            let mut outside = outside.filter(|one| one.id == id);
            outside
                .next()
                .or_else(|| self.individual(id))
                .map(|individual| individual.totals)
        })
    }
}
