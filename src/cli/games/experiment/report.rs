//! The results of an experiment as a table, as CSV, as JSON and as a picture. All
//! of them see the variants: their score against the standard player.

use serde::Serialize;

use super::super::game_runner::PlayedGames;
use super::super::match_report::{GivenUp, estimate};
use super::super::match_settings::MatchSettings;
use super::file::ExperimentFile;
use crate::arena::{PlayerSpec, Summary};
use crate::charts::{PointChart, PointSeries, PointUnit};
use crate::cli::output::{Column, TextTable};
use crate::stats::Moments;

/// An experiment and its results.
#[derive(Serialize)]
pub(super) struct ExperimentReport {
    title: String,
    parameter: String,
    standard: String,
    seed: u64,
    /// Games of each point that are asked for.
    games: u64,
    points: Vec<Point>,
    faults: u64,
    given_up: Option<GivenUp>,
    interrupted: bool,
    /// Games of earlier parts.
    resumed: u64,
    seconds: f64,
    settings: MatchSettings,
}

/// A variant at one value of the parameter.
#[derive(Serialize)]
struct Point {
    /// The variant's name; empty where there is one.
    series: String,
    value: String,
    label: String,
    player: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Points a game in percent, and the 95 % error from pairs without faults.
    score: Option<f64>,
    error: Option<f64>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    los: Option<f64>,
    nodes_per_move: Option<f64>,
    seconds_per_move: Option<f64>,
    /// The Elo difference as people read it.
    #[serde(skip)]
    elo_text: String,
}

impl Point {
    fn new(
        series: &str,
        [value, label]: [&String; 2],
        player: &PlayerSpec,
        summary: &Summary,
    ) -> Point {
        // The standard player is the first one.
        let record = summary.tally.record().reversed();
        let pairs = summary.faultless.moments();
        let mirrored = pairs.map(|moments| Moments {
            mean: 1.0 - moments.mean,
            ..moments
        });
        let elo = mirrored.map(|moments| moments.elo());
        Point {
            series: series.to_owned(),
            value: value.clone(),
            label: label.clone(),
            player: player.text.clone(),
            games: record.games(),
            wins: record.wins,
            draws: record.draws,
            losses: record.losses,
            score: record.score().map(|score| 100.0 * score),
            error: mirrored.map(|moments| 100.0 * moments.error()),
            elo: elo.map(|elo| elo.value).filter(|elo| elo.is_finite()),
            elo_error: elo.and_then(|elo| elo.error()),
            los: mirrored.map(|moments| moments.los()),
            nodes_per_move: summary.work[1].nodes_per_move(),
            seconds_per_move: summary.seconds_per_move(1),
            elo_text: elo.map_or_else(|| "-".to_owned(), |elo| estimate(&elo)),
        }
    }
}

impl ExperimentReport {
    /// The results, in the order of the file: all values of the first variant
    /// first.
    pub(super) fn new(
        file: &ExperimentFile,
        variants: &[PlayerSpec],
        summaries: &[Summary],
        played: &PlayedGames,
    ) -> ExperimentReport {
        let each = variants.iter().zip(summaries).enumerate();
        let point = |(n, (player, summary)): (usize, (&PlayerSpec, &Summary))| {
            let at = n % file.values.len();
            let name = &file.names[n / file.values.len()];
            Point::new(name, [&file.values[at], &file.labels[at]], player, summary)
        };
        ExperimentReport {
            title: file.title.clone(),
            parameter: file.parameter.clone(),
            standard: file.standard.clone(),
            seed: file.seed,
            games: file.games,
            points: each.map(point).collect(),
            faults: summaries.iter().map(Summary::faults).sum(),
            given_up: GivenUp::of(played),
            interrupted: played.is_interrupted(),
            resumed: played.resumed,
            seconds: played.seconds,
            settings: played.settings.clone(),
        }
    }

    /// The games of all points together.
    pub(super) fn games(&self) -> u64 {
        self.points.iter().map(|point| point.games).sum()
    }

    /// Games lost by faults.
    pub(super) fn faults(&self) -> u64 {
        self.faults
    }

    /// The table for people.
    pub(super) fn text(&self) -> String {
        let named = self.points.iter().any(|point| !point.series.is_empty());
        let mut columns = vec![
            Column::right(self.parameter.clone()),
            Column::right("games"),
            Column::right("W").at_least(5),
            Column::right("D").at_least(4),
            Column::right("L").at_least(5),
            Column::right("score").at_least(15),
            Column::left("Elo").at_least(18),
            Column::right("nodes/move"),
            Column::right("s/move"),
        ];
        if named {
            columns.insert(0, Column::left("variant"));
        }
        let mut table = TextTable::new(columns);
        for point in &self.points {
            let none = || String::from("-");
            let score = match (point.score, point.error) {
                (Some(score), Some(error)) => format!("{score:.1} ± {error:.1} %"),
                (Some(score), None) => format!("{score:.1} %"),
                _ => none(),
            };
            let mut row = vec![
                point.label.clone(),
                point.games.to_string(),
                point.wins.to_string(),
                point.draws.to_string(),
                point.losses.to_string(),
                score,
                point.elo_text.clone(),
                point
                    .nodes_per_move
                    .map_or_else(none, |nodes| format!("{nodes:.0}")),
                point
                    .seconds_per_move
                    .map_or_else(none, |seconds| format!("{seconds:.4}")),
            ];
            if named {
                row.insert(0, point.series.clone());
            }
            table.row(row);
        }
        let title = if self.title.is_empty() {
            String::new()
        } else {
            format!("{}\n", self.title)
        };
        format!(
            "{title}each against {}, {} games a point, seed {}\n{}",
            self.standard,
            self.games,
            self.seed,
            table.text()
        )
    }

    /// A line a point, with the names of the columns above them.
    pub(super) fn csv(&self) -> String {
        let mut text = String::from(
            "variant,value,player,games,wins,draws,losses,score,error,elo,elo_error,los,\
             nodes_per_move,seconds_per_move\n",
        );
        let number = |number: Option<f64>| number.map_or_else(String::new, |it| format!("{it:.6}"));
        for point in &self.points {
            let cells = [
                quoted(&point.series),
                quoted(&point.value),
                quoted(&point.player),
                point.games.to_string(),
                point.wins.to_string(),
                point.draws.to_string(),
                point.losses.to_string(),
                number(point.score),
                number(point.error),
                number(point.elo),
                number(point.elo_error),
                number(point.los),
                number(point.nodes_per_move),
                number(point.seconds_per_move),
            ];
            text += &cells.join(",");
            text.push('\n');
        }
        text
    }

    /// What the picture shows.
    pub(super) fn chart(&self, file: &ExperimentFile) -> PointChart {
        let series = self.points.chunks(file.values.len());
        let one = |(points, name): (&[Point], &String)| PointSeries {
            name: name.clone(),
            scores: points
                .iter()
                .map(|point| point.score.zip(point.error))
                .collect(),
        };
        let title = if file.title.is_empty() {
            format!("Against {}", file.standard)
        } else {
            file.title.clone()
        };
        PointChart {
            title,
            unit: PointUnit::Percent,
            parameter: file.parameter.clone(),
            names: file.labels.clone(),
            series: series.zip(&file.names).map(one).collect(),
        }
    }
}

/// A cell of CSV: quoted where it has what separates cells.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
