//! Answers about positions and games: legal moves, analyses, value curves and
//! SGF. Of the population only its weights are used.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::analysis_engine::{self, MAX_SEARCH_TIME, SearchSettings};
use super::app_state::AppState;
use super::chances::known_curve;
use super::control::body_text;
use super::reply::{Failure, QueryParams};
use super::weight_files::named_weights;
use crate::api::schema::{AlgorithmName, SideName};
use crate::api::{Analysis, Curve, Listing, SgfGameView, SgfGames};
use crate::board::Side;
use crate::game::{Game, Rules};
use crate::notation::{self, SgfGame, parse_moves, parse_position};
use crate::search::value::MAX_DEPTH;
use crate::search::{Algorithm, Limits};
use crate::util::text::single_line;
use crate::weights::DEFAULT_WEIGHTS;

type Server = State<Arc<AppState>>;

/// The depth of an analysis where no limit is given, in plies.
const DEFAULT_DEPTH: u32 = 6;

/// The depth of a curve where none is given, in plies.
const DEFAULT_CURVE_DEPTH: u32 = 2;

/// The greatest depth of a curve, in plies.
const MAX_CURVE_DEPTH: u32 = 4;

/// The name of the position that a game begins with by default.
const START: &str = "startpos";

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct PositionQuery {
    /// A position, or `startpos`, which is the default.
    position: Option<String>,
    /// Moves from there, separated by spaces.
    #[param(pattern = "^[a-hxps1-8 -]*$")]
    moves: Option<String>,
}

/// The legal moves of a position, and whether the game is over.
#[utoipa::path(
    get,
    path = "/api/moves",
    operation_id = "listMoves",
    tag = "positions",
    params(PositionQuery),
    responses(
        (status = 200, description = "The answer", body = Listing),
        (status = 400, response = Failure),
    ),
)]
pub(super) async fn moves(
    State(app): Server,
    QueryParams(query): QueryParams<PositionQuery>,
) -> Result<Json<Listing>, Failure> {
    let game = parse_game(&app.rules, query.position, query.moves)?;
    Ok(Json(Listing::new(&game)))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct AnalysisQuery {
    /// A position, or `startpos`, which is the default.
    position: Option<String>,
    /// Moves from there, separated by spaces.
    #[param(pattern = "^[a-hxps1-8 -]*$")]
    moves: Option<String>,
    /// `default`, which is the default, `champion`, `leader`, the number of a
    /// file, or the name of a published champion (`published:NAME` where it is
    /// called like one of these).
    #[param(pattern = "^[^/]+$")]
    weights: Option<String>,
    /// The search algorithm; `mtdf` by default.
    #[param(value_type = Option<AlgorithmName>, inline)]
    player: Option<String>,
    /// The greatest depth, in plies.
    #[param(minimum = 1, maximum = 250)]
    depth: Option<u32>,
    /// The greatest number of positions to visit.
    #[param(minimum = 1)]
    nodes: Option<u64>,
    /// The longest time, in seconds.
    #[param(exclusive_minimum = 0, maximum = 5)]
    time: Option<f64>,
    /// Plies played before the position; the number of moves by default.
    plies: Option<usize>,
}

/// A position's evaluation, feature by feature, and a search.
///
/// The search takes at most 5 seconds; its depth is 6 plies where no limit is
/// given.
#[utoipa::path(
    get,
    path = "/api/analyse",
    operation_id = "analysePosition",
    tag = "positions",
    params(AnalysisQuery),
    responses(
        (status = 200, description = "The answer", body = Analysis),
        (status = 400, response = Failure),
        (status = 404, response = Failure),
        (status = 503, response = Failure),
    ),
)]
pub(super) async fn analyse(
    State(app): Server,
    QueryParams(query): QueryParams<AnalysisQuery>,
) -> Result<Json<Analysis>, Failure> {
    let settings = search_settings(&query)?;
    let name = query.weights.as_deref().unwrap_or(DEFAULT_WEIGHTS);
    let file = named_weights(&app, name).await?;
    let game = parse_game(&app.rules, query.position, query.moves)?;
    let settings = SearchSettings {
        plies: query.plies.unwrap_or(game.played().len()),
        ..settings
    };
    let search = move |stop: &_| analysis_engine::analyse(&game, &file, settings, stop);
    app.analysis_engine.ask(search).await.map(Json)
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct CurveQuery {
    /// A position, or `startpos`, which is the default.
    position: Option<String>,
    /// Moves from there, separated by spaces.
    #[param(pattern = "^[a-hxps1-8 -]*$")]
    moves: Option<String>,
    /// `default`, which is the default, `champion`, `leader`, the number of a
    /// file, or the name of a published champion (`published:NAME` where it is
    /// called like one of these).
    #[param(pattern = "^[^/]+$")]
    weights: Option<String>,
    /// The depth, in plies; 2 by default.
    #[param(minimum = 0, maximum = 4)]
    depth: Option<u32>,
}

/// What each position of a game is worth to Black.
#[utoipa::path(
    get,
    path = "/api/curve",
    operation_id = "getCurve",
    tag = "positions",
    params(CurveQuery),
    responses(
        (status = 200, description = "The answer", body = Curve),
        (status = 400, response = Failure),
        (status = 404, response = Failure),
        (status = 503, response = Failure),
    ),
)]
pub(super) async fn curve(
    State(app): Server,
    QueryParams(query): QueryParams<CurveQuery>,
) -> Result<Json<Curve>, Failure> {
    let depth = query.depth.unwrap_or(DEFAULT_CURVE_DEPTH);
    if depth > MAX_CURVE_DEPTH {
        let message = format!("depth {depth}: must be from 0 to {MAX_CURVE_DEPTH}");
        return Err(Failure::bad(message));
    }
    let name = query.weights.as_deref().unwrap_or(DEFAULT_WEIGHTS);
    let file = named_weights(&app, name).await?;
    let game = parse_game(&app.rules, query.position, query.moves)?;
    let weights = file.name.clone();
    let fitted = known_curve(&app, &file).await?;
    let search = move |stop: &_| {
        let values = analysis_engine::curve(&game, &file, depth, stop);
        (values, analysis_engine::judge_game(&game, &file, stop))
    };
    let (values, judged) = app.analysis_engine.ask(search).await?;
    let judged = judged.into_iter().enumerate();
    let chances = judged.map(|(plies, judgement)| fitted.as_ref()?.chance(judgement, plies));
    Ok(Json(Curve {
        weights,
        depth,
        values,
        chances: chances.collect(),
    }))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct SgfQuery {
    /// A position, or `startpos`, which is the default.
    position: Option<String>,
    /// Moves from there, separated by spaces.
    #[param(pattern = "^[a-hxps1-8 -]*$")]
    moves: Option<String>,
    /// Black's name; empty by default.
    #[serde(default)]
    black: String,
    /// White's name; empty by default.
    #[serde(default)]
    white: String,
    /// The side that resigned, in a game that the board has not ended.
    #[param(value_type = Option<SideName>, inline)]
    resigned: Option<String>,
    /// The side whose time was over, in a game that the board has not ended.
    #[param(value_type = Option<SideName>, inline)]
    overtime: Option<String>,
}

/// A game as SGF.
#[utoipa::path(
    get,
    path = "/api/sgf",
    operation_id = "writeSgf",
    tag = "positions",
    params(SgfQuery),
    responses(
        (status = 200, description = "The answer", body = String, content_type = "application/x-go-sgf"),
        (status = 400, response = Failure),
    ),
)]
pub(super) async fn write_sgf(
    State(app): Server,
    QueryParams(query): QueryParams<SgfQuery>,
) -> Result<Response, Failure> {
    let game = parse_game(&app.rules, query.position, query.moves)?;
    let resigned = parse_side("resigned", query.resigned.as_deref())?;
    let overtime = parse_side("overtime", query.overtime.as_deref())?;
    let is_open = game.outcome().is_none();
    let won_on_time = |side| match side {
        Side::X => String::from("W+Time"),
        Side::O => String::from("B+Time"),
    };
    let text = notation::write_sgf(&SgfGame {
        players: [query.black, query.white],
        resigned: resigned.filter(|_| is_open),
        result: overtime.map(won_on_time),
        ..SgfGame::new(game)
    });
    let mut response = text.into_response();
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "application/x-go-sgf; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"game.sgf\"",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

/// Reads SGF.
#[utoipa::path(
    post,
    path = "/api/sgf",
    operation_id = "readSgf",
    tag = "positions",
    request_body(
        content = String,
        content_type = "application/x-go-sgf",
        description = "The games, at most 256 KiB.",
    ),
    responses(
        (status = 200, description = "The games", body = SgfGames),
        (status = 400, response = Failure),
        (status = 413, response = Failure),
    ),
)]
pub(super) async fn read_sgf(
    State(app): Server,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<SgfGames>, Failure> {
    let text = body_text(body)?;
    let games =
        notation::parse_sgf(&text, &app.rules).map_err(|error| Failure::bad(error.to_string()))?;
    let games = games.iter().map(SgfGameView::from).collect();
    Ok(Json(SgfGames { games }))
}

/// A side that a question names.
fn parse_side(name: &str, text: Option<&str>) -> Result<Option<Side>, Failure> {
    match text {
        None => Ok(None),
        Some("x") => Ok(Some(Side::X)),
        Some("o") => Ok(Some(Side::O)),
        Some(other) => Err(Failure::bad(single_line(&format!(
            "{name} {other:?}: must be x or o"
        )))),
    }
}

/// The game that begins with a position and goes on with moves.
pub(super) fn parse_game(
    rules: &Rules,
    position: Option<String>,
    moves: Option<String>,
) -> Result<Game, Failure> {
    let position = position.unwrap_or_else(|| START.to_owned());
    let board = parse_position(&position)
        .map_err(|error| Failure::bad(format!("bad position: {error}")))?;
    let mut game = Game::from_board(*rules, board);
    parse_moves(&mut game, &moves.unwrap_or_default())
        .map_err(|error| Failure::bad(format!("bad moves: {error}")))?;
    Ok(game)
}

/// The checked settings of an analysis; its plies are filled in by the caller.
fn search_settings(query: &AnalysisQuery) -> Result<SearchSettings, Failure> {
    let algorithm = match &query.player {
        Some(name) => name
            .parse()
            .map_err(|error: crate::search::UnknownAlgorithm| {
                Failure::bad(single_line(&error.to_string()))
            })?,
        None => Algorithm::Mtdf,
    };
    if let Some(depth) = query.depth
        && !(1..=MAX_DEPTH).contains(&depth)
    {
        let message = format!("depth {depth}: must be from 1 to {MAX_DEPTH}");
        return Err(Failure::bad(message));
    }
    if query.nodes == Some(0) {
        return Err(Failure::bad("nodes 0: must be at least 1"));
    }
    let longest = MAX_SEARCH_TIME.as_secs_f64();
    let time = match query.time {
        Some(time) if time > 0.0 && time <= longest => Duration::from_secs_f64(time),
        Some(time) => {
            let message = format!("time {time}: must be more than 0 and at most {longest} seconds");
            return Err(Failure::bad(message));
        }
        None => MAX_SEARCH_TIME,
    };
    let is_unlimited = query.depth.is_none() && query.nodes.is_none() && query.time.is_none();
    Ok(SearchSettings {
        algorithm,
        limits: Limits {
            depth: query.depth.or(is_unlimited.then_some(DEFAULT_DEPTH)),
            nodes: query.nodes,
            ..Limits::default()
        },
        time,
        plies: 0,
    })
}
