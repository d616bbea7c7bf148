//! Which question goes where, and the limits that hold for all.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use super::reply::Failure;
use super::shared::Shared;
use super::{control, guard, metrics, pages, population, positions, stream};

/// The longest body: an SGF file of many games, a weight file many times over.
const MOST_BYTES: usize = 256 * 1024;

/// Every answer begins by then, however slowly the question comes in.
const ANSWERED_BY: Duration = Duration::from_secs(30);

/// All routes.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .merge(pages::routes())
        .route("/healthz", get(metrics::healthz))
        .route("/metrics", get(metrics::metrics))
        .route("/api/openapi.json", get(population::openapi))
        .route("/api/session", get(control::session))
        .route("/api/stop", post(control::stop))
        .route("/api/import", post(control::import))
        .route("/api/status", get(population::status))
        .route("/api/files", get(population::files))
        .route("/api/files/{id}", get(population::file))
        .route("/api/files/{id}/weights", get(population::weights))
        .route("/api/matches", get(population::matches))
        .route("/api/matches/{id}", get(population::match_record))
        .route("/api/events", get(stream::events))
        .route("/api/champion", get(population::champion))
        .route("/api/history", get(population::history))
        .route("/api/charts", get(population::charts))
        .route("/api/charts/{name}", get(population::chart))
        .route("/api/moves", get(positions::moves))
        .route("/api/analyse", get(positions::analyse))
        .route("/api/curve", get(positions::curve))
        .route(
            "/api/sgf",
            get(positions::write_sgf).post(positions::read_sgf),
        )
        .fallback(pages::nothing_here)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn(in_time))
        .layer(middleware::from_fn_with_state(shared.clone(), guard::guard))
        .with_state(shared)
}

async fn wrong_method(request: Request) -> Failure {
    let message = format!("{} is no method of this address", request.method());
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, message)
}

/// A body that says it is too long is not waited for; one that only is, is cut
/// off by the limit on bodies. Either way an answer comes in time.
async fn in_time(request: Request, next: Next) -> Response {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > MOST_BYTES as u64) {
        let message = format!("the body is longer than {} KiB", MOST_BYTES / 1024);
        return Failure::new(StatusCode::PAYLOAD_TOO_LARGE, message).into_response();
    }
    match tokio::time::timeout(ANSWERED_BY, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let message = format!("no answer within {} seconds", ANSWERED_BY.as_secs());
            Failure::new(StatusCode::REQUEST_TIMEOUT, message).into_response()
        }
    }
}
