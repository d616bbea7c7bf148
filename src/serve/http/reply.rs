//! Answers and refusals in their form: JSON, with the reason as a sentence.

use axum::Json;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::api::SourceError;
use crate::util::text::{excerpt, sentence};

/// A request that gets no answer, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) status: StatusCode,
    pub(super) message: String,
}

impl Failure {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Failure {
        Failure {
            status,
            message: message.into(),
        }
    }

    /// The request says what is not allowed.
    pub(super) fn bad(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, message)
    }

    /// There is no such thing.
    pub(super) fn missing(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, message)
    }

    /// Not now.
    pub(super) fn busy(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }
}

impl From<SourceError> for Failure {
    fn from(problem: SourceError) -> Failure {
        match problem {
            SourceError::Refused(why) => Failure::new(StatusCode::CONFLICT, why),
            SourceError::Failed(why) => {
                log::error!("the page: {why}");
                Failure::new(StatusCode::INTERNAL_SERVER_ERROR, why)
            }
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(json!({ "error": self.message }))).into_response();
        let headers = response.headers_mut();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer realm=\"loatune\"");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

/// What stands behind the question mark of the address.
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Failure> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Asked(asked)),
            Err(rejection) => Err(Failure::bad(sentence(&rejection.body_text()))),
        }
    }
}

/// The part of the address that a route leaves open.
pub(super) struct Named(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Named, Failure> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(Named(name)),
            Err(_) => {
                let path = excerpt(parts.uri.path());
                Err(Failure::bad(format!("{path} is not UTF-8 text")))
            }
        }
    }
}

/// A number in a path.
pub(super) fn number(what: &str, text: &str) -> Result<u64, Failure> {
    let digits_only = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits_only).ok_or_else(|| {
        let text = excerpt(text);
        Failure::bad(format!("{what} {text:?}: must be a whole number from 0"))
    })
}
