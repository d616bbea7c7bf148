//! Commands to a run from outside, by the page or the control socket.

use crossbeam_channel::Sender;

use crate::api::SourceError;
use crate::evolve::{Event, FileId};
use crate::genome::BuiltIn;
use crate::store::{Entry, FoldError, Population, StoreError};
use crate::weights::WeightFile;

/// A command to a run.
pub enum Command {
    /// Finish what is applied, save and end.
    Stop,
    /// Take these weights into the population; the answer says which file they
    /// became.
    Import(Box<WeightFile>, Sender<Result<FileId, SourceError>>),
}

/// Takes weights into the population. They are saved when this returns.
///
/// # Errors
/// Where the evolution does not take them, or they cannot be saved.
pub fn immigrate(population: &mut Population, file: &WeightFile) -> Result<FileId, SourceError> {
    let refused = |text: String| SourceError::Refused(text);
    let genes = BuiltIn::new(&population.plan().genome.table);
    let genes = genes.map_err(|unknown| refused(format!("the population has {unknown}")))?;
    let weights = genes.genome(&file.weights).ok_or_else(|| {
        refused(format!(
            "{} uses genes that this population does not have",
            file.name
        ))
    })?;
    let entry = Entry::Immigrant {
        name: file.name.clone(),
        weights,
    };
    let applied = population.apply(entry);
    let saved = applied.and_then(|step| population.flush().map(|()| step));
    let step = saved.map_err(|error| match error {
        // The number of the entry means nothing to somebody who imports weights.
        StoreError::Fold(FoldError::Refused { source, .. }) => {
            SourceError::Refused(source.to_string())
        }
        StoreError::Fold(_) => SourceError::Refused(error.to_string()),
        _ => SourceError::Failed(error.to_string()),
    })?;
    let born = |event: &Event| match event {
        Event::Born(birth) => Some(birth.file),
        _ => None,
    };
    let file = step.events.iter().find_map(born);
    file.ok_or_else(|| SourceError::Failed(String::from("nobody was born")))
}
