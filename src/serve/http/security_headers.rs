//! The response headers that restrict what a browser does with an answer.
//!
//! They are set on every answer, refusals included. An answer that sets its own
//! content policy or caching keeps it.

use axum::http::{HeaderValue, header};
use axum::response::Response;

/// Pages may load their own files and nothing else. Pictures that a script has
/// fetched with its session are shown from memory (`blob:`).
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Adds the headers to an answer.
pub(super) async fn add_security_headers(mut response: Response) -> Response {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_own_content_policy_is_kept() {
        let mut own = Response::default();
        let policy = HeaderValue::from_static("default-src 'none'");
        own.headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, policy.clone());
        let answer = add_security_headers(own).await;
        assert_eq!(answer.headers()[header::CONTENT_SECURITY_POLICY], policy);
        assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store");

        let answer = add_security_headers(Response::default()).await;
        assert_eq!(
            answer.headers()[header::CONTENT_SECURITY_POLICY],
            CONTENT_POLICY
        );
    }
}
