//! Weights by name: what a user may say wherever weights are asked for.

use std::path::Path;

use super::WeightFile;
use crate::document::FileError;

/// The name of the built-in weights.
pub const DEFAULT_WEIGHTS: &str = "default";

/// A name that leads to no weights.
#[derive(Debug, thiserror::Error)]
pub enum NameError {
    /// There is nothing of that name.
    #[error("no weights {:?}: neither a file nor `{DEFAULT_WEIGHTS}`", cut(.0))]
    Unknown(String),
    /// There is a file, but it does not serve.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The beginning of a name that is too long for a message: no file's is.
fn cut(name: &str) -> String {
    const LONGEST: usize = 255;
    match name.char_indices().nth(LONGEST) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}...", &name[..end]),
    }
}

/// The weights that `text` names: `default`, or a weight file.
pub fn named_weights(text: &str) -> Result<WeightFile, NameError> {
    if text == DEFAULT_WEIGHTS {
        return Ok(WeightFile::default());
    }
    let path = Path::new(text);
    if !path.exists() {
        return Err(NameError::Unknown(text.to_owned()));
    }
    let file = WeightFile::read(path)?;
    log::info!("weights {:?} from {text}: {}", file.name, file.origin);
    Ok(file)
}
