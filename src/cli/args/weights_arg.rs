//! Weights on the command line: a name that is built in, a file or a champion.

use crate::cli::output::BadUsage;
use crate::weights::{WeightFile, named_weights};

/// The name of the weights that are taken where none are named.
pub(crate) use crate::weights::DEFAULT_WEIGHTS;

/// What an argument that names weights may be, for help texts.
pub(crate) const WEIGHTS_HELP: &str = "A weight file (TOML or JSON), a published champion's name, `default` for the \
     built-in learned weights, `source` for hand-written ones or `random:SEED`";

/// Reads the weights that `text` names.
///
/// # Errors
/// There is no such file and no such champion, or it is no weight file.
pub(crate) fn read_weights(text: &str) -> anyhow::Result<WeightFile> {
    Ok(named_weights(text).map_err(BadUsage::new)?)
}
