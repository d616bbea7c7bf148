//! What changes something: stopping the run and importing weights. The access
//! policy has checked the token before any of these handlers runs.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode};

use super::app_state::AppState;
use super::reply::Failure;
use crate::api::{Imported, SessionView, Stopping, WeightsView};
use crate::weights::WeightFile;

/// Whether the client may change things.
#[utoipa::path(
    get,
    path = "/api/session",
    operation_id = "getSession",
    tag = "control",
    responses((status = 200, description = "The answer", body = SessionView)),
)]
pub(super) async fn session(
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
) -> Json<SessionView> {
    Json(SessionView {
        version: env!("CARGO_PKG_VERSION"),
        may_change: app.access.is_authenticated(&headers),
        has_token: app.access.has_token(),
        loopback: app.access.is_local(),
        rules: app.rules,
        show_again: app.show_again.clone(),
    })
}

/// Asks the run to save and end.
#[utoipa::path(
    post,
    path = "/api/stop",
    operation_id = "stopRun",
    tag = "control",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The run will save and end", body = Stopping),
        (status = 401, response = Failure),
        (status = 403, response = Failure),
        (status = 409, response = Failure),
    ),
)]
pub(super) async fn stop(State(app): State<Arc<AppState>>) -> Result<Json<Stopping>, Failure> {
    log::info!("stop asked for through the page");
    app.ask(|source| source.stop()).await?;
    Ok(Json(Stopping { stopping: true }))
}

/// Takes a weight file, TOML or JSON, into the population.
#[utoipa::path(
    post,
    path = "/api/import",
    operation_id = "importWeights",
    tag = "control",
    security(("bearer" = [])),
    request_body(
        description = "The weight file, at most 256 KiB.",
        content((String = "application/toml"), (WeightsView = "application/json")),
    ),
    responses(
        (status = 200, description = "The number of the file that the weights became", body = Imported),
        (status = 400, response = Failure),
        (status = 401, response = Failure),
        (status = 403, response = Failure),
        (status = 409, response = Failure),
        (status = 413, response = Failure),
    ),
)]
pub(super) async fn import(
    State(app): State<Arc<AppState>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Imported>, Failure> {
    let text = body_text(body)?;
    let file = WeightFile::parse(&text, "the request's body")
        .map_err(|error| Failure::bad(error.to_string()))?;
    log::info!("import of {:?} asked for through the page", file.name);
    let file = app.ask(move |source| source.import(file)).await?;
    Ok(Json(Imported { file }))
}

/// A request's body as text.
pub(super) fn body_text(body: Result<Bytes, BytesRejection>) -> Result<String, Failure> {
    let body = body.map_err(|rejection| {
        let message = match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => "the body is longer than 256 KiB".to_owned(),
            _ => rejection.body_text(),
        };
        Failure::new(rejection.status(), message)
    })?;
    String::from_utf8(body.to_vec()).map_err(|_| Failure::bad("the body is not UTF-8 text"))
}
