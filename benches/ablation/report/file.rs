//! The file of raw results: JSON lines that are only ever added. A line is
//! written at once and complete; one that a kill cut off is dropped when the
//! file is opened the next time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::entry::{Entry, Judged, Learned, Learner};

/// The lines of a file, and the file itself for more of them. Other processes
/// are kept out while it is open.
pub(crate) struct ResultsFile {
    path: PathBuf,
    state: Mutex<(File, Vec<Entry>)>,
}

impl ResultsFile {
    /// Opens the file, or begins it.
    pub(crate) fn open(path: &Path) -> Result<ResultsFile, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path);
        let mut file = file.map_err(|error| failed(&error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(failed(&"another process adds results to it"));
            }
            Err(TryLockError::Error(error)) => return Err(failed(&error)),
        }
        let mut text = String::new();
        let read = file.read_to_string(&mut text);
        read.map_err(|error| failed(&error))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            let cut = file.set_len(whole as u64);
            cut.map_err(|error| failed(&error))?;
        }
        let entries = parse(&text[..whole]).map_err(|error| failed(&error))?;
        Ok(ResultsFile {
            path: path.to_owned(),
            state: Mutex::new((file, entries)),
        })
    }

    /// Adds a line, which is on its way to the disk when this returns.
    pub(crate) fn add(&self, entry: Entry) -> Result<(), String> {
        let mut line = serde_json::to_string(&entry).map_err(|error| error.to_string())?;
        line.push('\n');
        let mut state = self.state.lock().unwrap();
        let written = state.0.write_all(line.as_bytes());
        written.map_err(|error| format!("{}: {error}", self.path.display()))?;
        state.1.push(entry);
        Ok(())
    }

    /// What somebody has learned, if it has.
    pub(crate) fn learned(&self, learner: &Learner) -> Option<Learned> {
        let state = self.state.lock().unwrap();
        state.1.iter().rev().find_map(|entry| match entry {
            Entry::Learned(learned) if learned.learner == *learner => Some(learned.clone()),
            _ => None,
        })
    }

    /// Whether somebody was judged by at least so many games against an
    /// opponent.
    pub(crate) fn is_judged(&self, learner: &Learner, opponent: [&str; 2], games: u64) -> bool {
        let state = self.state.lock().unwrap();
        state.1.iter().any(|entry| match entry {
            Entry::Judged(it) => {
                it.learner == *learner
                    && [it.opponent.as_str(), &it.opponent_id] == opponent
                    && 2 * it.pairs.iter().sum::<u64>() >= games
            }
            Entry::Learned(_) => false,
        })
    }

    /// All matches.
    pub(crate) fn judged(&self) -> Vec<Judged> {
        judged(&self.state.lock().unwrap().1)
    }
}

/// The matches of a file that is only read. One that does not exist has none;
/// a line that is cut off is none.
pub(crate) fn read_judged(path: &Path) -> Result<Vec<Judged>, String> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let entries = parse(&text[..whole]);
    let entries = entries.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(judged(&entries))
}

fn judged(entries: &[Entry]) -> Vec<Judged> {
    let matches = entries.iter().filter_map(|entry| match entry {
        Entry::Judged(judged) => Some(judged.clone()),
        Entry::Learned(_) => None,
    });
    matches.collect()
}

fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let lines = text.lines().enumerate();
    lines
        .map(|(n, line)| {
            let entry = serde_json::from_str(line);
            entry.map_err(|error| format!("line {}: {error}", n + 1))
        })
        .collect()
}

// The tests of the documents run these; the benchmark has nothing that would.
#[cfg(test)]
#[allow(dead_code)]
mod tests {
    use super::*;

    fn learner(seed: u64) -> Learner {
        Learner {
            method: String::from("spsa"),
            games: 2000,
            depth: 2,
            seed,
            engine: 1,
            fingerprint: String::from("f"),
        }
    }

    fn judged(seed: u64) -> Entry {
        Entry::Judged(Judged {
            learner: learner(seed),
            opponent: String::from("o"),
            opponent_id: String::from("i"),
            pairs: [1, 0, 2, 0, 1],
        })
    }

    #[test]
    fn a_line_that_was_cut_off_is_dropped_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let file = ResultsFile::open(&path).unwrap();
        file.add(judged(1)).unwrap();
        file.add(judged(2)).unwrap();
        // Only one process at a time.
        let second = ResultsFile::open(&path).err().unwrap();
        assert!(second.contains("another process"), "{second}");
        drop(file);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        assert_eq!(read_judged(&path).unwrap().len(), 1);
        let file = ResultsFile::open(&path).unwrap();
        assert!(file.is_judged(&learner(1), ["o", "i"], 8));
        assert!(!file.is_judged(&learner(1), ["o", "i"], 10));
        assert!(!file.is_judged(&learner(1), ["o", "other"], 8));
        assert!(!file.is_judged(&learner(2), ["o", "i"], 8));
        file.add(judged(2)).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        // A line that was changed by hand is named.
        drop(file);
        std::fs::write(&path, [&whole[..], b"{}\n"].concat()).unwrap();
        let error = ResultsFile::open(&path).err().unwrap();
        assert!(error.contains("line 3"), "{error}");
    }
}
