//! Weight files, as TOML or as JSON, and the weights that a request names.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::app_state::AppState;
use super::reply::{Failure, PathParam, number};
use crate::api::{FileChoice, Source, SourceError, WeightsView};
use crate::evolve::FileId;
use crate::util::text::excerpt;
use crate::weights::{OptionFile, WeightFile, published_weights};

type Server = State<Arc<AppState>>;

/// A file's weights, or the values of another engine's options in `options`; JSON
/// where `Accept` prefers it.
#[utoipa::path(
    get,
    path = "/api/files/{id}/weights",
    operation_id = "getFileWeights",
    tag = "population",
    params(("id" = u64, Path, description = "The file's number.")),
    responses(
        (status = 200, description = "The answer", content(
            (WeightsView = "application/json"),
            (String = "application/toml"),
        )),
        (status = 400, response = Failure),
        (status = 404, response = Failure),
    ),
)]
pub(super) async fn weights(
    State(app): Server,
    PathParam(id): PathParam,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let id = FileId(number("file", &id)?);
    let options = move |source: &dyn Source| source.options_of(FileChoice::Number(id));
    if let Some(file) = app.ask(options).await? {
        return Ok(option_file(&file, &headers));
    }
    let found = app.ask(move |source| source.weights_of(id)).await?;
    let file = found.ok_or_else(|| no_file(id))?;
    Ok(weight_file(&file, &headers))
}

/// The champion's weight file, or the values of another engine's options in
/// `options`; JSON where `Accept` prefers it.
#[utoipa::path(
    get,
    path = "/api/champion",
    operation_id = "getChampion",
    tag = "population",
    responses(
        (status = 200, description = "The answer", content(
            (WeightsView = "application/json"),
            (String = "application/toml"),
        )),
        (status = 404, response = Failure),
    ),
)]
pub(super) async fn champion(State(app): Server, headers: HeaderMap) -> Result<Response, Failure> {
    let options = |source: &dyn Source| source.options_of(FileChoice::Champion);
    if let Some(file) = app.ask(options).await? {
        return Ok(option_file(&file, &headers));
    }
    let found = app.ask(|source| source.champion()).await?;
    let file = found.ok_or_else(|| Failure::missing("there is no champion yet"))?;
    Ok(weight_file(&file, &headers))
}

/// The weights that a request names: `default`, `source`, `champion`, `leader`, the number
/// of a file or the name of a published champion.
pub(super) async fn named_weights(app: &AppState, name: &str) -> Result<WeightFile, Failure> {
    let absent = |what: &str| Failure::missing(format!("weights {name:?}: {what}"));
    if let Some(file) = WeightFile::built_in_named(name) {
        return Ok(file);
    }
    match name {
        "champion" => app
            .ask(|source| source.champion())
            .await?
            .ok_or_else(|| absent("there is no champion yet")),
        "leader" => app
            .ask(|source| source.leader())
            .await?
            .ok_or_else(|| absent("no file lives")),
        other => {
            if let Ok(id) = number("weights", other) {
                return app
                    .ask(move |source| source.weights_of(FileId(id)))
                    .await?
                    .ok_or_else(|| no_file(FileId(id)));
            }
            published(app, other).await?.ok_or_else(|| {
                Failure::bad(format!(
                    "weights {:?}: must be \"default\", \"source\", \"champion\", \"leader\", the number \
                     of a file or the name of a published champion",
                    excerpt(other)
                ))
            })
        }
    }
}

/// The weights of a published champion of the directory in which the command
/// was started; a request cannot name any other file.
async fn published(app: &AppState, name: &str) -> Result<Option<WeightFile>, Failure> {
    let name = name.to_owned();
    app.ask(move |_| {
        let found = published_weights(&name, Path::new(""));
        found.map_err(|error| SourceError::Failed(error.to_string()))
    })
    .await
}

/// The refusal of a file's number that no file has.
pub(super) fn no_file(id: FileId) -> Failure {
    Failure::missing(format!("there is no file {id}"))
}

/// A weight file as JSON where the client prefers it, as TOML otherwise.
fn weight_file(file: &WeightFile, headers: &HeaderMap) -> Response {
    if prefers_json(headers) {
        return Json(file.to_json()).into_response();
    }
    toml_file(&file.name, file.to_toml())
}

/// The same for the values of another engine's options.
fn option_file(file: &OptionFile, headers: &HeaderMap) -> Response {
    if prefers_json(headers) {
        return Json(file.to_json()).into_response();
    }
    toml_file(&file.name, file.to_toml())
}

fn toml_file(name: &str, text: String) -> Response {
    let mut response = text.into_response();
    let headers = response.headers_mut();
    let toml = HeaderValue::from_static("application/toml; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, toml);
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let disposition = format!("inline; filename=\"{}.toml\"", name.trim_matches('-'));
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    headers.insert(header::VARY, HeaderValue::from_static("accept"));
    response
}

/// Whether `Accept` gives JSON a higher quality than TOML.
fn prefers_json(headers: &HeaderMap) -> bool {
    let accepted = headers
        .get_all(header::ACCEPT)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    let (mut json, mut toml) = (0.0, 0.0);
    for range in accepted {
        let mut parts = range.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default();
        let quality = parts
            .find_map(|part| part.strip_prefix("q=")?.parse::<f64>().ok())
            .unwrap_or(1.0);
        match kind {
            "application/json" => json = quality,
            "application/toml" | "text/plain" | "text/*" => toml = quality,
            _ => {}
        }
    }
    json > toml
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn json_is_sent_where_accept_prefers_it() {
        let json = |accept: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
            prefers_json(&headers)
        };
        assert!(!prefers_json(&HeaderMap::new()));
        assert!(!json("*/*"));
        assert!(json("application/json"));
        assert!(json("text/html, application/json;q=0.9, */*;q=0.1"));
        assert!(!json("application/toml, application/json;q=0.5"));
        assert!(json("application/toml;q=0.2, application/json;q=0.5"));
    }
}
