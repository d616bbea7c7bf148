//! What the players achieved on a suite, as text and JSON.

use serde::Serialize;

use super::collection::KindCount;
use super::rows::Row;
use crate::cli::output::{Column, TextTable, thousands};
use crate::notation::position_text;
use crate::stats::Record;
use crate::suite::{Attempt, Entry, SolvedAt, Suite};

/// The scores of all players.
#[derive(Serialize)]
pub(super) struct ScoreReport {
    suite: String,
    positions: usize,
    horizon: u32,
    /// What a player solves on average that draws its moves by lot, in percent.
    by_lot: f64,
    kinds: Vec<KindCount>,
    pub(super) rows: Vec<RowScore>,
    pub(super) interrupted: bool,
    seconds: f64,
}

/// The positions of one kind of error, and how many of them were solved.
#[derive(Serialize)]
struct KindScore {
    error: String,
    positions: usize,
    solved: usize,
}

/// The score of one player with one limit.
#[derive(Serialize)]
pub(super) struct RowScore {
    player: String,
    limit: String,
    /// Positions that were put to it.
    positions: usize,
    solved: usize,
    /// Percent of the positions, and the 95 % error.
    percent: Option<f64>,
    error: Option<f64>,
    kinds: Vec<KindScore>,
    /// Means of a position.
    nodes: Option<f64>,
    seconds: Option<f64>,
    /// Medians of the positions that were solved; none where a player does not
    /// deepen.
    to_solution: Option<ToSolution>,
    pub(super) faults: usize,
    /// Where they were asked for.
    results: Option<Vec<ResultView>>,
}

#[derive(Serialize)]
struct ToSolution {
    depth: f64,
    nodes: f64,
    seconds: f64,
}

/// What came of one position.
#[derive(Serialize)]
struct ResultView {
    position: String,
    line: usize,
    error: String,
    right: Vec<String>,
    chosen: Option<String>,
    solved: bool,
    nodes: u64,
    seconds: f64,
    depth_to_solution: Option<u32>,
    nodes_to_solution: Option<u64>,
    seconds_to_solution: Option<f64>,
    fault: Option<String>,
}

impl ScoreReport {
    /// The attempts of all rows, one row after the other, each in the order of the
    /// suite; fewer where the scoring was interrupted.
    pub(super) fn new(
        (name, suite): (&str, &Suite),
        rows: &[Row],
        attempts: &[Attempt],
        with_positions: bool,
        interrupted: bool,
        seconds: f64,
    ) -> ScoreReport {
        let entries = &suite.entries;
        let mut parts = attempts.chunks(entries.len().max(1));
        let score = |row: &Row| {
            let attempts = parts.next().unwrap_or_default();
            RowScore::new(row, entries, attempts, with_positions)
        };
        ScoreReport {
            suite: name.to_owned(),
            positions: entries.len(),
            horizon: suite.settings.horizon,
            by_lot: 100.0 * suite.by_lot(),
            kinds: KindCount::of(entries),
            rows: rows.iter().map(score).collect(),
            interrupted,
            seconds,
        }
    }

    /// The table for people.
    pub(super) fn text(&self) -> String {
        let mut columns = vec![
            Column::left("player"),
            Column::right("limit"),
            Column::right("solved").at_least(8),
            Column::right("%").at_least(14),
        ];
        let kinds = self.kinds.iter().map(|kind| Column::right(&*kind.error));
        columns.extend(kinds);
        columns.extend([
            Column::right("nodes").at_least(9),
            Column::right("s").at_least(8),
            Column::right("to solution: depth"),
            Column::right("nodes").at_least(9),
            Column::right("s").at_least(8),
        ]);
        let mut table = TextTable::new(columns);
        for row in &self.rows {
            table.row(row.cells());
        }
        let each = self
            .kinds
            .iter()
            .map(|kind| format!("{} {}", kind.positions, kind.error));
        let each: Vec<String> = each.collect();
        let mut text = format!(
            "{}: {} positions ({}); moves drawn by lot solve {:.1} %\n{}",
            self.suite,
            self.positions,
            each.join(", "),
            self.by_lot,
            table.text()
        );
        for row in &self.rows {
            text += &row.unsolved();
        }
        text
    }
}

impl RowScore {
    fn new(row: &Row, entries: &[Entry], attempts: &[Attempt], with_positions: bool) -> RowScore {
        let solved = attempts.iter().filter(|attempt| attempt.is_solved).count();
        let moments = Record {
            wins: solved as u64,
            draws: 0,
            losses: (attempts.len() - solved) as u64,
        }
        .moments();
        let mean = |value: &dyn Fn(&Attempt) -> f64| {
            let sum: f64 = attempts.iter().map(value).sum();
            (!attempts.is_empty()).then(|| sum / attempts.len() as f64)
        };
        let results = entries.iter().zip(attempts);
        RowScore {
            player: row.spec.text.clone(),
            limit: row.limit.clone(),
            positions: attempts.len(),
            solved,
            percent: moments.map(|moments| 100.0 * moments.mean),
            error: moments.map(|moments| 100.0 * moments.error()),
            kinds: kinds(entries, attempts),
            nodes: mean(&|attempt| attempt.nodes as f64),
            seconds: mean(&|attempt| attempt.seconds),
            to_solution: to_solution(attempts),
            faults: attempts.iter().filter(|it| it.fault.is_some()).count(),
            results: with_positions.then(|| results.map(result).collect()),
        }
    }

    fn cells(&self) -> Vec<String> {
        let none = || String::from("-");
        let percent = self.percent.zip(self.error);
        let mut cells = vec![
            self.player.clone(),
            self.limit.clone(),
            format!("{} of {}", self.solved, self.positions),
            percent.map_or_else(none, |(percent, error)| {
                format!("{percent:.1} ± {error:.1}")
            }),
        ];
        let kinds = self.kinds.iter();
        cells.extend(kinds.map(|kind| format!("{}/{}", kind.solved, kind.positions)));
        let number = |number: Option<f64>| {
            number.map_or_else(none, |number| thousands(number.round() as u64))
        };
        let seconds =
            |seconds: Option<f64>| seconds.map_or_else(none, |seconds| format!("{seconds:.4}"));
        let solution = self.to_solution.as_ref();
        let depth = solution.map(|found| found.depth);
        cells.extend([
            number(self.nodes),
            seconds(self.seconds),
            depth.map_or_else(none, |depth| depth.to_string()),
            number(solution.map(|found| found.nodes)),
            seconds(solution.map(|found| found.seconds)),
        ]);
        cells
    }

    /// The positions that it did not solve, where they are asked for.
    fn unsolved(&self) -> String {
        let Some(results) = &self.results else {
            return String::new();
        };
        let mut text = format!("\nnot solved by {} with {}:\n", self.player, self.limit);
        for found in results.iter().filter(|found| !found.solved) {
            let chosen = found.chosen.as_deref().unwrap_or("failed");
            text += &format!(
                "line {:<5} {}  {}: {chosen}; right: {}\n",
                found.line,
                found.position,
                found.error,
                found.right.join(" ")
            );
        }
        text
    }
}

/// The attempts by kind of error, for all kinds of the suite.
fn kinds(entries: &[Entry], attempts: &[Attempt]) -> Vec<KindScore> {
    let score = |KindCount { error, .. }| {
        let pairs = entries.iter().zip(attempts);
        let same = pairs.filter(|(entry, _)| entry.kind().to_string() == error);
        let solved: Vec<bool> = same.map(|(_, attempt)| attempt.is_solved).collect();
        KindScore {
            error,
            positions: solved.len(),
            solved: solved.iter().filter(|solved| **solved).count(),
        }
    };
    KindCount::of(entries).into_iter().map(score).collect()
}

fn to_solution(attempts: &[Attempt]) -> Option<ToSolution> {
    let found: Vec<SolvedAt> = attempts.iter().filter_map(|it| it.solved_at).collect();
    Some(ToSolution {
        depth: median(found.iter().map(|at| f64::from(at.depth)))?,
        nodes: median(found.iter().map(|at| at.nodes as f64))?,
        seconds: median(found.iter().map(|at| at.seconds))?,
    })
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.len().checked_sub(1)? / 2, values.len() / 2);
    Some((values[low] + values[high]) / 2.0)
}

fn result((entry, attempt): (&Entry, &Attempt)) -> ResultView {
    let solved_at = attempt.solved_at;
    ResultView {
        position: position_text(&entry.board),
        line: entry.line,
        error: entry.kind().to_string(),
        right: crate::api::move_names(&entry.right),
        chosen: attempt.chosen.map(|mv| mv.to_string()),
        solved: attempt.is_solved,
        nodes: attempt.nodes,
        seconds: attempt.seconds,
        depth_to_solution: solved_at.map(|at| at.depth),
        nodes_to_solution: solved_at.map(|at| at.nodes),
        seconds_to_solution: solved_at.map(|at| at.seconds),
        fault: attempt.fault.as_ref().map(ToString::to_string),
    }
}
