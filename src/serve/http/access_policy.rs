//! Which requests are answered.
//!
//! A browser fetches what any page that it shows asks for, so a request from
//! the user's own machine is not trusted for that. Hence, in this order:
//!
//! 1. the `Host` must be one of the server's names: a foreign name that
//!    resolves to this machine (DNS rebinding) is refused;
//! 2. an `Origin` must be the page's own, so that no other site's script or
//!    form gets an answer;
//! 3. a request that the browser marks as made by another site is refused,
//!    unless it is a link that opens a page;
//! 4. a request that changes something needs the token, or a session that was
//!    had for it. Every request needs it that does not come straight from this
//!    machine: where the server is bound beyond loopback, where the `Host` is a
//!    name that was set for the server, and through a proxy that says so. Pages
//!    and their files, which hold nothing about a population, are also given
//!    for a session's cookie.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::app_state::AppState;
use super::origin::{authority_of, host_of, is_own_origin};
use super::pages;
use super::reply::Failure;
use super::sessions::{NewSession, Sessions};
use super::token::{Token, TokenError};
use crate::util::text::excerpt;

/// The path that is answered without a token: monitoring asks whether the
/// server lives.
const OPEN_TO_ALL: &str = "/healthz";

/// The paths that need the token everywhere.
const CHANGES: [&str; 4] = ["/api/stop", "/api/import", "/api/login", "/api/logout"];

/// The path that begins a session: only the token itself does.
const LOGIN: &str = "/api/login";

/// The headers by which proxies say for whom they ask.
const PROXY_HEADERS: [&str; 4] = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host"];

/// The address that is served, the names that lead to it, the token and the
/// sessions.
pub(super) struct AccessPolicy {
    address: SocketAddr,
    /// Names of the server beside `localhost`.
    hosts: Vec<String>,
    /// Without a token no request can change anything.
    token: Option<Token>,
    sessions: Sessions,
}

/// What the `Authorization` header of a request holds. A browser never sends it
/// by itself, and no other site can set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Credential {
    Token,
    Session,
    /// Nothing, or nothing that is known.
    Missing,
}

impl AccessPolicy {
    pub(super) fn new(
        address: SocketAddr,
        hosts: Vec<String>,
        token: Option<Token>,
    ) -> AccessPolicy {
        AccessPolicy {
            address,
            hosts,
            token,
            sessions: Sessions::default(),
        }
    }

    /// Whether only this machine can reach the server.
    pub(super) fn is_local(&self) -> bool {
        self.address.ip().is_loopback()
    }

    /// Whether there is a token at all.
    pub(super) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Whether `text` is the token.
    pub(super) fn is_token(&self, text: &str) -> bool {
        self.token.as_ref().is_some_and(|token| token.is(text))
    }

    /// Whether the request carries the token or a session.
    pub(super) fn is_authenticated(&self, headers: &HeaderMap) -> bool {
        self.credential(headers) != Credential::Missing
    }

    /// Begins a session, for a client that has shown the token.
    pub(super) fn begin_session(&self) -> Result<NewSession, TokenError> {
        self.sessions.begin(Instant::now())
    }

    /// Ends the session that a request carries; with the token, all of them.
    /// Returns how many have ended.
    pub(super) fn end_sessions(&self, headers: &HeaderMap) -> usize {
        let now = Instant::now();
        match self.credential(headers) {
            Credential::Token => self.sessions.end_all(now),
            Credential::Session => self.sessions.end(bearer(headers).unwrap_or_default(), now),
            Credential::Missing => 0,
        }
    }

    /// The name of a session's cookie. The port is part of it, because all
    /// servers of a host share its cookies.
    pub(super) fn cookie_name(&self) -> String {
        format!("loatune-{}", self.address.port())
    }

    fn credential(&self, headers: &HeaderMap) -> Credential {
        match bearer(headers) {
            Some(given) if self.is_token(given) => Credential::Token,
            Some(given) if self.sessions.has_secret(given, Instant::now()) => Credential::Session,
            _ => Credential::Missing,
        }
    }

    /// Whether a request carries the cookie of a session.
    fn has_session_cookie(&self, headers: &HeaderMap) -> bool {
        let (name, now) = (self.cookie_name(), Instant::now());
        let cookies = headers.get_all(header::COOKIE).into_iter();
        let mut pairs = cookies
            .filter_map(|cookies| cookies.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(key, value)| key == name && self.sessions.has_cookie(value, now))
    }

    /// Whether a host is one of the names that were set for the server.
    fn is_set_host(&self, authority: &str) -> bool {
        let host = host_of(authority);
        self.hosts
            .iter()
            .any(|name| host.eq_ignore_ascii_case(name))
    }

    /// Whether an origin is a page of the server: that of the request's own
    /// `Host`, or of a name that was set for the server. A proxy may pass on
    /// another `Host` than the browser's, or leave its port out.
    fn is_own_origin(&self, origin: &[u8], host: &str) -> bool {
        is_own_origin(origin, host)
            || authority_of(origin).is_some_and(|authority| self.is_set_host(authority))
    }

    /// Whether a request comes straight from this machine, as far as can be
    /// told.
    fn is_from_here(&self, headers: &HeaderMap, host: &str) -> bool {
        let is_forwarded = PROXY_HEADERS.iter().any(|name| headers.contains_key(*name));
        self.is_local() && !is_forwarded && !self.is_set_host(host)
    }

    /// Step 1. The port is not compared, because a tunnel changes it.
    fn is_own_host(&self, authority: &str) -> bool {
        let host = host_of(authority);
        let inner = host
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        let bare = inner.unwrap_or(host);
        if let Ok(address) = bare.parse::<IpAddr>() {
            // A number cannot be rebound by a name server.
            return !self.is_local() || address.is_loopback();
        }
        host.eq_ignore_ascii_case("localhost") || self.is_set_host(host)
    }

    /// Checks a request against all four steps.
    fn check(&self, request: &Request) -> Result<(), Failure> {
        let headers = request.headers();
        let path = request.uri().path();
        let refused = |why: String| Err(Failure::new(StatusCode::FORBIDDEN, why));

        // Step 1: the host.
        let hosts = headers.get_all(header::HOST).iter().count();
        let host = text(headers, &header::HOST).filter(|_| hosts == 1);
        let Some(host) = host.filter(|host| self.is_own_host(host)) else {
            let shown = excerpt(host.unwrap_or("none"));
            return refused(format!(
                "Host {shown:?} is no name of this server; --http-host NAME adds one"
            ));
        };

        // Step 2: the origin.
        let origin = headers.get(header::ORIGIN).map(HeaderValue::as_bytes);
        if let Some(origin) = origin
            && !self.is_own_origin(origin, host)
        {
            let origin = excerpt(&String::from_utf8_lossy(origin));
            return refused(format!("Origin {origin:?} is not this page"));
        }

        // Step 3: fetch metadata.
        let fetched = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let site = fetched("sec-fetch-site");
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        if matches!(site, Some("cross-site" | "same-site")) {
            let opens_page = is_read
                && fetched("sec-fetch-mode") == Some("navigate")
                && fetched("sec-fetch-dest") == Some("document")
                && pages::is_page(path);
            if !opens_page {
                return refused("asked for by another site".to_owned());
            }
        }

        // Step 4: the token, or a session.
        let changes = CHANGES.contains(&path);
        let is_open = path == OPEN_TO_ALL
            || pages::is_login(path)
            || pages::token_in(request.uri()).is_some();
        if !changes && (is_open || self.is_from_here(headers, host)) {
            return Ok(());
        }
        match self.credential(headers) {
            Credential::Token => return Ok(()),
            Credential::Session if path != LOGIN => return Ok(()),
            _ => {}
        }
        if is_read && !changes && pages::is_static(path) && self.has_session_cookie(headers) {
            return Ok(());
        }
        if self.token.is_none() {
            return refused("this server has no token, so nobody can change anything".to_owned());
        }
        Err(Failure::new(
            StatusCode::UNAUTHORIZED,
            "this needs the token that is in the population's directory: \
             open /?token=TOKEN, or send the header Authorization: Bearer TOKEN",
        ))
    }
}

/// The text after `Bearer` in the `Authorization` header.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, given) = text(headers, &header::AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| given.trim())
}

/// Counts every request, and answers those that the policy allows.
pub(super) async fn check_access(
    State(app): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    app.counters.requests.fetch_add(1, Ordering::Relaxed);
    let failure = match app.access.check(&request) {
        Ok(()) => {
            app.viewers.note(request.headers());
            return next.run(request).await;
        }
        Err(failure) => failure,
    };
    app.counters.refused.fetch_add(1, Ordering::Relaxed);
    let path = request.uri().path();
    let method = request.method();
    app.refusals.warn(format_args!(
        "{method} {}: {}",
        excerpt(path),
        failure.message
    ));
    if pages::is_page(path) && failure.status == StatusCode::UNAUTHORIZED {
        pages::locked().into_response()
    } else {
        failure.into_response()
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn policy(address: &str) -> AccessPolicy {
        AccessPolicy::new(address.parse().unwrap(), vec!["box.lan".to_owned()], None)
    }

    #[test]
    fn loopback_answers_to_its_own_names_only() {
        let local = policy("127.0.0.1:8420");
        for own in [
            "127.0.0.1:8420",
            "127.0.0.1",
            "localhost:9000",
            "LOCALHOST",
            "[::1]:8420",
            "box.lan:8420",
        ] {
            assert!(local.is_own_host(own), "{own}");
        }
        for foreign in [
            "",
            "example.com",
            "localhost.example.com",
            "127.0.0.1.example.com:8420",
            "192.168.1.5:8420",
            "localhost:80:90",
            "[::1",
            "user@localhost",
        ] {
            assert!(!local.is_own_host(foreign), "{foreign}");
        }
    }

    #[test]
    fn beyond_loopback_every_number_is_a_name_of_the_server() {
        let open = policy("0.0.0.0:8420");
        assert!(open.is_own_host("192.168.1.5:8420"));
        assert!(open.is_own_host("[fe80::1]:8420"));
        assert!(!open.is_own_host("example.com:8420"));
    }
}
