//! What a fit found, as text and JSON.

use std::path::Path;

use serde_json::{Value, json};

use super::game_source::GameSource;
use crate::cli::output::{Column, TextTable, thousands};
use crate::eval::genes::{GENES, TABLE};
use crate::learn::{FOLDS, Fit, HeldOut, MeanOverGames};
use crate::weights::WeightFile;

/// Everything that is told of a fit.
pub(super) struct FitReport<'a> {
    pub(super) source: &'a GameSource,
    pub(super) rounds: &'a [Fit],
    pub(super) fit: &'a Fit,
    pub(super) held_out: Option<&'a HeldOut>,
    pub(super) before: &'a WeightFile,
    pub(super) weights: &'a WeightFile,
    pub(super) output: &'a Path,
}

impl FitReport<'_> {
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "{}: learned from {} games, {} positions\n",
            self.source.origin,
            thousands(self.fit.games),
            thousands(self.fit.positions)
        );
        text += &format!("\n{}", self.weights_table());
        match self.held_out {
            Some(held_out) => text += &format!("\n{}", held_out_text(held_out, self.before)),
            None => {
                text += &format!(
                    "\ntoo few games to hold some out: it takes {} at least\n",
                    2 * FOLDS
                );
            }
        }
        if !self.fit.at_bound.is_empty() {
            text += &format!(
                "\nat a bound of the genome: {}; wider bounds would fit better\n",
                self.fit.at_bound.join(", ")
            );
        }
        text + &format!("\n{} written\n", self.output.display())
    }

    /// The genes of the weights before and of those that were learned, the
    /// endgame's beside the opening's where they differ.
    fn weights_table(&self) -> String {
        let both = [
            (self.before.name.as_str(), &self.before.weights),
            ("learned", &self.weights.weights),
        ];
        let mut columns = vec![Column::left("gene")];
        for (name, weights) in both {
            columns.push(Column::right(name));
            if weights.has_phases() {
                columns.push(Column::right("endgame"));
            }
        }
        let mut table = TextTable::new(columns);
        for (n, gene) in TABLE.iter().enumerate() {
            let mut row = vec![gene.name.to_owned()];
            for (_, weights) in both {
                row.push(gene.text(weights.opening[n]));
                if weights.has_phases() {
                    row.push(gene.text(weights.endgame[n]));
                }
            }
            table.row(row);
        }
        table.text()
    }

    pub(super) fn json(&self) -> Value {
        let left_out = self.source.left_out.iter();
        let rounds = self.rounds.iter().map(|fit| {
            json!({
                "games": fit.games,
                "positions": fit.positions,
                "log_likelihood": fit.log_likelihood,
                "weights": genes_json(&fit.weights.opening),
                "endgame": fit.weights.has_phases().then(|| genes_json(&fit.weights.endgame)),
            })
        });
        json!({
            "source": self.source.origin,
            "games": self.fit.games,
            "positions": self.fit.positions,
            "left_out": left_out
                .map(|one| json!({ "game": one.game, "why": one.why }))
                .collect::<Vec<_>>(),
            "before": self.before.name,
            "file": self.output.display().to_string(),
            "weights": self.weights.to_json(),
            "units_per_nat": self.fit.units_per_nat,
            "turn": self.fit.turn,
            "at_bound": self.fit.at_bound,
            "log_likelihood": self.fit.log_likelihood,
            "held_out": self.held_out.map(held_out_json),
            "rounds": rounds.collect::<Vec<_>>(),
        })
    }
}

/// The genes of a phase, with values as weight files have them.
fn genes_json(values: &[i32; GENES]) -> Value {
    let genes = TABLE.iter().zip(values).map(|(gene, &value)| {
        let value = f64::from(value) / f64::from(gene.grid);
        (gene.name.to_owned(), json!(value))
    });
    Value::Object(genes.collect())
}

fn held_out_text(held_out: &HeldOut, before: &WeightFile) -> String {
    let mut table = TextTable::new([
        Column::left("held-out games"),
        Column::right("nats a position"),
        Column::right("error"),
    ]);
    let mut row = |name: &str, found: MeanOverGames| {
        table.row([
            name.to_owned(),
            format!("{:.4}", found.mean),
            format!("{:.4}", found.error),
        ]);
    };
    row("learned", held_out.fit);
    row(&before.name, held_out.before);
    row("gain", held_out.gain);
    table.row([
        String::from("without a look"),
        format!("{:.4}", held_out.nothing),
    ]);
    let mut text = table.text();
    let mut table = TextTable::new([
        Column::left("predicted for the side to move"),
        Column::right("mean"),
        Column::right("real"),
        Column::right("error"),
        Column::right("positions"),
    ]);
    for bin in held_out.calibration.iter().filter(|bin| bin.positions > 0) {
        table.row([
            format!(
                "{:.0} to {:.0} %",
                100.0 * bin.from,
                100.0 * bin.from + 10.0
            ),
            format!("{:.1} %", 100.0 * bin.predicted),
            format!("{:.1} %", 100.0 * bin.real),
            format!("{:.1}", 100.0 * bin.error),
            thousands(bin.positions),
        ]);
    }
    text += "\n";
    text + &table.text()
}

fn held_out_json(held_out: &HeldOut) -> Value {
    let mean = |found: &MeanOverGames| json!({ "mean": found.mean, "error": found.error });
    let bins = held_out.calibration.iter().map(|bin| {
        json!({
            "from": bin.from,
            "positions": bin.positions,
            "predicted": bin.predicted,
            "real": bin.real,
            "error": bin.error,
        })
    });
    json!({
        "folds": FOLDS,
        "fit": mean(&held_out.fit),
        "before": mean(&held_out.before),
        "gain": mean(&held_out.gain),
        "nothing": held_out.nothing,
        "calibration": bins.collect::<Vec<_>>(),
    })
}
