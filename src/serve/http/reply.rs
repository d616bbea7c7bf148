//! Refusals as JSON with the reason as a sentence, and the extractors of query
//! and path whose rejections take that form.

use axum::Json;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use utoipa::ToResponse;
use utoipa::openapi::{Content, Ref, RefOr, ResponseBuilder};

use crate::api::{ErrorView, SourceError};
use crate::util::text::{excerpt, single_line};

/// A request that gets no answer: the status and the reason.
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

    /// The request has a value that is not allowed.
    pub(super) fn bad(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, message)
    }

    /// What the request names does not exist.
    pub(super) fn missing(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, message)
    }

    /// The server is busy; the client may try again.
    pub(super) fn busy(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }
}

impl From<SourceError> for Failure {
    fn from(problem: SourceError) -> Failure {
        match problem {
            SourceError::Refused(why) => Failure::new(StatusCode::CONFLICT, why),
            SourceError::Failed(why) | SourceError::Ended(why) => {
                log::error!("the page: {why}");
                Failure::new(StatusCode::INTERNAL_SERVER_ERROR, why)
            }
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = ErrorView {
            error: self.message,
        };
        let mut response = (self.status, Json(body)).into_response();
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

/// Its description, which every path refers to.
impl<'r> ToResponse<'r> for Failure {
    fn response() -> (&'r str, RefOr<utoipa::openapi::Response>) {
        let body = Content::new(Some(Ref::from_schema_name("Error")));
        let response = ResponseBuilder::new()
            .description("There is no answer; the body says why")
            .content("application/json", body);
        ("Refused", response.build().into())
    }
}

/// The query of the address.
pub(super) struct QueryParams<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<QueryParams<T>, Failure> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(query)) => Ok(QueryParams(query)),
            Err(rejection) => Err(Failure::bad(single_line(&rejection.body_text()))),
        }
    }
}

/// The one parameter in the path of the address.
pub(super) struct PathParam(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for PathParam {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PathParam, Failure> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(PathParam(name)),
            Err(_) => {
                let path = excerpt(parts.uri.path());
                Err(Failure::bad(format!("{path} is not UTF-8 text")))
            }
        }
    }
}

/// A number in a path; `what` names it in the refusal.
pub(super) fn number(what: &str, text: &str) -> Result<u64, Failure> {
    let digits_only = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits_only).ok_or_else(|| {
        let text = excerpt(text);
        Failure::bad(format!("{what} {text:?}: must be a whole number from 0"))
    })
}
