//! Answers about the population: its status, files, matches, history and charts.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::app_state::AppState;
use super::reply::{Failure, PathParam, QueryParams, number};
use super::shared_answers::Shared;
use super::weight_files::no_file;
use crate::api::schema::ThemeName;
use crate::api::{
    ChartsView, FileQuery, FileRow, FileSort, FileState, FileView, FilesView, FleetAnswer,
    HistoryView, LivingView, MatchOutcome, MatchQuery, MatchView, MatchesView, ParamsView,
    PopulationsView, Source, SpeedView, Status,
};
use crate::evolve::{FileId, Origin};
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
    operation_id = "getStatus",
    tag = "population",
    responses((status = 200, description = "The answer", body = Status)),
)]
pub(super) async fn status(State(app): Server) -> Result<Response, Failure> {
    app.shared(Shared::Status, |source| source.status()).await
}

/// The machines that play for the run.
#[utoipa::path(
    get,
    path = "/api/fleet",
    operation_id = "getFleet",
    tag = "population",
    responses((status = 200, description = "The answer", body = FleetAnswer)),
)]
pub(super) async fn fleet(State(app): Server) -> Result<Response, Failure> {
    let ask = |source: &dyn Source| source.fleet().map(|fleet| FleetAnswer { fleet });
    app.shared(Shared::Fleet, ask).await
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
    /// How many of the files that fit are left out at the beginning; 0 by
    /// default.
    #[serde(default)]
    skip: usize,
    /// Only files in this state.
    #[param(inline)]
    state: Option<FileState>,
    /// Only files that came into the population in this way.
    #[param(inline)]
    origin: Option<Origin>,
    /// Only the children of this file.
    parent: Option<u64>,
    /// Only files whose number begins with this text or whose name has it, in
    /// capitals or not.
    search: Option<String>,
    /// What the files are ordered by; `number` by default.
    #[param(inline)]
    sort: Option<FileSort>,
    /// Whether the greatest comes first.
    #[serde(default)]
    descending: bool,
}

/// Files; the oldest first unless another order is asked for.
#[utoipa::path(
    get,
    path = "/api/files",
    operation_id = "listFiles",
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
    let query = FileQuery {
        from: FileId(query.from),
        count: checked_count(query.count)?,
        skip: query.skip,
        state: query.state,
        origin: query.origin,
        parent: query.parent.map(FileId),
        search: query.search.filter(|text| !text.trim().is_empty()),
        sort: query.sort.unwrap_or_default(),
        descending: query.descending,
    };
    app.ask(move |source| source.files(&query)).await.map(Json)
}

/// A file and its first parents, back to one that has none.
#[utoipa::path(
    get,
    path = "/api/files/{id}/descent",
    operation_id = "getFileDescent",
    tag = "population",
    params(("id" = u64, Path, description = "The file's number.")),
    responses(
        (status = 200, description = "The answer", body = Vec<FileRow>),
        (status = 400, response = Failure),
        (status = 404, response = Failure),
    ),
)]
pub(super) async fn descent(State(app): Server, PathParam(id): PathParam) -> Answer<Vec<FileRow>> {
    let id = FileId(number("file", &id)?);
    let line = app.ask(move |source| source.descent(id)).await?;
    if line.is_empty() {
        return Err(no_file(id));
    }
    Ok(Json(line))
}

/// The genes of all files that live.
#[utoipa::path(
    get,
    path = "/api/living",
    operation_id = "getLiving",
    tag = "population",
    responses((status = 200, description = "The answer", body = LivingView)),
)]
pub(super) async fn living(State(app): Server) -> Result<Response, Failure> {
    app.shared(Shared::Living, |source| source.living()).await
}

/// The parameters of the run.
#[utoipa::path(
    get,
    path = "/api/params",
    operation_id = "getParams",
    tag = "population",
    responses((status = 200, description = "The answer", body = ParamsView)),
)]
pub(super) async fn params(State(app): Server) -> Answer<ParamsView> {
    app.ask(|source| source.params()).await.map(Json)
}

/// All populations of the directory, this one included.
#[utoipa::path(
    get,
    path = "/api/populations",
    operation_id = "listPopulations",
    tag = "population",
    responses((status = 200, description = "The answer", body = PopulationsView)),
)]
pub(super) async fn populations(State(app): Server) -> Answer<PopulationsView> {
    let list = app.list_populations.clone();
    let populations = app.ask(move |_| Ok(list.list())).await?;
    Ok(Json(PopulationsView { populations }))
}

/// How fast games were played since the process began.
#[utoipa::path(
    get,
    path = "/api/speed",
    operation_id = "getSpeed",
    tag = "population",
    responses((status = 200, description = "The answer", body = SpeedView)),
)]
pub(super) async fn speed(State(app): Server) -> Result<Response, Failure> {
    app.shared(Shared::Speed, |source| source.speed()).await
}

/// Everything about a file.
#[utoipa::path(
    get,
    path = "/api/files/{id}",
    operation_id = "getFile",
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
    /// Only matches with this result for the file, or for the first of the two
    /// files where none is named.
    #[param(inline)]
    result: Option<MatchOutcome>,
}

/// Matches, the newest first.
///
/// One question looks at some thousand matches, so a page of those that fit may
/// be shorter than it was asked for, or empty; it goes on at `before` as long as
/// that is not null.
#[utoipa::path(
    get,
    path = "/api/matches",
    operation_id = "listMatches",
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
        result: query.result,
    };
    app.ask(move |source| source.matches(query)).await.map(Json)
}

/// A match with both its games.
#[utoipa::path(
    get,
    path = "/api/matches/{id}",
    operation_id = "getMatch",
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
    operation_id = "getHistory",
    tag = "population",
    responses((status = 200, description = "The answer", body = HistoryView)),
)]
pub(super) async fn history(State(app): Server) -> Result<Response, Failure> {
    let ask = |source: &dyn Source| source.history().map(|found| HistoryView::from(&found));
    app.shared(Shared::History, ask).await
}

/// The charts that can be drawn.
#[utoipa::path(
    get,
    path = "/api/charts",
    operation_id = "listCharts",
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
    operation_id = "getChart",
    tag = "population",
    params(
        ("name" = String, Path, description = "The chart's name and `.svg`: `points.svg`.", pattern = "^[a-z]+\\.svg$"),
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
