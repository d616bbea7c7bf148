//! Which handler answers which path, and the limits that hold for all requests.
//!
//! The outermost layer comes last: the security headers are on every answer,
//! refusals of the access policy included.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use super::access_policy::check_access;
use super::app_state::AppState;
use super::reply::Failure;
use super::security_headers::add_security_headers;
use super::{
    chances, control, description, engine_games, explanations, login, metrics, pages, population,
    positions, stream, weight_files,
};

/// The longest body, in bytes: an SGF file of many games, a weight file many
/// times over.
const MAX_BODY_BYTES: usize = 256 * 1024;

/// The longest time until an answer begins, however slowly the request comes
/// in.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// All routes of the server.
pub(super) fn router(app: Arc<AppState>) -> Router {
    Router::new()
        .merge(pages::routes())
        .route("/healthz", get(metrics::healthz))
        .route("/metrics", get(metrics::metrics))
        .route("/api/openapi.json", get(description::openapi))
        .route("/api/session", get(control::session))
        .route("/api/login", post(login::login))
        .route("/api/logout", post(login::logout))
        .route("/api/stop", post(control::stop))
        .route("/api/import", post(control::import))
        .route("/api/status", get(population::status))
        .route("/api/fleet", get(population::fleet))
        .route("/api/files", get(population::files))
        .route("/api/files/{id}", get(population::file))
        .route("/api/files/{id}/weights", get(weight_files::weights))
        .route("/api/files/{id}/descent", get(population::descent))
        .route("/api/living", get(population::living))
        .route("/api/params", get(population::params))
        .route("/api/speed", get(population::speed))
        .route("/api/matches", get(population::matches))
        .route("/api/matches/{id}", get(population::match_record))
        .route("/api/events", get(stream::events))
        .route("/api/champion", get(weight_files::champion))
        .route("/api/explanation", get(explanations::explanation))
        .route("/api/history", get(population::history))
        .route("/api/charts", get(population::charts))
        .route("/api/charts/{name}", get(population::chart))
        .route("/api/moves", get(positions::moves))
        .route("/api/analyse", get(positions::analyse))
        .route("/api/curve", get(positions::curve))
        .route("/api/chance", get(chances::chance))
        .route("/api/lines", get(engine_games::lines))
        .route("/api/duel", get(engine_games::duel))
        .route("/api/populations", get(population::populations))
        .route("/api/calibration", get(chances::calibration))
        .route(
            "/api/sgf",
            get(positions::write_sgf).post(positions::read_sgf),
        )
        .fallback(pages::nothing_here)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(middleware::from_fn(limit_body_and_time))
        .layer(middleware::from_fn_with_state(app.clone(), check_access))
        .layer(middleware::map_response(add_security_headers))
        .with_state(app)
}

/// The routes of reserved places: what monitoring asks for, and a refusal of
/// everything else.
pub(super) fn reserved_router(app: Arc<AppState>) -> Router {
    Router::new()
        .route("/healthz", get(metrics::healthz))
        .route("/metrics", get(metrics::metrics))
        .fallback(too_many_connections)
        .layer(middleware::from_fn(limit_body_and_time))
        .layer(middleware::from_fn_with_state(app.clone(), check_access))
        .layer(middleware::map_response(add_security_headers))
        .with_state(app)
}

async fn too_many_connections() -> Failure {
    Failure::busy("too many connections are open; try again")
}

async fn wrong_method(request: Request) -> Failure {
    let message = format!("{} is no method of this address", request.method());
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, message)
}

/// Refuses a body whose declared length is above the limit before reading any
/// of it, and a request that is not answered in time. A body that turns out to
/// be too long is cut off by [`DefaultBodyLimit`].
async fn limit_body_and_time(request: Request, next: Next) -> Response {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > MAX_BODY_BYTES as u64) {
        let message = format!("the body is longer than {} KiB", MAX_BODY_BYTES / 1024);
        return Failure::new(StatusCode::PAYLOAD_TOO_LARGE, message).into_response();
    }
    match tokio::time::timeout(ANSWER_TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let message = format!("no answer within {} seconds", ANSWER_TIMEOUT.as_secs());
            Failure::new(StatusCode::REQUEST_TIMEOUT, message).into_response()
        }
    }
}
