//! Judging: a match on openings that nobody has learned from.

use std::ops::ControlFlow;

use loatune::eval::Weights;
use loatune::run::proof::{self, Contestant};
use loatune::stats::Tally;
use loatune::weights::Conditions;

use crate::method::{Method, Task};
use crate::panel::Opponent;
use crate::report::entry::Judged;

/// Plays what a task has learned against an opponent. All methods with the same
/// seed and depth play from the same openings.
pub(crate) fn judge(task: &Task, weights: &Weights, opponent: &Opponent, games: u64) -> Judged {
    let contestants = [("learned", weights), ("opponent", &opponent.weights)]
        .map(|(name, weights)| Contestant { name, weights });
    // Parameters that a method has changed do not change how it is judged.
    let plain = Task {
        method: Method::Halving,
        ..task.clone()
    };
    let conditions = Conditions::from(&plain.params());
    let go = &mut |_: u64, _: &Tally| ControlFlow::Continue(());
    let tally = proof::play_match(contestants, &conditions, games, 1, go);
    Judged {
        learner: task.learner(),
        opponent: opponent.name.clone(),
        opponent_id: opponent.id.clone(),
        pairs: tally.unwrap().unwrap().pairs.0,
    }
}
