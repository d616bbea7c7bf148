//! A history as CSV, and its samples as rows of the JSON. Genes are in their own units, as weight files
//! have them.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::slice;

use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::event_row::{EVENT, event_cells};
use super::{Column, HallStrength, History, NotedEvent};
use crate::evolve::Sample;

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
    /// NAME_endgame_mean and so on. Then comes the strength of the file that
    /// entered the hall of fame then; where there is no sample of that time, it has
    /// a row of its own. So has every notable event, with the last columns. A number
    /// that is not known is left empty.
    pub fn to_csv(&self) -> String {
        let columns = self.columns();
        let mut names: Vec<String> = FIXED.map(str::to_owned).to_vec();
        for column in &columns {
            names.extend(PARTS.map(|part| format!("{}_{part}", column.name())));
        }
        names.extend(STRENGTH.map(str::to_owned));
        names.extend(EVENT.map(str::to_owned));
        let mut rest = Rest {
            hall: self.strengths.iter().peekable(),
            events: self.events.iter().peekable(),
            columns: names.len(),
        };
        let mut text = names.join(",") + "\n";
        for sample in &self.samples {
            rest.write_before(sample.games, &mut text);
            let mut row: Vec<String> = fixed(sample).iter().map(cell).collect();
            for &column in &columns {
                let gene = GeneSample::new(sample, column);
                let parts = [gene.mean, gene.spread, gene.consensus];
                row.extend(parts.map(|value| cell(&json!(value))));
            }
            let strength = rest.hall.next_if(|one| one.games == sample.games);
            row.extend(strength.map_or_else(Default::default, strength_cells));
            row.resize(names.len(), String::new());
            let _ = writeln!(text, "{}", row.join(","));
        }
        rest.write_before(u64::MAX, &mut text);
        text
    }

    /// The samples as rows.
    pub fn sample_rows(&self) -> Vec<SampleRow> {
        let columns = self.columns();
        let samples = self.samples.iter();
        samples
            .map(|sample| SampleRow::new(sample, &columns))
            .collect()
    }
}

/// The rows between those of samples: strengths and events by their games.
struct Rest<'a> {
    hall: Peekable<slice::Iter<'a, HallStrength>>,
    events: Peekable<slice::Iter<'a, NotedEvent>>,
    /// The columns of a row.
    columns: usize,
}

impl Rest<'_> {
    /// Writes what happened before so many games.
    fn write_before(&mut self, games: u64, text: &mut String) {
        loop {
            let hall = self.hall.peek().map_or(u64::MAX, |one| one.games);
            let event = self.events.peek().map_or(u64::MAX, |one| one.games());
            if hall.min(event) >= games {
                return;
            }
            let row = if hall <= event {
                let strength = self.hall.next();
                strength.map(|one| strength_row(one, self.columns))
            } else {
                let noted = self.events.next();
                noted.map(|one| event_row(one, self.columns))
            };
            let _ = writeln!(text, "{}", row.unwrap_or_default());
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
    row.resize(columns - STRENGTH.len() - EVENT.len(), String::new());
    row.extend(strength_cells(strength));
    row.resize(columns, String::new());
    row.join(",")
}

/// A row of so many columns that has only the time and an event.
fn event_row(noted: &NotedEvent, columns: usize) -> String {
    let mut row = vec![noted.matches.to_string(), noted.games().to_string()];
    row.resize(columns - EVENT.len(), String::new());
    row.extend(event_cells(noted).iter().map(cell));
    row.join(",")
}

/// A cell of the CSV; empty where the value is not known.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::tests::{history_with_events, sample_history};
    use super::*;
    use crate::eval::features::FEATURES;
    use crate::eval::genes::TABLE;

    #[test]
    fn the_csv_has_a_row_for_each_sample() {
        let [all, weights] = [TABLE.len(), FEATURES];
        for (phases, columns) in [(1, 18 + 3 * all), (2, 18 + 3 * (all + weights))] {
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
                let (known, others) = row.split_at(columns - 10);
                assert!(known.iter().all(|cell| cell.parse::<f64>().is_ok()));
                assert_eq!(others, [""; 10]);
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
    fn the_csv_has_a_row_for_each_event() {
        // Samples at 0, 50,000 and 100,000 games.
        let history = History {
            strengths: Vec::new(),
            ..history_with_events(3)
        };
        let text = history.to_csv();
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{text}");
        let told: Vec<(&str, Vec<&str>)> = rows[1..]
            .iter()
            .map(|row| (row[1], row[row.len() - EVENT.len()..].to_vec()))
            .collect();
        let none = vec![""; 6];
        let scholar = |file| vec!["scholar", file, "8000", "-0.55", "", ""];
        let expected = [
            ("0", none.clone()),
            ("20000", scholar("1001")),
            (
                "20200",
                vec!["challenge-lost", "1001", "", "", "-0.125", "0.0625"],
            ),
            ("40000", scholar("1002")),
            (
                "40200",
                vec!["challenge-won", "1002", "", "", "0.25", "0.0625"],
            ),
            ("50000", none.clone()),
            ("100000", none),
            ("100000", vec!["extended", "1002", "", "", "", ""]),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn the_rows_have_the_values_of_the_csv() {
        let history = History {
            strengths: Vec::new(),
            ..sample_history(3, 2)
        };
        let csv = history.to_csv();
        let json = json!(history.sample_rows());
        let samples = json.as_array().unwrap();
        assert_eq!(samples.len(), 3);
        let mut lines = csv.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        let is_sample = |name: &&&str| !STRENGTH.contains(name) && !EVENT.contains(name);
        for (sample, line) in samples.iter().zip(lines) {
            for (name, cell) in names.iter().filter(is_sample).zip(line.split(',')) {
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
    }

    #[test]
    fn unknown_values_are_empty_cells() {
        let mut history = sample_history(1, 1);
        history.samples[0].gene_means.truncate(3);
        history.samples[0].best_points = f64::NEG_INFINITY;
        let text = history.to_csv();
        let row: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
        assert_eq!(row[6], "");
        assert_eq!(row.len(), 18 + 3 * TABLE.len());
        assert_eq!(row[8 + 3 * 3], "");
        assert_eq!(sample_history(0, 1).to_csv().lines().count(), 1);
    }
}
