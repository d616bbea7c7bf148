//! Beginning and ending a session of the page. The access policy has checked
//! the token, or the session that ends, before these handlers run.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::app_state::AppState;
use super::reply::Failure;
use super::sessions::{MAX_AGE, NewSession};
use super::token::TokenError;
use crate::api::{LoginView, LogoutView};

/// Exchanges the token for a session.
///
/// `session` does what the token does, in the header `Authorization: Bearer
/// SESSION`, until it ends: after `seconds`, after a day without use, by
/// `/api/logout`, and when the program ends. The cookie that is set beside it
/// lets a browser load the pages, and nothing else.
#[utoipa::path(
    post,
    path = "/api/login",
    operation_id = "login",
    tag = "control",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The session", body = LoginView),
        (status = 401, response = Failure),
        (status = 403, response = Failure),
    ),
)]
pub(super) async fn login(State(app): State<Arc<AppState>>) -> Result<Response, Failure> {
    let (session, cookie) = begin_session(&app)?;
    let answer = Json(LoginView {
        session: session.secret.reveal().to_owned(),
        seconds: MAX_AGE.as_secs(),
    });
    Ok(([(header::SET_COOKIE, cookie)], answer).into_response())
}

/// Ends the session that the request carries; with the token, all sessions.
#[utoipa::path(
    post,
    path = "/api/logout",
    operation_id = "logout",
    tag = "control",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The sessions have ended", body = LogoutView),
        (status = 401, response = Failure),
        (status = 403, response = Failure),
    ),
)]
pub(super) async fn logout(State(app): State<Arc<AppState>>, headers: HeaderMap) -> Response {
    let answer = Json(LogoutView {
        ended: app.access.end_sessions(&headers),
    });
    let cookie = cookie(&app.access.cookie_name(), "", 0);
    match HeaderValue::from_str(&cookie) {
        Ok(cookie) => ([(header::SET_COOKIE, cookie)], answer).into_response(),
        Err(_) => answer.into_response(),
    }
}

/// A new session, and the value of `Set-Cookie` that belongs to it.
pub(super) fn begin_session(app: &AppState) -> Result<(NewSession, HeaderValue), Failure> {
    let failed = |error: TokenError| {
        log::error!("the page: {error}");
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    };
    let session = app.access.begin_session().map_err(failed)?;
    let text = cookie(
        &app.access.cookie_name(),
        session.cookie.reveal(),
        MAX_AGE.as_secs(),
    );
    let value = HeaderValue::from_str(&text)
        .map_err(|error| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok((session, value))
}

fn cookie(name: &str, value: &str, seconds: u64) -> String {
    format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict")
}
