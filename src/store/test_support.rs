//! Makes files look as a newer program would leave them, for the tests and the
//! torture, which check that they are refused.

use std::fs;
use std::path::Path;

use super::error::{StoreError, io_error};
use super::journal;
use super::layout::Layout;
use super::sled_store::Store;
use super::tables::FORMAT;

/// Makes the store look newer than this program.
///
/// # Errors
///
/// [`StoreError::Table`] if the store cannot be opened or written.
pub fn mark_store_newer(dir: &Path) -> Result<(), StoreError> {
    let store = Store::open(&Layout::new(dir).store())?;
    Ok(store.set_format(FORMAT + 1)?)
}

/// Makes the journal look newer than this program.
///
/// # Errors
///
/// [`StoreError::Io`] if the journal cannot be read or written.
pub fn mark_journal_newer(dir: &Path) -> Result<(), StoreError> {
    let path = Layout::new(dir).journal();
    let mut bytes = fs::read(&path).map_err(|source| io_error("read", &path, source))?;
    let header = journal::header(journal::VERSION + 1);
    if let Some(old) = bytes.get_mut(..header.len()) {
        old.copy_from_slice(&header);
    }
    fs::write(&path, bytes).map_err(|source| io_error("write", &path, source))
}
