//! Judging: matches on openings that nobody has learned from.

use std::ops::ControlFlow;

use loatune::eval::Weights;
use loatune::run::proof::{self, Contestant};
use loatune::stats::Tally;
use loatune::weights::Conditions;

use crate::Learned;
use crate::options::Task;

/// Who an entrant is measured against.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opponent {
    Default,
    /// The evolution's champion of the same seed and number of games.
    Champion,
}

/// A match to be played.
pub(crate) struct MeasuredMatch {
    pub(crate) task: Task,
    pub(crate) entrant: String,
    pub(crate) opponent: Opponent,
    weights: [Weights; 2],
}

/// A match that was played.
pub(crate) struct Judged {
    pub(crate) games: u64,
    pub(crate) seed: u64,
    pub(crate) entrant: String,
    pub(crate) opponent: Opponent,
    pub(crate) tally: Tally,
}

/// Every entrant against the default weights, and against the champion unless
/// it is the champion.
pub(crate) fn drawn(learned: &[Learned]) -> Vec<MeasuredMatch> {
    let mut matches = Vec::new();
    for found in learned {
        let champion = learned.iter().find(|other| {
            let (other, task) = (&other.task, &found.task);
            other.method.is_plain_evolution()
                && (other.games, other.seed) == (task.games, task.seed)
        });
        let champion = champion.unwrap().entrants[0].1;
        for (n, (name, weights)) in found.entrants.iter().enumerate() {
            let mut add = |opponent, theirs| {
                matches.push(MeasuredMatch {
                    task: found.task.clone(),
                    entrant: name.clone(),
                    opponent,
                    weights: [*weights, theirs],
                });
            };
            add(Opponent::Default, Weights::default());
            if n > 0 || !found.task.method.is_plain_evolution() {
                add(Opponent::Champion, champion);
            }
        }
    }
    matches
}

impl MeasuredMatch {
    pub(crate) fn play(&self, games: u64) -> Judged {
        let [ours, theirs] = &self.weights;
        let contestants = [("entrant", ours), ("opponent", theirs)]
            .map(|(name, weights)| Contestant { name, weights });
        let conditions = Conditions::from(&self.task.params());
        let go = &mut |_: u64, _: &Tally| ControlFlow::Continue(());
        let tally = proof::play_match(contestants, &conditions, games, 1, go);
        Judged {
            games: self.task.games,
            seed: self.task.seed,
            entrant: self.entrant.clone(),
            opponent: self.opponent,
            tally: tally.unwrap().unwrap(),
        }
    }
}

impl Judged {
    /// For whoever waits.
    pub(crate) fn text(&self) -> String {
        let opponent = match self.opponent {
            Opponent::Default => "default",
            Opponent::Champion => "champion",
        };
        let record = self.tally.record();
        format!(
            "{}, {} games, seed {}, against {opponent}: W {}, D {}, L {}",
            self.entrant, self.games, self.seed, record.wins, record.draws, record.losses
        )
    }
}
