//! The rule itself, as the daemon runs it, without a disk.

use loatune::eval::Weights;
use loatune::genome::{BuiltIn, GeneTable};
use loatune::run::{Ended, evolve};
use loatune::search::EngineVersion;
use loatune::store::{Begin, Fold};

use crate::method::Task;

/// The first state of a task's evolution.
pub(crate) fn begin(task: &Task) -> Fold {
    let begin = Begin {
        params: task.params().to_toml(),
        genes: GeneTable::built_in(),
        seeds: Vec::new(),
    };
    Fold::begin(&begin).unwrap().0
}

/// The champion, and how many games were played.
pub(crate) fn learn(task: &Task) -> (Weights, u64) {
    let mut fold = begin(task);
    let params = fold.params.clone();
    let version = EngineVersion::PRESENT;
    let ended = evolve(&mut fold, &params, version, 1, &Default::default(), &mut ());
    assert_eq!(ended.unwrap(), Ended::Over);
    let state = &fold.state;
    let genes = BuiltIn::new(&GeneTable::built_in()).unwrap();
    let champion = state.champion().unwrap();
    let kind = match (champion.is_elder, champion.is_scholar) {
        (true, _) => "the elder",
        (_, true) => "a scholar",
        _ => "the last file",
    };
    let challenges = state.scholars().iter().filter_map(|it| it.challenge);
    let won = challenges.clone().filter(|it| it.won).count();
    eprintln!(
        "{task}: {kind} is the champion; {won} of {} challenges won",
        challenges.count()
    );
    (genes.weights(&champion.weights), state.games())
}
