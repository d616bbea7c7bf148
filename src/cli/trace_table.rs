//! An evaluation as a table for people.

use std::fmt::Write as _;

use crate::eval::PHASES;
use crate::eval::features::FEATURE_GENES;
use crate::eval::trace::{FeatureCounts, Trace, WEIGHT_OF_A_POINT};

/// A row a feature: what each side has, what the weight makes of it.
pub(super) fn table(trace: &Trace) -> String {
    let mut text = format!(
        "{:15} {:>8} {:>8} {:>9} {:>9} {:>7} {:>8}\n",
        "feature", "x", "o", "x counts", "o counts", "weight", "term"
    );
    let mut count_row = |name: &str, count: fn(&FeatureCounts) -> u32| {
        let [x, o] = trace.counts.map(|counts| count(&counts));
        let _ = writeln!(text, "{name:15} {x:>8} {o:>8}");
    };
    count_row("pieces", |counts| counts.pieces);
    count_row("groups", |counts| counts.groups);
    for (gene, term) in FEATURE_GENES.into_iter().zip(&trace.terms) {
        let [x, o] = trace
            .counts
            .map(|counts| counts.of_gene(gene).map_or_else(String::new, number));
        let [x_counts, o_counts] = term.counted.map(number);
        let _ = writeln!(
            text,
            "{:15} {x:>8} {o:>8} {x_counts:>9} {o_counts:>9} {:>7} {:>+8.2}",
            term.gene.name,
            number(term.weight),
            term.points,
        );
    }
    let _ = writeln!(text, "{:15} {:>+53}", "static value", trace.value);
    text
}

/// How to read the table.
pub(super) fn legend(trace: &Trace, has_phases: bool) -> String {
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

/// Whole where it is, else with two digits behind the point.
fn number(number: f64) -> String {
    if number.fract() == 0.0 {
        format!("{number:.0}")
    } else {
        format!("{number:.2}")
    }
}
