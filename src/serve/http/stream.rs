//! Events as they happen, as server-sent events.
//!
//! A few times a second each client gets what is new: a message `events`, whose
//! id is the number of its last event, and a message `status` where the status
//! has changed. A client that falls behind is told how many events were left
//! out instead of being sent all of them, so a thousand events a second cost no
//! more than ten. When the server ends, every client gets the last status and
//! `bye`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use tokio::sync::watch;

use super::app_state::{AppState, StreamSlot};
use super::reply::{Failure, QueryParams};
use crate::api::{EventView, EventsView, Status};

/// The time between two looks at the population.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// The most events of one message.
const MAX_EVENTS: usize = 100;

/// Events of the past that a new client gets.
const FIRST_EVENTS: usize = 30;

/// The most streams that are open at a time.
const MAX_STREAMS: usize = 32;

/// The longest life of a stream; a browser then connects anew by itself.
const MAX_STREAM_AGE: Duration = Duration::from_secs(3600);

/// The time between two comments that keep an idle connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

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
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Failure> {
    let slot = StreamSlot::take(&app, MAX_STREAMS)
        .ok_or_else(|| Failure::busy(format!("{MAX_STREAMS} browsers listen already")))?;
    let given = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok()?.trim().parse().ok());
    let state = EventStream {
        last: given.or(query.after),
        closing: app.closing.clone(),
        app,
        _slot: slot,
        begun: Instant::now(),
        is_new: true,
        ready: VecDeque::new(),
        sent_status: String::new(),
        is_ending: false,
    };
    let stream = stream::unfold(state, |mut state| async {
        let event = state.next().await?;
        Some((Ok(event), state))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

/// One open stream.
struct EventStream {
    app: Arc<AppState>,
    closing: watch::Receiver<bool>,
    _slot: StreamSlot,
    begun: Instant,
    /// Whether nothing has been sent yet.
    is_new: bool,
    /// The last event that the client knows.
    last: Option<u64>,
    /// Messages that wait to be sent.
    ready: VecDeque<Event>,
    /// The last status that was sent, as JSON; empty before the first.
    sent_status: String,
    /// Whether `bye` is among the messages.
    is_ending: bool,
}

impl EventStream {
    /// The next message; `None` at the end.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if self.is_ending || self.begun.elapsed() > MAX_STREAM_AGE {
                return None;
            }
            if *self.closing.borrow() {
                self.end().await;
                continue;
            }
            if self.is_new {
                // The time after which a browser connects anew.
                self.ready
                    .push_back(Event::default().retry(Duration::from_secs(1)));
                self.forget_unknown_event().await;
            } else {
                tokio::select! {
                    () = tokio::time::sleep(POLL_INTERVAL) => {}
                    _ = self.closing.wait_for(|closing| *closing) => continue,
                }
            }
            if let Err(failure) = self.poll_source().await {
                let event = Event::default().event("problem");
                self.ready.push_back(event.data(one_line(&failure.message)));
            }
            self.is_new = false;
        }
    }

    /// Forgets the client's last event where the population has no such event:
    /// the client may know another population that was served here before.
    async fn forget_unknown_event(&mut self) {
        let Some(last) = self.last else { return };
        let newest = self.app.ask(|source| source.events(None, 1)).await;
        let number = newest
            .ok()
            .and_then(|events| events.last().map(|event| event.number));
        if number.is_none_or(|number| number < last) {
            self.last = None;
        }
    }

    /// Queues what is new in the population.
    async fn poll_source(&mut self) -> Result<(), Failure> {
        let (events, skipped) = self.new_events().await?;
        if let Some(newest) = events.last() {
            self.last = Some(newest.number);
            let id = newest.number.to_string();
            let data = EventsView { events, skipped };
            let data = serde_json::to_string(&data).unwrap_or_default();
            let event = Event::default().event("events").id(id);
            self.ready.push_back(event.data(data));
        }
        let status = self.app.status().await?;
        self.push_status(&status);
        Ok(())
    }

    /// Queues the status where it differs from the last one that was sent.
    fn push_status(&mut self, status: &Status) {
        let status = serde_json::to_string(status).unwrap_or_default();
        if status != self.sent_status {
            self.ready
                .push_back(Event::default().event("status").data(&status));
            self.sent_status = status;
        }
    }

    /// Queues the last status and `bye`.
    async fn end(&mut self) {
        self.is_ending = true;
        // The newest status, not the cached one.
        if let Ok(status) = self.app.ask(|source| source.status()).await {
            self.push_status(&status);
        }
        self.ready
            .push_back(Event::default().event("bye").data("{}"));
    }

    /// The events that the client does not know yet, and how many were left out
    /// before them.
    async fn new_events(&self) -> Result<(Vec<EventView>, u64), Failure> {
        let Some(last) = self.last else {
            let count = if self.is_new {
                FIRST_EVENTS
            } else {
                MAX_EVENTS
            };
            let events = self
                .app
                .ask(move |source| source.events(None, count))
                .await?;
            return Ok((events, 0));
        };
        let events = self
            .app
            .ask(move |source| source.events(Some(last), MAX_EVENTS))
            .await?;
        if events.len() < MAX_EVENTS {
            return Ok((events, 0));
        }
        let mut newest = self
            .app
            .ask(|source| source.events(None, MAX_EVENTS))
            .await?;
        newest.retain(|event| event.number > last);
        let Some(first) = newest.first().map(|event| event.number) else {
            return Ok((newest, 0));
        };
        let skipped = self
            .app
            .ask(move |source| source.events_between(last, first))
            .await?;
        Ok((newest, skipped))
    }
}

/// A text without line ends, which would end a field of a message.
fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}
