//! A notable event as cells of a history's CSV.

use serde_json::{Value, json};

use super::NotedEvent;
use crate::evolve::Event;

/// The columns of an event, the last ones of a row: its kind, the file that it is
/// about, the games and the likelihood of a scholar, the mean score of a challenge,
/// a semifinal or a final, and the standard error of that.
pub(super) const EVENT: [&str; 6] = [
    "event",
    "event_file",
    "learned_games",
    "log_likelihood",
    "score",
    "score_error",
];

/// The values of the columns [`EVENT`].
pub(super) fn event_cells(noted: &NotedEvent) -> [Value; 6] {
    let score = |kind: &str, file: Value, score: f64, error: f64| {
        let (score, error) = (json!(score), json!(error));
        [json!(kind), file, Value::Null, Value::Null, score, error]
    };
    let plain = |kind: &str, file: Value| {
        let [a, b, c, d] = [const { Value::Null }; 4];
        [json!(kind), file, a, b, c, d]
    };
    match &noted.event {
        &Event::Scholar {
            file,
            games,
            micronats,
            ..
        } => {
            let nats = json!(micronats as f64 / 1e6);
            let [a, b] = [const { Value::Null }; 2];
            [json!("scholar"), json!(file), json!(games), nats, a, b]
        }
        Event::Challenge { scholar, result } => {
            let kind = if result.won {
                "challenge-won"
            } else {
                "challenge-lost"
            };
            score(kind, json!(scholar), result.score, result.error)
        }
        &Event::Semifinal {
            scholar,
            score: mean,
            error,
            ..
        } => score("semifinal", json!(scholar), mean, error),
        &Event::Champion {
            file,
            score: mean,
            error,
            ..
        } => score("champion", json!(file), mean, error),
        Event::Final { last, .. } => plain("final", json!(last)),
        Event::Changed { .. } => plain("changed", Value::Null),
        Event::Extended { champion, .. } => plain("extended", json!(champion)),
        Event::Born(birth) => plain("immigrant", json!(birth.file)),
        Event::Died { file, .. } => plain("died", json!(file)),
        Event::Hall { file } => plain("hall", json!(file)),
        Event::Sample(_) => plain("sample", Value::Null),
    }
}
