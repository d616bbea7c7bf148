//! The notable events of a population in memory, so that a history does not go
//! through all births and deaths for each question.
//!
//! Events never change, so a question reads those that are new.

use crate::charts::NotedEvent;
use crate::store::{Reader, StoreError};

/// The most events that are kept: the newest.
const MOST: usize = 500;

/// The events that were read so far.
#[derive(Debug, Default)]
pub(super) struct EventIndex {
    noted: Vec<NotedEvent>,
    /// The sequence number of the next event in the store.
    next: u64,
}

impl EventIndex {
    /// Reads what is new in the store. The numbers of events hold the matches before
    /// them, of which each has so many `places`.
    pub(super) fn update(&mut self, reader: &Reader, places: u64) -> Result<(), StoreError> {
        let noted = &mut self.noted;
        self.next = reader.rare_events(self.next, &mut |told, place| {
            if NotedEvent::is_notable(&told.event) {
                noted.push(NotedEvent {
                    number: told.matches * places + place,
                    matches: told.matches,
                    event: told.event,
                });
            }
        })?;
        let surplus = self.noted.len().saturating_sub(MOST);
        self.noted.drain(..surplus);
        Ok(())
    }

    /// The notable events, the oldest first.
    pub(super) fn noted(&self) -> Vec<NotedEvent> {
        self.noted.clone()
    }
}
