//! Parameters: what a user may choose, from built-in defaults, `params.toml`,
//! environment variables and flags.
//!
//! A file is read by [`crate::document`], which also checks its names; every
//! value is checked against the table of keys ([`GROUPS`]), then the values
//! together against their constraints; all problems are reported together.
//! Flags and environment variables go through the same table
//! ([`Key::set_text`]) and are layers above the file ([`Layers`]), but they are
//! read elsewhere: this module knows neither the command line nor the
//! environment.
//!
//! | file | purpose |
//! |---|---|
//! | `settings` | the values, once checked |
//! | `table` | every key: its meaning, range and place |
//! | `key` | how a key's value is read, checked and written |
//! | `chosen_genes` | `[genes]`: the options of another engine that are tuned |
//! | `layers` | defaults, preset, file and flags, one over the other |
//! | `file_values` | what a file said when a population was begun |
//! | `preset` | sets of values with a name |
//! | `constraints` | values that must go together |
//! | `earlier` | what keys mean in a population that was begun before they existed |
//! | `fingerprint` | which parameters affect a result, and differences |
//! | `run_command` | the command that begins a run with them |

mod chosen_genes;
mod constraints;
mod earlier;
mod file_values;
mod fingerprint;
mod key;
mod layers;
mod preset;
mod run_command;
mod settings;
mod table;

use std::path::Path;

pub use chosen_genes::{ChosenGene, LARGEST};
pub use file_values::FileValues;
pub use fingerprint::Difference;
pub(crate) use key::gene_value;
pub use key::{Group, Key, Kind, Restriction};
pub use layers::{Effective, Layers, Source};
pub use preset::{Preset, QUICK};
pub use settings::{
    EngineParams, EvolutionParams, FaultRule, FinalParams, FleetParams, GenomeParams, HttpParams,
    OpeningParams, PlayerParams, Reference, RunParams, SchoolParams,
};
pub use table::{GROUPS, find_group, find_key, keys};

use crate::document::FileError;
use crate::document::key_check::AllowedTable;
use crate::game::Rules;
use crate::genome::GeneTable;

/// The commented `params.toml` of the repository: every key at its default.
pub const DEFAULT_TEXT: &str = include_str!("../../params.toml");

/// Checked parameters, a field for each group of `params.toml`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Params {
    /// `[rules]`: when and how a game ends.
    pub rules: Rules,
    /// `[genome]`: what may evolve, and within which bounds.
    pub genome: GenomeParams,
    /// `[engine]`: how the program of `genome.engine` is driven.
    pub engine: EngineParams,
    /// `[player]`: the search of both sides.
    pub player: PlayerParams,
    /// `[openings]`: how the first positions are drawn.
    pub openings: OpeningParams,
    /// `[evolution]`: the numbers of the selection rule.
    pub evolution: EvolutionParams,
    /// `[school]`: what is learned from the positions of the run's games.
    pub school: SchoolParams,
    /// `[final]`: how the champion is found and proved.
    pub final_stage: FinalParams,
    /// `[run]`: seed, threads and window of a run.
    pub run: RunParams,
    /// `[fleet]`: how far the workers of a fleet are trusted.
    pub fleet: FleetParams,
    /// `[http]`: the page of a run.
    pub http: HttpParams,
}

impl Params {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// [`FileError::Read`] where the file cannot be read, otherwise as
    /// [`Params::parse`].
    pub fn read(path: &Path) -> Result<Params, FileError> {
        let mut layers = Layers::new();
        layers.add_file(path)?;
        Ok(layers.finish()?.params)
    }

    /// Checks the text of a file; `file` is its name in messages. A key that
    /// the text leaves out has its default.
    ///
    /// # Errors
    /// [`FileError::Problems`] with everything that is wrong: broken syntax,
    /// unknown keys, values out of range, constraints that do not hold.
    ///
    /// ```
    /// use loatune::params::Params;
    ///
    /// let params = Params::parse("[player]\ndepth = 4", "params.toml")?;
    /// assert_eq!(params.player.depth, 4);
    /// let error = Params::parse("[player]\ndeph = 4", "params.toml").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "params.toml:2: unknown key player.deph: did you mean player.depth?"
    /// );
    /// # Ok::<(), loatune::document::FileError>(())
    /// ```
    pub fn parse(text: &str, file: &str) -> Result<Params, FileError> {
        let mut layers = Layers::new();
        layers.add_text(text, file);
        Ok(layers.finish()?.params)
    }

    /// Checks the text that a stored population has recorded, whose genes are
    /// those of `table`. A key that the text leaves out did not exist when it
    /// was written: it means what was done then.
    ///
    /// # Errors
    /// As [`Params::parse`].
    pub fn parse_recorded(text: &str, file: &str, table: &GeneTable) -> Result<Params, FileError> {
        let mut layers = Layers::for_recorded();
        layers.add_recorded(text, file, table);
        Ok(layers.finish()?.params)
    }
}

/// The names that `params.toml` may have, but for `[genes]`, whose keys are the
/// names of another program's options.
fn allowed_tables() -> Vec<AllowedTable> {
    let table = |group: &Group| AllowedTable {
        name: group.name,
        keys: group.keys.iter().map(|key| key.name).collect(),
    };
    GROUPS.iter().map(table).collect()
}

#[cfg(test)]
mod tests;
