//! What a set of weights values, on positions of games that it plays.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::arena::openings::RandomOpenings;
use crate::cli::output::{Column, Progress, TextTable, thousands};
use crate::eval::Weights;
use crate::game::Rules;
use crate::learn::{Explanation, FitSettings, Sampling, SelfPlay, SelfPlayEvent, explain};
use crate::params::PlayerParams;
use crate::weights::WeightFile;

/// Games that the weights play against variations of themselves.
const GAMES: u64 = 32;

/// Their depth.
const DEPTH: u32 = 2;

/// Plays and takes the positions apart.
///
/// # Errors
/// Games cannot be played.
pub(super) fn of_weights(weights: &Weights, threads: usize) -> anyhow::Result<Explanation> {
    let self_play = SelfPlay {
        games: GAMES,
        seed: 1,
        rules: Rules::default(),
        player: PlayerParams {
            depth: DEPTH,
            ..PlayerParams::default()
        },
        openings: RandomOpenings::default(),
        sampling: Sampling::default(),
        threads,
        stop: Arc::default(),
    };
    let mut progress = Progress::new();
    let games = self_play.play_around(weights, &FitSettings::default(), &mut |event| {
        if let SelfPlayEvent::Games(done) = event {
            progress.show_games(done, Some(GAMES), &|_| ());
        }
        ControlFlow::Continue(())
    })?;
    explain(weights, &games).ok_or_else(|| anyhow::anyhow!("the games have no positions"))
}

/// For people: a row a feature, the largest part first.
pub(super) fn text(file: &WeightFile, explanation: &Explanation) -> String {
    let mut text = format!(
        "{} ({}) on {} positions of {GAMES} games at depth {DEPTH}\n\n",
        file.name,
        file.origin,
        thousands(explanation.positions)
    );
    let mut table = TextTable::new([
        Column::left("feature"),
        Column::right("weight"),
        Column::right("share"),
        Column::right("points"),
        Column::right("pieces"),
        Column::left("meaning"),
    ]);
    let mut features = explanation.features.clone();
    features.sort_by(|a, b| b.share.total_cmp(&a.share));
    for one in &features {
        let place = crate::eval::genes::TABLE
            .iter()
            .position(|gene| gene.name == one.gene.name);
        let opening = place.map_or(0, |n| file.weights.opening[n]);
        let endgame = place.map_or(0, |n| file.weights.endgame[n]);
        let mut weight = one.gene.text(opening);
        if endgame != opening {
            weight += &format!(" to {}", one.gene.text(endgame));
        }
        table.row([
            one.gene.name.to_owned(),
            weight,
            format!("{:.1} %", 100.0 * one.share),
            format!("{:.1}", one.points),
            one.pieces
                .map_or_else(String::new, |pieces| format!("{pieces:.2}")),
            one.gene.meaning.to_owned(),
        ]);
    }
    text += &table.text();
    text + &format!(
        "\nA piece is worth {:.1} points to these weights, a position {:.1} on average. The share of \
         a\nfeature is its part of the sizes of all terms, points and pieces are the mean size of \
         its term.\n",
        explanation.piece, explanation.value
    )
}

/// As JSON.
pub(super) fn json(file: &WeightFile, explanation: &Explanation) -> Value {
    let features = explanation.features.iter().map(|one| {
        json!({
            "gene": one.gene.name,
            "meaning": one.gene.meaning,
            "points": one.points,
            "share": one.share,
            "pieces": one.pieces,
        })
    });
    json!({
        "name": file.name,
        "origin": file.origin,
        "games": GAMES,
        "depth": DEPTH,
        "positions": explanation.positions,
        "piece": explanation.piece,
        "value": explanation.value,
        "features": features.collect::<Vec<_>>(),
    })
}
