//! Which population a command is about, and how it is looked at: through the
//! daemon that works on it, or by opening it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;

use super::error::BadUsage;
use crate::api::{Source, SourceError};
use crate::run::{Latest, LivePopulation, RunContext};
use crate::serve::control;
use crate::store::{Population, StoreError};
use crate::weights::PUBLISHED;

/// Where populations are, seen from the current directory.
const POPULATIONS: &str = "populations";

/// The population where none is named.
pub(super) const USUAL: &str = "default";

/// How long a population that is in use is waited for.
const PATIENCE: Duration = Duration::from_secs(3);

/// `--population`.
#[derive(Clone, Debug, Args)]
pub(super) struct PopulationArg {
    /// The population: a name in populations/, or a directory (with a slash)
    #[arg(
        long,
        short,
        value_name = "NAME|DIR",
        env = "LOATUNE_POPULATION",
        hide_env_values = true
    )]
    population: Option<String>,
}

/// Where a population is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// What people call it.
    pub(super) name: String,
    /// Its directory.
    pub(super) directory: PathBuf,
}

/// A population that is looked at.
pub(super) struct Look {
    /// Who answers.
    pub(super) source: Arc<dyn Source>,
    /// Whether a daemon works on it.
    pub(super) running: bool,
    /// The open population, where nobody else has it open.
    pub(super) population: Option<Population>,
}

impl PopulationArg {
    /// Whether one was named.
    pub(super) fn is_given(&self) -> bool {
        self.population.is_some()
    }

    /// Where it is; `usual` is its name where none was given.
    pub(super) fn place(&self, usual: &str) -> Result<Place, BadUsage> {
        let text = self.population.as_deref().unwrap_or(usual);
        let bad = |why: &str| BadUsage::new(format!("--population {text:?}: {why}"));
        let path = Path::new(text);
        let is_name = !text.contains(std::path::MAIN_SEPARATOR);
        let directory = match is_name {
            true => Path::new(POPULATIONS).join(text),
            false => path.to_owned(),
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
        Ok(Place {
            name: name.to_owned(),
            directory,
        })
    }

    /// The population that is named, or the only one that there is.
    pub(super) fn there(&self) -> Result<Place, BadUsage> {
        let place = self.place(USUAL)?;
        if !self.is_given()
            && !Population::exists(&place.directory)
            && let [only] = &*populations()
        {
            return Ok(only.clone());
        }
        Ok(place)
    }

    /// The population that is named, or the only one that somebody works on.
    pub(super) fn running_place(&self) -> Result<Place, BadUsage> {
        let place = self.there()?;
        let runs = |place: &Place| control::connect(&place.directory).is_some();
        if !self.is_given()
            && !runs(&place)
            && let [only] = &*populations().into_iter().filter(runs).collect::<Vec<_>>()
        {
            return Ok(only.clone());
        }
        Ok(place)
    }

    /// Looks at the population that is named, or at the only one that there is.
    pub(super) fn look(&self) -> anyhow::Result<(Place, Look)> {
        let place = self.there()?;
        let look = place.look()?;
        Ok((place, look))
    }
}

/// All populations in the usual place, by name.
pub(super) fn populations() -> Vec<Place> {
    let entries = fs::read_dir(POPULATIONS).into_iter().flatten().flatten();
    let place = |entry: fs::DirEntry| {
        let directory = entry.path();
        let name = entry.file_name().into_string().ok()?;
        Population::exists(&directory).then_some(Place { name, directory })
    };
    let mut found: Vec<Place> = entries.filter_map(place).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

impl Place {
    /// How a command names it.
    pub(super) fn flag(&self) -> String {
        if self.name == USUAL && self.directory == Path::new(POPULATIONS).join(USUAL) {
            return String::new();
        }
        let is_usual = self.directory == Path::new(POPULATIONS).join(&self.name);
        let text = match is_usual {
            true => self.name.clone(),
            false => self.directory.display().to_string(),
        };
        match text.contains(|letter: char| letter.is_whitespace() || "'\"\\$".contains(letter)) {
            true => format!(" --population '{}'", text.replace('\'', r"'\''")),
            false => format!(" --population {text}"),
        }
    }

    /// A window into the population, which nobody else has open.
    pub(super) fn window(&self) -> anyhow::Result<(LivePopulation, Population)> {
        if !Population::exists(&self.directory) {
            return Err(BadUsage::new(self.missing()).into());
        }
        let population = open(self)?;
        let circumstances = RunContext {
            proved: population.layout().champion().exists(),
            ..RunContext::default()
        };
        let now = Latest::new(&self.name, &population, &circumstances);
        let window = LivePopulation::new(&self.name, population.reader(), now, None);
        Ok((window, population))
    }

    /// Looks at it.
    pub(super) fn look(&self) -> anyhow::Result<Look> {
        if let Some(daemon) = control::connect(&self.directory) {
            return Ok(Look {
                source: Arc::new(daemon),
                running: true,
                population: None,
            });
        }
        let (window, population) = self.window()?;
        Ok(Look {
            source: Arc::new(window),
            running: false,
            population: Some(population),
        })
    }

    pub(super) fn missing(&self) -> String {
        let names: Vec<String> = populations().into_iter().map(|place| place.name).collect();
        let there = match &*names {
            [] => String::from("there is none yet: `loatune run` begins one"),
            names => format!("there are: {}", names.join(", ")),
        };
        format!("no population in {}; {there}", self.directory.display())
    }
}

/// Opens a population, and says what had to be put right. Commands that look at
/// one have it open for a moment, so a population that is in use gets a second
/// chance unless a daemon answers.
pub(super) fn open(place: &Place) -> anyhow::Result<Population> {
    open_unless(place, &|| false)
}

/// The same, until `stop` says so.
pub(super) fn open_unless(place: &Place, stop: &dyn Fn() -> bool) -> anyhow::Result<Population> {
    let begin = Instant::now();
    let (population, notices) = loop {
        match Population::open_unless(&place.directory, stop) {
            Err(StoreError::InUse { .. })
                if begin.elapsed() < PATIENCE
                    && !stop()
                    && control::connect(&place.directory).is_none() =>
            {
                std::thread::sleep(Duration::from_millis(50));
            }
            found => break found?,
        }
    };
    for notice in notices {
        log::warn!("{notice}");
    }
    Ok(population)
}

/// A source's answer; what it refuses is bad usage.
pub(super) fn answer<T>(found: Result<T, SourceError>) -> anyhow::Result<T> {
    found.map_err(|problem| match problem {
        SourceError::Refused(_) => BadUsage::new(problem).into(),
        SourceError::Failed(_) => anyhow::Error::new(problem),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn place(text: &str) -> Result<Place, String> {
        let arg = PopulationArg {
            population: Some(text.to_owned()),
        };
        arg.place(USUAL).map_err(|error| error.to_string())
    }

    #[test]
    fn names_and_directories() {
        let named = place("mine").unwrap();
        assert_eq!(named.directory, Path::new("populations/mine"));
        assert_eq!(named.flag(), " --population mine");
        let lies = place("./a b/mine").unwrap();
        assert_eq!(
            (lies.name.as_str(), lies.flag().as_str()),
            ("mine", " --population './a b/mine'")
        );
        assert_eq!(place("default").unwrap().flag(), "");
        for bad in ["", ".", "..", "/", "a/..", "published"] {
            let message = place(bad).unwrap_err();
            assert!(
                message.starts_with(&format!("--population {bad:?}: ")),
                "{message}"
            );
        }
    }
}
