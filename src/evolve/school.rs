//! Scholars: weights that were learned from the positions of recent games are
//! born as an individual, and challenge the consensus.
//!
//! This module says when a lesson is due, from how many games, and what follows
//! from what was learned. It never sees a board: a [`Lesson`] is asked for as a
//! match is, and [`Learned`] comes back. Matches wait while a lesson is due, so
//! that it depends on the matches before it and on nothing else.
//!
//! 1. After `school.first` games, at every doubling of the games from then on,
//!    and at least every sixteenth of the budget, a lesson is due.
//! 2. What was learned is born, a *scholar*, with no points.
//! 3. It plays the consensus of this moment, in matches out of the budget: the
//!    *challenge*.
//! 4. If its mean score is more than `school.errors` standard errors above 0, the
//!    consensus and the elder move to it. Individuals that were born before do
//!    not count in the consensus any more, or they would pull it back.

use serde::{Deserialize, Serialize};

use super::individual::Individual;
use super::mean_score::MeanScore;
use super::space::{Point, Space};
use super::state::{Elder, State};
use super::step_builder::StepBuilder;
use super::{Event, FileId, Origin, Pairing, Plan, Refused, Step};
use crate::genome::Genome;

/// A lesson is due after each of so many parts of the budget at the latest.
const PARTS: u64 = 16;

/// A challenge takes at most one in so many of the matches until the next lesson.
const CHALLENGE_PART: u64 = 4;

/// What is to be learned: a regression over positions of the run's games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Matches applied: those that may be learned from.
    pub matches: u64,
    /// The number of games to learn from, the most recent ones.
    pub games: u64,
    /// The consensus of this moment, from which the regression begins.
    pub consensus: Genome,
}

/// What a lesson brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    /// The weights under which the outcomes of the games are likeliest.
    pub weights: Genome,
    /// The number of games that were learned from; 0 where nothing could be.
    pub games: u64,
    /// The number of their positions.
    pub positions: u64,
    /// The logarithm of the outcomes' likelihood, in millionths of a nat a
    /// position. Outcomes that nothing explains have -693,147.
    pub micronats: i64,
}

/// A scholar, and what became of its challenge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scholar {
    /// Its number.
    pub file: FileId,
    /// Matches applied when it was born.
    pub at: u64,
    /// The number of games that it was learned from.
    pub games: u64,
    /// The number of their positions.
    pub positions: u64,
    /// As in [`Learned::micronats`].
    pub micronats: i64,
    /// How its challenge ended; `None` before that.
    pub challenge: Option<ChallengeResult>,
}

/// How a challenge ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChallengeResult {
    /// The number under which the consensus of that moment played.
    pub consensus: FileId,
    /// Matches of the challenge.
    pub matches: u64,
    /// The scholar's mean score, from -1 to 1.
    pub score: f64,
    /// The standard error of that mean.
    pub error: f64,
    /// Whether the consensus moved to the scholar.
    pub won: bool,
}

/// What the state knows of its school. (The fields' order is part of the
/// checkpoint's stored format.)
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct School {
    /// All scholars, the oldest first: some twenty in a run.
    scholars: Vec<Scholar>,
    /// Matches applied at the last lesson; 0 before the first.
    last_lesson: u64,
    challenge: Option<Challenge>,
    /// The last scholar that won its challenge, or the first one while none has.
    pub(super) best: Option<Individual>,
    /// The first number that counts in the consensus, since it last moved.
    pub(super) counts_from: u64,
    /// Whether the consensus has moved to a scholar.
    has_moved: bool,
}

/// A challenge that is being played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Challenge {
    scholar: Individual,
    /// The consensus as it was when the challenge began.
    consensus: Individual,
    total_matches: u64,
    drawn: u64,
    scores: MeanScore,
}

impl Plan {
    /// The matches after which the lesson after that at `last` is due; 0 stands
    /// for no lesson yet.
    fn next_lesson(&self, last: u64) -> u64 {
        let first = self.school.first.div_ceil(2).max(1);
        if last < first {
            return first;
        }
        let part = (self.evolution.budget / 2 / PARTS).max(1);
        last.saturating_mul(2).min(last.saturating_add(part))
    }

    /// Matches of the challenge after a lesson.
    fn challenge_matches(&self, lesson: u64) -> u64 {
        let until_next = self.next_lesson(lesson) - lesson;
        (until_next / CHALLENGE_PART).clamp(2, u64::from(self.school.challenge).max(2))
    }

    /// Games that a lesson learns from. From the second lesson on those before
    /// the first, between individuals drawn at random, are left out as far as
    /// half of all games remain.
    fn lesson_games(&self, matches: u64, is_first: bool) -> u64 {
        let all = 2 * matches;
        let recent = if is_first {
            all
        } else {
            all.saturating_sub(self.school.first).max(all / 2)
        };
        recent.min(u64::from(self.school.games))
    }
}

impl State {
    /// The lesson that is due; matches wait until [`State::enrol`] is given what
    /// was learned.
    pub fn lesson(&self, plan: &Plan) -> Option<Lesson> {
        let school = &self.school;
        if !plan.school.enabled
            || self.final_stage.is_some()
            || school.challenge.is_some()
            || self.matches < plan.next_lesson(school.last_lesson)
        {
            return None;
        }
        let left = plan.evolution_matches().saturating_sub(self.drawn);
        (left >= plan.challenge_matches(self.matches)).then(|| Lesson {
            matches: self.matches,
            games: plan.lesson_games(self.matches, school.last_lesson == 0),
            consensus: self.consensus(),
        })
    }

    /// Takes in what the lesson that is due has brought.
    ///
    /// # Errors
    ///
    /// [`Refused::NoLesson`] if none is due, and [`Refused::OutOfBounds`] or
    /// [`Refused::TwoValues`] if the weights do not fit the genome. The state is
    /// unchanged then.
    pub fn enrol(&mut self, plan: &Plan, learned: &Learned) -> Result<Step, Refused> {
        if self.lesson(plan).is_none() {
            return Err(Refused::NoLesson {
                matches: self.matches,
            });
        }
        let space = Space::new(&plan.genome);
        if learned.games > 0 {
            space.check(&learned.weights)?;
        }
        let mut step = StepBuilder::default();
        self.school.last_lesson = self.matches;
        if learned.games > 0 {
            self.begin_challenge(plan, learned, &mut step);
        }
        self.enforce_capacity(self.capacity(plan), &mut step);
        self.draw_pairings(plan);
        Ok(self.finish_step(step))
    }

    fn begin_challenge(&mut self, plan: &Plan, learned: &Learned, step: &mut StepBuilder) {
        let file = self.add_birth(Origin::Scholar, learned.weights.clone(), &[], None, step);
        let consensus = self.new_individual(Origin::Consensus, self.consensus());
        self.report_birth(&consensus, Vec::new(), step);
        step.event(Event::Scholar {
            file,
            games: learned.games,
            positions: learned.positions,
            micronats: learned.micronats,
        });
        self.school.scholars.push(Scholar {
            file,
            at: self.matches,
            games: learned.games,
            positions: learned.positions,
            micronats: learned.micronats,
            challenge: None,
        });
        let scholar = self.individual(file).cloned();
        self.school.challenge = scholar.map(|scholar| Challenge {
            scholar,
            consensus,
            total_matches: plan.challenge_matches(self.matches),
            drawn: 0,
            scores: MeanScore::default(),
        });
    }

    /// All scholars, the oldest first.
    pub fn scholars(&self) -> &[Scholar] {
        &self.school.scholars
    }

    /// The players of the challenge's next match, where one is to be drawn.
    pub(super) fn draw_challenge(&mut self) -> Option<([FileId; 2], [Genome; 2])> {
        let challenge = self.school.challenge.as_mut()?;
        if challenge.drawn >= challenge.total_matches {
            return None;
        }
        challenge.drawn += 1;
        let players = [&challenge.scholar, &challenge.consensus];
        Some((
            players.map(|player| player.id),
            players.map(|player| player.weights.clone()),
        ))
    }

    /// The scholar whose challenge is not over. It survives until then.
    pub(super) fn challenger(&self) -> Option<FileId> {
        let challenge = self.school.challenge.as_ref();
        challenge.map(|challenge| challenge.scholar.id)
    }

    /// Whether a match belongs to the challenge that is being played.
    pub(super) fn is_challenge(&self, pairing: &Pairing) -> bool {
        let challenge = self.school.challenge.as_ref();
        challenge.is_some_and(|it| pairing.files == [it.scholar.id, it.consensus.id])
    }

    /// The consensus that plays a challenge, as an individual.
    pub(super) fn challenged(&self) -> Option<&Individual> {
        let challenge = self.school.challenge.as_ref();
        challenge.map(|challenge| &challenge.consensus)
    }

    /// Applies a match of the challenge. Its games are counted, but it brings no
    /// points: those a scholar must win from the others.
    pub(super) fn score_challenge(&mut self, plan: &Plan, score: f64, step: &mut StepBuilder) {
        let Some(mut challenge) = self.school.challenge.take() else {
            return;
        };
        challenge.scores.add(score);
        challenge.consensus.totals.games += 2;
        if let Some(index) = self.index_of(challenge.scholar.id) {
            self.individuals[index].totals.games += 2;
            step.totals_changed(challenge.scholar.id);
        }
        if challenge.scores.matches < challenge.total_matches {
            step.totals_changed(challenge.consensus.id);
            self.school.challenge = Some(challenge);
        } else {
            step.last_totals(challenge.consensus.id, challenge.consensus.totals);
            self.end_challenge(plan, challenge, step);
        }
    }

    fn end_challenge(&mut self, plan: &Plan, challenge: Challenge, step: &mut StepBuilder) {
        let Challenge {
            scholar,
            consensus,
            scores,
            ..
        } = challenge;
        let result = ChallengeResult {
            consensus: consensus.id,
            matches: scores.matches,
            score: scores.mean,
            error: scores.error(),
            won: scores.leads_by(plan.school.errors),
        };
        if let Some(last) = self.school.scholars.last_mut() {
            last.challenge = Some(result);
        }
        step.event(Event::Challenge {
            scholar: scholar.id,
            result,
        });
        if result.won {
            self.move_consensus(plan, &scholar.weights);
            self.school.has_moved = true;
        }
        if result.won || self.school.best.is_none() {
            self.school.best = Some(scholar);
        }
    }

    /// Moves the consensus to some weights, and lets the elder begin there.
    /// Individuals that were born before do not count in it any more.
    pub(super) fn move_consensus(&mut self, plan: &Plan, weights: &Genome) {
        let mut point = Point::from(weights);
        Space::new(&plan.genome).constrain(&mut point);
        self.elder = Elder {
            mean: point.clone(),
            count: 0,
        };
        self.consensus = point;
        self.school.counts_from = self.next_id;
    }

    /// The most that a mutation may be, as a share of the range: around weights
    /// that were learned wide ones only do harm.
    pub(super) fn largest_mutation(&self, plan: &Plan) -> f64 {
        if self.school.has_moved {
            plan.school.sigma
        } else {
            f64::INFINITY
        }
    }

    /// Ends a challenge that the budget leaves no match for.
    pub(super) fn drop_challenge(&mut self, step: &mut StepBuilder) {
        if let Some(challenge) = self.school.challenge.take() {
            step.last_totals(challenge.consensus.id, challenge.consensus.totals);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::evolve::{MatchResult, Stage};
    use crate::genome::GeneTable;
    use crate::params::Params;

    fn plan(budget: u64, change: impl Fn(&mut Params)) -> Plan {
        let mut params = Params::with_first_genes();
        params.school.enabled = true;
        params.evolution.budget = budget;
        params.evolution.population = 12;
        change(&mut params);
        Plan::with_genes(&params, &GeneTable::first(), &[])
    }

    /// The sum of all genes, which wins.
    fn sum(weights: &Genome) -> i32 {
        weights.opening.iter().sum()
    }

    /// What a lesson brings: every gene so much above the consensus.
    fn learned(plan: &Plan, lesson: &Lesson, more: i32) -> Learned {
        let raised = lesson.consensus.opening.iter().map(|value| value + more);
        let weights = Genome::uniform(raised.collect::<Vec<_>>());
        Learned {
            weights: Space::new(&plan.genome).fit(&weights),
            games: lesson.games,
            positions: 30 * lesson.games,
            micronats: -600_000,
        }
    }

    /// Plays a match; the larger sum of genes wins it.
    fn play(state: &mut State, plan: &Plan) -> Step {
        let pairing = state.pending().front().unwrap();
        let [one, other] = &pairing.weights;
        let result = MatchResult {
            number: pairing.number,
            files: pairing.files,
            score: f64::from((sum(one) - sum(other)).signum()) / 2.0,
        };
        state.apply(plan, &result).unwrap()
    }

    /// Plays until a lesson is due, or to the end.
    fn play_on(state: &mut State, plan: &Plan) -> Option<Lesson> {
        while state.stage() != Stage::Over {
            if let Some(lesson) = state.lesson(plan) {
                return Some(lesson);
            }
            play(state, plan);
        }
        None
    }

    #[test]
    fn lessons_come_at_doublings_and_at_every_sixteenth() {
        let plan = plan(100_000, |_| {});
        let mut due = vec![plan.next_lesson(0)];
        while due.len() < 8 {
            due.push(plan.next_lesson(*due.last().unwrap()));
        }
        assert_eq!(due, [250, 500, 1000, 2000, 4000, 7125, 10_250, 13_375]);
        assert_eq!(plan.challenge_matches(250), 62);
        assert_eq!(plan.challenge_matches(10_250), 100);
        // The random individuals' games are left out as soon as others are
        // enough.
        assert_eq!(plan.lesson_games(250, true), 500);
        assert_eq!(plan.lesson_games(500, false), 500);
        assert_eq!(plan.lesson_games(1000, false), 1500);
        assert_eq!(plan.lesson_games(10_250, false), 8000);
    }

    #[test]
    fn matches_wait_for_a_lesson_and_the_consensus_moves_to_a_better_scholar() {
        let plan = plan(2000, |params| params.school.first = 200);
        let (mut state, _) = State::new(&plan);
        let lesson = play_on(&mut state, &plan).unwrap();
        assert_eq!((lesson.matches, lesson.games), (100, 200));
        assert_eq!(lesson.consensus, state.consensus());
        let next = state.pending().front().unwrap().clone();
        let result = MatchResult {
            number: next.number,
            files: next.files,
            score: 0.0,
        };
        let before = state.clone();
        let refused = state.apply(&plan, &result);
        assert_eq!(refused, Err(Refused::LessonDue { number: 100 }));
        assert_eq!(state, before);

        let learned = learned(&plan, &lesson, 5);
        let step = state.enrol(&plan, &learned).unwrap();
        let [
            Event::Born(scholar),
            Event::Born(consensus),
            Event::Scholar { file, games, .. },
        ] = &step.events[..3]
        else {
            panic!("{step:?}");
        };
        assert_eq!(
            (scholar.origin, consensus.origin),
            (Origin::Scholar, Origin::Consensus)
        );
        assert_eq!(
            (scholar.weights.clone(), *file, *games),
            (learned.weights.clone(), scholar.file, 200)
        );
        assert_eq!(consensus.weights, lesson.consensus);
        assert!(state.individual(scholar.file).is_some());
        assert!(state.individual(consensus.file).is_none());
        assert_eq!(state.lesson(&plan), None);
        let refused = state.enrol(&plan, &learned);
        assert_eq!(refused, Err(Refused::NoLesson { matches: 100 }));

        // After the window the scholar plays the consensus, 15 times: a quarter
        // of the matches until the next lesson.
        let mut played = 0;
        let result = loop {
            let is_challenge =
                state.pending().front().unwrap().files == [scholar.file, consensus.file];
            played += u64::from(is_challenge);
            let step = play(&mut state, &plan);
            let found = step.events.iter().find_map(|event| match event {
                Event::Challenge { scholar, result } => Some((*scholar, *result)),
                _ => None,
            });
            if let Some(found) = found {
                assert!(
                    step.totals
                        .iter()
                        .any(|(id, totals)| *id == consensus.file && totals.games == 30)
                );
                break found;
            }
        };
        assert_eq!((result.0, played), (scholar.file, 15));
        assert_eq!(
            (result.1.score, result.1.error, result.1.won),
            (0.5, 0.0, true)
        );
        let mut point = Point::from(&learned.weights);
        Space::new(&plan.genome).constrain(&mut point);
        assert_eq!(state.consensus, point);
        assert_eq!(state.scholars()[0].challenge, Some(result.1));
        assert_eq!(state.largest_mutation(&plan), 0.08);
    }

    #[test]
    fn a_weaker_scholar_changes_nothing_but_the_files() {
        let plan = plan(2000, |params| {
            params.school.first = 200;
            params.genome.normalise = false;
        });
        let (mut state, _) = State::new(&plan);
        let lesson = play_on(&mut state, &plan).unwrap();
        let weak = learned(&plan, &lesson, -5);
        state.enrol(&plan, &weak).unwrap();
        let next = play_on(&mut state, &plan).unwrap();
        assert_eq!(next.matches, 162);
        let challenge = state.scholars()[0].challenge.unwrap();
        assert_eq!((challenge.score, challenge.won), (-0.5, false));
        assert_eq!(state.largest_mutation(&plan), f64::INFINITY);
        assert!(sum(&state.consensus()) > sum(&weak.weights));
        // A lesson that brings nothing is over.
        let nothing = Learned {
            games: 0,
            ..learned(&plan, &next, 0)
        };
        let step = state.enrol(&plan, &nothing).unwrap();
        assert_eq!(step.events, []);
        assert_eq!((state.lesson(&plan), state.scholars().len()), (None, 1));
    }

    /// A whole run of 1,200 games; only the first lesson brings something.
    fn run_with_one_scholar(more: i32) -> (State, Vec<Event>) {
        let plan = plan(1200, |params| {
            params.school.first = 400;
            params.genome.normalise = false;
        });
        let (mut state, _) = State::new(&plan);
        let mut events = Vec::new();
        while state.stage() != Stage::Over {
            if let Some(lesson) = state.lesson(&plan) {
                let mut learned = learned(&plan, &lesson, more);
                if !state.scholars().is_empty() {
                    learned.games = 0;
                }
                events.extend(state.enrol(&plan, &learned).unwrap().events);
            }
            events.extend(play(&mut state, &plan).events);
        }
        (state, events)
    }

    #[test]
    fn the_best_scholar_takes_part_in_the_final() {
        // One that loses to everybody meets the elder.
        let (state, events) = run_with_one_scholar(-300);
        let semifinals: Vec<_> = events
            .iter()
            .filter_map(|event| match event {
                Event::Semifinal {
                    scholar,
                    score,
                    matches,
                    ..
                } => Some((*scholar, *score, *matches)),
                _ => None,
            })
            .collect();
        assert_eq!(semifinals, [(state.scholars()[0].file, -0.5, 15)]);
        assert!(!state.champion().unwrap().is_scholar);
        assert_eq!(state.games(), 1200);
        // One that beats everybody is the champion, whichever way it came there.
        let (state, _) = run_with_one_scholar(300);
        let champion = state.champion().unwrap();
        assert_eq!(champion.file, state.scholars()[0].file);
        assert!(champion.is_scholar && !champion.is_elder);
    }

    #[test]
    fn without_a_school_no_lesson_is_due() {
        let plan = plan(1200, |params| {
            params.school.first = 20;
            params.school.enabled = false;
        });
        let (mut state, _) = State::new(&plan);
        assert_eq!(play_on(&mut state, &plan), None);
        assert_eq!(state.scholars(), []);
    }
}
