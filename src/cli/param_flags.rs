//! The flags and variables that set parameters, made from their table, for
//! every group that a command wants. Owns their precedence: flag, environment,
//! `params.toml`, preset, built-in default.

use std::ffi::OsStr;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};

use super::error::BadUsage;
use crate::game::Rules;
use crate::params::{Effective, GROUPS, Group, Key, Kind, Layers, Params, Preset, Source};

/// Read where it exists and no other file is named.
pub(super) const USUAL_FILE: &str = "params.toml";

/// The groups that a command has flags for.
pub(super) trait Choice: Send + Sync + 'static {
    /// Whether it has them for this one.
    fn wants(group: &Group) -> bool;
    /// What `--params` stands under in help texts.
    const HEADING: &'static str;
    /// The meaning of `--params`.
    const HELP: &'static str;
}

/// Flags for `[rules]` alone.
pub(super) enum OnlyRules {}

impl Choice for OnlyRules {
    fn wants(group: &Group) -> bool {
        group.name == "rules"
    }
    const HEADING: &'static str = "Rules";
    const HELP: &'static str = "Read rules from FILE [default: ./params.toml if it exists]";
}

/// Flags for every group.
pub(super) enum AllGroups {}

impl Choice for AllGroups {
    fn wants(_: &Group) -> bool {
        true
    }
    const HEADING: &'static str = "Parameters";
    const HELP: &'static str = "Read parameters from FILE [default: ./params.toml if it exists]";
}

/// `--params` and a flag for each key of some groups.
pub(super) struct ParamFlags<C> {
    file: Option<PathBuf>,
    /// What flags and variables set, a flag before a variable.
    settings: Vec<(&'static Key, String, Source)>,
    choice: PhantomData<C>,
}

/// `--params` and a flag for each rule.
pub(super) type RuleFlags = ParamFlags<OnlyRules>;

impl<C: Choice> ParamFlags<C> {
    /// The parameters that are in force, and where each comes from. A preset
    /// gives way to whatever else is set.
    pub(super) fn effective(&self, preset: Option<&Preset>) -> anyhow::Result<Effective> {
        self.over(Layers::new(), preset)
    }

    /// The same over what is there already.
    pub(super) fn over(
        &self,
        mut layers: Layers,
        preset: Option<&Preset>,
    ) -> anyhow::Result<Effective> {
        if let Some(preset) = preset {
            layers.add_preset(preset);
        }
        match self.file() {
            Some(file) => {
                log::info!("parameters from {}", file.display());
                layers.add_file(file).map_err(BadUsage::new)?;
            }
            None => log::info!("no {USUAL_FILE} here: built-in parameters"),
        }
        for (key, text, source) in &self.settings {
            layers
                .set(key, text, source.clone())
                .map_err(|must| BadUsage::new(format!("{source} {text}: {must}")))?;
        }
        Ok(layers.finish().map_err(BadUsage::new)?)
    }

    /// The file that is read, if any.
    fn file(&self) -> Option<&Path> {
        let usual = Path::new(USUAL_FILE);
        self.file
            .as_deref()
            .or_else(|| usual.exists().then_some(usual))
    }
}

impl RuleFlags {
    /// The rules that are in force.
    pub(super) fn rules(&self) -> anyhow::Result<Rules> {
        let rules = self.effective(None)?.params.rules;
        log::info!("rules: {}", serde_json::to_string(&rules)?);
        Ok(rules)
    }
}

impl<C> Clone for ParamFlags<C> {
    fn clone(&self) -> ParamFlags<C> {
        ParamFlags {
            file: self.file.clone(),
            settings: self.settings.clone(),
            choice: PhantomData,
        }
    }
}

impl<C> std::fmt::Debug for ParamFlags<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let settings = self.settings.iter();
        f.debug_struct("ParamFlags")
            .field("file", &self.file)
            .field(
                "settings",
                &settings
                    .map(|(_, text, source)| (source, text))
                    .collect::<Vec<_>>(),
            )
            .finish()
    }
}

impl<C: Choice> FromArgMatches for ParamFlags<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ParamFlags<C>, clap::Error> {
        let set = |key: &'static Key| {
            let text = matches.get_one::<String>(&key.path())?.clone();
            let source = match matches.value_source(&key.path()) {
                Some(ValueSource::EnvVariable) => Source::Variable(key.variable()),
                _ => Source::Flag(key.flag_name()),
            };
            Some((key, text, source))
        };
        let groups = GROUPS.iter().filter(|group| C::wants(group));
        let keys = groups.flat_map(|group| group.keys);
        Ok(ParamFlags {
            file: matches.get_one("params").cloned(),
            settings: keys.filter_map(set).collect(),
            choice: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = ParamFlags::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<C: Choice> Args for ParamFlags<C> {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("params")
            .long("params")
            .value_name("FILE")
            .env("LOATUNE_PARAMS")
            .hide_env_values(true)
            .value_parser(value_parser!(PathBuf))
            .help(C::HELP)
            .help_heading(C::HEADING);
        let groups = GROUPS.iter().filter(|group| C::wants(group));
        let flags = groups.flat_map(|group| group.keys.iter().map(|key| flag(group, key)));
        command.arg(file).args(flags)
    }

    fn augment_args_for_update(command: Command) -> Command {
        ParamFlags::<C>::augment_args(command)
    }
}

/// The flag of a key. It is known to the parser by the key's path, since a
/// command may have arguments of its own that are called like a key.
fn flag(group: &'static Group, key: &'static Key) -> Arg {
    let name = match key.kind {
        Kind::Choice { .. } if key.group == "rules" => "RULE",
        Kind::Choice { .. } => "NAME",
        Kind::Integer { .. } => "N",
        Kind::Real { .. } => "X",
        Kind::Switch { .. } => "BOOL",
        Kind::Text { .. } => "TEXT",
        Kind::Names { .. } => "NAMES",
        Kind::Bounds { .. } => "LEAST..MOST",
    };
    let allowed = match key.kind {
        Kind::Choice { .. } | Kind::Switch { .. } => String::new(),
        Kind::Names { names, .. } => format!(": some of {}", names.join(", ")),
        Kind::Bounds { .. } => String::from("; one number fixes it"),
        _ => format!(": {}", key.allowed()),
    };
    let default = key.plain_text(&Params::default());
    Arg::new(key.path())
        .long(key.flag_name())
        .value_name(name)
        .env(key.variable())
        .hide_env_values(true)
        .allow_hyphen_values(true)
        .value_parser(ValueOf(key))
        .help(format!("{}{allowed} [default: {default}]", key.doc))
        .help_heading(group.heading)
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
                ValueSource::EnvVariable => self.0.variable(),
                _ => format!("--{}", self.0.flag_name()),
            };
            let message = format!("invalid value '{text}' for {name}: {what}");
            command.clone().error(ErrorKind::ValueValidation, message)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = match self.0.kind {
            Kind::Choice { names, .. } => names,
            Kind::Switch { .. } => &["true", "false"],
            _ => return None,
        };
        Some(Box::new(names.iter().map(PossibleValue::new)))
    }
}
