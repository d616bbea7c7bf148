//! Documents that people write: TOML and JSON with the place of every value.
//!
//! Owns reading a text into its raw form, checking the names in it against
//! those that it may have, and the problems that are reported with their
//! lines. Knows neither genes nor keys: which names and values are allowed is
//! for the owner of the document to say, [`crate::params`] or
//! [`crate::weights`].
//!
//! | file | purpose |
//! |---|---|
//! | `raw_document` | what a text sets, where, to what |
//! | `toml_text` | TOML into the raw form |
//! | `json_text` | JSON into the raw form |
//! | `key_check` | the names in a text against those that it may have |
//! | `problem` | what can be wrong with a file |

pub(crate) mod json_text;
pub(crate) mod key_check;
mod problem;
pub(crate) mod raw_document;
pub(crate) mod toml_text;

use std::path::Path;

pub use problem::{Content, FileError, Problem};

use crate::util::input_file::{self, MAX_DOCUMENT_BYTES};

/// The text of a file.
///
/// # Errors
/// [`FileError::Read`] where the file cannot be read, is not UTF-8 or has more
/// than [`MAX_DOCUMENT_BYTES`].
pub(crate) fn read_text(path: &Path, content: Content) -> Result<String, FileError> {
    input_file::read_text(path, MAX_DOCUMENT_BYTES).map_err(|source| FileError::Read {
        content,
        path: path.to_owned(),
        source,
    })
}
