//! Reading a population's store from any thread, also while it is written.
//!
//! An entry can be read once it is in the journal, some tenths of a second after
//! it was applied. Nothing here writes.

use std::ops::Range;
use std::sync::{Arc, Weak};

use super::codec::Stored;
use super::error::StoreError;
use super::record::{Entry, MatchRecord};
use super::sled_store::missing;
use super::tables::{Counts, StoredEvent, Table};
use super::write_buffer::WriteBuffer;
use crate::evolve::{Birth, Event, FileId, Origin, Sample, Totals};

/// Read access to a store, which does not keep the population open.
///
/// # Errors
///
/// Every method returns [`StoreError::Closed`] once the population is closed,
/// and [`StoreError::Table`] where the store cannot be read.
#[derive(Clone, Debug)]
pub struct Reader {
    store: Weak<WriteBuffer>,
}

/// How far back from the newest event an event is looked for first.
const FIRST_STEP: u64 = 64;

/// An event with its place in the history.
#[derive(Clone, Debug, PartialEq)]
pub struct SequencedEvent {
    /// The number of the event, from 0.
    pub sequence: u64,
    /// Matches applied when it happened.
    pub matches: u64,
    /// What happened.
    pub event: Event,
}

impl Reader {
    pub(super) fn new(store: &Arc<WriteBuffer>) -> Reader {
        Reader {
            store: Arc::downgrade(store),
        }
    }

    fn store(&self) -> Result<Arc<WriteBuffer>, StoreError> {
        self.store.upgrade().ok_or(StoreError::Closed)
    }

    /// How much the store holds.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        let head = self.store()?.head()?;
        Ok(head.map_or_else(Counts::default, |head| head.counts))
    }

    /// An individual, living or dead, or an elder, with its totals.
    pub fn file(&self, id: FileId) -> Result<Option<(Birth, Totals)>, StoreError> {
        let store = self.store()?;
        let birth: Option<Birth> = store.get(Table::Files, id.0)?;
        let Some(birth) = birth else {
            return Ok(None);
        };
        let totals = store.get(Table::Totals, id.0)?.unwrap_or_default();
        Ok(Some((birth, totals)))
    }

    /// At most `count` individuals and elders, in the order of births.
    pub fn files(&self, from: FileId, count: usize) -> Result<Vec<(Birth, Totals)>, StoreError> {
        let store = self.store()?;
        let mut files = Vec::new();
        for birth in store.values_from::<Birth>(Table::Files, from.0).take(count) {
            let (id, birth) = birth?;
            let totals = store.get(Table::Totals, id)?.unwrap_or_default();
            files.push((birth, totals));
        }
        Ok(files)
    }

    /// A match by its number.
    pub fn match_record(&self, number: u64) -> Result<Option<MatchRecord>, StoreError> {
        Ok(self.store()?.get(Table::Matches, number)?)
    }

    /// At most `count` matches from a number on.
    pub fn matches(&self, from: u64, count: usize) -> Result<Vec<MatchRecord>, StoreError> {
        let store = self.store()?;
        let found = store.values_from(Table::Matches, from).take(count);
        let found: Result<Vec<_>, _> = found.map(|found| found.map(|(_, record)| record)).collect();
        Ok(found?)
    }

    /// At most `count` matches before a number, the last of them first.
    pub fn matches_backwards(
        &self,
        before: u64,
        count: usize,
    ) -> Result<Vec<MatchRecord>, StoreError> {
        let store = self.store()?;
        let found = store
            .values_backwards(Table::Matches, 0..before)
            .take(count);
        let found: Result<Vec<_>, _> = found.map(|found| found.map(|(_, record)| record)).collect();
        Ok(found?)
    }

    /// The numbers of the matches that an individual can have played: those of
    /// its life, and of the window after its death. `None` where there is no such
    /// individual. There is no index of an individual's matches, which would need
    /// two more keys per match.
    pub fn lifetime(&self, file: FileId) -> Result<Option<Range<u64>>, StoreError> {
        let store = self.store()?;
        let birth: Option<Birth> = store.get(Table::Files, file.0)?;
        let (Some(birth), Some(head)) = (birth, store.head()?) else {
            return Ok(None);
        };
        let window = u64::from(head.window);
        if !birth.origin.lives() {
            return matches_outside(&store, &birth, window).map(Some);
        }
        let totals: Totals = store.get(Table::Totals, file.0)?.unwrap_or_default();
        let end = totals.death.map_or(u64::MAX, |(at, _)| {
            at.saturating_add(window).saturating_add(1)
        });
        Ok(Some(birth.at..end.max(birth.at)))
    }

    /// The sequence number of the first event that happened when `matches`
    /// matches, or more, were applied; that of the next event where there is
    /// none so far.
    pub fn first_event_at(&self, matches: u64) -> Result<u64, StoreError> {
        let events = self.counts()?.events;
        let store = self.store()?;
        let is_before = |sequence: u64| -> Result<bool, StoreError> {
            let mut found = store.values_from::<(u64, StoredEvent)>(Table::Events, sequence);
            let found = found.next().transpose()?;
            Ok(found.is_some_and(|(_, (at, _))| at < matches))
        };
        // Mostly the newest are asked for: long steps back from the end, then halves.
        let (mut low, mut high) = (0, events);
        let mut step = FIRST_STEP;
        while low < high {
            let before = high.saturating_sub(step);
            if is_before(before)? {
                low = before + 1;
                break;
            }
            high = before;
            step *= 4;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if is_before(middle)? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// At most `count` events from a sequence number on.
    pub fn events(&self, from: u64, count: usize) -> Result<Vec<SequencedEvent>, StoreError> {
        let store = self.store()?;
        let mut events = Vec::new();
        for event in store.values_from(Table::Events, from).take(count) {
            let (sequence, (matches, event)): (u64, (u64, StoredEvent)) = event?;
            let event = match event {
                StoredEvent::Born(file) => Event::Born(required(&store, Table::Files, file.0)?),
                StoredEvent::Sample => Event::Sample(required(&store, Table::Samples, sequence)?),
                StoredEvent::Other(event) => event,
            };
            events.push(SequencedEvent {
                sequence,
                matches,
                event,
            });
        }
        Ok(events)
    }

    /// Goes through the events from a sequence number on, and leaves out what
    /// happens all the time: births but those of immigrants, deaths and samples.
    /// `told` is given each of the others, and its place among the events of its
    /// match, from 1. Returns the sequence number of the next event.
    pub fn rare_events(
        &self,
        from: u64,
        told: &mut dyn FnMut(SequencedEvent, u64),
    ) -> Result<u64, StoreError> {
        let store = self.store()?;
        // Births lie in another table; without an immigrant none of them is read.
        let has_immigrants = !self.immigrant_names()?.is_empty();
        let mut next = from;
        let mut block = None;
        for event in store.values_from(Table::Events, from) {
            let (sequence, (matches, event)): (u64, (u64, StoredEvent)) = event?;
            next = sequence + 1;
            let first = match block {
                Some((of, first)) if of == matches => first,
                None => self.first_event_at(matches)?,
                Some(_) => sequence,
            };
            block = Some((matches, first));
            let event = match event {
                StoredEvent::Born(file) if has_immigrants => {
                    let birth: Birth = required(&store, Table::Files, file.0)?;
                    if birth.origin != Origin::Immigrant {
                        continue;
                    }
                    Event::Born(birth)
                }
                StoredEvent::Born(_) | StoredEvent::Sample => continue,
                StoredEvent::Other(Event::Died { .. }) => continue,
                StoredEvent::Other(event) => event,
            };
            let event = SequencedEvent {
                sequence,
                matches,
                event,
            };
            told(event, sequence - first + 1);
        }
        Ok(next)
    }

    /// Every sample, the first one first.
    pub fn samples(&self) -> Result<Vec<Sample>, StoreError> {
        let store = self.store()?;
        let samples = store.values_from(Table::Samples, 0);
        let samples: Result<Vec<_>, _> = samples
            .map(|found| found.map(|(_, sample)| sample))
            .collect();
        Ok(samples?)
    }

    /// The names of the weights that were imported, in the order of their
    /// births.
    pub fn immigrant_names(&self) -> Result<Vec<String>, StoreError> {
        let store = self.store()?;
        let mut names = Vec::new();
        // Entry 0 is the beginning.
        for entry in store.values_from::<Entry>(Table::Entries, 1) {
            if let (_, Entry::Immigrant { name, .. }) = entry? {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// The signature of the engine that played last; `None` in populations that
    /// do not record it.
    pub fn engine(&self) -> Result<Option<u64>, StoreError> {
        let store = self.store()?;
        let mut engine = None;
        // Entry 0 is the beginning.
        for entry in store.values_from::<Entry>(Table::Entries, 1) {
            if let (_, Entry::Engine(signature)) = entry? {
                engine = Some(signature);
            }
        }
        Ok(engine)
    }
}

/// A value that another table refers to, so it must be there.
fn required<T: Stored>(store: &WriteBuffer, table: Table, number: u64) -> Result<T, StoreError> {
    let value = store.get(table, number)?;
    value.ok_or_else(|| missing(table, &format!("number {number} is not there")).into())
}

/// The numbers of the matches of an individual that never lived in the
/// population. It has matches only in one block, which begins at its birth or when
/// the matches are over that were drawn before.
fn matches_outside(
    store: &WriteBuffer,
    birth: &Birth,
    window: u64,
) -> Result<Range<u64>, StoreError> {
    let mut block = birth.at..birth.at;
    for record in store.values_from::<MatchRecord>(Table::Matches, birth.at) {
        let (number, record) = record?;
        let is_own = record.files.contains(&birth.file);
        let is_over = if block.is_empty() {
            number > birth.at.saturating_add(window)
        } else {
            !is_own
        };
        if is_over {
            break;
        }
        if is_own {
            block = if block.is_empty() {
                number
            } else {
                block.start
            }..number + 1;
        }
    }
    Ok(block)
}
