//! The final stage: the last individual plays the elder for the title.

use serde::{Deserialize, Serialize};

use super::individual::Individual;
use super::state::State;
use super::step_builder::StepBuilder;
use super::{Event, FileId, Origin, Pairing, Plan};
use crate::eval::Weights;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Champion {
    /// The champion's number.
    pub file: FileId,
    /// The weights that it plays with.
    pub weights: Weights,
    /// Whether it is the elder, a mean of individuals, and not one that lived.
    pub is_elder: bool,
}

/// The matches of the final, from the last individual's point of view. (The
/// fields' order is part of the checkpoint's stored format.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FinalStage {
    pub(super) elder: Individual,
    /// Matches of the whole final.
    total_matches: u64,
    /// The number of its first match.
    first_match: u64,
    /// Matches applied so far.
    played: u64,
    /// The mean of the scores so far (Welford's method).
    mean: f64,
    /// The sum of the scores' squared distances from the mean (Welford's
    /// method).
    squares: f64,
    /// Whether the last individual won; `None` until the last match.
    won: Option<bool>,
}

impl FinalStage {
    /// Takes a score into the mean and the sum of squares.
    fn add(&mut self, score: f64) {
        self.played += 1;
        let distance_before = score - self.mean;
        self.mean += distance_before / self.played as f64;
        self.squares += distance_before * (score - self.mean);
    }

    /// The standard error of the mean; 0 with fewer than two matches.
    fn error(&self) -> f64 {
        if self.played < 2 {
            return 0.0;
        }
        let count = self.played as f64;
        (self.squares / (count - 1.0) / count).sqrt()
    }

    /// The number of the match after the last one.
    pub(super) fn end(&self) -> u64 {
        self.first_match.saturating_add(self.total_matches)
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

    /// How the final stands, once it has begun.
    pub fn final_record(&self) -> Option<FinalRecord> {
        let stage = self.final_stage.as_ref()?;
        Some(FinalRecord {
            last: self.individuals.first()?.id,
            elder: stage.elder.id,
            matches: stage.played,
            mean: stage.mean,
            error: stage.error(),
        })
    }

    /// The champion, once the evolution is over.
    pub fn champion(&self) -> Option<Champion> {
        let stage = self.final_stage.as_ref()?;
        let (winner, is_elder) = if stage.won? {
            (self.individuals.first()?, false)
        } else {
            (&stage.elder, true)
        };
        Some(Champion {
            file: winner.id,
            weights: winner.weights,
            is_elder,
        })
    }

    /// Begins the final between the one individual that is left and the elder
    /// of this moment.
    pub(super) fn begin_final(&mut self, plan: &Plan, step: &mut StepBuilder) {
        let elder = self.create_elder(step);
        let budget = plan.evolution.budget / 2;
        let matches_left = budget.saturating_sub(self.matches);
        if let Some(last) = self.individuals.first() {
            step.event(Event::Final {
                last: last.id,
                elder: elder.id,
            });
        }
        self.final_stage = Some(FinalStage {
            elder,
            total_matches: plan.final_matches().min(matches_left),
            first_match: self.matches,
            played: 0,
            mean: 0.0,
            squares: 0.0,
            won: None,
        });
        self.continue_final(plan, step);
    }

    /// Applies a match of the final: its games are counted, but it brings no
    /// points.
    pub(super) fn score_final(&mut self, score: f64, plan: &Plan, step: &mut StepBuilder) {
        let Some(stage) = &mut self.final_stage else {
            return;
        };
        stage.add(score);
        for player in self.individuals.iter_mut().chain([&mut stage.elder]) {
            player.totals.games += 2;
            step.totals_changed(player.id);
        }
        self.continue_final(plan, step);
    }

    /// Fills the window with matches of the final; when none is left to play,
    /// the title is given. The last individual wins only with a mean that is
    /// more than `errors` standard errors above 0.
    fn continue_final(&mut self, plan: &Plan, step: &mut StepBuilder) {
        let (Some(stage), Some(last)) = (&mut self.final_stage, self.individuals.first()) else {
            return;
        };
        let window = plan.window.max(1) as usize;
        while self.pending.len() < window && self.drawn < stage.end() {
            self.pending.push_back(Pairing {
                number: self.drawn,
                files: [last.id, stage.elder.id],
                weights: [last.weights, stage.elder.weights],
                is_final: true,
            });
            self.drawn += 1;
        }
        if !self.pending.is_empty() {
            return;
        }
        let error = stage.error();
        let won = stage.played >= 2 && stage.mean > plan.final_stage.errors * error;
        stage.won = Some(won);
        step.event(Event::Champion {
            file: if won { last.id } else { stage.elder.id },
            score: stage.mean,
            error,
            matches: stage.played,
        });
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
