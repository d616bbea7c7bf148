//! What the program says of itself: its commands and their options.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// The program that documents are compared with: the tests' own build, or the one
/// that `LOATUNE_PROGRAM` names. `.ci/run` names the released one, which plays the
/// long matches of the documents some four times as fast.
pub(super) fn binary() -> PathBuf {
    let named = std::env::var_os("LOATUNE_PROGRAM");
    let binary = named.map_or_else(|| env!("CARGO_BIN_EXE_loatune").into(), PathBuf::from);
    assert!(binary.is_file(), "no program at {}", binary.display());
    binary
}

fn help(words: &[&str]) -> String {
    let output = Command::new(binary())
        .args(words)
        .arg("--help")
        .env_clear()
        .output()
        .unwrap();
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands of a command, but for `help`.
pub(super) fn subcommands(words: &[&str]) -> Vec<String> {
    let help = help(words);
    if !help.contains("<COMMAND>\n") {
        return Vec::new();
    }
    let rows = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let rows = rows.take_while(|line| !line.is_empty());
    let names = rows.filter_map(|row| row.strip_prefix("  ")?.split_whitespace().next());
    let names = names.filter(|name| is_word(name) && *name != "help");
    let names: Vec<String> = names.map(str::to_owned).collect();
    assert!(!words.is_empty() || names.len() > 20, "{names:?}");
    names
}

/// A command by itself, and with each of its own commands.
pub(super) fn forms(command: &str) -> Vec<Vec<String>> {
    let own = command.to_owned();
    let subs = subcommands(&[command]).into_iter();
    let subs = subs.map(|sub| vec![own.clone(), sub]);
    [vec![own.clone()]].into_iter().chain(subs).collect()
}

/// The long options that a command's help lists.
pub(super) fn long_options<S: AsRef<str>>(words: &[S]) -> BTreeSet<String> {
    let help = help(&words.iter().map(AsRef::as_ref).collect::<Vec<&str>>());
    let lines = help.lines().map(str::trim_start);
    let options = lines
        .filter(|line| line.starts_with('-'))
        .filter_map(|line| {
            let start = line.find("--")?;
            let is_end = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '-');
            line[start..].split(is_end).next()
        });
    options.map(str::to_owned).collect()
}

/// Whether it could be a command's name.
pub(super) fn is_word(word: &str) -> bool {
    !word.is_empty()
        && word
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter == '-')
        && !word.starts_with('-')
}
