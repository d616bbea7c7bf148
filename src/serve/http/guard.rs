//! Who may come in.
//!
//! A browser is asked by every page that it shows to fetch things, so being
//! on the user's own machine is no proof of anything. Hence, in this order:
//!
//! 1. the `Host` must be one of ours: a foreign name that leads here (DNS
//!    rebinding) is refused;
//! 2. an `Origin` must be the page's own: no other site's script or form;
//! 3. what the browser says was asked for by another site is refused, but for
//!    a link that opens a page;
//! 4. beyond loopback everything needs the token, and what changes something
//!    needs it everywhere.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::pages;
use super::reply::Failure;
use super::shared::Shared;
use super::token::Token;
use crate::util::text::excerpt;

/// What pages may load: their own files and nothing else.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Monitoring may ask whether the server lives.
const OPEN_TO_ALL: &str = "/healthz";

/// The address, the names that lead to it and the key.
pub(super) struct Door {
    address: SocketAddr,
    /// Further names that users may have for this machine.
    hosts: Vec<String>,
    token: Option<Token>,
}

/// How a request showed the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// In the header that only a program or the page itself can set.
    Header,
    /// In the cookie that a browser sends by itself.
    Cookie,
    /// Not at all, or a wrong one.
    Nothing,
}

impl Door {
    pub(super) fn new(address: SocketAddr, hosts: Vec<String>, token: Option<Token>) -> Door {
        Door {
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

    /// Whether the request shows the token.
    pub(super) fn knows(&self, headers: &HeaderMap) -> bool {
        self.shown(headers) != Shown::Nothing
    }

    /// The cookie that lets a browser in, if `token` is the token.
    pub(super) fn cookie(&self, token: &str) -> Option<String> {
        let own = self.token.as_ref()?;
        let name = self.cookie_name();
        own.is(token)
            .then(|| format!("{name}={token}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict"))
    }

    /// Cookies do not tell ports apart, so the name does.
    fn cookie_name(&self) -> String {
        format!("loatune-{}", self.address.port())
    }

    fn shown(&self, headers: &HeaderMap) -> Shown {
        let Some(token) = &self.token else {
            return Shown::Nothing;
        };
        let bearer = text(headers, &header::AUTHORIZATION);
        if let Some((scheme, given)) = bearer.and_then(|text| text.split_once(' ')) {
            let is_right = scheme.eq_ignore_ascii_case("bearer") && token.is(given.trim());
            return if is_right {
                Shown::Header
            } else {
                Shown::Nothing
            };
        }
        let name = self.cookie_name();
        let cookies = headers.get_all(header::COOKIE).into_iter();
        let mut pairs = cookies
            .filter_map(|cookies| cookies.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        if pairs.any(|(key, value)| key == name && token.is(value)) {
            return Shown::Cookie;
        }
        Shown::Nothing
    }

    /// Step 1. The port is not compared: it differs behind a tunnel.
    fn is_own_host(&self, authority: &str) -> bool {
        let host = host_of(authority);
        let inner = host
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        let bare = inner.unwrap_or(host);
        if let Ok(address) = bare.parse::<IpAddr>() {
            // No name, so nobody can make another name of it.
            return !self.is_local() || address.is_loopback();
        }
        let is = |name: &str| host.eq_ignore_ascii_case(name);
        is("localhost") || self.hosts.iter().any(|name| is(name))
    }

    /// All steps.
    fn check(&self, request: &Request) -> Result<(), Failure> {
        let headers = request.headers();
        let path = request.uri().path();
        let refused = |why: String| Err(Failure::new(StatusCode::FORBIDDEN, why));

        let hosts = headers.get_all(header::HOST).iter().count();
        let host = text(headers, &header::HOST).filter(|_| hosts == 1);
        let Some(host) = host.filter(|host| self.is_own_host(host)) else {
            let shown = host.unwrap_or("none");
            let shown = excerpt(shown);
            return refused(format!("Host {shown:?} is no name of this server"));
        };

        let origin = headers.get(header::ORIGIN).map(HeaderValue::as_bytes);
        if let Some(origin) = origin
            && !is_origin(origin, host)
        {
            let origin = excerpt(&String::from_utf8_lossy(origin));
            return refused(format!("Origin {origin:?} is not this page"));
        }

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

        let changes = path == "/api/stop" || path == "/api/import";
        let is_open = path == OPEN_TO_ALL || pages::token_in(request.uri()).is_some();
        if !changes && (self.is_local() || is_open) {
            return Ok(());
        }
        match self.shown(headers) {
            Shown::Header => Ok(()),
            // A browser sends the cookie by itself, so it must also say that
            // our own page asked.
            Shown::Cookie if is_read || origin.is_some() || site == Some("same-origin") => Ok(()),
            Shown::Cookie => refused("a cookie without an Origin changes nothing".to_owned()),
            Shown::Nothing if self.token.is_none() => {
                refused("this server has no token, so nobody can change anything".to_owned())
            }
            Shown::Nothing => Err(Failure::new(
                StatusCode::UNAUTHORIZED,
                "this needs the token that is in the population's directory: \
                 open /?token=TOKEN, or send the header Authorization: Bearer TOKEN",
            )),
        }
    }
}

/// Checks every request, and gives every answer the headers that keep a
/// browser from doing what nobody meant.
pub(super) async fn guard(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    shared.counters.requests.fetch_add(1, Ordering::Relaxed);
    let is_page = pages::is_page(request.uri().path());
    let mut response = match shared.door.check(&request) {
        Ok(()) => next.run(request).await,
        Err(failure) => {
            shared.counters.refused.fetch_add(1, Ordering::Relaxed);
            log::warn!(
                "{} {}: {}",
                request.method(),
                request.uri().path(),
                failure.message
            );
            if is_page && failure.status == StatusCode::UNAUTHORIZED {
                pages::locked().into_response()
            } else {
                failure.into_response()
            }
        }
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    for (name, value) in [
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        (
            "permissions-policy",
            "camera=(), microphone=(), geolocation=()",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The name or number of an authority, without its port.
fn host_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
            // The colons of a bare IPv6 number are no port.
            if host.contains(':') && !host.ends_with(']') {
                authority
            } else {
                host
            }
        }
        _ => authority,
    }
}

fn is_origin(origin: &[u8], host: &str) -> bool {
    let Ok(origin) = std::str::from_utf8(origin) else {
        return false;
    };
    let authority = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn door(address: &str) -> Door {
        Door::new(address.parse().unwrap(), vec!["box.lan".to_owned()], None)
    }

    #[test]
    fn hosts() {
        let local = door("127.0.0.1:8420");
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
        let open = door("0.0.0.0:8420");
        assert!(open.is_own_host("192.168.1.5:8420"));
        assert!(open.is_own_host("[fe80::1]:8420"));
        assert!(!open.is_own_host("example.com:8420"));
    }

    #[test]
    fn origins() {
        assert!(is_origin(b"http://localhost:8420", "localhost:8420"));
        assert!(is_origin(b"https://localhost:8420", "localhost:8420"));
        for foreign in [
            "null",
            "",
            "http://localhost",
            "http://localhost:8421",
            "http://example.com",
            "ftp://localhost:8420",
            "http://localhost:8420.example.com",
        ] {
            assert!(
                !is_origin(foreign.as_bytes(), "localhost:8420"),
                "{foreign}"
            );
        }
    }
}
