//! Where populations lie and how commands name them. Reads directory entries
//! only; `population::open_population` opens the stores.

use std::fs;
use std::path::{Path, PathBuf};

use super::shell::quoted;
use crate::cli::output::BadUsage;
use crate::store::{Population, is_unfinished_copy};
use crate::weights::PUBLISHED;

/// The directory of all populations, relative to the current directory.
const POPULATIONS: &str = "populations";

/// The population that a command means where none is named.
pub(crate) const DEFAULT_POPULATION: &str = "default";

/// The variable that names the population where no flag does.
pub(super) const POPULATION_VARIABLE: &str = "LOATUNE_POPULATION";

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
        // What the disk cannot say is said by the command that opens it.
        let is_population =
            !is_unfinished_copy(&name) && Population::exists(&directory).unwrap_or(true);
        is_population.then_some(PopulationDir { name, directory })
    };
    let mut found: Vec<PopulationDir> = entries.filter_map(population).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

impl PopulationDir {
    /// The population that `text` names: a name in `populations/`, or a directory.
    /// It need not exist. `argument` is what messages call the text.
    ///
    /// # Errors
    /// The text is no name of a population.
    pub(crate) fn parse(argument: &str, text: &str) -> Result<PopulationDir, BadUsage> {
        let bad = |why: &str| BadUsage::new(format!("{argument} {text:?}: {why}"));
        let is_name = !text.contains(std::path::MAIN_SEPARATOR);
        let directory = if is_name {
            Path::new(POPULATIONS).join(text)
        } else {
            Path::new(text).to_owned()
        };
        let name = directory.file_name().and_then(|name| name.to_str());
        let name = name.filter(|name| !name.is_empty() && *name != "..");
        let Some(name) = name.filter(|_| text != "." && !text.is_empty()) else {
            return Err(bad(
                "no population's name; write a name such as `mine`, or a directory such as ./mine",
            ));
        };
        if directory == Path::new(PUBLISHED) {
            return Err(bad("that is where champions are published"));
        }
        if name.chars().any(char::is_control) {
            return Err(bad("a name has no control characters"));
        }
        Ok(PopulationDir {
            name: name.to_owned(),
            directory,
        })
    }

    /// The flag that makes a command mean this population, with a space before
    /// it and quoted for a shell; empty for the population that a command means
    /// without it.
    pub(crate) fn as_flag(&self) -> String {
        let is_in_populations = self.directory == Path::new(POPULATIONS).join(&self.name);
        let is_default = is_in_populations && self.name == DEFAULT_POPULATION;
        if is_default && std::env::var_os(POPULATION_VARIABLE).is_none() {
            return String::new();
        }
        let text = if is_in_populations {
            self.name.clone()
        } else {
            self.directory.display().to_string()
        };
        // The parser takes a word that begins with a dash for another flag.
        let between = if text.starts_with('-') { '=' } else { ' ' };
        format!(" --population{between}{}", quoted(&text))
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
