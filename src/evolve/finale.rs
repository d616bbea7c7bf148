//! The end: one file is left and plays the elder for the title.

use serde::{Deserialize, Serialize};

use super::individual::Individual;
use super::log::Log;
use super::state::State;
use super::{Event, FileId, Origin, Pairing, Plan};
use crate::eval::Weights;

/// Where an evolution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Files are scored, culled and bred.
    Evolving,
    /// The last file plays the elder.
    Final,
    /// There is a champion.
    Over,
}

/// How the final stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinalRecord {
    /// The last file.
    pub last: FileId,
    /// The elder's.
    pub elder: FileId,
    /// Matches applied.
    pub matches: u64,
    /// The last file's mean score, from -1 to 1.
    pub mean: f64,
    /// Its standard error; 0 with fewer than two matches.
    pub error: f64,
}

/// Who it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Champion {
    /// Its file.
    pub file: FileId,
    /// What it plays with.
    pub weights: Weights,
    /// Whether it is the elder, a consensus of files, and not one that lived.
    pub is_elder: bool,
}

/// The final, from the last file's point of view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Finale {
    pub(super) elder: Individual,
    /// Matches of the whole final.
    total: u64,
    /// The number of its first match.
    first: u64,
    played: u64,
    /// The mean of the scores, and the sum of their squared distances from it
    /// (Welford's method).
    mean: f64,
    squares: f64,
    won: Option<bool>,
}

impl Finale {
    fn add(&mut self, score: f64) {
        self.played += 1;
        let before = score - self.mean;
        self.mean += before / self.played as f64;
        self.squares += before * (score - self.mean);
    }

    fn error(&self) -> f64 {
        if self.played < 2 {
            return 0.0;
        }
        let count = self.played as f64;
        (self.squares / (count - 1.0) / count).sqrt()
    }

    /// The number of the match after the last one.
    pub(super) fn end(&self) -> u64 {
        self.first.saturating_add(self.total)
    }
}

impl State {
    /// Where it is.
    pub fn stage(&self) -> Stage {
        match &self.finale {
            None => Stage::Evolving,
            Some(finale) if finale.won.is_none() => Stage::Final,
            Some(_) => Stage::Over,
        }
    }

    /// The final, once it has begun.
    pub fn final_record(&self) -> Option<FinalRecord> {
        let finale = self.finale.as_ref()?;
        Some(FinalRecord {
            last: self.files.first()?.id,
            elder: finale.elder.id,
            matches: finale.played,
            mean: finale.mean,
            error: finale.error(),
        })
    }

    /// The champion, when it is over.
    pub fn champion(&self) -> Option<Champion> {
        let finale = self.finale.as_ref()?;
        let (file, is_elder) = if finale.won? {
            (self.files.first()?, false)
        } else {
            (&finale.elder, true)
        };
        Some(Champion {
            file: file.id,
            weights: file.weights,
            is_elder,
        })
    }

    /// One file is left: the elder of this moment comes to play it.
    pub(super) fn begin_final(&mut self, plan: &Plan, log: &mut Log) {
        let elder = self.bear_elder(log);
        let budget = plan.evolution.budget / 2;
        let left = budget.saturating_sub(self.matches);
        if let Some(last) = self.files.first() {
            log.event(Event::Final {
                last: last.id,
                elder: elder.id,
            });
        }
        self.finale = Some(Finale {
            elder,
            total: plan.final_matches().min(left),
            first: self.matches,
            played: 0,
            mean: 0.0,
            squares: 0.0,
            won: None,
        });
        self.go_on_with_final(plan, log);
    }

    /// A match of the final: games are counted, points are not.
    pub(super) fn score_final(&mut self, score: f64, plan: &Plan, log: &mut Log) {
        let Some(finale) = &mut self.finale else {
            return;
        };
        finale.add(score);
        for file in self.files.iter_mut().chain([&mut finale.elder]) {
            file.totals.games += 2;
            log.touch(file.id);
        }
        self.go_on_with_final(plan, log);
    }

    /// Draws matches of the final; without any the title is given.
    fn go_on_with_final(&mut self, plan: &Plan, log: &mut Log) {
        let (Some(finale), Some(last)) = (&mut self.finale, self.files.first()) else {
            return;
        };
        let window = plan.window.max(1) as usize;
        while self.pending.len() < window && self.drawn < finale.end() {
            self.pending.push_back(Pairing {
                number: self.drawn,
                files: [last.id, finale.elder.id],
                weights: [last.weights, finale.elder.weights],
                is_final: true,
            });
            self.drawn += 1;
        }
        if !self.pending.is_empty() {
            return;
        }
        let error = finale.error();
        let won = finale.played >= 2 && finale.mean > plan.final_stage.errors * error;
        finale.won = Some(won);
        log.event(Event::Champion {
            file: if won { last.id } else { finale.elder.id },
            score: finale.mean,
            error,
            matches: finale.played,
        });
    }

    /// The elder, or the consensus before there is one, comes to be as a file
    /// that is no part of the population.
    pub(super) fn bear_elder(&mut self, log: &mut Log) -> Individual {
        let weights = self.elder().unwrap_or_else(|| self.consensus());
        let file = self.new_file(Origin::Elder, weights);
        self.tell_birth(&file, Vec::new(), log);
        file
    }
}
