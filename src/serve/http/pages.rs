//! What a browser loads: pages, styles and scripts, all compiled into the
//! program.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::app_state::AppState;
use super::login::begin_session;
use super::reply::{Failure, PathParam};
use crate::util::text::excerpt;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";

/// A file's name, its media type and its content.
type Asset = (&'static str, &'static str, &'static str);

macro_rules! asset {
    ($name:literal, $kind:expr) => {
        ($name, $kind, include_str!(concat!("assets/", $name)))
    };
}

const ASSETS: [Asset; 46] = [
    asset!("style.css", STYLE),
    asset!("board.css", STYLE),
    asset!("plot.css", STYLE),
    asset!("uplot.min.css", STYLE),
    asset!("icon.svg", PICTURE),
    asset!("uplot.min.js", SCRIPT),
    asset!("theme.js", SCRIPT),
    asset!("page.js", SCRIPT),
    asset!("ask.js", SCRIPT),
    asset!("session.js", SCRIPT),
    asset!("login.js", SCRIPT),
    asset!("dom.js", SCRIPT),
    asset!("address.js", SCRIPT),
    asset!("live.js", SCRIPT),
    asset!("event_stream.js", SCRIPT),
    asset!("position.js", SCRIPT),
    asset!("board.js", SCRIPT),
    asset!("trace.js", SCRIPT),
    asset!("plot.js", SCRIPT),
    asset!("curve.js", SCRIPT),
    asset!("overview.js", SCRIPT),
    asset!("champion.js", SCRIPT),
    asset!("values.js", SCRIPT),
    asset!("charts.js", SCRIPT),
    asset!("coordinates.js", SCRIPT),
    asset!("calibration.js", SCRIPT),
    asset!("chances.js", SCRIPT),
    asset!("school.js", SCRIPT),
    asset!("scholars.js", SCRIPT),
    asset!("files.js", SCRIPT),
    asset!("fleet.js", SCRIPT),
    asset!("file.js", SCRIPT),
    asset!("matches.js", SCRIPT),
    asset!("match.js", SCRIPT),
    asset!("game_text.js", SCRIPT),
    asset!("compare.js", SCRIPT),
    asset!("parameters.js", SCRIPT),
    asset!("populations.js", SCRIPT),
    asset!("play.js", SCRIPT),
    asset!("play_clock.js", SCRIPT),
    asset!("play_lines.js", SCRIPT),
    asset!("play_seats.js", SCRIPT),
    asset!("play_setup.js", SCRIPT),
    asset!("play_exchange.js", SCRIPT),
    asset!("game.js", SCRIPT),
    ("uplot.LICENSE", TEXT, include_str!("assets/uplot.LICENSE")),
];

/// Where browsers look for an icon by themselves, as for an answer of the API that
/// is opened like a page.
const FAVICON: &str = "/favicon.ico";

/// What the page loads that asks for the token.
const OPEN_ASSETS: [&str; 5] = [
    "style.css",
    "icon.svg",
    "theme.js",
    "session.js",
    "login.js",
];

/// A page: the head that all pages share, and its own body.
macro_rules! page {
    ($name:literal) => {
        concat!(
            include_str!("assets/head.html"),
            include_str!(concat!("assets/", $name, ".html"))
        )
    };
}

const OVERVIEW: &str = page!("index");
const FILES: &str = page!("files");
const FILE: &str = page!("file");
const MATCHES: &str = page!("matches");
const MATCH: &str = page!("match");
const COMPARE: &str = page!("compare");
const PARAMETERS: &str = page!("parameters");
const POPULATIONS: &str = page!("populations");
const PLAY: &str = page!("play");
const WELCOME: &str = page!("welcome");
const LOCKED: &str = page!("locked");
const NOTHING: &str = page!("nothing");

/// The pages and what they load.
pub(super) fn routes() -> Router<Arc<AppState>> {
    Router::new()
        .route("/", get(overview))
        .route("/files", get(|| async { page(FILES) }))
        .route("/files/{id}", get(|| async { page(FILE) }))
        .route("/matches", get(|| async { page(MATCHES) }))
        .route("/matches/{id}", get(|| async { page(MATCH) }))
        .route("/compare", get(|| async { page(COMPARE) }))
        .route("/parameters", get(|| async { page(PARAMETERS) }))
        .route("/populations", get(|| async { page(POPULATIONS) }))
        .route("/play", get(|| async { page(PLAY) }))
        .route("/login", get(|| async { page(LOCKED) }))
        .route("/assets/{name}", get(asset))
        .route(FAVICON, get(|| async { named_asset("icon.svg") }))
}

/// Whether a path belongs to a page, which a link of another site may open.
pub(super) fn is_page(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next();
    let first = first.unwrap_or_default();
    [
        "",
        "files",
        "matches",
        "compare",
        "parameters",
        "populations",
        "play",
        "login",
    ]
    .contains(&first)
}

/// Whether a path belongs to what is compiled into the program: pages without
/// their content, styles and scripts.
pub(super) fn is_static(path: &str) -> bool {
    is_page(path) || path.starts_with("/assets/") || path == FAVICON
}

/// Whether a path belongs to the page that asks for the token.
pub(super) fn is_login(path: &str) -> bool {
    let asset = path.strip_prefix("/assets/");
    path == "/login" || path == FAVICON || asset.is_some_and(|name| OPEN_ASSETS.contains(&name))
}

/// The token in the address of the overview, where there is one.
pub(super) fn token_in(uri: &Uri) -> Option<&str> {
    let query = uri.query().filter(|_| uri.path() == "/")?;
    query
        .split('&')
        .find_map(|pair| pair.strip_prefix("token="))
}

/// The overview. With the right token in the address, a page that begins a
/// session and goes on to the overview, so that the token stays in no history.
async fn overview(State(app): State<Arc<AppState>>, request: Request) -> Result<Response, Failure> {
    let Some(token) = token_in(request.uri()) else {
        return Ok(page(OVERVIEW));
    };
    if !app.access.is_token(token) {
        return Ok(locked());
    }
    let (session, cookie) = begin_session(&app)?;
    let text = WELCOME.replace("{{SESSION}}", session.secret.reveal());
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(HTML)),
        (header::SET_COOKIE, cookie),
    ];
    Ok((headers, text).into_response())
}

/// The page for a browser without the token.
pub(super) fn locked() -> Response {
    (StatusCode::UNAUTHORIZED, page(LOCKED)).into_response()
}

/// The answer for a path that no route matches.
pub(super) async fn nothing_here(request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") {
        return Failure::missing(format!("there is nothing at {}", excerpt(path))).into_response();
    }
    (StatusCode::NOT_FOUND, page(NOTHING)).into_response()
}

async fn asset(PathParam(name): PathParam) -> Response {
    named_asset(&name)
}

fn named_asset(name: &str) -> Response {
    let found = ASSETS.iter().find(|(own, _, _)| *own == name);
    match found {
        Some((_, kind, text)) => ([(header::CONTENT_TYPE, *kind)], *text).into_response(),
        None => Failure::missing(format!("there is no asset {:?}", excerpt(name))).into_response(),
    }
}

fn page(text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, HTML)], text).into_response()
}
