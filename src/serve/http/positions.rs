//! Answers about positions and games: legal moves, analyses, value curves and
//! SGF. Nothing here knows the population but for its weights.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::control::text_of;
use super::population::named_weights;
use super::reply::{Asked, Failure};
use super::shared::Shared;
use super::thinker::{self, Effort, LONGEST};
use crate::api::{Analysis, Listing, move_names};
use crate::game::Game;
use crate::game::Rules;
use crate::notation::{self, SgfGame, parse_moves, parse_position, position_text};
use crate::search::value::MAX_DEPTH;
use crate::search::{Algorithm, Limits};
use crate::util::text::sentence;
use crate::weights::DEFAULT_WEIGHTS;

type Server = State<Arc<Shared>>;

/// The depth of an analysis where no limit is given.
const USUAL_DEPTH: u32 = 6;

/// The depth of a curve where none is given, and the greatest.
const USUAL_CURVE: u32 = 2;
const DEEPEST_CURVE: u32 = 4;

/// The position that every game begins with.
const START: &str = "startpos";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameAsked {
    position: Option<String>,
    moves: Option<String>,
}

pub(super) async fn moves(
    State(shared): Server,
    Asked(asked): Asked<GameAsked>,
) -> Result<Json<Listing>, Failure> {
    let game = game_of(&shared.rules, asked.position, asked.moves)?;
    Ok(Json(Listing::new(&game)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnalysisAsked {
    position: Option<String>,
    moves: Option<String>,
    weights: Option<String>,
    player: Option<String>,
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<f64>,
    plies: Option<usize>,
}

pub(super) async fn analyse(
    State(shared): Server,
    Asked(asked): Asked<AnalysisAsked>,
) -> Result<Json<Analysis>, Failure> {
    let effort = effort_of(&asked)?;
    let name = asked.weights.as_deref().unwrap_or(DEFAULT_WEIGHTS);
    let file = named_weights(&shared, name).await?;
    let game = game_of(&shared.rules, asked.position, asked.moves)?;
    let effort = Effort {
        plies: asked.plies.unwrap_or(game.played().len()),
        ..effort
    };
    let think = move |stop: &_| thinker::analyse(&game, &file, effort, stop);
    shared.thinker.ask(think).await.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CurveAsked {
    position: Option<String>,
    moves: Option<String>,
    weights: Option<String>,
    depth: Option<u32>,
}

pub(super) async fn curve(
    State(shared): Server,
    Asked(asked): Asked<CurveAsked>,
) -> Result<Json<Value>, Failure> {
    let depth = asked.depth.unwrap_or(USUAL_CURVE);
    if depth > DEEPEST_CURVE {
        let message = format!("depth {depth}: must be from 0 to {DEEPEST_CURVE}");
        return Err(Failure::bad(message));
    }
    let name = asked.weights.as_deref().unwrap_or(DEFAULT_WEIGHTS);
    let file = named_weights(&shared, name).await?;
    let game = game_of(&shared.rules, asked.position, asked.moves)?;
    let weights = file.name.clone();
    let think = move |stop: &_| thinker::curve(&game, &file, depth, stop);
    let values = shared.thinker.ask(think).await?;
    Ok(Json(
        json!({ "weights": weights, "depth": depth, "values": values }),
    ))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SgfAsked {
    position: Option<String>,
    moves: Option<String>,
    #[serde(default)]
    black: String,
    #[serde(default)]
    white: String,
}

pub(super) async fn write_sgf(
    State(shared): Server,
    Asked(asked): Asked<SgfAsked>,
) -> Result<Response, Failure> {
    let game = game_of(&shared.rules, asked.position, asked.moves)?;
    let text = notation::write_sgf(&SgfGame {
        players: [asked.black, asked.white],
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

pub(super) async fn read_sgf(
    State(shared): Server,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Value>, Failure> {
    let text = text_of(body)?;
    let games = notation::parse_sgf(&text, &shared.rules)
        .map_err(|error| Failure::bad(error.to_string()))?;
    let games: Vec<Value> = games.iter().map(told).collect();
    Ok(Json(json!({ "games": games })))
}

fn told(sgf: &SgfGame) -> Value {
    json!({
        "players": sgf.players,
        "first": position_text(sgf.game.first_board()),
        "moves": move_names(sgf.game.played()),
        "result": sgf.result,
        "comment": sgf.comment,
        "resigned": sgf.resigned.map(|side| side.to_string()),
    })
}

/// The game that a position and moves from there make.
fn game_of(
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

fn effort_of(asked: &AnalysisAsked) -> Result<Effort, Failure> {
    let player = match &asked.player {
        Some(name) => name
            .parse()
            .map_err(|error: crate::search::UnknownAlgorithm| {
                Failure::bad(sentence(&error.to_string()))
            })?,
        None => Algorithm::Mtdf,
    };
    if let Some(depth) = asked.depth
        && !(1..=MAX_DEPTH).contains(&depth)
    {
        let message = format!("depth {depth}: must be from 1 to {MAX_DEPTH}");
        return Err(Failure::bad(message));
    }
    if asked.nodes == Some(0) {
        return Err(Failure::bad("nodes 0: must be at least 1"));
    }
    let longest = LONGEST.as_secs_f64();
    let time = match asked.time {
        Some(time) if time > 0.0 && time <= longest => Duration::from_secs_f64(time),
        Some(time) => {
            let message = format!("time {time}: must be more than 0 and at most {longest} seconds");
            return Err(Failure::bad(message));
        }
        None => LONGEST,
    };
    let is_open = asked.depth.is_none() && asked.nodes.is_none() && asked.time.is_none();
    Ok(Effort {
        player,
        limits: Limits {
            depth: asked.depth.or(is_open.then_some(USUAL_DEPTH)),
            nodes: asked.nodes,
        },
        time,
        plies: 0,
    })
}
