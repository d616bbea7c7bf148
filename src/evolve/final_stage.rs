//! The final stage: the last individual plays the elder for the title. The best
//! scholar plays the elder for that place first.

use serde::{Deserialize, Serialize};

use super::individual::Individual;
use super::mean_score::MeanScore;
use super::state::State;
use super::step_builder::StepBuilder;
use super::{Event, FileId, Origin, Pairing, Plan};
use crate::genome::Genome;

/// The stage that an evolution is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Individuals are scored, culled and bred.
    Evolving,
    /// The last individual plays the elder.
    Final,
    /// There is a champion, and no match is pending.
    Over,
}

/// How the final stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinalRecord {
    /// The last individual of the population.
    pub last: FileId,
    /// The elder that it plays.
    pub elder: FileId,
    /// Matches of the final that were applied.
    pub matches: u64,
    /// The last individual's mean score, from -1 to 1.
    pub mean: f64,
    /// The standard error of the mean; 0 with fewer than two matches.
    pub error: f64,
}

/// The winner of the final.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Champion {
    /// The champion's number.
    pub file: FileId,
    /// The weights that it plays with.
    pub weights: Genome,
    /// Whether it is the elder, a mean of individuals, and not one that lived.
    pub is_elder: bool,
    /// Whether it is a scholar, which was learned from positions.
    pub is_scholar: bool,
}

/// The matches of the final, from the last individual's point of view. (The
/// fields' order is part of the checkpoint's stored format.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FinalStage {
    /// Whom the last individual plays: the elder, or the best scholar where that
    /// has beaten the elder.
    pub(super) elder: Individual,
    /// The best scholar, as long as it and the elder play for that place.
    scholar: Option<Individual>,
    /// Matches of the whole final.
    total_matches: u64,
    /// The number of its first match.
    first_match: u64,
    /// The scores of the bout that is being played: the scholar's, then the last
    /// individual's.
    scores: MeanScore,
    /// Whether the last individual won; `None` until the last match.
    won: Option<bool>,
}

impl FinalStage {
    /// The number of the match after the last one.
    pub(super) fn end(&self) -> u64 {
        self.first_match.saturating_add(self.total_matches)
    }

    /// The number of the match after the last one of the present bout: a
    /// semifinal has half of the matches.
    fn end_of_bout(&self) -> u64 {
        match self.scholar {
            Some(_) => self.first_match.saturating_add(self.total_matches / 2),
            None => self.end(),
        }
    }
}

impl State {
    /// The stage that the evolution is in.
    pub fn stage(&self) -> Stage {
        match &self.final_stage {
            None => Stage::Evolving,
            Some(stage) if stage.won.is_none() => Stage::Final,
            Some(_) => Stage::Over,
        }
    }

    /// How the final stands, once it has begun. While the best scholar and the
    /// elder play for a place in it, it has no matches.
    pub fn final_record(&self) -> Option<FinalRecord> {
        let stage = self.final_stage.as_ref()?;
        let scores = match stage.scholar {
            Some(_) => MeanScore::default(),
            None => stage.scores,
        };
        Some(FinalRecord {
            last: self.individuals.first()?.id,
            elder: stage.elder.id,
            matches: scores.matches,
            mean: scores.mean,
            error: scores.error(),
        })
    }

    /// The champion, once the evolution is over.
    pub fn champion(&self) -> Option<Champion> {
        let stage = self.final_stage.as_ref()?;
        let winner = if stage.won? {
            self.individuals.first()?
        } else {
            &stage.elder
        };
        Some(Champion {
            file: winner.id,
            weights: winner.weights.clone(),
            is_elder: winner.origin == Origin::Elder,
            is_scholar: winner.origin == Origin::Scholar,
        })
    }

    /// Begins the final between the one individual that is left and the elder
    /// of this moment. Where there is a scholar that is neither of them, it plays
    /// the elder first.
    pub(super) fn begin_final(&mut self, plan: &Plan, step: &mut StepBuilder) {
        self.drop_challenge(step);
        let elder = self.create_elder(step);
        let budget = plan.evolution.budget / 2;
        let matches_left = budget.saturating_sub(self.matches);
        let total_matches = plan.final_matches().min(matches_left);
        let last = self.individuals.first().map(|last| last.id);
        let best = self.school.best.as_ref();
        let scholar = best.filter(|best| {
            total_matches >= 2 && Some(best.id) != last && best.weights != elder.weights
        });
        let stage = FinalStage {
            scholar: scholar.cloned(),
            elder,
            total_matches,
            first_match: self.matches,
            scores: MeanScore::default(),
            won: None,
        };
        if stage.scholar.is_none() {
            self.report_final(&stage, step);
        }
        self.final_stage = Some(stage);
        self.continue_final(plan, step);
    }

    fn report_final(&self, stage: &FinalStage, step: &mut StepBuilder) {
        if let Some(last) = self.individuals.first() {
            step.event(Event::Final {
                last: last.id,
                elder: stage.elder.id,
            });
        }
    }

    /// Applies a match of the final: its games are counted, but it brings no
    /// points. Those of a scholar are not counted: its totals ended with its
    /// life.
    pub(super) fn score_final(&mut self, score: f64, plan: &Plan, step: &mut StepBuilder) {
        let Some(stage) = &mut self.final_stage else {
            return;
        };
        stage.scores.add(score);
        let elder = (stage.elder.origin != Origin::Scholar).then_some(&mut stage.elder);
        let last = match stage.scholar {
            Some(_) => None,
            None => self.individuals.first_mut(),
        };
        for player in last.into_iter().chain(elder) {
            player.totals.games += 2;
            step.totals_changed(player.id);
        }
        self.continue_final(plan, step);
    }

    /// Fills the window with matches of the present bout; when none is left to
    /// play, the next bout begins, or the title is given. The last individual
    /// wins only with a mean that is more than `errors` standard errors above 0.
    fn continue_final(&mut self, plan: &Plan, step: &mut StepBuilder) {
        let (Some(mut stage), Some(last)) = (self.final_stage.take(), self.individuals.first())
        else {
            return;
        };
        let window = plan.window.max(1) as usize;
        let first = stage.scholar.as_ref().unwrap_or(last);
        while self.pending.len() < window && self.drawn < stage.end_of_bout() {
            self.pending.push_back(Pairing {
                number: self.drawn,
                files: [first.id, stage.elder.id],
                weights: [first.weights.clone(), stage.elder.weights.clone()],
                is_final: true,
            });
            self.drawn += 1;
        }
        if !self.pending.is_empty() {
            self.final_stage = Some(stage);
            return;
        }
        let scores = stage.scores;
        if let Some(scholar) = stage.scholar.take() {
            step.event(Event::Semifinal {
                scholar: scholar.id,
                elder: stage.elder.id,
                score: scores.mean,
                error: scores.error(),
                matches: scores.matches,
            });
            if scores.mean > 0.0 {
                step.last_totals(stage.elder.id, stage.elder.totals);
                stage.elder = scholar;
            }
            stage.scores = MeanScore::default();
            self.report_final(&stage, step);
            self.final_stage = Some(stage);
            self.continue_final(plan, step);
            return;
        }
        let won = scores.leads_by(plan.final_stage.errors);
        stage.won = Some(won);
        step.event(Event::Champion {
            file: if won { last.id } else { stage.elder.id },
            score: scores.mean,
            error: scores.error(),
            matches: scores.matches,
        });
        self.final_stage = Some(stage);
    }

    /// Makes the elder of this moment, or the consensus before there is an
    /// elder, an individual with a number, outside of the population.
    pub(super) fn create_elder(&mut self, step: &mut StepBuilder) -> Individual {
        let weights = self.elder().unwrap_or_else(|| self.consensus());
        let elder = self.new_individual(Origin::Elder, weights);
        self.report_birth(&elder, Vec::new(), step);
        elder
    }
}
