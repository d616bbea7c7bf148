//! The entries of a suite as they are found: each position once, under all
//! symmetries, and none that is to be left out.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::board::CanonicalPosition;
use crate::cli::output::BadUsage;
use crate::suite::{Entry, ErrorKind, positions_in};
use crate::util::input_file::{self, MAX_GAMES_BYTES};

/// What was found so far.
#[derive(Default)]
pub(super) struct Collection {
    pub(super) entries: Vec<Entry>,
    /// Games that were looked through.
    pub(super) games: u64,
    /// Errors at positions that were there already.
    pub(super) duplicates: u64,
    /// Errors at positions that are to be left out.
    pub(super) excluded: u64,
    seen: HashSet<CanonicalPosition>,
    left_out: HashSet<CanonicalPosition>,
}

/// How many errors of a kind there are.
#[derive(Serialize)]
pub(super) struct KindCount {
    pub(super) error: String,
    pub(super) positions: usize,
}

impl Collection {
    /// An empty one, without the positions that stand in these files.
    ///
    /// # Errors
    /// A file cannot be read, or has no position.
    pub(super) fn without(files: &[PathBuf]) -> anyhow::Result<Collection> {
        let mut collection = Collection::default();
        for path in files {
            let positions = positions_of(path)?;
            let forms = positions.iter().map(|board| board.canonical());
            collection.left_out.extend(forms);
        }
        Ok(collection)
    }

    /// Takes the errors of the next game.
    pub(super) fn add(&mut self, found: Vec<Entry>) {
        self.games += 1;
        for entry in found {
            let form = entry.board.canonical();
            if self.left_out.contains(&form) {
                self.excluded += 1;
            } else if self.seen.insert(form) {
                self.entries.push(entry);
            } else {
                self.duplicates += 1;
            }
        }
    }
}

impl KindCount {
    /// The errors by kind, without kinds that do not occur.
    pub(super) fn of(entries: &[Entry]) -> Vec<KindCount> {
        let count = |kind: ErrorKind| {
            let same = entries.iter().filter(|entry| entry.kind() == kind);
            KindCount {
                error: kind.to_string(),
                positions: same.count(),
            }
        };
        let all = ErrorKind::ALL.into_iter().map(count);
        all.filter(|kind| kind.positions > 0).collect()
    }
}

fn positions_of(path: &Path) -> anyhow::Result<Vec<crate::board::Board>> {
    let text = input_file::read_text(path, MAX_GAMES_BYTES);
    let text = text.map_err(|error| {
        BadUsage::new(format!(
            "--exclude: cannot read {}: {error}",
            path.display()
        ))
    })?;
    let positions = positions_in(&text);
    if positions.is_empty() {
        let message = format!(
            "--exclude: {} has no position such as 8/2x5/8/3x4/3oo3/8/6o1/x7 o",
            path.display()
        );
        return Err(BadUsage::new(message).into());
    }
    Ok(positions)
}
