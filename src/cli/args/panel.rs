//! The players of `final.panel`, checked as soon as the parameters are known.

use crate::arena::panel::check_texts;
use crate::cli::output::BadUsage;
use crate::params::{Effective, Source, find_key};

/// Checks how the players of the panel are written. Their weights are looked for
/// by the run that needs them: other commands read the same file of parameters.
///
/// # Errors
/// One cannot sit on a panel; the message has the key, its place and what is
/// allowed.
pub(crate) fn check_panel(effective: &Effective) -> Result<(), BadUsage> {
    let panel = &effective.params.final_stage.panel;
    check_texts(panel).map_err(|error| {
        let place = find_key("final.panel").map(|key| {
            let (path, text) = (key.path(), key.text(&effective.params));
            match effective.source(key) {
                source @ Source::File { .. } => format!("{source}: {path} = {text}"),
                source => format!("{path} = {text} ({source})"),
            }
        });
        BadUsage::new(format!("{}: {error}", place.unwrap_or_default()))
    })
}
