//! What features are worth, as text, JSON and bars of a picture.

use serde_json::{Map, Value, json};

use super::game_source::GameSource;
use crate::charts::WorthBar;
use crate::cli::output::{Column, TextTable, thousands};
use crate::learn::{FeatureWorth, Forward, Worths};

/// Everything that is told of features.
pub(super) struct FeaturesReport<'a> {
    pub(super) source: &'a GameSource,
    pub(super) worths: &'a Worths,
    /// Forward selection, where it was asked for.
    pub(super) forward: Option<&'a Forward>,
    /// The speed with each feature, where it was measured.
    pub(super) speeds: Option<&'a [Option<f64>]>,
}

impl FeaturesReport<'_> {
    pub(super) fn text(&self) -> String {
        let worths = self.worths;
        let mut text = format!(
            "{}: {} games, {} positions\nheld-out games: {:.4} nats a position with the present \
             features, {:.4} without a look\n",
            self.source.origin,
            thousands(worths.games),
            thousands(worths.positions),
            worths.present,
            worths.nothing
        );
        for (is_present, heading, change) in
            [(true, "present", "loss"), (false, "candidate", "gain")]
        {
            text += &format!("\n{}", self.table(is_present, heading, change));
        }
        text += &format!("\n{}", self.phases());
        if let Some(forward) = self.forward {
            text += &format!("\n{}", forward_table(forward));
        }
        text + "\nworths in thousandths of a nat a position, errors 95 %\n"
    }

    fn table(&self, is_present: bool, heading: &str, change: &str) -> String {
        let mut columns = vec![
            Column::left(heading),
            Column::right("mean"),
            Column::right("spread"),
            Column::left("like"),
            Column::right(""),
            Column::right(change),
            Column::right("error"),
        ];
        if self.speeds.is_some() {
            columns.push(Column::right("speed"));
        }
        let mut table = TextTable::new(columns);
        let mut last_set = "";
        for (n, feature) in self.worths.features.iter().enumerate() {
            if feature.is_present != is_present {
                continue;
            }
            let (like, correlation) = self.most_alike(n);
            let mut row = vec![
                feature.name.to_owned(),
                format!("{:.2}", feature.mean),
                format!("{:.2}", feature.spread),
                like.to_owned(),
                format!("{correlation:+.2}"),
            ];
            // A set is worth something as a whole: said once.
            if feature.set == last_set {
                row.extend([String::new(), String::new()]);
            } else {
                row.push(format!("{:.1}", 1000.0 * feature.worth.mean));
                row.push(format!("{:.1}", 1000.0 * feature.worth.error));
            }
            last_set = feature.set;
            if let Some(speed) = self.speed(n) {
                row.push(format!("{speed:.2}"));
            }
            table.row(row);
        }
        table.text()
    }

    /// What two phases gain, by each measure.
    fn phases(&self) -> String {
        let columns = vec![
            Column::left("two phases by"),
            Column::right("gain"),
            Column::right("error"),
            Column::left("measure"),
        ];
        let mut table = TextTable::new(columns);
        for phase in &self.worths.phases {
            table.row(vec![
                phase.name.to_owned(),
                format!("{:.1}", 1000.0 * phase.worth.mean),
                format!("{:.1}", 1000.0 * phase.worth.error),
                phase.meaning.to_owned(),
            ]);
        }
        table.text()
    }

    fn speed(&self, n: usize) -> Option<f64> {
        self.speeds.and_then(|speeds| speeds[n])
    }

    /// The other feature that a feature goes with most.
    fn most_alike(&self, n: usize) -> (&'static str, f64) {
        let feature = &self.worths.features[n];
        let others = feature.correlations.iter().enumerate();
        let others = others.filter(|(other, _)| *other != n);
        let most = others.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs()));
        most.map_or(("", 0.0), |(other, &r)| {
            (self.worths.features[other].name, r)
        })
    }

    pub(super) fn json(&self) -> Value {
        let features = self.worths.features.iter().enumerate().map(|(n, feature)| {
            let names = self.worths.features.iter().map(|other| other.name);
            let correlations: Map<String, Value> = names
                .zip(&feature.correlations)
                .map(|(name, &r)| (name.to_owned(), json!(r)))
                .collect();
            json!({
                "name": feature.name,
                "set": feature.set,
                "meaning": feature.meaning,
                "present": feature.is_present,
                "mean": feature.mean,
                "spread": feature.spread,
                "correlations": correlations,
                "worth": feature.worth.mean,
                "error": feature.worth.error,
                "speed": self.speed(n),
            })
        });
        let left_out = self.source.left_out.iter();
        json!({
            "source": self.source.origin,
            "games": self.worths.games,
            "positions": self.worths.positions,
            "left_out": left_out
                .map(|one| json!({ "game": one.game, "why": one.why }))
                .collect::<Vec<_>>(),
            "present": self.worths.present,
            "nothing": self.worths.nothing,
            "features": features.collect::<Vec<_>>(),
            "forward": self.forward.map(forward_json),
            "phases": self.worths.phases.iter().map(|phase| json!({
                "name": phase.name,
                "meaning": phase.meaning,
                "worth": phase.worth.mean,
                "error": phase.worth.error,
            })).collect::<Vec<_>>(),
        })
    }

    /// A bar for every set of features.
    pub(super) fn bars(&self) -> Vec<WorthBar> {
        let mut seen: Vec<(&str, bool)> = Vec::new();
        let is_new = |feature: &&FeatureWorth| {
            let key = (feature.set, feature.is_present);
            let is_new = !seen.contains(&key);
            seen.push(key);
            is_new
        };
        let sets = self.worths.features.iter().filter(is_new);
        sets.map(|feature| WorthBar {
            name: feature.set.to_owned(),
            is_present: feature.is_present,
            worth: 1000.0 * feature.worth.mean,
            error: 1000.0 * feature.worth.error,
        })
        .collect()
    }
}

/// What joined the features of the source document, step by step.
fn forward_table(forward: &Forward) -> String {
    let columns = vec![
        Column::left("joins"),
        Column::right("nats"),
        Column::right("gain"),
        Column::right("error"),
        Column::left(""),
    ];
    let mut table = TextTable::new(columns);
    let likelihood = format!("{:.4}", forward.likelihood);
    let first = forward.first.join(", ");
    table.row(vec![
        "(the first)".to_owned(),
        likelihood,
        String::new(),
        String::new(),
        first,
    ]);
    for step in &forward.steps {
        let verdict = if step.has_joined {
            ""
        } else {
            "not above its error: stays out"
        };
        table.row(vec![
            step.set.to_owned(),
            format!("{:.4}", step.likelihood),
            format!("{:.1}", 1000.0 * step.gain.mean),
            format!("{:.1}", 1000.0 * step.gain.error),
            verdict.to_owned(),
        ]);
    }
    table.text()
}

fn forward_json(forward: &Forward) -> Value {
    let steps = forward.steps.iter().map(|step| {
        json!({
            "set": step.set,
            "gain": step.gain.mean,
            "error": step.gain.error,
            "likelihood": step.likelihood,
            "joined": step.has_joined,
        })
    });
    json!({
        "first": forward.first,
        "likelihood": forward.likelihood,
        "steps": steps.collect::<Vec<_>>(),
    })
}
