//! Weights on the command line: a name that is built in, or a file.

use std::path::Path;

use super::error::BadUsage;
use crate::params::WeightFile;

/// The name of the built-in weights.
pub(super) const DEFAULT: &str = "default";

/// What an argument that names weights may be, for help texts.
pub(super) const HELP: &str = "A weight file (TOML or JSON), or `default` for the built-in weights";

/// The weights that `text` names.
pub(super) fn weights(text: &str) -> anyhow::Result<WeightFile> {
    if text == DEFAULT {
        log::info!("built-in weights");
        return Ok(WeightFile::default());
    }
    let path = Path::new(text);
    if !path.exists() {
        let message = format!("no weights {text:?}: neither a file nor `{DEFAULT}`");
        return Err(BadUsage::new(message).into());
    }
    let file = WeightFile::read(path).map_err(BadUsage::new)?;
    log::info!("weights {:?} from {text}: {}", file.name, file.origin);
    Ok(file)
}
