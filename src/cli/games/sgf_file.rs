//! A file of games that grows while they are played and gets its name at the
//! end, so that nobody finds half a file.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::arena::GameRecord;
use crate::cli::output::error::BadUsage;
use crate::game::Rules;

pub(crate) struct SgfFile {
    path: PathBuf,
    draft: PathBuf,
    out: BufWriter<File>,
    rules: Rules,
}

impl SgfFile {
    /// Opens a draft beside the file.
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
    pub(crate) fn add(&mut self, record: &GameRecord) -> anyhow::Result<()> {
        let text = record
            .to_sgf(&self.rules)
            .context("a game cannot be replayed")?;
        let written = self.out.write_all(text.as_bytes());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Gives the file its name.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let closed = self.out.flush();
        closed
            .and_then(|()| fs::rename(&self.draft, &self.path))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// A draft that was not finished is of no use.
impl Drop for SgfFile {
    fn drop(&mut self) {
        // After `finish` it is gone; otherwise there is nothing more to do.
        let _ = fs::remove_file(&self.draft);
    }
}
