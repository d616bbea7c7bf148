//! The words of a chart, for those who cannot see it, and its name on one line.

use super::Chart;
use crate::charts::{Column, History};
use crate::evolve::{Event, Scholar};

/// The population's name without what XML forbids, on one line.
pub(super) fn name(history: &History) -> String {
    // XML allows neither control characters nor U+FFFE and U+FFFF.
    let is_text = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let line: String = history.name.chars().filter(is_text).collect();
    let mut short: String = line.chars().take(60).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}

/// The title and the description of a chart.
pub(super) fn describe(kind: Chart, history: &History) -> (String, String) {
    let name = name(history);
    let what = match kind {
        Chart::Population => "population against capacity",
        Chart::Turnover => "births and deaths",
        Chart::Points => "best and mean points",
        Chart::Genes => "means and spread of the genes",
        Chart::Strength => "strength of the hall's files against the reference weights",
        Chart::All => "population, births and deaths, points, strength and genes",
    };
    let mut said = match history.samples.last() {
        None => String::from("Nothing recorded yet."),
        Some(last) => format!(
            "After {} of {} games: {} files live, {} may; {} were born, {} died; the best has \
             {:.2} points, the mean is {:.2}.",
            last.games,
            history.budget,
            last.population,
            last.capacity,
            last.births,
            last.deaths,
            last.best_points,
            last.mean_points
        ),
    };
    if matches!(kind, Chart::Genes | Chart::All)
        && let Some(last) = history.samples.last()
    {
        let mean = |column: Column| {
            let (mean, spread) = (
                column.value_in(&last.gene_means)?,
                column.value_in(&last.gene_spreads)?,
            );
            Some(format!("{} {mean:.2} ± {spread:.2}", column.name()))
        };
        let means: Vec<String> = history.columns().into_iter().filter_map(mean).collect();
        said += &format!(" Means: {}.", means.join(", "));
    }
    if matches!(kind, Chart::Strength | Chart::All)
        && let Some(last) = history.strengths.iter().rev().find(|one| one.elo.is_some())
    {
        let error = last
            .error
            .map_or_else(|| String::from("?"), |error| format!("{error:.1}"));
        said += &format!(
            " The newest file of the hall is {:+.1} ± {error} Elo from the reference weights.",
            last.elo.unwrap_or_default()
        );
    }
    if matches!(kind, Chart::Strength | Chart::All) {
        said += &told_of_events(history);
    }
    (format!("{name}: {what}"), said)
}

/// The scholars and the extensions in words; nothing where there are none.
fn told_of_events(history: &History) -> String {
    let mut said = String::new();
    let won = |one: &&Scholar| one.challenge.is_some_and(|it| it.won);
    let won = history.scholars.iter().filter(won).count();
    match (history.scholars.len(), won) {
        (0, _) => {}
        (all, 1) => said += &format!(" {all} scholars were learned, 1 won its challenge."),
        (all, won) => said += &format!(" {all} scholars were learned, {won} won their challenge."),
    }
    for noted in &history.events {
        if let Event::Extended { .. } = noted.event {
            said += &format!(" Taken further after {} games.", noted.games());
        }
    }
    said
}
