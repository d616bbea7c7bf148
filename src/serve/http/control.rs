//! What changes something, and whether the one who asks may. The guard has
//! seen the token before any of this is reached.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use super::reply::Failure;
use super::shared::Shared;
use crate::weights::WeightFile;

/// Whether the one who asks may change things.
pub(super) async fn session(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Json<Value> {
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "may_change": shared.door.knows(&headers),
        "has_token": shared.door.has_token(),
        "loopback": shared.door.is_local(),
        "rules": shared.rules,
    }))
}

/// Asks the run to end.
pub(super) async fn stop(State(shared): State<Arc<Shared>>) -> Result<Json<Value>, Failure> {
    log::info!("stop asked for through the page");
    shared.ask(|source| source.stop()).await?;
    Ok(Json(json!({ "stopping": true })))
}

/// Takes a weight file, TOML or JSON, into the population.
pub(super) async fn import(
    State(shared): State<Arc<Shared>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Value>, Failure> {
    let text = text_of(body)?;
    let file = WeightFile::parse(&text, "the request's body")
        .map_err(|error| Failure::bad(error.to_string()))?;
    log::info!("import of {:?} asked for through the page", file.name);
    let file = shared.ask(move |source| source.import(file)).await?;
    Ok(Json(json!({ "file": file })))
}

/// A body as text.
pub(super) fn text_of(body: Result<Bytes, BytesRejection>) -> Result<String, Failure> {
    let body = body.map_err(|rejection| {
        let message = match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => "the body is longer than 256 KiB".to_owned(),
            _ => rejection.body_text(),
        };
        Failure::new(rejection.status(), message)
    })?;
    String::from_utf8(body.to_vec()).map_err(|_| Failure::bad("the body is not UTF-8 text"))
}
