//! The rule itself, as the daemon runs it, without a disk.

use loatune::eval::Weights;
use loatune::run::{Ended, evolve};
use loatune::store::{Begin, Fold};

use crate::options::Task;

/// What an evolution brought.
pub(crate) struct Found {
    pub(crate) champion: Weights,
    /// What it would have been without the elder or without the consensus, and
    /// what was there at the start.
    pub(crate) parts: [(&'static str, Weights); 4],
    pub(crate) games: u64,
}

/// The first state of a task's evolution.
pub(crate) fn begin(task: &Task) -> Fold {
    let begin = Begin {
        params: task.params_text(),
        seeds: Vec::new(),
    };
    Fold::begin(&begin).unwrap().0
}

pub(crate) fn learn(task: &Task) -> Found {
    let mut fold = begin(task);
    let start = fold.state.consensus();
    let params = fold.params.clone();
    let ended = evolve(&mut fold, &params, 1, &Default::default(), &mut ());
    assert_eq!(ended.unwrap(), Ended::Over);
    let state = &fold.state;
    Found {
        champion: state.champion().unwrap().weights,
        parts: [
            ("- last consensus", state.consensus()),
            ("- last file", state.individuals()[0].weights),
            ("- best founder", state.best_founder().unwrap().1),
            ("- founders' mean", start),
        ],
        games: state.games(),
    }
}
