//! `--population`: which population a command is about.

use clap::Args;

use super::population_dir::{
    DEFAULT_POPULATION, POPULATION_VARIABLE, PopulationDir, all_populations,
};
use crate::cli::output::BadUsage;
use crate::serve::control;
use crate::store::Population;

/// `--population`, with the rules by which a command finds a population that
/// was not named.
#[derive(Clone, Debug, Args)]
pub(crate) struct PopulationArg {
    /// Which population: a name in populations/, or a directory (with a slash);
    /// how many files it has is --files
    #[arg(
        long,
        short,
        value_name = "NAME|DIR",
        env = POPULATION_VARIABLE,
        hide_env_values = true
    )]
    population: Option<String>,
}

impl PopulationArg {
    /// Whether the flag or its variable names a population.
    pub(crate) fn is_given(&self) -> bool {
        self.population.is_some()
    }

    /// Resolves the argument to a directory, which need not exist; `default`
    /// is the name where none was given.
    ///
    /// # Errors
    /// The text is no name of a population.
    pub(crate) fn resolve(&self, default: &str) -> Result<PopulationDir, BadUsage> {
        let text = self.population.as_deref().unwrap_or(default);
        PopulationDir::parse("--population", text)
    }

    /// Resolves to the population that is named or is the default; where that
    /// does not exist and none was named, to the only one that exists.
    ///
    /// # Errors
    /// The text is no name of a population.
    pub(crate) fn resolve_existing(&self) -> Result<PopulationDir, BadUsage> {
        let named = self.resolve(DEFAULT_POPULATION)?;
        if !self.is_given()
            && Population::exists(&named.directory).is_ok_and(|exists| !exists)
            && let [only] = &*all_populations()
        {
            return Ok(only.clone());
        }
        Ok(named)
    }

    /// Like [`resolve_existing`](Self::resolve_existing), but prefers the only
    /// population on which a process works.
    ///
    /// # Errors
    /// The text is no name of a population.
    pub(crate) fn resolve_running(&self) -> Result<PopulationDir, BadUsage> {
        let named = self.resolve_existing()?;
        let runs = |dir: &PopulationDir| control::connect(&dir.directory).is_some();
        if !self.is_given()
            && !runs(&named)
            && let [only] = &*all_populations()
                .into_iter()
                .filter(runs)
                .collect::<Vec<_>>()
        {
            return Ok(only.clone());
        }
        Ok(named)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::Path;

    use super::*;

    fn resolve(text: &str) -> Result<PopulationDir, String> {
        let arg = PopulationArg {
            population: Some(text.to_owned()),
        };
        arg.resolve(DEFAULT_POPULATION)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn names_and_directories_are_resolved() {
        let named = resolve("mine").unwrap();
        assert_eq!(named.directory, Path::new("populations/mine"));
        assert_eq!(named.as_flag(), " --population mine");
        let elsewhere = resolve("./a b/mine").unwrap();
        assert_eq!(
            (elsewhere.name.as_str(), elsewhere.as_flag().as_str()),
            ("mine", " --population './a b/mine'")
        );
        assert_eq!(resolve("default").unwrap().as_flag(), "");
        for bad in ["", ".", "..", "/", "a/..", "published"] {
            let message = resolve(bad).unwrap_err();
            assert!(
                message.starts_with(&format!("--population {bad:?}: ")),
                "{message}"
            );
        }
    }
}
