//! Whether another program still plays as it did when a population goes on: its
//! author may have built it anew in between.

use std::sync::Arc;

use super::worker::{GameSettings, RunWorker};
use crate::arena::{PairHalf, StartError};
use crate::evolve::Pairing;
use crate::genome::UnknownGenes;
use crate::search::EngineVersion;
use crate::store::{MatchRecord, Population, StoreError, StoredGame};

/// Why that cannot be said.
#[derive(Debug, thiserror::Error)]
pub enum SameEngineError {
    /// The population cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The program cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The genes are not those of the program.
    #[error(transparent)]
    Genes(#[from] UnknownGenes),
}

/// Plays the newest match again; its number where it goes another way than before.
/// `None` where it does not, or there is none that could be compared: one in which
/// the program failed need not be the same.
///
/// # Errors
/// Where the population cannot be read, or the program cannot be started.
pub fn match_that_differs(population: &Population) -> Result<Option<u64>, SameEngineError> {
    let reader = population.reader();
    let newest = reader.matches_backwards(u64::MAX, 1)?.pop();
    let Some(record) = newest.filter(|it| !it.games.iter().any(StoredGame::has_fault)) else {
        return Ok(None);
    };
    let [one, other] = record.files.map(|file| reader.file(file));
    let (Some((one, _)), Some((other, _))) = (one?, other?) else {
        return Ok(None);
    };
    let pairing = Pairing {
        number: record.number,
        files: record.files,
        weights: [one.weights, other.weights],
        is_final: record.is_final,
    };
    let genes = &population.plan().genome.table;
    let settings = GameSettings::new(population.params(), genes, EngineVersion::PRESENT)?;
    let mut worker = RunWorker::new(&settings, &Arc::default())?;
    let games = PairHalf::BOTH.map(|half| worker.play_match(&pairing, half));
    let [Some(Ok(first)), Some(Ok(second))] = games else {
        return Ok(None);
    };
    let again = MatchRecord::new(&pairing, &[first, second]);
    let is_same = again.is_ok_and(|again| again.games == record.games);
    Ok((!is_same).then_some(record.number))
}
