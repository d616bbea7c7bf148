//! Matches and what they brought as one numbered sequence of events, read from the
//! store a part at a time.
//!
//! The store numbers its events and keeps matches apart. A number here orders both:
//! it holds the matches that were applied before and a place among what they brought.

use std::collections::VecDeque;

use super::source_answer::failed;
use crate::api::{EventView, SourceError};
use crate::store::{Reader, SequencedEvent};

/// How many events of the store are read together.
const EVENTS_AT_ONCE: usize = 32;

/// An event's number holds the matches applied before it, and its place among
/// those of one match.
pub(super) const PLACES: u64 = 1 << 20;

/// How many events there are up to the one with this number, and with it.
fn rank(reader: &Reader, number: u64) -> Result<u64, SourceError> {
    let matches = number / PLACES;
    let earlier = reader.first_event_at(matches).map_err(failed)?;
    // One event for each match, and those of the store.
    Ok(matches.saturating_add(earlier) + number % PLACES)
}

/// How many events lie between two, without either.
pub(super) fn count_between(reader: &Reader, after: u64, before: u64) -> Result<u64, SourceError> {
    let [after, before] = [after, before].map(|number| rank(reader, number));
    Ok(before?.saturating_sub(after?).saturating_sub(1))
}

/// Matches and what they brought, merged in the order in which they happened.
pub(super) fn events(
    reader: &Reader,
    after: Option<u64>,
    count: usize,
) -> Result<Vec<EventView>, SourceError> {
    let counts = reader.counts().map_err(failed)?;
    if let Some(after) = after {
        return events_after(reader, after, count, counts.matches);
    }
    // Every match is an event itself: going back from the last one, they and what
    // they brought are counted until there are enough.
    let stored = counts.events.saturating_sub(count as u64);
    let stored = reader.events(stored, count).map_err(failed)?;
    let mut stored = stored.iter().rev().peekable();
    let mut matches = counts.matches;
    let mut found = 0;
    loop {
        while stored.next_if(|told| told.matches >= matches).is_some() {
            found += 1;
        }
        found += usize::from(matches > 0);
        if found >= count || matches == 0 {
            break;
        }
        matches -= 1;
    }
    let after = (matches * PLACES).saturating_sub(1);
    let mut found = events_after(reader, after, usize::MAX, counts.matches)?;
    found.drain(..found.len().saturating_sub(count));
    Ok(found)
}

/// The oldest `count` events after number `after`, of `applied` matches.
fn events_after(
    reader: &Reader,
    after: u64,
    count: usize,
    applied: u64,
) -> Result<Vec<EventView>, SourceError> {
    let mut found = Vec::new();
    let mut matches = after / PLACES;
    let mut stored = StoredEvents {
        reader,
        next: reader.first_event_at(matches).map_err(failed)?,
        read: VecDeque::new(),
        is_all: false,
    };
    // Place 0 is the match itself; what came before the first match has none.
    while found.len() < count && matches <= applied {
        let mut number = matches * PLACES;
        if matches > 0
            && number > after
            && let Some(record) = reader.match_record(matches - 1).map_err(failed)?
        {
            found.push(EventView::from_match(number, &record.result()));
        }
        while let Some(told) = stored.next_of(matches)? {
            number += 1;
            if number > after {
                found.push(EventView::from_event(number, told.matches, &told.event));
            }
        }
        matches += 1;
    }
    found.truncate(count);
    Ok(found)
}

/// The store's events from a sequence number on, some of which are read together.
struct StoredEvents<'a> {
    reader: &'a Reader,
    next: u64,
    read: VecDeque<SequencedEvent>,
    /// Whether the store has no more than what is read.
    is_all: bool,
}

impl StoredEvents<'_> {
    /// The next event, if it happened at this number of matches.
    fn next_of(&mut self, matches: u64) -> Result<Option<SequencedEvent>, SourceError> {
        if self.read.is_empty() && !self.is_all {
            let read = self.reader.events(self.next, EVENTS_AT_ONCE);
            self.read = read.map_err(failed)?.into();
            self.is_all = self.read.len() < EVENTS_AT_ONCE;
            self.next = self.read.back().map_or(self.next, |told| told.sequence + 1);
        }
        let is_next = |told: &&SequencedEvent| told.matches == matches;
        Ok(match self.read.front().filter(is_next) {
            Some(_) => self.read.pop_front(),
            None => None,
        })
    }
}
