//! The paths of a population: the one module that knows file names.
//!
//! ```text
//! populations/NAME/
//!   lock            held while a process owns the population; its number
//!   params.toml     the parameters it began with, for people to read
//!   journal         every entry since the beginning
//!   store/          sled
//!   champion.toml   the champion with its certificate, once it is proved
//!   champion-1.toml …   champions after which the population was taken further
//!   fleet.jsonl     what happened to the fleet that played, if one did
//!   journal.new     being written; worthless until it is renamed
//!   store.new/      the same
//!   store.kept/     a copy of the store while there is no journal
//!   journal.broken-1, store.broken-1/ …   moved aside, never read again
//! ```

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The paths of one population.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    dir: PathBuf,
}

impl Layout {
    /// The paths of a population in `dir`, whether they exist or not.
    pub fn new(dir: &Path) -> Layout {
        Layout {
            dir: dir.to_owned(),
        }
    }

    /// The directory of the population.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The name of the population: that of its directory.
    pub fn name(&self) -> String {
        let name = self.dir.file_name().unwrap_or(self.dir.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// The lock file, which holds the number of the owning process.
    pub fn lock(&self) -> PathBuf {
        self.dir.join("lock")
    }

    /// The parameters that the population began with.
    pub fn params(&self) -> PathBuf {
        self.dir.join("params.toml")
    }

    /// The journal of all entries.
    pub fn journal(&self) -> PathBuf {
        self.dir.join("journal")
    }

    /// sled's directory.
    pub fn store(&self) -> PathBuf {
        self.dir.join("store")
    }

    /// A copy of sled's directory, made while there is no journal.
    pub(super) fn kept_store(&self) -> PathBuf {
        self.dir.join("store.kept")
    }

    /// The champion's weight file, which exists once the run is complete.
    pub fn champion(&self) -> PathBuf {
        self.dir.join("champion.toml")
    }

    /// The weight file of the champion after which the population was taken
    /// further for the time `number`, from 1.
    pub fn former_champion(&self, number: usize) -> PathBuf {
        self.dir.join(format!("champion-{number}.toml"))
    }

    /// The events of the fleet that played for the population.
    pub fn fleet_log(&self) -> PathBuf {
        self.dir.join("fleet.jsonl")
    }

    /// The name of a file that only a population leaves: its parameters, its
    /// champion, or a file that was moved aside.
    pub(super) fn remains(&self) -> io::Result<Option<String>> {
        let files = fs::read_dir(&self.dir)?.collect::<io::Result<Vec<_>>>()?;
        let mut names: Vec<String> = files
            .into_iter()
            .filter_map(|file| file.file_name().into_string().ok())
            .filter(|name| {
                name == "params.toml" || name == "champion.toml" || name.contains(".broken-")
            })
            .collect();
        names.sort();
        Ok(names.into_iter().next())
    }

    /// Unfinished files of a champion, left by a process that was killed while
    /// it wrote.
    pub(super) fn unfinished_champions(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let is_unfinished = |file: &fs::DirEntry| {
            let name = file.file_name();
            let name = name.to_string_lossy();
            name.starts_with(".champion") && name.ends_with(".tmp")
        };
        files
            .filter(is_unfinished)
            .map(|file| file.path())
            .collect()
    }

    /// The name of `path` while it is being written.
    pub fn unfinished(path: &Path) -> PathBuf {
        with_suffix(path, ".new")
    }

    /// A free name to move a broken `path` to: `store.broken-1`, then `-2` …
    pub fn broken_name(path: &Path) -> PathBuf {
        let mut number = 1_u32;
        loop {
            let aside = with_suffix(path, &format!(".broken-{number}"));
            if fs::symlink_metadata(&aside).is_err() {
                return aside;
            }
            number += 1;
        }
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}
