//! Answers about the population: its status, files, matches, history, charts
//! and weights.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::app_state::AppState;
use super::reply::{Failure, PathParam, QueryParams, number};
use crate::api::schema::ThemeName;
use crate::api::{
    ChartsView, FileView, FilesView, MatchQuery, MatchView, MatchesView, Status, WeightsView,
};
use crate::charts::HistoryTable;
use crate::evolve::FileId;
use crate::util::text::excerpt;
use crate::weights::WeightFile;

type Answer<T> = Result<Json<T>, Failure>;
type Server = State<Arc<AppState>>;

/// The length of a list where the request does not give one.
const DEFAULT_COUNT: usize = 50;

/// The greatest length of a list.
const MAX_COUNT: usize = 500;

/// The population at a glance.
#[utoipa::path(
    get,
    path = "/api/status",
    tag = "population",
    responses((status = 200, description = "The answer", body = Status)),
)]
pub(super) async fn status(State(app): Server) -> Answer<Status> {
    app.ask(|source| source.status()).await.map(Json)
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct FilesQuery {
    /// The first number; 0 by default.
    #[serde(default)]
    from: u64,
    /// The greatest number of files to list; 50 by default.
    #[param(minimum = 1, maximum = 500)]
    count: Option<usize>,
}

/// Files, the oldest first.
#[utoipa::path(
    get,
    path = "/api/files",
    tag = "population",
    params(FilesQuery),
    responses(
        (status = 200, description = "The answer", body = FilesView),
        (status = 400, response = Failure),
    ),
)]
pub(super) async fn files(
    State(app): Server,
    QueryParams(query): QueryParams<FilesQuery>,
) -> Answer<FilesView> {
    let count = checked_count(query.count)?;
    let from = FileId(query.from);
    app.ask(move |source| source.files(from, count))
        .await
        .map(Json)
}

/// Everything about a file.
#[utoipa::path(
    get,
    path = "/api/files/{id}",
    tag = "population",
    params(("id" = u64, Path, description = "The file's number.")),
    responses(
        (status = 200, description = "The answer", body = FileView),
        (status = 400, response = Failure),
        (status = 404, response = Failure),
    ),
)]
pub(super) async fn file(State(app): Server, PathParam(id): PathParam) -> Answer<FileView> {
    let id = FileId(number("file", &id)?);
    let found = app.ask(move |source| source.file(id)).await?;
    found.map(Json).ok_or_else(|| no_file(id))
}

/// A file's weights; JSON where `Accept` prefers it.
#[utoipa::path(
    get,
    path = "/api/files/{id}/weights",
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
    let found = app.ask(move |source| source.weights_of(id)).await?;
    let file = found.ok_or_else(|| no_file(id))?;
    Ok(weight_file(&file, &headers))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct MatchesQuery {
    /// Only matches with smaller numbers; by default the newest.
    before: Option<u64>,
    /// The greatest number of matches to list; 50 by default.
    #[param(minimum = 1, maximum = 500)]
    count: Option<usize>,
    /// Only matches of this file.
    file: Option<u64>,
}

/// Matches, the newest first.
#[utoipa::path(
    get,
    path = "/api/matches",
    tag = "population",
    params(MatchesQuery),
    responses(
        (status = 200, description = "The answer", body = MatchesView),
        (status = 400, response = Failure),
    ),
)]
pub(super) async fn matches(
    State(app): Server,
    QueryParams(query): QueryParams<MatchesQuery>,
) -> Answer<MatchesView> {
    let query = MatchQuery {
        before: query.before,
        count: checked_count(query.count)?,
        file: query.file.map(FileId),
    };
    app.ask(move |source| source.matches(query)).await.map(Json)
}

/// A match with both its games.
#[utoipa::path(
    get,
    path = "/api/matches/{id}",
    tag = "population",
    params(("id" = u64, Path, description = "The match's number.")),
    responses(
        (status = 200, description = "The answer", body = MatchView),
        (status = 400, response = Failure),
        (status = 404, response = Failure),
    ),
)]
pub(super) async fn match_record(
    State(app): Server,
    PathParam(id): PathParam,
) -> Answer<MatchView> {
    let id = number("match", &id)?;
    let found = app.ask(move |source| source.match_record(id)).await?;
    found
        .map(Json)
        .ok_or_else(|| Failure::missing(format!("there is no match {id}")))
}

/// The champion's weight file; JSON where `Accept` prefers it.
#[utoipa::path(
    get,
    path = "/api/champion",
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
    let found = app.ask(|source| source.champion()).await?;
    let file = found.ok_or_else(|| Failure::missing("there is no champion yet"))?;
    Ok(weight_file(&file, &headers))
}

/// The history of the run.
#[utoipa::path(
    get,
    path = "/api/history",
    tag = "population",
    responses((status = 200, description = "The answer", body = HistoryTable)),
)]
pub(super) async fn history(State(app): Server) -> Answer<HistoryTable> {
    let history = app.ask(|source| source.history()).await?;
    Ok(Json(history.table()))
}

/// The charts that can be drawn.
#[utoipa::path(
    get,
    path = "/api/charts",
    tag = "population",
    responses((status = 200, description = "The answer", body = ChartsView)),
)]
pub(super) async fn charts(State(app): Server) -> Answer<ChartsView> {
    let charts = app.ask(|source| source.charts()).await?;
    Ok(Json(ChartsView { charts }))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ChartQuery {
    /// The chart's colours; `light` by default.
    #[param(value_type = Option<ThemeName>, inline)]
    theme: Option<String>,
}

/// A chart.
#[utoipa::path(
    get,
    path = "/api/charts/{name}",
    tag = "population",
    params(
        ("name" = String, Path, description = "The chart's name and `.svg`: `points.svg`."),
        ChartQuery,
    ),
    responses(
        (status = 200, description = "The answer", body = String, content_type = "image/svg+xml"),
        (status = 400, response = Failure),
        (status = 404, response = Failure),
    ),
)]
pub(super) async fn chart(
    State(app): Server,
    PathParam(file): PathParam,
    QueryParams(query): QueryParams<ChartQuery>,
) -> Result<Response, Failure> {
    let missing = || Failure::missing(format!("there is no chart {:?}", excerpt(&file)));
    let name = file.strip_suffix(".svg").ok_or_else(missing)?.to_owned();
    let dark = match query.theme.as_deref() {
        None | Some("light") => false,
        Some("dark") => true,
        Some(other) => {
            let other = excerpt(other);
            let message = format!("theme {other:?}: must be \"light\" or \"dark\"");
            return Err(Failure::bad(message));
        }
    };
    let drawn = app
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

/// The weights that a request names: `default`, `champion`, `leader` or the
/// number of a file.
pub(super) async fn named_weights(app: &AppState, name: &str) -> Result<WeightFile, Failure> {
    let absent = |what: &str| Failure::missing(format!("weights {name:?}: {what}"));
    match name {
        "default" => Ok(WeightFile::default()),
        "champion" => app
            .ask(|source| source.champion())
            .await?
            .ok_or_else(|| absent("there is no champion yet")),
        "leader" => app
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
            app.ask(move |source| source.weights_of(FileId(id)))
                .await?
                .ok_or_else(|| no_file(FileId(id)))
        }
    }
}

fn no_file(id: FileId) -> Failure {
    Failure::missing(format!("there is no file {id}"))
}

fn checked_count(count: Option<usize>) -> Result<usize, Failure> {
    let count = count.unwrap_or(DEFAULT_COUNT);
    if !(1..=MAX_COUNT).contains(&count) {
        let message = format!("count {count}: must be from 1 to {MAX_COUNT}");
        return Err(Failure::bad(message));
    }
    Ok(count)
}

/// A weight file as JSON where the client prefers it, as TOML otherwise.
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
