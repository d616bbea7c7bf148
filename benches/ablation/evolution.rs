//! The rule itself, as the daemon runs it, without a disk.

use loatune::eval::Weights;
use loatune::genome::{BuiltIn, GeneTable};
use loatune::run::{Ended, evolve};
use loatune::search::EngineVersion;
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
        params: task.params().to_toml(),
        genes: GeneTable::built_in(),
        seeds: Vec::new(),
    };
    Fold::begin(&begin).unwrap().0
}

pub(crate) fn learn(task: &Task) -> Found {
    let mut fold = begin(task);
    let start = fold.state.consensus();
    let params = fold.params.clone();
    let version = EngineVersion::PRESENT;
    let ended = evolve(&mut fold, &params, version, 1, &Default::default(), &mut ());
    assert_eq!(ended.unwrap(), Ended::Over);
    let state = &fold.state;
    let genes = BuiltIn::new(&GeneTable::built_in()).unwrap();
    Found {
        champion: genes.weights(&state.champion().unwrap().weights),
        parts: [
            ("- last consensus", genes.weights(&state.consensus())),
            (
                "- last file",
                genes.weights(&state.individuals()[0].weights),
            ),
            (
                "- best founder",
                genes.weights(&state.best_founder().unwrap().1),
            ),
            ("- founders' mean", genes.weights(&start)),
        ],
        games: state.games(),
    }
}
