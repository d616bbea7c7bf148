//! The messages of the event stream as the bytes that are sent, in the form that
//! the HTML standard gives to server-sent events.

use std::time::Duration;

use axum::body::Bytes;

use crate::api::EventsView;

/// A comment, which keeps an idle connection open.
pub(super) const COMMENT: Bytes = Bytes::from_static(b":\n\n");

/// The last message of a stream.
pub(super) const BYE: Bytes = Bytes::from_static(b"event: bye\ndata: {}\n\n");

/// The time after which a browser connects anew.
pub(super) fn retry(after: Duration) -> Bytes {
    format!("retry: {}\n\n", after.as_millis()).into()
}

/// Events, with the number of the last one as the message's id. No events make
/// no message.
pub(super) fn events(view: &EventsView) -> Bytes {
    let Some(newest) = view.events.last() else {
        return Bytes::new();
    };
    let data = serde_json::to_string(view).unwrap_or_default();
    format!("event: events\nid: {}\ndata: {data}\n\n", newest.number).into()
}

/// The status, which is JSON of one line.
pub(super) fn status(json: &str) -> Bytes {
    format!("event: status\ndata: {json}\n\n").into()
}

/// Why the population could not be read.
pub(super) fn problem(message: &str) -> Bytes {
    // A line end would end the field.
    let message = message.replace(['\r', '\n'], " ");
    format!("event: problem\ndata: {message}\n\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_the_form_of_the_standard() {
        assert_eq!(retry(Duration::from_secs(1)), "retry: 1000\n\n");
        assert_eq!(status("{\"a\":1}"), "event: status\ndata: {\"a\":1}\n\n");
        assert_eq!(problem("no\r\nway"), "event: problem\ndata: no  way\n\n");
        let none = EventsView {
            events: Vec::new(),
            skipped: 0,
        };
        assert_eq!(events(&none), "");
    }
}
