//! The flags and variables that set rules, made from the table of parameters.
//! Owns their precedence: flag, environment, `params.toml`, built-in default.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};

use super::error::BadUsage;
use crate::params::{Key, Kind, Params, find_group};
use crate::rules::Rules;

/// Read where it exists and no other file is named.
const USUAL_FILE: &str = "params.toml";

const HEADING: &str = "Rules";

/// `--params` and a flag for each key of `[rules]`.
#[derive(Clone, Debug)]
pub(super) struct RuleFlags {
    file: Option<PathBuf>,
    /// What flags and variables set, a flag before a variable.
    settings: Vec<(&'static Key, String)>,
}

impl RuleFlags {
    /// The rules that are in force.
    pub(super) fn rules(&self) -> anyhow::Result<Rules> {
        let mut params = self.file_params()?;
        for (key, text) in &self.settings {
            key.set_text(&mut params, text).map_err(BadUsage::new)?;
        }
        log::info!("rules: {}", serde_json::to_string(&params.rules)?);
        Ok(params.rules)
    }

    fn file_params(&self) -> anyhow::Result<Params> {
        let usual = Path::new(USUAL_FILE);
        let file = match &self.file {
            Some(named) => named,
            None if usual.exists() => usual,
            None => {
                log::info!("no {USUAL_FILE} here: built-in parameters");
                return Ok(Params::default());
            }
        };
        log::info!("parameters from {}", file.display());
        Ok(Params::read(file).map_err(BadUsage::new)?)
    }
}

fn keys() -> &'static [Key] {
    find_group("rules").map_or(&[], |group| group.keys)
}

/// `max_plies` is set by `--max-plies`.
fn flag(key: &Key) -> String {
    key.name.replace('_', "-")
}

/// `max_plies` is set by `LOATUNE_MAX_PLIES`.
fn variable(key: &Key) -> String {
    format!("LOATUNE_{}", key.name.to_uppercase())
}

impl FromArgMatches for RuleFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<RuleFlags, clap::Error> {
        let set = |key: &'static Key| Some((key, matches.get_one::<String>(key.name)?.clone()));
        Ok(RuleFlags {
            file: matches.get_one("params").cloned(),
            settings: keys().iter().filter_map(set).collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = RuleFlags::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for RuleFlags {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("params")
            .long("params")
            .value_name("FILE")
            .env("LOATUNE_PARAMS")
            .hide_env_values(true)
            .value_parser(value_parser!(PathBuf))
            .help("Read rules from FILE [default: ./params.toml if it exists]")
            .help_heading(HEADING);
        keys().iter().fold(command.arg(file), |command, key| {
            let name = match key.kind {
                Kind::Choice { .. } => "RULE",
                Kind::Integer { .. } => "N",
            };
            let default = key.default_text().replace('"', "");
            let allowed = match key.kind {
                Kind::Choice { .. } => String::new(),
                Kind::Integer { .. } => format!(": {}", key.allowed()),
            };
            let arg = Arg::new(key.name)
                .long(flag(key))
                .value_name(name)
                .env(variable(key))
                .hide_env_values(true)
                .allow_negative_numbers(true)
                .value_parser(ValueOf(key))
                .help(format!("{}{allowed} [default: {default}]", key.doc))
                .help_heading(HEADING);
            command.arg(arg)
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        RuleFlags::augment_args(command)
    }
}

/// Checks a value against its row in the table of parameters.
#[derive(Clone, Debug)]
struct ValueOf(&'static Key);

impl TypedValueParser for ValueOf {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        self.parse_ref_(command, arg, value, ValueSource::CommandLine)
    }

    fn parse_ref_(
        &self,
        command: &Command,
        _: Option<&Arg>,
        value: &OsStr,
        source: ValueSource,
    ) -> Result<String, clap::Error> {
        let text = value.to_string_lossy();
        let checked = self.0.set_text(&mut Params::default(), &text);
        checked.map(|()| text.to_string()).map_err(|what| {
            let name = match source {
                ValueSource::EnvVariable => variable(self.0),
                _ => format!("--{}", flag(self.0)),
            };
            let message = format!("invalid value '{text}' for {name}: {what}");
            command.clone().error(ErrorKind::ValueValidation, message)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        match self.0.kind {
            Kind::Choice { names, .. } => Some(Box::new(names.iter().map(PossibleValue::new))),
            Kind::Integer { .. } => None,
        }
    }
}
