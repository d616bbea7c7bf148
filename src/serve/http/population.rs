//! Answers about the population: its status, files, matches, history and charts.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::app_state::AppState;
use super::reply::{Failure, PathParam, QueryParams, number};
use super::weight_files::no_file;
use crate::api::schema::ThemeName;
use crate::api::{ChartsView, FileView, FilesView, MatchQuery, MatchView, MatchesView, Status};
use crate::charts::HistoryTable;
use crate::evolve::FileId;
use crate::util::text::excerpt;

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

fn checked_count(count: Option<usize>) -> Result<usize, Failure> {
    let count = count.unwrap_or(DEFAULT_COUNT);
    if !(1..=MAX_COUNT).contains(&count) {
        let message = format!("count {count}: must be from 1 to {MAX_COUNT}");
        return Err(Failure::bad(message));
    }
    Ok(count)
}
