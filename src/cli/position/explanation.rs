//! What a set of weights values, for people.

use std::ops::ControlFlow;

use crate::api::ExplanationView;
use crate::cli::output::{Column, Progress, TextTable, thousands};
use crate::eval::genes::{TABLE, place_of};
use crate::learn::{EXPLAINED_GAMES, explain_by_play};
use crate::weights::WeightFile;

/// Plays and takes the positions apart.
///
/// # Errors
/// Games cannot be played.
pub(super) fn of_file(file: &WeightFile, threads: usize) -> anyhow::Result<ExplanationView> {
    let mut progress = Progress::new();
    let found = explain_by_play(&file.weights, threads, &mut |done| {
        progress.show_games(done, Some(EXPLAINED_GAMES), &|_| ());
        ControlFlow::Continue(())
    })?;
    Ok(ExplanationView::new(file, &found))
}

/// A row a feature, the largest part first.
pub(super) fn text(file: &WeightFile, found: &ExplanationView) -> String {
    let mut text = format!(
        "{} ({}) on {} positions of {} games at depth {}\n\n",
        found.name,
        found.origin,
        thousands(found.positions),
        found.games,
        found.depth
    );
    let mut table = TextTable::new([
        Column::left("feature"),
        Column::right("weight"),
        Column::right("share"),
        Column::right("points"),
        Column::right("pieces"),
        Column::left("meaning"),
    ]);
    let mut features: Vec<_> = found.features.iter().collect();
    features.sort_by(|a, b| b.share.total_cmp(&a.share));
    for one in features {
        table.row([
            one.gene.clone(),
            weight(file, &one.gene),
            format!("{:.1} %", 100.0 * one.share),
            format!("{:.1}", one.points),
            one.pieces
                .map_or_else(String::new, |pieces| format!("{pieces:.2}")),
            one.meaning.clone(),
        ]);
    }
    text += &table.text();
    text + &format!(
        "\nA piece is worth {:.1} points to these weights, a position {:.1} on average. The share of \
         a\nfeature is its part of the sizes of all terms, points and pieces are the mean size of \
         its term.\n",
        found.piece, found.value
    )
}

/// A gene's value, or those of both phases, as a weight file has them.
fn weight(file: &WeightFile, gene: &str) -> String {
    let Some(place) = place_of(gene) else {
        return String::new();
    };
    let [opening, endgame] = [&file.weights.opening, &file.weights.endgame].map(|all| all[place]);
    let text = TABLE[place].text(opening);
    if opening == endgame {
        text
    } else {
        format!("{text} to {}", TABLE[place].text(endgame))
    }
}
