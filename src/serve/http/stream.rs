//! Events as they happen, as server-sent events.
//!
//! A few times a second each browser gets what is new, in one message:
//! `events`, with the number of the last one as its id, and `status` where it
//! has changed. Whoever falls behind is told how many events were left out,
//! not all of them: a thousand a second cost no more than ten. When the server
//! ends, everybody gets the last status and `bye`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::watch;

use super::reply::{Asked, Failure};
use super::shared::{Counted, Shared};
use crate::api::{EventView, Status};

/// Between two messages.
const PAUSE: Duration = Duration::from_millis(250);

/// Events of one message.
const MOST_EVENTS: usize = 100;

/// What a browser that comes for the first time gets to see of the past.
const FIRST_EVENTS: usize = 30;

/// Browsers that may listen at a time.
const MOST_STREAMS: usize = 32;

/// After that it has to ask again, which it does by itself.
const LONGEST: Duration = Duration::from_secs(3600);

/// A line without meaning keeps the connection from being thought dead.
const BEAT: Duration = Duration::from_secs(15);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventsAsked {
    /// For those who cannot send `Last-Event-ID`.
    after: Option<u64>,
}

pub(super) async fn events(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    Asked(asked): Asked<EventsAsked>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Failure> {
    let counted = Counted::stream(&shared, MOST_STREAMS)
        .ok_or_else(|| Failure::busy(format!("{MOST_STREAMS} browsers listen already")))?;
    let given = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok()?.trim().parse().ok());
    let listener = Listener {
        last: given.or(asked.after),
        closing: shared.closing.clone(),
        shared,
        _counted: counted,
        begun: Instant::now(),
        is_new: true,
        ready: VecDeque::new(),
        shown: String::new(),
        is_leaving: false,
    };
    let stream = stream::unfold(listener, |mut listener| async {
        let event = listener.next().await?;
        Some((Ok(event), listener))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(BEAT)))
}

/// One browser that listens.
struct Listener {
    shared: Arc<Shared>,
    closing: watch::Receiver<bool>,
    _counted: Counted,
    begun: Instant,
    is_new: bool,
    /// The last event that it knows.
    last: Option<u64>,
    ready: VecDeque<Event>,
    /// The last status that it was sent.
    shown: String,
    /// Whether it was told that this is the end.
    is_leaving: bool,
}

impl Listener {
    /// The next message; `None` at the end.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if self.is_leaving || self.begun.elapsed() > LONGEST {
                return None;
            }
            if *self.closing.borrow() {
                self.leave().await;
                continue;
            }
            if self.is_new {
                // How soon a browser comes back after a lost connection.
                self.ready
                    .push_back(Event::default().retry(Duration::from_secs(1)));
                self.check_last().await;
            } else {
                tokio::select! {
                    () = tokio::time::sleep(PAUSE) => {}
                    _ = self.closing.wait_for(|closing| *closing) => continue,
                }
            }
            if let Err(failure) = self.look().await {
                let told = Event::default().event("problem");
                self.ready.push_back(told.data(one_line(&failure.message)));
            }
            self.is_new = false;
        }
    }

    /// A browser may know events of a population that was there before.
    async fn check_last(&mut self) {
        let Some(last) = self.last else { return };
        let newest = self.shared.ask(|source| source.events(None, 1)).await;
        let number = newest
            .ok()
            .and_then(|events| events.last().map(|event| event.number));
        if number.is_none_or(|number| number < last) {
            self.last = None;
        }
    }

    async fn look(&mut self) -> Result<(), Failure> {
        let (events, skipped) = self.news().await?;
        if let Some(newest) = events.last() {
            self.last = Some(newest.number);
            let data = json!({ "events": events, "skipped": skipped });
            let event = Event::default()
                .event("events")
                .id(newest.number.to_string());
            self.ready.push_back(event.data(data.to_string()));
        }
        let status = self.shared.status().await?;
        self.show(&status);
        Ok(())
    }

    fn show(&mut self, status: &Status) {
        let status = serde_json::to_string(status).unwrap_or_default();
        if status != self.shown {
            self.ready
                .push_back(Event::default().event("status").data(&status));
            self.shown = status;
        }
    }

    /// How it ended, and a word of farewell.
    async fn leave(&mut self) {
        self.is_leaving = true;
        // The newest, not one that was asked for a moment ago.
        if let Ok(status) = self.shared.ask(|source| source.status()).await {
            self.show(&status);
        }
        self.ready
            .push_back(Event::default().event("bye").data("{}"));
    }

    /// What is new, and how many events were left out before it.
    async fn news(&self) -> Result<(Vec<EventView>, u64), Failure> {
        let Some(last) = self.last else {
            let count = if self.is_new {
                FIRST_EVENTS
            } else {
                MOST_EVENTS
            };
            let events = self
                .shared
                .ask(move |source| source.events(None, count))
                .await?;
            return Ok((events, 0));
        };
        let events = self
            .shared
            .ask(move |source| source.events(Some(last), MOST_EVENTS))
            .await?;
        if events.len() < MOST_EVENTS {
            return Ok((events, 0));
        }
        let mut newest = self
            .shared
            .ask(|source| source.events(None, MOST_EVENTS))
            .await?;
        newest.retain(|event| event.number > last);
        let Some(first) = newest.first().map(|event| event.number) else {
            return Ok((newest, 0));
        };
        let skipped = self
            .shared
            .ask(move |source| source.events_between(last, first))
            .await?;
        Ok((newest, skipped))
    }
}

/// The form of these messages has no place for line ends.
fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}
