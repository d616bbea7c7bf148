//! Whether somebody looks at the page: a browser has asked for something a
//! short time ago. Programs, which do not mark their requests as a page's, do
//! not count.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, HeaderValue};

/// How long a browser that asks for nothing is thought to be looking. A page
/// that is open asks at least every minute, also where it is in the background.
const MEMORY: Duration = Duration::from_secs(150);

/// When a browser has asked last.
#[derive(Debug)]
pub(super) struct Viewers {
    begun: Instant,
    /// Milliseconds from `begun` to the last request, and one more; 0 before
    /// the first.
    last: AtomicU64,
}

impl Default for Viewers {
    fn default() -> Viewers {
        Viewers {
            begun: Instant::now(),
            last: AtomicU64::new(0),
        }
    }
}

impl Viewers {
    /// Takes note of a request.
    pub(super) fn note(&self, headers: &HeaderMap) {
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        if matches!(site, Some(b"same-origin" | b"none")) {
            self.note_at(self.begun.elapsed());
        }
    }

    /// Whether a browser looks at the page now.
    pub(super) fn are_there(&self) -> bool {
        self.are_there_at(self.begun.elapsed())
    }

    fn note_at(&self, now: Duration) {
        let now = now.as_millis() as u64 + 1;
        self.last.fetch_max(now, Ordering::Relaxed);
    }

    fn are_there_at(&self, now: Duration) -> bool {
        match self.last.load(Ordering::Relaxed) {
            0 => false,
            last => now.as_millis() as u64 <= last + MEMORY.as_millis() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_remembered_for_a_while_and_a_program_is_not() {
        let viewers = Viewers::default();
        viewers.note(&HeaderMap::new());
        assert!(!viewers.are_there());
        let mut headers = HeaderMap::new();
        headers.insert("sec-fetch-site", HeaderValue::from_static("same-origin"));
        viewers.note(&headers);
        assert!(viewers.are_there());

        let viewers = Viewers::default();
        viewers.note_at(Duration::from_secs(10));
        assert!(viewers.are_there_at(Duration::from_secs(100)));
        assert!(!viewers.are_there_at(Duration::from_secs(1000)));
    }
}
