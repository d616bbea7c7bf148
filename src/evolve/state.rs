//! The state of an evolution, and the loop that a match's result drives.
//!
//! Nothing in a state grows with the matches played: living files, twins that
//! wait, drawn matches, two points of the space and at most ten numbers of the
//! hall.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::births_deaths::Noted;
use super::finale::Finale;
use super::founders::founders;
use super::individual::Individual;
use super::log::Log;
use super::space::{Point, Space};
use super::{Event, FileId, MatchResult, Origin, Pairing, Plan, Refused, Step};
use crate::eval::Weights;
use crate::random::{self, Purpose};

/// Parts of the evolution between two files of the hall.
const TENTHS: u32 = 10;

/// Parts of the evolution between two samples.
const HUNDREDTHS: u32 = 100;

/// Everything that later steps depend on, but for the plan and the results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    phases: u32,
    pub(super) matches: u64,
    pub(super) drawn: u64,
    pub(super) births: u64,
    pub(super) deaths: u64,
    pub(super) next_id: u64,
    pub(super) files: Vec<Individual>,
    /// Twins that were not drawn yet; all of them live.
    pub(super) waiting: VecDeque<[FileId; 2]>,
    pub(super) pending: VecDeque<Pairing>,
    pub(super) consensus: Point,
    pub(super) elder: Elder,
    pub(super) best_founder: Option<Noted>,
    hall: Vec<FileId>,
    tenths: u32,
    hundredths: u32,
    /// The final and what came of it, once the evolution has ended.
    pub(super) finale: Option<Finale>,
}

/// The running mean of the consensus.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Elder {
    pub(super) mean: Point,
    pub(super) count: u64,
}

impl State {
    /// The first population and the first matches.
    pub fn new(plan: &Plan) -> (State, Step) {
        let mut log = Log::default();
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
            files: Vec::with_capacity(founders.len()),
            waiting: VecDeque::new(),
            pending: VecDeque::new(),
            consensus,
            elder: Elder {
                mean: consensus,
                count: 0,
            },
            best_founder: None,
            hall: Vec::new(),
            tenths: 0,
            hundredths: 0,
            finale: None,
        };
        for (origin, weights) in founders {
            let id = state.bear(origin, weights, &[], None, &mut log);
            state.add_points(id, 0.0);
        }
        state.draw(plan);
        state.look(plan, true, &mut log);
        let step = state.done(log);
        (state, step)
    }

    /// Applies the result of the oldest match that is pending. The steps are
    /// those of the selection rule; the first two, pairing and playing, are
    /// what brought the result.
    pub fn apply(&mut self, plan: &Plan, result: &MatchResult) -> Result<Step, Refused> {
        let pairing = self.expect(result)?;
        self.pending.pop_front();
        self.matches += 1;
        let mut log = Log::default();
        if pairing.is_final {
            self.score_final(result.score, plan, &mut log);
            return Ok(self.done(log));
        }
        let space = Space::new(&plan.genome);
        let mut rng = random::rng(plan.seed, Purpose::Breeding(pairing.number));

        // Step 3: score.
        self.score(&pairing, result.score, &mut log);

        // Step 4: the consensus, and the elder.
        self.agree(plan, &space, &pairing, result.score);

        // Step 5: breed. Who is born when no match is left to be drawn could
        // never play.
        let mut born = false;
        if self.drawn < plan.evolution_matches() {
            for id in pairing.files {
                born |= self.breed(plan, &space, id, &mut rng, &mut log);
            }
        }

        // Step 6: delete.
        for id in pairing.files {
            self.delete(plan, id, &mut log);
        }

        // Step 7: refill.
        if !born && self.needs_refill(plan) {
            self.bear_twins(plan, &space, Origin::Refill, &[], &mut rng, &mut log);
        }

        // Step 8: capacity.
        self.make_room(self.capacity(plan), &mut log);

        // Step 1 for a match to come, and what the calendar asks for.
        self.draw(plan);
        self.look(plan, false, &mut log);
        Ok(self.done(log))
    }

    /// Takes weights into the population, with no points and no games.
    pub fn immigrate(&mut self, plan: &Plan, weights: &Weights) -> Result<Step, Refused> {
        self.still_open()?;
        Space::new(&plan.genome).check(weights)?;
        let mut log = Log::default();
        self.bear(Origin::Immigrant, *weights, &[], None, &mut log);
        self.make_room(self.capacity(plan), &mut log);
        self.draw(plan);
        Ok(self.done(log))
    }

    /// The parameters change between two matches; later steps are to be called
    /// with `now`. `keys` says what changed. Files stay what they are; the
    /// consensus and the elder move into the new bounds.
    pub fn change(&mut self, now: &Plan, keys: Vec<String>) -> Result<Step, Refused> {
        self.still_open()?;
        if now.genome.phases != self.phases {
            return Err(Refused::Phases {
                before: self.phases,
                now: now.genome.phases,
            });
        }
        let mut log = Log::default();
        log.event(Event::Changed { keys });
        let space = Space::new(&now.genome);
        space.settle(&mut self.consensus);
        space.settle(&mut self.elder.mean);
        self.make_room(self.capacity(now), &mut log);
        self.draw(now);
        Ok(self.done(log))
    }

    /// Matches that are drawn and not yet applied; the first is the next one.
    /// At most as many as the window; none only when it is over. (After a
    /// change to a smaller window more may be left for a while.)
    pub fn pending(&self) -> &VecDeque<Pairing> {
        &self.pending
    }

    /// Matches applied.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// Games played in them.
    pub fn games(&self) -> u64 {
        2 * self.matches
    }

    /// The part of the evolution that is done, from 0 to 1; 1 from the final
    /// on.
    pub fn progress(&self, plan: &Plan) -> f64 {
        match self.finale {
            None => plan.part(self.matches),
            Some(_) => 1.0,
        }
    }

    /// Files that may live now.
    pub fn capacity(&self, plan: &Plan) -> u32 {
        plan.room(self.progress(plan))
    }

    /// Files born, founders included, elders not.
    pub fn births(&self) -> u64 {
        self.births
    }

    /// Files that died.
    pub fn deaths(&self) -> u64 {
        self.deaths
    }

    /// Who lives, in the order of birth.
    pub fn files(&self) -> &[Individual] {
        &self.files
    }

    /// A file that lives.
    pub fn file(&self, id: FileId) -> Option<&Individual> {
        self.place(id).map(|n| &self.files[n])
    }

    /// Who is ahead: most points, then most games, then the oldest.
    pub fn leader(&self) -> Option<&Individual> {
        self.files.iter().max_by(|one, other| one.rank(other))
    }

    /// The consensus, rounded to the grid.
    pub fn consensus(&self) -> Weights {
        self.consensus.nearest()
    }

    /// The elder, rounded to the grid, once there is one.
    pub fn elder(&self) -> Option<Weights> {
        (self.elder.count > 0).then(|| self.elder.mean.nearest())
    }

    /// The files of the hall, oldest first.
    pub fn hall(&self) -> &[FileId] {
        &self.hall
    }

    /// Of the first population, the file that ever had the most points (the
    /// oldest of equals), whether it lives or not.
    pub fn best_founder(&self) -> Option<(FileId, Weights)> {
        self.best_founder.map(|best| (best.file, best.weights))
    }

    /// Matches of the whole run, as far as can be known now.
    pub fn ends_with(&self, plan: &Plan) -> u64 {
        match &self.finale {
            None => {
                let evolution = plan.evolution_matches().max(self.drawn);
                evolution.saturating_add(plan.final_matches())
            }
            Some(finale) => finale.end(),
        }
    }

    fn expect(&self, result: &MatchResult) -> Result<Pairing, Refused> {
        let next = *self.pending.front().ok_or(Refused::Over)?;
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
        Ok(next)
    }

    fn still_open(&self) -> Result<(), Refused> {
        match self.finale {
            None => Ok(()),
            Some(_) => Err(Refused::FinalBegun),
        }
    }

    /// What the calendar asks for: a file of the hall, a sample, the end.
    fn look(&mut self, plan: &Plan, first: bool, log: &mut Log) {
        let tenths = plan.whole_parts(self.matches, TENTHS);
        if self.matches > 0 && tenths > self.tenths {
            self.tenths = tenths;
            let elder = self.bear_elder(log);
            log.gone(elder.id, elder.totals);
            self.hall.push(elder.id);
            log.event(Event::Hall { file: elder.id });
        }
        let over = self.pending.is_empty();
        if over {
            self.leave_one(log);
        }
        let hundredths = plan.whole_parts(self.matches, HUNDREDTHS);
        if first || over || hundredths > self.hundredths {
            self.hundredths = hundredths;
            log.event(Event::Sample(self.sample(plan)));
        }
        if over {
            self.begin_final(plan, log);
        }
    }

    /// Where a living file stands in the list.
    pub(super) fn place(&self, id: FileId) -> Option<usize> {
        self.files.binary_search_by_key(&id, |file| file.id).ok()
    }

    fn done(&self, log: Log) -> Step {
        log.done(|id| {
            let elder = self.finale.as_ref().map(|finale| &finale.elder);
            let file = elder.filter(|file| file.id == id);
            file.or_else(|| self.file(id)).map(|file| file.totals)
        })
    }
}
