//! Events as they happen, as server-sent events.
//!
//! A few times a second each client gets what is new: a message `events`, whose
//! id is the number of its last event, and a message `status` where the status
//! has changed. A client that falls behind is told how many events were left
//! out instead of being sent all of them, so a thousand events a second cost no
//! more than ten. When the server ends, every client gets the last status and
//! `bye`.
//!
//! What is new comes from the feed, rendered once for all clients. A stream asks
//! the population for itself where it begins, where it has missed a look, and
//! for its last status.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::watch;

use super::app_state::{AppState, RenderedStatus, StreamSlot};
use super::event_messages as messages;
use super::feed::{Look, new_events};
use super::reply::{Failure, QueryParams};
use crate::api::{EventsView, Source};

/// Events of the past that a new client gets.
const FIRST_EVENTS: usize = 30;

/// The most streams that are open at a time.
const MAX_STREAMS: usize = 32;

/// The longest life of a stream; a browser then connects anew by itself.
const MAX_STREAM_AGE: Duration = Duration::from_secs(3600);

/// The time between two comments that keep an idle connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The time after which a browser connects anew.
const RETRY: Duration = Duration::from_secs(1);

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct EventsQuery {
    /// The last event that the client knows, where it cannot send
    /// `Last-Event-ID`.
    after: Option<u64>,
}

/// What happens, as server-sent events.
///
/// The messages are `events` (data: Events, id: the last number) and `status`
/// (data: Status); `problem` (data: a sentence) where the population could not
/// be read, and `bye` when the server ends. The stream resumes after
/// `Last-Event-ID`, or `after`.
#[utoipa::path(
    get,
    path = "/api/events",
    operation_id = "streamEvents",
    tag = "population",
    params(
        EventsQuery,
        (
            "Last-Event-ID" = Option<u64>,
            Header,
            nullable = false,
            description = "The last event that the client knows; browsers send it when they connect anew.",
        ),
    ),
    responses(
        (status = 200, description = "The answer", body = String, content_type = "text/event-stream"),
        (status = 400, response = Failure),
        (status = 503, response = Failure),
    ),
)]
pub(super) async fn events(
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    QueryParams(query): QueryParams<EventsQuery>,
) -> Result<Response, Failure> {
    let slot = StreamSlot::take(&app, MAX_STREAMS)
        .ok_or_else(|| Failure::busy(format!("{MAX_STREAMS} browsers listen already")))?;
    let given = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok()?.trim().parse().ok());
    let state = EventStream {
        last: given.or(query.after),
        closing: app.closing.clone(),
        looks: app.feed.join(),
        app,
        _slot: slot,
        begun: Instant::now(),
        is_new: true,
        ready: VecDeque::new(),
        sent_status: None,
        is_ending: false,
    };
    let stream = stream::unfold(state, |mut state| async {
        let message = state.next().await?;
        Some((Ok::<_, Infallible>(message), state))
    });
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Ok((headers, Body::from_stream(stream)).into_response())
}

/// One open stream.
struct EventStream {
    app: Arc<AppState>,
    closing: watch::Receiver<bool>,
    looks: watch::Receiver<Arc<Look>>,
    _slot: StreamSlot,
    begun: Instant,
    /// Whether nothing has been sent yet.
    is_new: bool,
    /// The last event that the client knows.
    last: Option<u64>,
    /// Messages that wait to be sent; none is empty, which would end the body.
    ready: VecDeque<Bytes>,
    /// The version of the last status that was sent.
    sent_status: Option<u64>,
    /// Whether `bye` is among the messages.
    is_ending: bool,
}

impl EventStream {
    /// The next message; `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return Some(message);
            }
            if self.is_ending || self.begun.elapsed() > MAX_STREAM_AGE {
                return None;
            }
            if *self.closing.borrow() {
                self.end().await;
                continue;
            }
            if self.is_new {
                self.is_new = false;
                self.push(messages::retry(RETRY));
                if let Err(failure) = self.begin().await {
                    self.push(messages::problem(&failure.message));
                }
                continue;
            }
            tokio::select! {
                changed = self.looks.changed() => changed.ok()?,
                () = tokio::time::sleep(KEEP_ALIVE) => return Some(messages::COMMENT),
                _ = self.closing.wait_for(|closing| *closing) => continue,
            }
            let look = self.looks.borrow_and_update().clone();
            if let Err(failure) = self.take(&look).await {
                self.push(messages::problem(&failure.message));
            }
        }
    }

    fn push(&mut self, message: Bytes) {
        if !message.is_empty() {
            self.ready.push_back(message);
        }
    }

    /// Queues what a new client gets.
    async fn begin(&mut self) -> Result<(), Failure> {
        let last = self.last;
        let found = self.app.ask(move |source| {
            // A client may know another population that was served here before.
            let newest = source.events(None, 1)?;
            let newest = newest.last().map(|event| event.number);
            let known = last.filter(|&last| newest.is_some_and(|newest| last <= newest));
            if known.is_some() {
                return Ok((known, new_events(source, known)?));
            }
            let events = source.events(None, FIRST_EVENTS)?;
            Ok((known, EventsView { events, skipped: 0 }))
        });
        let (known, view) = found.await?;
        self.last = view.events.last().map(|event| event.number).or(known);
        self.push(messages::events(&view));
        let status = self.app.status().await?;
        self.push_status(&status);
        Ok(())
    }

    /// Queues what a look of the feed has found.
    async fn take(&mut self, look: &Look) -> Result<(), Failure> {
        self.push(look.problem.clone());
        if look.last > self.last {
            let message = if look.after == self.last {
                look.message.clone()
            } else {
                messages::events(&self.missed_events(look).await?)
            };
            self.push(message);
            self.last = look.last;
        }
        if let Some(status) = &look.status {
            self.push_status(status);
        }
        Ok(())
    }

    /// The events of a look that the client does not know, where it has missed
    /// some before it or knows a part of them.
    async fn missed_events(&self, look: &Look) -> Result<EventsView, Failure> {
        let is_new = |number| Some(number) > self.last;
        let events = look.events.iter().filter(|event| is_new(event.number));
        let events: Vec<_> = events.cloned().collect();
        let (Some(last), Some(first)) = (self.last, look.events.first()) else {
            return Ok(EventsView { events, skipped: 0 });
        };
        let first = first.number;
        let skipped = if first > last {
            let between = move |source: &dyn Source| source.events_between(last, first);
            self.app.ask(between).await?
        } else {
            0
        };
        Ok(EventsView { events, skipped })
    }

    /// Queues the status where it differs from the last one that was sent.
    fn push_status(&mut self, status: &RenderedStatus) {
        if self.sent_status != Some(status.version) {
            self.sent_status = Some(status.version);
            self.push(status.message.clone());
        }
    }

    /// Queues the last status and `bye`.
    async fn end(&mut self) {
        self.is_ending = true;
        // The newest status, not the cached one.
        if let Ok(status) = self.app.ask(|source| source.status()).await {
            let status = self.app.keep_status(status);
            self.push_status(&status);
        }
        self.push(messages::BYE);
    }
}
