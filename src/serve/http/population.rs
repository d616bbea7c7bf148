//! Answers about the population.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::OPENAPI;
use super::reply::{Asked, Failure, Named, number};
use super::shared::Shared;
use crate::api::MatchQuery;
use crate::api::{FileView, FilesView, MatchView, MatchesView, Status};
use crate::evolve::FileId;
use crate::util::text::excerpt;
use crate::weights::WeightFile;

type Answer<T> = Result<Json<T>, Failure>;
type Server = State<Arc<Shared>>;

/// Rows of a page where the question does not say, and the most that it may.
const USUAL_COUNT: usize = 50;
const MOST_COUNT: usize = 500;

pub(super) async fn status(State(shared): Server) -> Answer<Status> {
    shared.ask(|source| source.status()).await.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FilesAsked {
    #[serde(default)]
    from: u64,
    count: Option<usize>,
}

pub(super) async fn files(
    State(shared): Server,
    Asked(asked): Asked<FilesAsked>,
) -> Answer<FilesView> {
    let count = count_of(asked.count)?;
    let from = FileId(asked.from);
    shared
        .ask(move |source| source.files(from, count))
        .await
        .map(Json)
}

pub(super) async fn file(State(shared): Server, Named(id): Named) -> Answer<FileView> {
    let id = FileId(number("file", &id)?);
    let found = shared.ask(move |source| source.file(id)).await?;
    found.map(Json).ok_or_else(|| no_file(id))
}

pub(super) async fn weights(
    State(shared): Server,
    Named(id): Named,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let id = FileId(number("file", &id)?);
    let found = shared.ask(move |source| source.weights_of(id)).await?;
    let file = found.ok_or_else(|| no_file(id))?;
    Ok(weight_file(&file, &headers))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchesAsked {
    before: Option<u64>,
    count: Option<usize>,
    file: Option<u64>,
}

pub(super) async fn matches(
    State(shared): Server,
    Asked(asked): Asked<MatchesAsked>,
) -> Answer<MatchesView> {
    let query = MatchQuery {
        before: asked.before,
        count: count_of(asked.count)?,
        file: asked.file.map(FileId),
    };
    shared
        .ask(move |source| source.matches(query))
        .await
        .map(Json)
}

pub(super) async fn match_record(State(shared): Server, Named(id): Named) -> Answer<MatchView> {
    let id = number("match", &id)?;
    let found = shared.ask(move |source| source.match_record(id)).await?;
    found
        .map(Json)
        .ok_or_else(|| Failure::missing(format!("there is no match {id}")))
}

pub(super) async fn champion(
    State(shared): Server,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let found = shared.ask(|source| source.champion()).await?;
    let file = found.ok_or_else(|| Failure::missing("there is no champion yet"))?;
    Ok(weight_file(&file, &headers))
}

pub(super) async fn history(State(shared): Server) -> Answer<Value> {
    let history = shared.ask(|source| source.history()).await?;
    Ok(Json(history.to_json()))
}

pub(super) async fn charts(State(shared): Server) -> Answer<Value> {
    let charts = shared.ask(|source| source.charts()).await?;
    Ok(Json(json!({ "charts": charts })))
}

#[derive(Deserialize)]
pub(super) struct ChartAsked {
    theme: Option<String>,
}

pub(super) async fn chart(
    State(shared): Server,
    Named(file): Named,
    Asked(asked): Asked<ChartAsked>,
) -> Result<Response, Failure> {
    let missing = || Failure::missing(format!("there is no chart {:?}", excerpt(&file)));
    let name = file.strip_suffix(".svg").ok_or_else(missing)?.to_owned();
    let dark = match asked.theme.as_deref() {
        None | Some("light") => false,
        Some("dark") => true,
        Some(other) => {
            let other = excerpt(other);
            let message = format!("theme {other:?}: must be \"light\" or \"dark\"");
            return Err(Failure::bad(message));
        }
    };
    let drawn = shared
        .ask(move |source| source.chart(&name, dark))
        .await?
        .ok_or_else(missing)?;
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        // A picture that is opened by itself runs nothing and loads nothing.
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ),
    ];
    Ok((headers, drawn).into_response())
}

pub(super) async fn openapi() -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (headers, OPENAPI).into_response()
}

/// The weights that a request names: `default`, `champion`, `leader` or the
/// number of a file.
pub(super) async fn named_weights(shared: &Shared, name: &str) -> Result<WeightFile, Failure> {
    let absent = |what: &str| Failure::missing(format!("weights {name:?}: {what}"));
    match name {
        "default" => Ok(WeightFile::default()),
        "champion" => shared
            .ask(|source| source.champion())
            .await?
            .ok_or_else(|| absent("there is no champion yet")),
        "leader" => shared
            .ask(|source| source.leader())
            .await?
            .ok_or_else(|| absent("no file lives")),
        other => {
            let id = number("weights", other).map_err(|_| {
                Failure::bad(format!(
                    "weights {:?}: must be \"default\", \"champion\", \"leader\" or the number of a file",
                    excerpt(other)
                ))
            })?;
            shared
                .ask(move |source| source.weights_of(FileId(id)))
                .await?
                .ok_or_else(|| no_file(FileId(id)))
        }
    }
}

fn no_file(id: FileId) -> Failure {
    Failure::missing(format!("there is no file {id}"))
}

fn count_of(asked: Option<usize>) -> Result<usize, Failure> {
    let count = asked.unwrap_or(USUAL_COUNT);
    if !(1..=MOST_COUNT).contains(&count) {
        let message = format!("count {count}: must be from 1 to {MOST_COUNT}");
        return Err(Failure::bad(message));
    }
    Ok(count)
}

/// JSON for those who prefer it, TOML for all others.
fn weight_file(file: &WeightFile, headers: &HeaderMap) -> Response {
    if prefers_json(headers) {
        return Json(file.to_json()).into_response();
    }
    let mut response = file.to_toml().into_response();
    let headers = response.headers_mut();
    let toml = HeaderValue::from_static("application/toml; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, toml);
    let name: String = file
        .name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let shown = format!("inline; filename=\"{}.toml\"", name.trim_matches('-'));
    if let Ok(shown) = HeaderValue::from_str(&shown) {
        headers.insert(header::CONTENT_DISPOSITION, shown);
    }
    headers.insert(header::VARY, HeaderValue::from_static("accept"));
    response
}

/// Whether JSON comes with a higher quality than TOML in `Accept`.
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
    fn what_is_preferred() {
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
