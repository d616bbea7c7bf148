//! One look at the population for all event streams: what is new is read and
//! rendered once, however many pages listen, and while none listens nothing is
//! read at all.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::{Notify, watch};

use super::app_state::{AppState, RenderedStatus};
use super::event_messages as messages;
use crate::api::{EventView, EventsView, Source, SourceError};

/// The time between two looks.
const INTERVAL: Duration = Duration::from_millis(250);

/// The most events of one message.
pub(super) const MAX_EVENTS: usize = 30;

/// What one look at the population found.
#[derive(Default)]
pub(super) struct Look {
    /// Looks are counted from 1; 0 is before the first one.
    pub(super) number: u64,
    /// The newest event of the look before.
    pub(super) after: Option<u64>,
    /// The newest event.
    pub(super) last: Option<u64>,
    /// The newest events after `after`.
    pub(super) events: Vec<EventView>,
    /// The message with these events; empty where there are none.
    pub(super) message: Bytes,
    pub(super) status: Option<Arc<RenderedStatus>>,
    /// The message that says why nothing could be read; empty where it could.
    pub(super) problem: Bytes,
}

/// The newest look, and who waits for the next.
pub(super) struct Feed {
    newest: watch::Sender<Arc<Look>>,
    joined: Notify,
}

impl Default for Feed {
    fn default() -> Feed {
        Feed {
            newest: watch::Sender::new(Arc::default()),
            joined: Notify::new(),
        }
    }
}

impl Feed {
    /// The looks from now on.
    pub(super) fn join(&self) -> watch::Receiver<Arc<Look>> {
        let looks = self.newest.subscribe();
        self.joined.notify_one();
        looks
    }

    /// The number of the newest look; `None` where nobody listens, because there
    /// may be no look for a long time.
    pub(super) fn look_number(&self) -> Option<u64> {
        self.is_heard().then(|| self.newest.borrow().number)
    }

    fn is_heard(&self) -> bool {
        self.newest.receiver_count() > 0
    }

    /// Waits until somebody listens; whether somebody did all the time.
    async fn wait_for_listeners(&self) -> bool {
        let was_heard = self.is_heard();
        while !self.is_heard() {
            self.joined.notified().await;
        }
        was_heard
    }
}

/// Looks at the population again and again while somebody listens.
pub(super) async fn keep_looking(app: Arc<AppState>, mut closed: watch::Receiver<bool>) {
    let mut number = 0;
    let mut known = None;
    loop {
        let was_heard = tokio::select! {
            was_heard = app.feed.wait_for_listeners() => was_heard,
            _ = closed.wait_for(|closed| *closed) => return,
        };
        if !was_heard {
            // What happened in between is no news to those who have just come.
            known = None;
        }
        number += 1;
        let look = look(&app, number, known).await;
        known = look.last;
        app.feed.newest.send_replace(Arc::new(look));
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            _ = closed.wait_for(|closed| *closed) => return,
        }
    }
}

/// Looks at the population; `known` is the newest event of the look before.
async fn look(app: &AppState, number: u64, known: Option<u64>) -> Look {
    let found = app.ask_now(move |source| Ok((new_events(source, known)?, source.status()?)));
    let (view, status) = match found.await {
        Ok(found) => found,
        Err(failure) => {
            return Look {
                number,
                after: known,
                last: known,
                problem: messages::problem(&failure.message),
                ..Look::default()
            };
        }
    };
    Look {
        number,
        after: known,
        last: view.events.last().map(|event| event.number).or(known),
        message: messages::events(&view),
        events: view.events,
        status: Some(app.keep_status(status)),
        problem: Bytes::new(),
    }
}

/// The events after `known`, or the newest of them where they are too many, and
/// how many were left out before them. Nothing is left out for those who know
/// none.
pub(super) fn new_events(
    source: &dyn Source,
    known: Option<u64>,
) -> Result<EventsView, SourceError> {
    let mut events = source.events(None, MAX_EVENTS)?;
    let skipped = match (known, events.first()) {
        (Some(last), Some(first)) if last < first.number => {
            source.events_between(last, first.number)?
        }
        _ => 0,
    };
    events.retain(|event| Some(event.number) > known);
    Ok(EventsView { events, skipped })
}
