//! The flags and variables that set parameters, made from their table, for
//! every group that a command wants. Owns their precedence: flag, environment,
//! `params.toml`, preset, built-in default.

use std::ffi::OsStr;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};

use super::panel::check_panel;
use super::shell::quoted;
use super::variables::PARAMS_VARIABLE;
use crate::cli::output::BadUsage;
use crate::game::Rules;
use crate::params::{Effective, GROUPS, Group, Key, Kind, Layers, Params, Preset, Source};

/// The file of parameters that is read where it exists and no other is named.
pub(crate) const DEFAULT_PARAMS_FILE: &str = "params.toml";

/// Chooses the groups of parameters that a command has flags for.
pub(crate) trait GroupFilter: Send + Sync + 'static {
    /// Whether the command has flags for the keys of `group`.
    fn includes(group: &Group) -> bool;
    /// Whether it has one for `key`, of a group that is not included.
    fn includes_key(_: &Key) -> bool {
        false
    }
    /// The heading of `--params` in help texts.
    const HEADING: &'static str;
    /// The help of `--params`.
    const HELP: &'static str;
}

/// Flags for `[rules]` alone.
pub(crate) enum OnlyRules {}

impl GroupFilter for OnlyRules {
    fn includes(group: &Group) -> bool {
        group.name == "rules"
    }
    const HEADING: &'static str = "Rules";
    const HELP: &'static str = "Read rules from FILE [default: ./params.toml if it exists]";
}

/// Flags for the groups that decide what is learned from games, and how games
/// are played for that.
pub(crate) enum LearnGroups {}

impl GroupFilter for LearnGroups {
    fn includes(group: &Group) -> bool {
        ["rules", "genome", "player", "openings"].contains(&group.name)
    }
    /// Which positions are looked at, as in the lessons of a run.
    fn includes_key(key: &Key) -> bool {
        ["school.skip_last", "school.quiet"].contains(&key.path().as_str())
    }
    const HEADING: &'static str = "Parameters";
    const HELP: &'static str = "Read parameters from FILE [default: ./params.toml if it exists]";
}

/// Flags for every group.
pub(crate) enum AllGroups {}

impl GroupFilter for AllGroups {
    fn includes(_: &Group) -> bool {
        true
    }
    const HEADING: &'static str = "Parameters";
    const HELP: &'static str = "Read parameters from FILE [default: ./params.toml if it exists]";
}

/// `--params` and a flag for each key of some groups.
pub(crate) struct ParamFlags<F> {
    file: Option<PathBuf>,
    /// Key, value and source of everything that a flag or, where there is no
    /// flag, a variable sets.
    settings: Vec<(&'static Key, String, Source)>,
    filter: PhantomData<F>,
}

/// `--params` and a flag for each rule.
pub(crate) type RuleFlags = ParamFlags<OnlyRules>;

impl<F: GroupFilter> ParamFlags<F> {
    /// The parameters that are in force, and where each comes from. A preset
    /// gives way to every other layer.
    ///
    /// # Errors
    /// The file or a value is bad.
    pub(crate) fn effective(&self, preset: Option<&Preset>) -> anyhow::Result<Effective> {
        self.effective_over(Layers::new(), preset)
    }

    /// Like [`effective`](Self::effective), over layers that exist already.
    ///
    /// # Errors
    /// The file or a value is bad.
    pub(crate) fn effective_over(
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
            None => log::info!("no {DEFAULT_PARAMS_FILE} here: built-in parameters"),
        }
        for (key, text, source) in &self.settings {
            layers
                .set(key, text, source.clone())
                .map_err(|must| BadUsage::new(format!("{source} {text}: {must}")))?;
        }
        let effective = layers.finish().map_err(BadUsage::new)?;
        check_panel(&effective)?;
        Ok(effective)
    }

    /// Whether a flag on the command line sets the key with this path.
    pub(crate) fn is_flag(&self, path: &str) -> bool {
        let mut settings = self.settings.iter();
        settings.any(|(key, _, source)| key.path() == path && matches!(source, Source::Flag(_)))
    }

    /// The flag that names the same file again, with a space before it and
    /// quoted for a shell; empty where none was named.
    pub(crate) fn file_as_flag(&self) -> String {
        let name = |file: &PathBuf| quoted(&file.display().to_string());
        let flag = self.file.as_ref().map(name);
        flag.map_or_else(String::new, |name| format!(" --params {name}"))
    }

    /// The file that is read, if any.
    fn file(&self) -> Option<&Path> {
        let default = Path::new(DEFAULT_PARAMS_FILE);
        self.file
            .as_deref()
            .or_else(|| default.exists().then_some(default))
    }
}

impl RuleFlags {
    /// The rules that are in force.
    ///
    /// # Errors
    /// The file or a value is bad.
    pub(crate) fn rules(&self) -> anyhow::Result<Rules> {
        let rules = self.effective(None)?.params.rules;
        log::info!("rules: {}", serde_json::to_string(&rules)?);
        Ok(rules)
    }
}

impl<F> Clone for ParamFlags<F> {
    fn clone(&self) -> ParamFlags<F> {
        ParamFlags {
            file: self.file.clone(),
            settings: self.settings.clone(),
            filter: PhantomData,
        }
    }
}

impl<F> std::fmt::Debug for ParamFlags<F> {
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

impl<F: GroupFilter> FromArgMatches for ParamFlags<F> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ParamFlags<F>, clap::Error> {
        let set = |key: &'static Key| {
            // Only a list may be given several times.
            let given = matches.get_many::<String>(&key.path())?;
            let separator = match key.kind {
                Kind::Texts { separator, .. } => separator.to_string(),
                _ => String::from(","),
            };
            let text = given
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join(&separator);
            let source = match matches.value_source(&key.path()) {
                Some(ValueSource::EnvVariable) => Source::Variable(key.variable()),
                _ => Source::Flag(key.flag_name()),
            };
            Some((key, text, source))
        };
        let keys = included::<F>().map(|(_, key)| key);
        Ok(ParamFlags {
            file: matches.get_one("params").cloned(),
            settings: keys.filter_map(set).collect(),
            filter: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = ParamFlags::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<F: GroupFilter> Args for ParamFlags<F> {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("params")
            .long("params")
            .value_name("FILE")
            .env(PARAMS_VARIABLE)
            .hide_env_values(true)
            .value_parser(value_parser!(PathBuf))
            .help(F::HELP)
            .help_heading(F::HEADING);
        let flags = included::<F>().map(|(group, key)| flag(group, key));
        command.arg(file).args(flags)
    }

    fn augment_args_for_update(command: Command) -> Command {
        ParamFlags::<F>::augment_args(command)
    }
}

/// The keys that a command has flags for, with their groups.
fn included<F: GroupFilter>() -> impl Iterator<Item = (&'static Group, &'static Key)> {
    let all = GROUPS
        .iter()
        .flat_map(|group| group.keys.iter().map(move |key| (group, key)));
    all.filter(|(group, key)| F::includes(group) || F::includes_key(key))
}

/// The flag of a key. It is known to the parser by the key's path, since a
/// command may have arguments of its own that are called like a key.
fn flag(group: &'static Group, key: &'static Key) -> Arg {
    let name = match key.kind {
        Kind::Choice { .. } if key.group == "rules" => "RULE",
        Kind::Choice { .. } => "NAME",
        Kind::Search { .. } => "NAME[:OPTIONS]",
        Kind::Integer { .. } => "N",
        Kind::Real { .. } => "X",
        Kind::Switch { .. } => "BOOL",
        Kind::Text { .. } => "TEXT",
        Kind::Texts { .. } if key.name == "panel" => "PLAYER",
        Kind::Texts { .. } => "NAME",
        Kind::Names { .. } => "NAMES",
        Kind::Bounds { .. } => "LEAST..MOST",
    };
    let allowed = match key.kind {
        Kind::Choice { .. } | Kind::Search { .. } | Kind::Switch { .. } => String::new(),
        Kind::Names { names, .. } => format!(": some of {}", names.join(", ")),
        Kind::Bounds { .. } => String::from("; one number fixes it"),
        _ => format!(": {}", key.allowed()),
    };
    let action = match key.kind {
        Kind::Texts { .. } => ArgAction::Append,
        _ => ArgAction::Set,
    };
    let default = match key.plain_text(&Params::default()) {
        empty if empty.is_empty() => String::from("none"),
        default => default,
    };
    let arg = Arg::new(key.path());
    // A consent is given by its flag alone.
    let arg = match key.path().as_str() {
        "engine.nondeterministic" => arg.num_args(0..=1).default_missing_value("true"),
        _ => arg,
    };
    arg.long(key.flag_name())
        .action(action)
        .value_name(name)
        .env(key.variable())
        .hide_env_values(true)
        .allow_hyphen_values(true)
        .value_parser(KeyValueParser(key))
        .help(format!("{}{allowed} [default: {default}]", key.doc))
        .help_heading(group.heading)
}

/// Checks a value against its row in the table of parameters.
#[derive(Clone, Debug)]
struct KeyValueParser(&'static Key);

impl TypedValueParser for KeyValueParser {
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
            Kind::Choice { names, .. } | Kind::Search { names, .. } => names,
            Kind::Switch { .. } => &["true", "false"],
            _ => return None,
        };
        Some(Box::new(names.iter().map(PossibleValue::new)))
    }
}
