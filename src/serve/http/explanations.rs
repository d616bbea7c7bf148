//! What the weights of a population value: the computation of `loatune weights
//! --explain`, made once for each set of weights that somebody asks for.
//!
//! It is one task of the analysis engine, so it takes turns with the searches of
//! other visitors and has their low priority; the threads that it starts inherit
//! that.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use tokio::sync::OnceCell;

use super::app_state::AppState;
use super::reply::{Failure, QueryParams};
use super::weight_files::named_weights;
use crate::api::ExplanationView;
use crate::eval::Weights;
use crate::learn::{Explanation, SelfPlayError, explain_by_play};
use crate::weights::DEFAULT_WEIGHTS;

/// The most explanations that are kept.
const MAX_KEPT: usize = 64;

/// An explanation that is there or is being computed.
type Cell = Arc<OnceCell<Arc<Explanation>>>;

/// The explanations that were asked for, the newest last. Equal weights share one,
/// whatever they are called.
#[derive(Default)]
pub(super) struct Explanations(Mutex<Vec<(Weights, Cell)>>);

impl Explanations {
    fn of(&self, weights: &Weights) -> Cell {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|(known, _)| known == weights);
        let entry = known.map_or_else(|| (*weights, Cell::default()), |place| kept.remove(place));
        if kept.len() >= MAX_KEPT {
            kept.remove(0);
        }
        let cell = entry.1.clone();
        kept.push(entry);
        cell
    }
}

/// Computes it on the engine's thread. A client that goes away ends it, and the next
/// one who waits begins anew.
async fn compute(app: &AppState, weights: Weights) -> Result<Arc<Explanation>, Failure> {
    let task = move |stop: &AtomicBool| {
        explain_by_play(&weights, 1, &mut |_| {
            if stop.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    };
    match app.analysis_engine.ask(task).await? {
        Ok(found) => Ok(Arc::new(found)),
        Err(SelfPlayError::Interrupted) => Err(Failure::busy("the search was given up")),
        Err(error) => {
            let why = format!("the weights cannot be explained: {error}");
            Err(Failure::new(StatusCode::INTERNAL_SERVER_ERROR, why))
        }
    }
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ExplanationQuery {
    /// `default`, which is the default, `champion`, `leader`, the number of a
    /// file, or the name of a published champion (`published:NAME` where it is
    /// called like one of these).
    #[param(pattern = "^[^/]+$")]
    weights: Option<String>,
}

/// What some weights value: the part of each feature, in per cent and in pieces.
/// Refused where the genes of the population are another engine's options.
#[utoipa::path(
    get,
    path = "/api/explanation",
    operation_id = "getExplanation",
    tag = "population",
    params(ExplanationQuery),
    responses(
        (status = 200, description = "The answer", body = ExplanationView),
        (status = 400, response = Failure),
        (status = 404, response = Failure),
        (status = 409, response = Failure),
        (status = 503, response = Failure),
    ),
)]
pub(super) async fn explanation(
    State(app): State<Arc<AppState>>,
    QueryParams(query): QueryParams<ExplanationQuery>,
) -> Result<Json<ExplanationView>, Failure> {
    let name = query.weights.as_deref().unwrap_or(DEFAULT_WEIGHTS);
    let file = named_weights(&app, name).await?;
    let cell = app.explanations.of(&file.weights);
    let found = cell.get_or_try_init(|| compute(&app, file.weights)).await?;
    Ok(Json(ExplanationView::new(&file, found)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_share_one_and_the_oldest_gives_way() {
        let explanations = Explanations::default();
        let numbered = |n: usize| {
            let mut weights = Weights::source();
            weights.opening[0] = n as i32;
            weights
        };
        let first = explanations.of(&numbered(0));
        assert!(Arc::ptr_eq(&first, &explanations.of(&numbered(0))));
        for n in 1..MAX_KEPT {
            explanations.of(&numbered(n));
        }
        // Whoever asks again keeps it; the next one is then the oldest.
        assert!(Arc::ptr_eq(&first, &explanations.of(&numbered(0))));
        let second = explanations.of(&numbered(1));
        explanations.of(&numbered(MAX_KEPT));
        assert!(Arc::ptr_eq(&first, &explanations.of(&numbered(0))));
        assert!(Arc::ptr_eq(&second, &explanations.of(&numbered(1))));
        assert_eq!(explanations.0.lock().unwrap().len(), MAX_KEPT);
    }
}
