//! Answers that all open pages ask for alike, and at the same moments: each is
//! read and rendered once for every look of the feed, and shared.
//!
//! An answer is never older than the newest look that a page was told of, so
//! what a page asks for because of an event has that event in it. While nobody
//! listens, every question reads the population.

use axum::body::Bytes;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::Mutex;

use super::app_state::AppState;
use super::reply::Failure;
use crate::api::{Source, SourceError};

/// An answer that is shared.
#[derive(Clone, Copy)]
pub(super) enum Shared {
    Status,
    Fleet,
    Living,
    Speed,
    History,
}

/// How many kinds of answers are shared.
const KINDS: usize = 5;

/// The newest answer of each kind.
#[derive(Default)]
pub(super) struct SharedAnswers([Mutex<Option<Rendered>>; KINDS]);

/// An answer as JSON.
struct Rendered {
    /// The look of the feed after which it was read.
    look: u64,
    json: Bytes,
}

impl AppState {
    /// The answer to a question, read since the feed's last look.
    pub(super) async fn shared<T: Serialize>(
        &self,
        which: Shared,
        question: impl Fn(&dyn Source) -> Result<T, SourceError> + Send + 'static,
    ) -> Result<Response, Failure> {
        let ask = move |source: &dyn Source| {
            let answer = question(source)?;
            let json = serde_json::to_vec(&answer);
            json.map_err(|error| SourceError::Failed(error.to_string()))
        };
        let Some(look) = self.feed.look_number() else {
            return Ok(json(self.ask(ask).await?.into()));
        };
        // Those who ask at the same time wait for the first of them.
        let mut newest = self.shared_answers.0[which as usize].lock().await;
        if let Some(known) = &*newest
            && known.look >= look
        {
            return Ok(json(known.json.clone()));
        }
        let found = Bytes::from(self.ask(ask).await?);
        *newest = Some(Rendered {
            look,
            json: found.clone(),
        });
        Ok(json(found))
    }
}

fn json(body: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}
