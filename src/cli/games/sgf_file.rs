//! A file of games that grows while they are played. It is written under
//! another name and renamed at the end, so that a file with the right name is
//! complete.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::arena::GameRecord;
use crate::cli::output::BadUsage;
use crate::game::Rules;

/// Games on their way into an SGF file.
pub(crate) struct SgfFile {
    path: PathBuf,
    draft: PathBuf,
    out: BufWriter<File>,
    rules: Rules,
}

impl SgfFile {
    /// Creates a draft beside the file.
    ///
    /// # Errors
    /// The directory cannot be written.
    pub(crate) fn create(path: &Path, rules: &Rules) -> anyhow::Result<SgfFile> {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let draft = PathBuf::from(name);
        let file = File::create(&draft)
            .map_err(|error| BadUsage::new(format!("cannot write {}: {error}", path.display())))?;
        Ok(SgfFile {
            path: path.to_owned(),
            draft,
            out: BufWriter::new(file),
            rules: *rules,
        })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The disk is full, or the record is no game.
    pub(crate) fn add(&mut self, record: &GameRecord) -> anyhow::Result<()> {
        let text = record
            .to_sgf(&self.rules)
            .context("a game cannot be replayed")?;
        let written = self.out.write_all(text.as_bytes());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Renames the draft to the file.
    ///
    /// # Errors
    /// The disk is full, or the file cannot be replaced.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let closed = self.out.flush();
        closed
            .and_then(|()| fs::rename(&self.draft, &self.path))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Removes a draft that was not finished.
impl Drop for SgfFile {
    fn drop(&mut self) {
        // After `finish` there is no draft; an error here cannot be reported.
        let _ = fs::remove_file(&self.draft);
    }
}
