//! The file of an experiment: who meets whom, and how often. Owns its keys and
//! what they allow.

use std::path::Path;

use crate::arena::openings::RandomOpenings;
use crate::charts::SERIES;
use crate::cli::args::DEFAULT_TABLE_KIB;
use crate::document::key_check::{self, AllowedTable, Entry};
use crate::document::raw_document::{Item, Raw};
use crate::document::{self, Content, FileError, Problem, toml_text};
use crate::search::Table;

/// What stands for a point's value in the text of a variant.
pub(super) const PLACE: &str = "{}";

/// The keys of `[experiment]`, in the order of the documents.
const KEYS: [&str; 13] = [
    "title",
    "standard",
    "variants",
    "names",
    "parameter",
    "values",
    "labels",
    "vary",
    "games",
    "seed",
    "opening_plies",
    "opening_bound",
    "table_kib",
];

/// Where the value of a point goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Vary {
    /// Into the text of the variant, in place of `{}`.
    #[default]
    Player,
    /// Into the memory of the variant's transposition table, in KiB.
    TableKib,
}

/// An experiment as its file describes it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExperimentFile {
    pub(super) title: String,
    pub(super) standard: String,
    pub(super) variants: Vec<String>,
    /// One a variant; empty texts where the file has none.
    pub(super) names: Vec<String>,
    pub(super) parameter: String,
    pub(super) values: Vec<String>,
    /// One a value: the value itself where the file has none.
    pub(super) labels: Vec<String>,
    pub(super) vary: Vary,
    pub(super) games: u64,
    pub(super) seed: u64,
    pub(super) opening_plies: u32,
    pub(super) opening_bound: i32,
    pub(super) table_kib: u32,
}

impl ExperimentFile {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or says what is not allowed: all of that, with lines.
    pub(super) fn read(path: &Path) -> Result<ExperimentFile, FileError> {
        let text = document::read_text(path, Content::Experiment)?;
        let (file, problems) = parse(&text);
        FileError::check(Content::Experiment, &path.display().to_string(), problems)?;
        Ok(file)
    }
}

/// What a text says, and what is wrong with it.
fn parse(text: &str) -> (ExperimentFile, Vec<Problem>) {
    let allowed = [AllowedTable {
        name: "experiment",
        keys: KEYS.to_vec(),
    }];
    let checked = key_check::check(toml_text::read(text), &allowed);
    let usual = RandomOpenings::default();
    let mut file = ExperimentFile {
        title: String::new(),
        standard: String::new(),
        variants: Vec::new(),
        names: Vec::new(),
        parameter: String::new(),
        values: Vec::new(),
        labels: Vec::new(),
        vary: Vary::default(),
        games: 200,
        seed: 1,
        opening_plies: usual.plies,
        opening_bound: usual.bound,
        table_kib: DEFAULT_TABLE_KIB,
    };
    let mut problems = checked.problems;
    for entry in &checked.entries {
        if let Err(what) = file.set(entry) {
            problems.push(entry.problem(&what));
        }
    }
    if problems.is_empty() {
        problems.extend(file.missing().map(|what| Problem { line: None, what }));
    }
    file.names.resize(file.variants.len(), String::new());
    if file.labels.is_empty() {
        file.labels.clone_from(&file.values);
    }
    (file, problems)
}

impl ExperimentFile {
    fn set(&mut self, entry: &Entry) -> Result<(), String> {
        let value = &entry.value;
        match entry.key {
            "title" => self.title = text(value)?,
            "standard" => self.standard = text(value)?,
            "parameter" => self.parameter = text(value)?,
            "variants" => self.variants = list(value, 1, SERIES, text)?,
            "names" => self.names = list(value, 1, SERIES, text)?,
            "values" => self.values = list(value, 1, 100, point)?,
            "labels" => self.labels = list(value, 1, 100, text)?,
            "vary" => {
                self.vary = match text(value)?.as_str() {
                    "player" => Vary::Player,
                    "table_kib" => Vary::TableKib,
                    _ => return Err("must be \"player\" or \"table_kib\"".to_owned()),
                }
            }
            "games" => {
                let games = whole(value, 2, 1_000_000)?;
                if games % 2 != 0 {
                    return Err("must be even, because every opening is played twice".to_owned());
                }
                self.games = games;
            }
            "seed" => self.seed = whole(value, 0, i64::MAX as u64)?,
            "opening_plies" => self.opening_plies = whole(value, 1, 40)? as u32,
            "opening_bound" => self.opening_bound = whole(value, 0, 100_000)? as i32,
            _ => {
                let (least, most) = Table::KIB.into_inner();
                self.table_kib = whole(value, least.into(), most.into())? as u32;
            }
        }
        Ok(())
    }

    /// What is missing, or does not go together.
    fn missing(&self) -> Option<String> {
        let absent = |key: &str| Some(format!("experiment.{key} is missing"));
        if self.standard.is_empty() {
            return absent("standard");
        }
        if self.variants.is_empty() {
            return absent("variants");
        }
        if self.values.is_empty() {
            return absent("values");
        }
        if self.parameter.is_empty() {
            return absent("parameter");
        }
        if !self.names.is_empty() && self.names.len() != self.variants.len() {
            let (names, variants) = (self.names.len(), self.variants.len());
            return Some(format!(
                "experiment.names has {names} names for {variants} variants"
            ));
        }
        if self.names.is_empty() && self.variants.len() > 1 {
            return Some("experiment.names is missing: several variants need names".to_owned());
        }
        for (key, texts) in [("values", &self.values), ("names", &self.names)] {
            let repeated = (1..texts.len()).find(|&n| texts[..n].contains(&texts[n]));
            if let Some(n) = repeated {
                return Some(format!("experiment.{key} has {:?} twice", texts[n]));
            }
        }
        if !self.labels.is_empty() && self.labels.len() != self.values.len() {
            let (labels, values) = (self.labels.len(), self.values.len());
            return Some(format!(
                "experiment.labels has {labels} labels for {values} values"
            ));
        }
        let wanted = self.vary == Vary::Player;
        let wrong = |variant: &&String| variant.contains(PLACE) != wanted;
        if let Some(variant) = self.variants.iter().find(wrong) {
            return Some(if wanted {
                format!("experiment.variants: {variant:?} has no {PLACE} for the values")
            } else {
                format!("experiment.variants: {variant:?} has a {PLACE}, but vary is table_kib")
            });
        }
        None
    }
}

fn text(value: &Raw) -> Result<String, String> {
    let text = value.as_text().map(str::trim);
    let text = text.filter(|text| !text.is_empty() && !text.contains(char::is_control));
    text.map(str::to_owned)
        .ok_or_else(|| "must be a text of one line".to_owned())
}

/// A value of the parameter: a number as it is written, or a word.
fn point(value: &Raw) -> Result<String, String> {
    match value {
        Raw::Integer(number) => Ok(number.to_string()),
        Raw::Float(number) if !number.is_nan() => Ok(number.to_string()),
        Raw::Text(_) => text(value),
        _ => Err("must be numbers or texts".to_owned()),
    }
}

fn whole(value: &Raw, least: u64, most: u64) -> Result<u64, String> {
    let number = match value {
        Raw::Integer(number) => u64::try_from(*number).ok(),
        _ => None,
    };
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("must be an integer from {least} to {most}"))
}

fn list<T>(
    value: &Raw,
    least: usize,
    most: usize,
    one: impl Fn(&Raw) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let items: Option<&[Item]> = value.as_list();
    let items = items.filter(|items| (least..=most).contains(&items.len()));
    let items = items.ok_or_else(|| format!("must be a list of {least} to {most}"))?;
    items.iter().map(|item| one(&item.value)).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
[experiment]
title = "Exploration"
standard = "champion@mcts:s2000"
variants = ["champion@mcts:s2000,c={}", "champion@mcts:s2000,rave=500,c={}"]
names = ["plain", "RAVE"]
parameter = "C"
values = [-0.1, 0, 0.5, "inf"]
games = 20
"#;

    #[test]
    fn a_file_says_who_meets_whom() {
        let (file, problems) = parse(GOOD);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(file.values, ["-0.1", "0", "0.5", "inf"]);
        assert_eq!((file.games, file.seed, file.names.len()), (20, 1, 2));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases = [
            ("games = 20", "games = 21", "games = 21: must be even"),
            ("games = 20", "gamse = 20", "unknown key experiment.gamse"),
            ("\"plain\", ", "", "1 names for 2 variants"),
            ("games = 20", "labels = [\"a\"]", "1 labels for 4 values"),
            (
                "0.5, \"inf\"",
                "0.5, 0",
                "experiment.values has \"0\" twice",
            ),
            (
                "\"RAVE\"",
                "\"plain\"",
                "experiment.names has \"plain\" twice",
            ),
            ("parameter = \"C\"", "", "experiment.parameter is missing"),
            (
                "values = [-0.1, 0, 0.5, \"inf\"]",
                "values = []",
                "must be a list of 1 to 100",
            ),
            (",c={}\", ", "\", ", "has no {} for the values"),
            (
                "games = 20",
                "vary = \"x\"",
                "must be \"player\" or \"table_kib\"",
            ),
            (
                "games = 20",
                "vary = \"table_kib\"",
                "has a {}, but vary is table_kib",
            ),
            (
                "title = \"Exploration\"",
                "title = 1",
                "must be a text of one line",
            ),
        ];
        for (old, new, message) in cases {
            let (_, problems) = parse(&GOOD.replacen(old, new, 1));
            let found: Vec<&str> = problems.iter().map(|it| it.what.as_str()).collect();
            assert!(
                found.iter().any(|what| what.contains(message)),
                "{message}: {found:?}"
            );
        }
    }
}
