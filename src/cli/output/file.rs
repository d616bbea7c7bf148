//! Output files that flags name: what is said where they exist or cannot be
//! written.

use std::io::{self, ErrorKind};
use std::path::Path;

use anyhow::Context;

use super::BadUsage;
use crate::util::atomic_file::{self, OutputFile};

/// Writes a file; one that exists only with `force`.
///
/// # Errors
/// [`BadUsage`] where the file exists, and every error of the file system with
/// the file's name.
pub(in crate::cli) fn save_file(path: &Path, content: &[u8], force: bool) -> anyhow::Result<()> {
    let saved = atomic_file::save(path, content, force);
    unless_it_exists(path, saved, force)?.with_context(|| cannot_write(path))
}

/// Begins a file that is written in parts; one that exists only with `force`.
///
/// # Errors
/// [`BadUsage`] where the file exists, and every error of the file system with
/// the file's name.
pub(in crate::cli) fn create_file(path: &Path, force: bool) -> anyhow::Result<OutputFile> {
    let created = OutputFile::create(path, force);
    unless_it_exists(path, created, force)?.with_context(|| cannot_write(path))
}

fn unless_it_exists<T>(
    path: &Path,
    result: io::Result<T>,
    force: bool,
) -> Result<io::Result<T>, BadUsage> {
    match result {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && !force => {
            let name = path.display();
            let message = format!("{name} exists and is left alone; --force overwrites it");
            Err(BadUsage::new(message))
        }
        other => Ok(other),
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
