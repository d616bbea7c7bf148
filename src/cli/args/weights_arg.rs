//! Weights on the command line: a name that is built in, or a file.

use crate::cli::output::error::BadUsage;
use crate::weights::{WeightFile, named_weights};

/// The name of the built-in weights.
pub(crate) use crate::weights::DEFAULT_WEIGHTS as DEFAULT;

/// What an argument that names weights may be, for help texts.
pub(crate) const HELP: &str = "A weight file (TOML or JSON), or `default` for the built-in weights";

/// The weights that `text` names.
pub(crate) fn weights(text: &str) -> anyhow::Result<WeightFile> {
    Ok(named_weights(text).map_err(BadUsage::new)?)
}
