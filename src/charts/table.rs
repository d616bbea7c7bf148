//! A history as CSV and as JSON. Genes are in their own units, as weight files
//! have them.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{Column, History};
use crate::evolve::Sample;

/// The columns of a sample before those of the genes.
const FIXED: [&str; 8] = [
    "matches",
    "games",
    "population",
    "capacity",
    "births",
    "deaths",
    "best_points",
    "mean_points",
];

/// What each gene has.
const PARTS: [&str; 3] = ["mean", "spread", "consensus"];

impl History {
    /// A row a sample: the totals, then NAME_mean, NAME_spread and
    /// NAME_consensus of every gene; endgame values are NAME_endgame_mean and so
    /// on. A number that is not known is left empty.
    pub fn to_csv(&self) -> String {
        let columns = self.columns();
        let mut names: Vec<String> = FIXED.map(str::to_owned).to_vec();
        for column in &columns {
            names.extend(PARTS.map(|part| format!("{}_{part}", column.name())));
        }
        let mut text = names.join(",") + "\n";
        for sample in &self.samples {
            let mut row: Vec<String> = fixed(sample).iter().map(cell).collect();
            for &column in &columns {
                row.extend(parts(sample, column).map(|value| cell(&json!(value))));
            }
            let _ = writeln!(text, "{}", row.join(","));
        }
        text
    }

    /// name, budget, phases, samples [{matches, games, population, capacity,
    /// births, deaths, best_points, mean_points, genes {NAME: {mean, spread,
    /// consensus}}}], strengths [{file, matches, games, elo, error, played}].
    pub fn to_json(&self) -> Value {
        let columns = self.columns();
        let sample = |sample: &Sample| {
            let mut map: Map<String, Value> = FIXED
                .map(str::to_owned)
                .into_iter()
                .zip(fixed(sample))
                .collect();
            let gene = |&column: &Column| {
                let parts = PARTS.map(str::to_owned).into_iter();
                let values = parts.zip(parts_json(sample, column)).collect::<Map<_, _>>();
                (column.name(), Value::from(values))
            };
            let genes: Map<String, Value> = columns.iter().map(gene).collect();
            map.insert(String::from("genes"), genes.into());
            Value::from(map)
        };
        json!({
            "name": self.name,
            "budget": self.budget,
            "phases": self.genome.phases,
            "samples": self.samples.iter().map(sample).collect::<Vec<_>>(),
            "strengths": self.strengths,
        })
    }
}

fn fixed(sample: &Sample) -> [Value; 8] {
    [
        json!(sample.matches),
        json!(sample.games),
        json!(sample.population),
        json!(sample.capacity),
        json!(sample.births),
        json!(sample.deaths),
        json!(sample.best_points),
        json!(sample.mean_points),
    ]
}

fn parts(sample: &Sample, column: Column) -> [Option<f64>; 3] {
    let values = [&sample.gene_means, &sample.gene_spreads, &sample.consensus];
    values.map(|values| column.of(values))
}

fn parts_json(sample: &Sample, column: Column) -> [Value; 3] {
    parts(sample, column).map(|value| json!(value))
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::tests::made_up;
    use super::*;
    use crate::eval::genes::TABLE;

    #[test]
    fn a_row_a_sample() {
        for (phases, columns) in [(1, 8 + 3 * 11), (2, 8 + 3 * (11 + 8))] {
            let text = made_up(7, phases).to_csv();
            let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
            assert_eq!(rows.len(), 8);
            assert!(rows.iter().all(|row| row.len() == columns), "{text}");
            assert_eq!(rows[0][..3], ["matches", "games", "population"]);
            assert_eq!(
                rows[0][8..11],
                ["euler_mean", "euler_spread", "euler_consensus"]
            );
            assert_eq!(rows[2][1], "21428");
            for cell in rows[1..].concat() {
                cell.parse::<f64>().unwrap();
            }
        }
    }

    #[test]
    fn json_says_the_same() {
        let history = made_up(3, 2);
        let json = history.to_json();
        assert_eq!(json["name"], history.name);
        let samples = json["samples"].as_array().unwrap();
        assert_eq!(samples.len(), 3);
        let csv = history.to_csv();
        let mut lines = csv.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        for (sample, line) in samples.iter().zip(lines) {
            for (name, cell) in names.iter().zip(line.split(',')) {
                let value = match sample.get(name) {
                    Some(value) => value,
                    None => {
                        let (gene, part) = name.rsplit_once('_').unwrap();
                        &sample["genes"][gene][part]
                    }
                };
                assert_eq!(value.to_string(), cell, "{name}");
            }
        }
        assert_eq!(json["strengths"][0]["file"], 100);
        assert_eq!(json["strengths"][0]["elo"], Value::Null);
        assert_eq!(json["strengths"][1]["played"], 200);
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        let mut history = made_up(1, 1);
        history.samples[0].gene_means.truncate(3);
        history.samples[0].best_points = f64::NEG_INFINITY;
        let text = history.to_csv();
        let row: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
        assert_eq!(row[6], "");
        assert_eq!(row.len(), 8 + 3 * TABLE.len());
        assert_eq!(row[8 + 3 * 3], "");
        assert_eq!(made_up(0, 1).to_csv().lines().count(), 1);
    }
}
