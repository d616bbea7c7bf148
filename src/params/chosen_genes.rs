//! `[genes]`: the options of another engine that are tuned, and how. A table
//! whose keys are the names of the options, so its rows are no [`Key`](super::Key)s
//! of the table of keys; what a row leaves out is what the engine announces.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::document::Problem;
use crate::document::raw_document::{Item, Raw, name_excerpt};
use crate::genome::{Gene, GeneTable};
use crate::util::suggest::nearest;

/// The most genes that a file may name.
const MOST: usize = 10_000;

/// The largest number that a row may have, in either direction.
pub const LARGEST: i64 = 1_000_000_000;

/// An option that is a gene: `Name = { min = 0, max = 90, step = 10, default = 30 }`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChosenGene {
    /// The option's name, as the engine announces it.
    pub name: String,
    /// The least value; the engine's own where it is left out.
    pub min: Option<i64>,
    /// The largest value; the engine's own where it is left out.
    pub max: Option<i64>,
    /// The distance of two neighbouring values; 1 where it is left out.
    pub step: Option<i64>,
    /// The first value; the engine's own where it is left out.
    pub default: Option<i64>,
}

const KEYS: [&str; 4] = ["min", "max", "step", "default"];

impl ChosenGene {
    /// Reads the table. Rows that are wrong are left out and reported.
    pub(super) fn read(table: &Item, problems: &mut Vec<Problem>) -> Vec<ChosenGene> {
        let mut report = |line: usize, what: String| {
            let line = Some(line);
            problems.push(Problem { line, what });
        };
        let Raw::Table(items) = &table.value else {
            let what = format!("genes = {}: must be a table: [genes]", table.excerpt);
            report(table.line, what);
            return Vec::new();
        };
        if items.len() > MOST {
            let what = format!("[genes] has {} rows: at most {MOST} are read", items.len());
            report(table.line, what);
            return Vec::new();
        }
        let mut items: Vec<&Item> = items.iter().collect();
        items.sort_by_key(|item| item.line);
        let mut rows = Vec::new();
        for item in items {
            match ChosenGene::row(item) {
                Ok(row) => rows.push(row),
                Err(what) => report(item.line, what),
            }
        }
        rows
    }

    fn row(item: &Item) -> Result<ChosenGene, String> {
        let path = format!("genes.{}", name_excerpt(&item.name));
        let Raw::Table(fields) = &item.value else {
            return Err(format!(
                "{path} = {}: must be a table of any of min, max, step and default, as in \
                 {{ min = 0, max = 90, step = 10, default = 30 }}",
                item.excerpt
            ));
        };
        if item.name.trim().is_empty() || item.name.chars().any(char::is_control) {
            return Err(format!(
                "{path}: must be the name of an option of the engine"
            ));
        }
        let mut row = ChosenGene {
            name: item.name.split_whitespace().collect::<Vec<_>>().join(" "),
            min: None,
            max: None,
            step: None,
            default: None,
        };
        for field in fields {
            let place = match field.name.as_str() {
                "min" => &mut row.min,
                "max" => &mut row.max,
                "step" => &mut row.step,
                "default" => &mut row.default,
                other => {
                    let hint = nearest(other, KEYS).map_or_else(
                        || format!("the keys are {}", KEYS.join(", ")),
                        |key| format!("did you mean {path}.{key}?"),
                    );
                    return Err(format!(
                        "unknown key {path}.{}: {hint}",
                        name_excerpt(other)
                    ));
                }
            };
            let least = if field.name == "step" { 1 } else { -LARGEST };
            *place = match field.value {
                Raw::Integer(number) if (least..=LARGEST).contains(&number) => Some(number),
                _ => {
                    return Err(format!(
                        "{path}.{} = {}: must be an integer from {least} to {LARGEST}",
                        field.name, field.excerpt
                    ));
                }
            };
        }
        row.check().map_err(|what| format!("{path}.{what}"))?;
        Ok(row)
    }

    /// Checks the numbers against each other, as far as there are any.
    ///
    /// # Errors
    /// The key, its value and what it must be.
    pub fn check(&self) -> Result<(), String> {
        if let (Some(min), Some(max)) = (self.min, self.max)
            && min > max
        {
            return Err(format!("min = {min}: must not be more than max = {max}"));
        }
        let step = self.step.unwrap_or(1);
        for (key, value) in [
            ("min", self.min),
            ("max", self.max),
            ("default", self.default),
        ] {
            if let Some(value) = value.filter(|value| value % step != 0) {
                return Err(format!(
                    "{key} = {value}: must be a multiple of step = {step}, as all values of the \
                     gene are"
                ));
            }
        }
        let Some(default) = self.default else {
            return Ok(());
        };
        let is_low = self.min.is_some_and(|min| default < min);
        if is_low || self.max.is_some_and(|max| default > max) {
            let bound = |bound: Option<i64>| bound.map_or("?".to_owned(), |it| it.to_string());
            return Err(format!(
                "default = {default}: must be from min = {} to max = {}",
                bound(self.min),
                bound(self.max)
            ));
        }
        Ok(())
    }

    /// The rows of a population's genes, with every number.
    pub fn rows_of(table: &GeneTable) -> Vec<ChosenGene> {
        let row = |gene: &Gene| {
            let number = |value: i32| Some(i64::from(value) * i64::from(gene.step));
            ChosenGene {
                name: gene.name.clone(),
                min: number(gene.range[0]),
                max: number(gene.range[1]),
                step: Some(i64::from(gene.step)),
                default: number(gene.default),
            }
        };
        table.iter().map(row).collect()
    }

    /// The first thing that a file says of the genes and a population contradicts.
    pub fn contradiction(file: &[ChosenGene], population: &[ChosenGene]) -> Option<String> {
        for row in file {
            let Some(own) = population.iter().find(|own| own.name == row.name) else {
                return Some(format!("genes.{} is no gene of the population", row.name));
            };
            for (key, said, own) in [
                ("min", row.min, own.min),
                ("max", row.max, own.max),
                ("step", row.step, own.step),
                ("default", row.default, own.default),
            ] {
                if let (Some(said), Some(own)) = (said, own)
                    && said != own
                {
                    return Some(format!(
                        "genes.{}.{key} = {said}, but the population was begun with {own}",
                        row.name
                    ));
                }
            }
        }
        let missing = |own: &&ChosenGene| file.iter().all(|row| row.name != own.name);
        let missing = population.iter().find(missing)?;
        Some(format!(
            "[genes] does not have {}, a gene of the population",
            missing.name
        ))
    }

    /// The table as `params.toml` has it; empty where there is no row.
    pub fn table_text(rows: &[ChosenGene]) -> String {
        if rows.is_empty() {
            return String::new();
        }
        let mut text = String::from("[genes]\n");
        for row in rows {
            let name = toml::Value::from(row.name.as_str());
            let fields = [
                ("min", row.min),
                ("max", row.max),
                ("step", row.step),
                ("default", row.default),
            ];
            let said = fields
                .iter()
                .filter_map(|(key, value)| Some((key, (*value)?)));
            let said: Vec<String> = said
                .map(|(key, value)| format!("{key} = {value}"))
                .collect();
            let _ = writeln!(text, "{name} = {{ {} }}", said.join(", "));
        }
        text
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::params::Params;

    fn complaint(rows: &str) -> String {
        let text = format!("[genes]\n{rows}\n");
        Params::parse(&text, "p.toml").unwrap_err().to_string()
    }

    #[test]
    fn rows_are_read_in_their_order_and_written_again() {
        let text =
            "[genes]\nking = { max = 90, step = 10 }\n\"Pawn Value\" = { min = -3 }\na = {}\n";
        let params = Params::parse(text, "p.toml").unwrap();
        let names: Vec<&str> = params.genome.genes.iter().map(|row| &*row.name).collect();
        assert_eq!(names, ["king", "Pawn Value", "a"]);
        assert_eq!(params.genome.genes[0].step, Some(10));
        assert_eq!(params.genome.genes[1].min, Some(-3));
        let again = Params::parse(&params.to_toml(), "p.toml").unwrap();
        assert_eq!(again, params);
        assert_ne!(params.fingerprint(), Params::default().fingerprint());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_and_value() {
        for (row, told) in [
            (
                "a = 3",
                "p.toml:2: genes.a = 3: must be a table of any of min",
            ),
            (
                "a = { mim = 3 }",
                "p.toml:2: unknown key genes.a.mim: did you mean genes.a.min?",
            ),
            (
                "a = { min = 0.5 }",
                "genes.a.min = 0.5: must be an integer from -1000000000",
            ),
            (
                "a = { step = 0 }",
                "genes.a.step = 0: must be an integer from 1 to",
            ),
            (
                "a = { min = 3, max = 2 }",
                "genes.a.min = 3: must not be more than max = 2",
            ),
            (
                "a = { min = 3, step = 2 }",
                "genes.a.min = 3: must be a multiple of step = 2",
            ),
            (
                "a = { max = 4, default = 5 }",
                "genes.a.default = 5: must be from min = ? to max = 4",
            ),
            ("\"\" = {}", "must be the name of an option"),
        ] {
            let found = complaint(row);
            assert!(found.contains(told), "{row}: {found}");
        }
        let found = Params::parse("genes = 3", "p.toml")
            .unwrap_err()
            .to_string();
        assert_eq!(found, "p.toml:1: genes = 3: must be a table: [genes]");
    }

    #[test]
    fn a_file_may_say_less_than_the_population_but_nothing_else() {
        let row = |name: &str, min| ChosenGene {
            name: String::from(name),
            min,
            max: Some(9),
            step: Some(1),
            default: None,
        };
        let own = [row("a", Some(1)), row("b", Some(2))];
        let said = |rows: &[ChosenGene]| ChosenGene::contradiction(rows, &own);
        assert_eq!(said(&[row("b", None), row("a", Some(1))]), None);
        let found = said(&[row("a", Some(0)), row("b", None)]).unwrap();
        assert_eq!(
            found,
            "genes.a.min = 0, but the population was begun with 1"
        );
        assert!(said(&[row("a", None)]).unwrap().contains("does not have b"));
        assert!(
            said(&[row("c", None)])
                .unwrap()
                .contains("genes.c is no gene")
        );
    }
}
