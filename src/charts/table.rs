//! A history as CSV and as JSON. Genes are in their own units, as weight files
//! have them.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::{Column, HallStrength, History};
use crate::evolve::Sample;

/// The history of a run as a table; `loatune history --json` prints the same.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = History)]
pub struct HistoryTable {
    /// The population's name.
    pub name: String,
    /// Games of the whole run.
    pub budget: u64,
    /// Phases of the game that have weights of their own: 1, or 2 for opening
    /// and endgame.
    #[schema(minimum = 1, maximum = 2)]
    pub phases: u32,
    /// The population from time to time, the oldest sample first.
    pub samples: Vec<SampleRow>,
    /// The strengths of the files in the hall of fame against the default
    /// weights, the oldest first.
    pub strengths: Vec<HallStrength>,
}

/// The population at one time.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Sample)]
pub struct SampleRow {
    /// Matches applied by then.
    pub matches: u64,
    /// Games played by then.
    pub games: u64,
    /// Files that lived.
    pub population: u32,
    /// Files that were allowed to live.
    pub capacity: u32,
    /// Files born by then.
    pub births: u64,
    /// Files that had died by then.
    pub deaths: u64,
    /// The most points of a living file.
    pub best_points: f64,
    /// The mean of the living files' points.
    pub mean_points: f64,
    /// The genes by their names; endgame values are NAME_endgame.
    #[schema(value_type = std::collections::BTreeMap<String, GeneSample>)]
    pub genes: Map<String, Value>,
}

/// A gene of the population at one time, in the gene's own unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct GeneSample {
    /// The mean of the living files; null where it is not known.
    pub mean: Option<f64>,
    /// The standard deviation of the living files; null where it is not known.
    pub spread: Option<f64>,
    /// The value in the consensus; null where it is not known.
    pub consensus: Option<f64>,
}

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

/// The columns of a strength, after those of the genes: the file in the hall of
/// fame, its Elo above the reference weights, the 95 % error of that, and the games
/// that measure it.
const STRENGTH: [&str; 4] = ["hall_file", "elo", "elo_error", "elo_games"];

/// The columns of each gene.
const PARTS: [&str; 3] = ["mean", "spread", "consensus"];

impl History {
    /// The history as CSV, a row for each sample: the totals, then NAME_mean,
    /// NAME_spread and NAME_consensus of every gene; endgame values are
    /// NAME_endgame_mean and so on. The last columns are the strength of the file
    /// that entered the hall of fame then; where there is no sample of that time,
    /// it has a row of its own. A number that is not known is left empty.
    pub fn to_csv(&self) -> String {
        let columns = self.columns();
        let mut names: Vec<String> = FIXED.map(str::to_owned).to_vec();
        for column in &columns {
            names.extend(PARTS.map(|part| format!("{}_{part}", column.name())));
        }
        names.extend(STRENGTH.map(str::to_owned));
        let mut text = names.join(",") + "\n";
        let mut hall = self.strengths.iter().peekable();
        for sample in &self.samples {
            while let Some(strength) = hall.next_if(|one| one.games < sample.games) {
                let _ = writeln!(text, "{}", strength_row(strength, names.len()));
            }
            let mut row: Vec<String> = fixed(sample).iter().map(cell).collect();
            for &column in &columns {
                let gene = GeneSample::new(sample, column);
                let parts = [gene.mean, gene.spread, gene.consensus];
                row.extend(parts.map(|value| cell(&json!(value))));
            }
            let strength = hall.next_if(|one| one.games == sample.games);
            row.extend(strength.map_or_else(Default::default, strength_cells));
            let _ = writeln!(text, "{}", row.join(","));
        }
        for strength in hall {
            let _ = writeln!(text, "{}", strength_row(strength, names.len()));
        }
        text
    }

    /// The history as a table, which serializes to the JSON of
    /// `loatune history --json`.
    pub fn table(&self) -> HistoryTable {
        let columns = self.columns();
        let row = |sample| SampleRow::new(sample, &columns);
        HistoryTable {
            name: self.name.clone(),
            budget: self.budget,
            phases: self.genome.phases,
            samples: self.samples.iter().map(row).collect(),
            strengths: self.strengths.clone(),
        }
    }
}

impl SampleRow {
    fn new(sample: &Sample, columns: &[Column]) -> SampleRow {
        let gene = |column: &Column| (column.name(), json!(GeneSample::new(sample, *column)));
        SampleRow {
            matches: sample.matches,
            games: sample.games,
            population: sample.population,
            capacity: sample.capacity,
            births: sample.births,
            deaths: sample.deaths,
            best_points: sample.best_points,
            mean_points: sample.mean_points,
            genes: columns.iter().map(gene).collect(),
        }
    }
}

impl GeneSample {
    fn new(sample: &Sample, column: Column) -> GeneSample {
        GeneSample {
            mean: column.value_in(&sample.gene_means),
            spread: column.value_in(&sample.gene_spreads),
            consensus: column.value_in(&sample.consensus),
        }
    }
}

/// The values of the columns [`FIXED`].
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

/// The values of the columns [`STRENGTH`].
fn strength_cells(strength: &HallStrength) -> [String; 4] {
    [
        json!(strength.file),
        json!(strength.elo),
        json!(strength.error),
        json!(strength.played),
    ]
    .map(|value| cell(&value))
}

/// A row of so many columns that has only the time and a strength.
fn strength_row(strength: &HallStrength, columns: usize) -> String {
    let mut row = vec![strength.matches.to_string(), strength.games.to_string()];
    row.resize(columns - STRENGTH.len(), String::new());
    row.extend(strength_cells(strength));
    row.join(",")
}

/// A cell of the CSV; empty where the value is not known.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::tests::sample_history;
    use super::*;
    use crate::eval::features::FEATURES;
    use crate::eval::genes::TABLE;

    #[test]
    fn the_csv_has_a_row_for_each_sample() {
        let [all, weights] = [TABLE.len(), FEATURES];
        for (phases, columns) in [(1, 12 + 3 * all), (2, 12 + 3 * (all + weights))] {
            let history = History {
                strengths: Vec::new(),
                ..sample_history(7, phases)
            };
            let text = history.to_csv();
            let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
            assert_eq!(rows.len(), 8);
            assert!(rows.iter().all(|row| row.len() == columns), "{text}");
            assert_eq!(rows[0][..3], ["matches", "games", "population"]);
            assert_eq!(
                rows[0][8..11],
                ["euler_mean", "euler_spread", "euler_consensus"]
            );
            assert_eq!(rows[2][1], "21428");
            for row in &rows[1..] {
                let (known, strength) = row.split_at(columns - 4);
                assert!(known.iter().all(|cell| cell.parse::<f64>().is_ok()));
                assert_eq!(strength, [""; 4]);
            }
        }
    }

    #[test]
    fn the_csv_has_the_strength_of_the_hall() {
        // Samples at 0, 50,000 and 100,000 games, the hall at every 15,000.
        let mut history = sample_history(3, 1);
        history.strengths[1].games = 50_000;
        history.strengths[2].games = 60_000;
        let text = history.to_csv();
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        let names = &rows[0];
        let cells = |row: &Vec<&str>| -> Vec<String> {
            let place = |name: &str| names.iter().position(|&found| found == name).unwrap();
            let wanted = [
                "games",
                "population",
                "hall_file",
                "elo",
                "elo_error",
                "elo_games",
            ];
            wanted.map(|name| row[place(name)].to_owned()).to_vec()
        };
        assert!(rows.iter().all(|row| row.len() == names.len()));
        // The beginning has a row, and nobody is in the hall yet.
        assert_eq!(cells(&rows[1]), ["0", "26", "", "", "", ""]);
        // An infinite strength has no number, but games.
        assert_eq!(cells(&rows[2]), ["15000", "", "100", "", "45.0", "200"]);
        let elo = history.strengths[1].elo.unwrap().to_string();
        let population = history.samples[1].population.to_string();
        assert_eq!(
            cells(&rows[3]),
            ["50000", &population, "200", &elo, "45.0", "200"]
        );
        assert_eq!(cells(&rows[4])[..3], ["60000", "", "300"]);
        assert_eq!(rows.len(), 1 + 3 + 9);
        let games: Vec<u64> = rows[1..]
            .iter()
            .map(|row| row[1].parse().unwrap())
            .collect();
        assert!(games.is_sorted());
    }

    #[test]
    fn the_json_has_the_values_of_the_csv() {
        let mut history = sample_history(3, 2);
        let strengths = std::mem::take(&mut history.strengths);
        let csv = history.to_csv();
        history.strengths = strengths;
        let json = json!(history.table());
        assert_eq!(json["name"], history.name);
        let samples = json["samples"].as_array().unwrap();
        assert_eq!(samples.len(), 3);
        let mut lines = csv.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        for (sample, line) in samples.iter().zip(lines) {
            let names = names.iter().filter(|name| !STRENGTH.contains(name));
            for (name, cell) in names.zip(line.split(',')) {
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
    fn unknown_values_are_empty_cells() {
        let mut history = sample_history(1, 1);
        history.samples[0].gene_means.truncate(3);
        history.samples[0].best_points = f64::NEG_INFINITY;
        let text = history.to_csv();
        let row: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
        assert_eq!(row[6], "");
        assert_eq!(row.len(), 12 + 3 * TABLE.len());
        assert_eq!(row[8 + 3 * 3], "");
        assert_eq!(sample_history(0, 1).to_csv().lines().count(), 1);
    }
}
