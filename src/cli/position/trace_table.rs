//! An evaluation as a table for people.

use std::fmt::Write as _;

use crate::cli::output::{Column, TextTable};
use crate::eval::PHASES;
use crate::eval::features::FEATURE_GENES;
use crate::eval::trace::{FeatureCounts, Trace, WEIGHT_OF_A_POINT};

/// A row a feature: what each side has, what the weight makes of it.
pub(crate) fn table(trace: &Trace) -> String {
    let mut table = TextTable::new([
        Column::left("feature").at_least(15),
        Column::right("x").at_least(7),
        Column::right("o").at_least(7),
        Column::right("x counts"),
        Column::right("o counts"),
        Column::right("weight"),
        Column::right("term").at_least(7),
    ]);
    let mut count_row = |name: &str, count: fn(&FeatureCounts) -> u32| {
        let [x, o] = trace.counts.map(|counts| count(&counts).to_string());
        table.row([name, &x, &o]);
    };
    count_row("groups", |counts| counts.groups);
    for (gene, term) in FEATURE_GENES.into_iter().zip(&trace.terms) {
        let [x, o] = trace
            .counts
            .map(|counts| counts.of_gene(gene).map_or_else(String::new, number));
        let [x_counts, o_counts] = term.counted.map(number);
        table.row([
            term.gene.name.to_owned(),
            x,
            o,
            x_counts,
            o_counts,
            number(term.weight),
            format!("{:+.2}", term.points),
        ]);
    }
    table.row([
        "static value",
        "",
        "",
        "",
        "",
        "",
        &format!("{:+}", trace.value),
    ]);
    table.text()
}

/// The lines below the table that say how to read it.
pub(crate) fn legend(trace: &Trace, has_phases: bool) -> String {
    let mut text = format!(
        "A term is weight / {WEIGHT_OF_A_POINT} x (own count - theirs), for the side to move. \
         Counts are\nnegative where less is better.\n"
    );
    if has_phases {
        let _ = writeln!(
            text,
            "Phase {} of {PHASES} from opening to endgame.",
            trace.phase
        );
    }
    text
}

/// Without digits behind the point where they would be zeros, else with two.
fn number(number: f64) -> String {
    if number.fract() == 0.0 {
        format!("{number:.0}")
    } else {
        format!("{number:.2}")
    }
}
