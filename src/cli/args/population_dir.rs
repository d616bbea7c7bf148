//! Where populations lie and how commands name them. Reads directory entries
//! only; `population::open_population` opens the stores.

use std::fs;
use std::path::{Path, PathBuf};

use crate::store::Population;

/// The directory of all populations, relative to the current directory.
pub(super) const POPULATIONS: &str = "populations";

/// The population that a command means where none is named.
pub(crate) const DEFAULT_POPULATION: &str = "default";

/// A population's name and directory. The directory may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PopulationDir {
    /// The last component of the directory: UTF-8 without control characters.
    pub(crate) name: String,
    /// Absolute, or relative to the current directory.
    pub(crate) directory: PathBuf,
}

/// All populations in `populations/`, by name.
pub(crate) fn all_populations() -> Vec<PopulationDir> {
    let entries = fs::read_dir(POPULATIONS).into_iter().flatten().flatten();
    let population = |entry: fs::DirEntry| {
        let directory = entry.path();
        let name = entry.file_name().into_string().ok()?;
        Population::exists(&directory).then_some(PopulationDir { name, directory })
    };
    let mut found: Vec<PopulationDir> = entries.filter_map(population).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

impl PopulationDir {
    /// The flag that makes a command mean this population, with a space before
    /// it and quoted for a shell; empty for the default population.
    pub(crate) fn as_flag(&self) -> String {
        let is_in_populations = self.directory == Path::new(POPULATIONS).join(&self.name);
        if is_in_populations && self.name == DEFAULT_POPULATION {
            return String::new();
        }
        let text = if is_in_populations {
            self.name.clone()
        } else {
            self.directory.display().to_string()
        };
        let needs_quotes =
            text.contains(|letter: char| letter.is_whitespace() || "'\"\\$".contains(letter));
        if needs_quotes {
            format!(" --population '{}'", text.replace('\'', r"'\''"))
        } else {
            format!(" --population {text}")
        }
    }

    /// The message of a command that needs this population to exist.
    pub(crate) fn not_found_message(&self) -> String {
        let names: Vec<String> = all_populations().into_iter().map(|dir| dir.name).collect();
        let existing = if names.is_empty() {
            String::from("there is none yet: `loatune run` begins one")
        } else {
            format!("there are: {}", names.join(", "))
        };
        format!("no population in {}; {existing}", self.directory.display())
    }
}
