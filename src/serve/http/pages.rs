//! What a browser loads: pages, styles and scripts, all compiled into the
//! program.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::app_state::AppState;
use super::reply::{Failure, PathParam};
use crate::util::text::excerpt;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// A file's name, its media type and its content.
type Asset = (&'static str, &'static str, &'static str);

macro_rules! asset {
    ($name:literal, $kind:expr) => {
        ($name, $kind, include_str!(concat!("assets/", $name)))
    };
}

const ASSETS: [Asset; 18] = [
    asset!("style.css", STYLE),
    asset!("board.css", STYLE),
    asset!("icon.svg", PICTURE),
    asset!("theme.js", SCRIPT),
    asset!("page.js", SCRIPT),
    asset!("ask.js", SCRIPT),
    asset!("dom.js", SCRIPT),
    asset!("live.js", SCRIPT),
    asset!("position.js", SCRIPT),
    asset!("board.js", SCRIPT),
    asset!("trace.js", SCRIPT),
    asset!("curve.js", SCRIPT),
    asset!("overview.js", SCRIPT),
    asset!("lists.js", SCRIPT),
    asset!("file.js", SCRIPT),
    asset!("match.js", SCRIPT),
    asset!("play.js", SCRIPT),
    asset!("game.js", SCRIPT),
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
        .route("/play", get(|| async { page(PLAY) }))
        .route("/assets/{name}", get(asset))
}

/// Whether a path belongs to a page, which a link of another site may open.
pub(super) fn is_page(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next();
    matches!(first, Some("" | "files" | "matches" | "play"))
}

/// The token in the address of the overview, where there is one.
pub(super) fn token_in(uri: &Uri) -> Option<&str> {
    let query = uri.query().filter(|_| uri.path() == "/")?;
    query
        .split('&')
        .find_map(|pair| pair.strip_prefix("token="))
}

/// The overview. With the right token in the address, a page that sets the
/// cookie and goes on to the overview, so that the token stays in no history.
async fn overview(State(app): State<Arc<AppState>>, request: Request) -> Response {
    let Some(token) = token_in(request.uri()) else {
        return page(OVERVIEW);
    };
    let Some(cookie) = app.access.cookie(token) else {
        return locked();
    };
    let mut response = page(WELCOME);
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
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
    let found = ASSETS.iter().find(|(own, _, _)| *own == name);
    match found {
        Some((_, kind, text)) => ([(header::CONTENT_TYPE, *kind)], *text).into_response(),
        None => Failure::missing(format!("there is no asset {:?}", excerpt(&name))).into_response(),
    }
}

fn page(text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, HTML)], text).into_response()
}
