//! A file of games that grows while they are played. A regular file gets its
//! name at the end, so that a file with the right name is complete.

use std::io::{BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::arena::GameRecord;
use crate::cli::output::create_file;
use crate::game::Rules;
use crate::util::atomic_file::OutputFile;

/// Games on their way into an SGF file.
pub(crate) struct SgfFile {
    path: PathBuf,
    out: BufWriter<OutputFile>,
    rules: Rules,
}

impl SgfFile {
    /// Begins the file; one that exists may be overwritten only with `force`.
    ///
    /// # Errors
    /// The file exists, or its directory cannot be written.
    pub(crate) fn create(path: &Path, force: bool, rules: &Rules) -> anyhow::Result<SgfFile> {
        Ok(SgfFile {
            path: path.to_owned(),
            out: BufWriter::new(create_file(path, force)?),
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

    /// Completes the file.
    ///
    /// # Errors
    /// The disk is full, or another file has got the name meanwhile.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let flushed = self.out.into_inner().map_err(IntoInnerError::into_error);
        flushed
            .and_then(OutputFile::finish)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}
