//! `LOATUNE_` variables: which there are, and how they reach commands that have
//! a flag of their own for what a parameter sets.
//!
//! The flags that are made from the table of parameters know their variables by
//! themselves (`param_flags`). Commands with games and searches have flags with
//! the same names and other defaults; the variables are added to those here,
//! before the arguments are read.

use std::env;
use std::ffi::OsString;

use clap::Command;

use super::fleet_flags::FLEET_VARIABLES;
use super::population_dir::POPULATION_VARIABLE;
use crate::cli::output::BadUsage;
use crate::params::{Key, Params, keys};
use crate::util::suggest::nearest;
use crate::util::text::single_line;

/// The variable that names the file of parameters.
pub(crate) const PARAMS_VARIABLE: &str = "LOATUNE_PARAMS";

/// What all variables of this program begin with.
const PREFIX: &str = "LOATUNE_";

/// Variables that set no parameter; the last two are those of the tests.
const OTHERS: [&str; 4] = [
    PARAMS_VARIABLE,
    POPULATION_VARIABLE,
    "LOATUNE_PROGRAM",
    "LOATUNE_SHOTS",
];

/// What the names of other variables of the tests begin with, after the prefix:
/// `LOATUNE_TEST_ALL`, and those of the library that makes system calls fail.
const OF_TESTS: [&str; 2] = ["TEST_", "SHIM_"];

/// The commands whose own flags take the variables of parameters. Not `bench`
/// and `perft`, whose results are compared with known ones.
const COMMANDS: [&str; 8] = [
    "match",
    "gauntlet",
    "tournament",
    "certify",
    "play",
    "analyse",
    "fit",
    "features",
];

/// Lets the command's own flags take the variables of the parameters that they
/// are named after, for the command that `args` choose.
///
/// # Errors
/// The command would use a variable whose value the parameter does not allow.
pub(crate) fn add_to_flags(command: Command, args: &[OsString]) -> Result<Command, BadUsage> {
    // No option of the program itself has a value, so the first word without a
    // dash is the command.
    let words = || args.iter().skip(1).filter_map(|word| word.to_str());
    let chosen = words().find(|word| !word.starts_with('-'));
    let Some(name) = chosen.filter(|name| COMMANDS.contains(name)) else {
        return Ok(command);
    };
    let is_given = |flag: &str| {
        words().any(|word| {
            let rest = word.strip_prefix("--").and_then(|w| w.strip_prefix(flag));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        })
    };
    let Some(subcommand) = command.find_subcommand(name) else {
        return Ok(command);
    };
    let mut found = Vec::new();
    for arg in subcommand.get_arguments() {
        let is_named = |key: &&Key| arg.get_long() == Some(&*key.flag_name());
        // The flags of the rules have their variables already.
        let Some(key) = keys().find(is_named).filter(|_| arg.get_env().is_none()) else {
            continue;
        };
        // A file of openings leaves nothing to draw, and a level names its search.
        let is_settled = key.group == "openings" && is_given("openings")
            || key.has_path("player.search") && is_given("level");
        if is_settled || is_given(&key.flag_name()) {
            continue;
        }
        if is_usable(key)? {
            found.push((arg.get_id().clone(), key.variable()));
        }
    }
    Ok(command.mut_subcommand(name, |subcommand| {
        let add = |subcommand: Command, (id, variable): (clap::Id, String)| {
            subcommand.mut_arg(id, |arg| arg.env(variable).hide_env_values(true))
        };
        found.into_iter().fold(subcommand, add)
    }))
}

/// Whether a key's variable can be given to a flag: it is not set, or it has a
/// value other than the 0 that stands for none.
///
/// # Errors
/// The parameter does not allow the value.
fn is_usable(key: &Key) -> Result<bool, BadUsage> {
    let variable = key.variable();
    let Some(value) = env::var_os(&variable) else {
        return Ok(true);
    };
    let text = value.to_string_lossy();
    key.set_text(&mut Params::default(), &text)
        .map_err(|must| BadUsage::new(format!("invalid value '{text}' for {variable}: {must}")))?;
    let zero_is_none = ["player.depth", "player.nodes", "run.threads"];
    Ok(!(zero_is_none.contains(&&*key.path()) && text.trim() == "0"))
}

/// A warning for every variable that begins like one of this program and is
/// none.
pub(crate) fn warn_of_unknown() {
    let mut names: Vec<OsString> = env::vars_os().map(|(name, _)| name).collect();
    names.sort();
    for name in names {
        let name = name.to_string_lossy();
        if let Some(warning) = name.strip_prefix(PREFIX).and_then(unknown) {
            log::warn!("{}", single_line(&warning));
        }
    }
}

/// What is said of a variable, without its prefix, that is none.
fn unknown(name: &str) -> Option<String> {
    let known = keys().map(Key::variable);
    let others = OTHERS.into_iter().chain(FLEET_VARIABLES);
    let known = known.chain(others.map(str::to_owned));
    let known: Vec<String> = known
        .filter_map(|known| known.strip_prefix(PREFIX).map(str::to_lowercase))
        .collect();
    let is_of_tests = OF_TESTS.iter().any(|start| name.starts_with(start));
    if is_of_tests || known.iter().any(|known| known.to_uppercase() == name) {
        return None;
    }
    let hint = match nearest(name, &known) {
        Some(meant) => format!("did you mean {PREFIX}{}?", meant.to_uppercase()),
        None => String::from("`loatune params show --help` lists the flags that have one"),
    };
    Some(format!(
        "unknown variable {PREFIX}{name} is ignored: {hint}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_variable_is_recognised() {
        for known in [
            "DEPTH",
            "MAX_PLIES",
            "POPULATION",
            "PROGRAM",
            "FILES",
            "TEST_ALL",
        ] {
            assert_eq!(unknown(known), None);
        }
        let told = unknown("DEPHT").expect("it is none");
        assert_eq!(
            told,
            "unknown variable LOATUNE_DEPHT is ignored: did you mean LOATUNE_DEPTH?"
        );
        assert!(unknown("depth").is_some_and(|told| told.ends_with("LOATUNE_DEPTH?")));
        assert!(unknown("SOMETHING_ELSE").is_some_and(|told| !told.contains("mean")));
        assert!(unknown("").is_some());
    }
}
