//! Commands about the command line: manual pages and completion scripts, both
//! made from the definitions that also make the help texts.

mod completions;
mod man;

pub(super) use completions::Completions;
pub(super) use man::Man;
