//! Verifying a population: is everything that it says true?
//!
//! Owns what a verification consists of: the journal and the store looked
//! through ([`crate::store::audit`]), every stored game played through again,
//! matches searched again where that is asked for, and the files beside the
//! store. Nothing of the population is written.
//!
//! | file | purpose |
//! |---|---|
//! | `files` | the files beside the store: parameters, champions |
//! | `games` | the games of a journal, batch by batch, and what its lessons learned |
//! | `job` | two games played through and searched again |

mod files;
mod games;
mod job;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::store::{
    Audit, Entry, FrameReader, Layout, Remedy, Scratch, StoreError, audit, decode, rehearse,
};

use games::Games;

/// Which matches are searched again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replay {
    /// No match: games are only played through.
    Nothing,
    /// This number of matches, evenly spread over the run.
    Some(u64),
    /// Every match.
    All,
}

/// What a verification is given.
pub struct Verification<'a> {
    /// The directory of the population.
    pub dir: &'a Path,
    /// The population's name, which a champion's file without one would carry.
    pub name: &'a str,
    /// Which matches are searched again.
    pub replay: Replay,
    /// Matches that are looked at together, at least 1.
    pub threads: usize,
    /// Set from outside, it ends the verification.
    pub stop: &'a Arc<AtomicBool>,
}

/// The progress of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyProgress {
    /// Matches of the journal, and pairs outside of the evolution.
    pub matches: u64,
    /// Those that have been looked at.
    pub done: u64,
    /// Games played through.
    pub checked: u64,
    /// Games searched again.
    pub replayed: u64,
}

/// What was found.
#[derive(Debug)]
pub struct Report {
    /// Journal and store, and all differences.
    pub audit: Audit,
    /// How much was looked at.
    pub progress: VerifyProgress,
    /// Whether there is a champion's file that was compared.
    pub champion: bool,
    /// What the user can do about the differences; `None` without any.
    pub advice: Option<Advice>,
}

/// What can be done about differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// A process works on the population: it has to end before anything else.
    Stop,
    /// This, according to a rehearsal with a copy of journal and store.
    Repair(Remedy),
    /// Only files that a run writes anew are wrong.
    Run,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The population cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no room for a copy of the store.
    #[error("cannot make a directory for a copy of the store: {0}")]
    Scratch(std::io::Error),
    /// The threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl Verification<'_> {
    /// Verifies. `watch` is told the progress.
    ///
    /// # Errors
    /// Where the population cannot be read, or a copy of its store cannot be made.
    pub fn run(&self, watch: &mut dyn FnMut(&VerifyProgress)) -> Result<Report, VerifyError> {
        let scratch = Scratch::new().map_err(VerifyError::Scratch)?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.max(1))
            .build()?;
        let mut games = Games::new(self, pool, matches(self.dir)?);
        let mut audit = audit(self.dir, scratch.path(), &mut |now, played, audit| {
            games.add(now, played, audit, watch)
        })?;
        games.look(&mut audit, watch)?;
        audit.notes.extend(games.foreign_notes());
        let of_the_store = audit.difference_count - games.wrong;
        let champion = self.champion(&mut audit)?;
        let advice = match (audit.difference_count, of_the_store, games.wrong) {
            (0, ..) => None,
            _ if audit.running => Some(Advice::Stop),
            (_, 0, 0) => Some(Advice::Run),
            // What was saved is what was played, whatever that was.
            (_, 0, _) => Some(Advice::Repair(Remedy::Copy)),
            _ => Some(Advice::Repair(rehearse(
                self.dir,
                &scratch.path().join("rehearsal"),
            )?)),
        };
        Ok(Report {
            advice,
            audit,
            progress: games.progress,
            champion,
        })
    }
}

/// Matches of a journal and pairs outside of the evolution, as far as it is good.
fn matches(dir: &Path) -> Result<u64, StoreError> {
    let mut found = 0;
    let Ok(mut frames) = FrameReader::open(&Layout::new(dir).journal()) else {
        return Ok(0);
    };
    while let Some(payload) = frames.next_frame()? {
        let entry = decode(payload);
        let has_games = matches!(entry, Ok(Entry::Match(_) | Entry::MeasuredPair(_)));
        found += u64::from(has_games);
    }
    Ok(found)
}
