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
//! 4. beyond loopback every request needs the token, and a request that changes
//!    something needs it everywhere.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::app_state::AppState;
use super::origin::{host_of, is_own_origin};
use super::pages;
use super::reply::Failure;
use super::token::Token;
use crate::util::text::excerpt;

/// The path that is answered without a token: monitoring asks whether the
/// server lives.
const OPEN_TO_ALL: &str = "/healthz";

/// The address that is served, the names that lead to it and the token.
pub(super) struct AccessPolicy {
    address: SocketAddr,
    /// Names of this machine beside `localhost`.
    hosts: Vec<String>,
    /// Without a token no request can change anything.
    token: Option<Token>,
}

/// Where a request carries the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenSource {
    /// In the `Authorization` header, which no other site can set.
    Header,
    /// In the cookie, which a browser sends without being asked.
    Cookie,
    /// The request carries no token, or a wrong one.
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

    /// Whether the request carries the token.
    pub(super) fn is_authenticated(&self, headers: &HeaderMap) -> bool {
        self.token_source(headers) != TokenSource::Missing
    }

    /// The `Set-Cookie` value that admits a browser; `None` where `token` is not
    /// the token.
    pub(super) fn cookie(&self, token: &str) -> Option<String> {
        let own = self.token.as_ref()?;
        let name = self.cookie_name();
        own.is(token)
            .then(|| format!("{name}={token}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict"))
    }

    /// The port is part of the name, because cookies are shared by all ports of
    /// a host.
    fn cookie_name(&self) -> String {
        format!("loatune-{}", self.address.port())
    }

    fn token_source(&self, headers: &HeaderMap) -> TokenSource {
        let Some(token) = &self.token else {
            return TokenSource::Missing;
        };
        let bearer = text(headers, &header::AUTHORIZATION);
        if let Some((scheme, given)) = bearer.and_then(|text| text.split_once(' ')) {
            let is_right = scheme.eq_ignore_ascii_case("bearer") && token.is(given.trim());
            return if is_right {
                TokenSource::Header
            } else {
                TokenSource::Missing
            };
        }
        let name = self.cookie_name();
        let cookies = headers.get_all(header::COOKIE).into_iter();
        let mut pairs = cookies
            .filter_map(|cookies| cookies.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        if pairs.any(|(key, value)| key == name && token.is(value)) {
            return TokenSource::Cookie;
        }
        TokenSource::Missing
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
        let is = |name: &str| host.eq_ignore_ascii_case(name);
        is("localhost") || self.hosts.iter().any(|name| is(name))
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
            return refused(format!("Host {shown:?} is no name of this server"));
        };

        // Step 2: the origin.
        let origin = headers.get(header::ORIGIN).map(HeaderValue::as_bytes);
        if let Some(origin) = origin
            && !is_own_origin(origin, host)
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

        // Step 4: the token.
        let changes = path == "/api/stop" || path == "/api/import";
        let is_open = path == OPEN_TO_ALL || pages::token_in(request.uri()).is_some();
        if !changes && (self.is_local() || is_open) {
            return Ok(());
        }
        match self.token_source(headers) {
            TokenSource::Header => Ok(()),
            // A browser sends the cookie without being asked, so it must also
            // say that the server's own page made the request.
            TokenSource::Cookie if is_read || origin.is_some() || site == Some("same-origin") => {
                Ok(())
            }
            TokenSource::Cookie => refused("a cookie without an Origin changes nothing".to_owned()),
            TokenSource::Missing if self.token.is_none() => {
                refused("this server has no token, so nobody can change anything".to_owned())
            }
            TokenSource::Missing => Err(Failure::new(
                StatusCode::UNAUTHORIZED,
                "this needs the token that is in the population's directory: \
                 open /?token=TOKEN, or send the header Authorization: Bearer TOKEN",
            )),
        }
    }
}

/// Counts every request, and answers those that the policy allows.
pub(super) async fn check_access(
    State(app): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    app.counters.requests.fetch_add(1, Ordering::Relaxed);
    let failure = match app.access.check(&request) {
        Ok(()) => return next.run(request).await,
        Err(failure) => failure,
    };
    app.counters.refused.fetch_add(1, Ordering::Relaxed);
    let path = request.uri().path();
    log::warn!("{} {path}: {}", request.method(), failure.message);
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
