//! Reading a population's store from any thread, also while it is written.
//!
//! An entry can be read once it is in the journal, some tenths of a second after
//! it was applied. Nothing here writes.

use std::sync::{Arc, Weak};

use super::error::StoreError;
use super::record::{Entry, MatchRecord, MeasuredMatch};
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

    /// The last matches of an individual before a number, the last one first.
    ///
    /// There is no index, which would need two more keys per match. The matches
    /// of the individual's lifetime, and of the window after its death, are
    /// scanned backwards until `count` are found. With n individuals living,
    /// about n/2 matches are scanned for each one found.
    pub fn matches_of(
        &self,
        file: FileId,
        before: u64,
        count: usize,
    ) -> Result<Vec<MatchRecord>, StoreError> {
        let store = self.store()?;
        let birth: Option<Birth> = store.get(Table::Files, file.0)?;
        let (Some(birth), Some(head)) = (birth, store.head()?) else {
            return Ok(Vec::new());
        };
        let totals: Totals = store.get(Table::Totals, file.0)?.unwrap_or_default();
        let window = u64::from(head.window);
        let end = totals.death.map_or(u64::MAX, |(at, _)| {
            at.saturating_add(window).saturating_add(1)
        });
        let end = end.min(before);
        let mut found = Vec::new();
        if count == 0 {
            return Ok(found);
        }
        for record in
            store.values_backwards::<MatchRecord>(Table::Matches, birth.at..end.max(birth.at))
        {
            let (_, record) = record?;
            // Elders play in the final only, and nothing comes after it.
            if birth.origin == Origin::Elder && !record.is_final {
                break;
            }
            if record.files.contains(&file) {
                found.push(record);
                if found.len() == count {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// At most `count` children of an individual, the oldest first. The scan ends
    /// at its death, because children are born only while it lives.
    pub fn offspring(&self, file: FileId, count: usize) -> Result<Vec<FileId>, StoreError> {
        let store = self.store()?;
        let totals: Totals = store.get(Table::Totals, file.0)?.unwrap_or_default();
        let last = totals.death.map_or(u64::MAX, |(at, _)| at);
        let mut found = Vec::new();
        let wanted = count.min(usize::try_from(totals.children).unwrap_or(usize::MAX));
        for birth in store.values_from::<Birth>(Table::Files, file.0.saturating_add(1)) {
            let (_, birth) = birth?;
            if found.len() == wanted || birth.at > last {
                break;
            }
            if birth.parents.contains(&file) {
                found.push(birth.file);
            }
        }
        Ok(found)
    }

    /// The sequence number of the first event that happened when `matches`
    /// matches, or more, were applied; that of the next event where there is
    /// none so far.
    pub fn first_event_at(&self, matches: u64) -> Result<u64, StoreError> {
        let (mut low, mut high) = (0, self.counts()?.events);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.events(middle, 1)?.first() {
                Some(event) if event.matches < matches => low = middle + 1,
                _ => high = middle,
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

    /// Every sample, the first one first.
    pub fn samples(&self) -> Result<Vec<Sample>, StoreError> {
        let store = self.store()?;
        let samples = store.values_from(Table::Samples, 0);
        let samples: Result<Vec<_>, _> = samples
            .map(|found| found.map(|(_, sample)| sample))
            .collect();
        Ok(samples?)
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

    /// Every match outside of the evolution, the first one first.
    pub fn measured_matches(&self) -> Result<Vec<MeasuredMatch>, StoreError> {
        let store = self.store()?;
        let mut measured_matches = Vec::new();
        // Entry 0 is the beginning.
        for entry in store.values_from::<Entry>(Table::Entries, 1) {
            if let (_, Entry::Measured(measured)) = entry? {
                measured_matches.push(measured);
            }
        }
        Ok(measured_matches)
    }
}

/// A value that another table refers to, so it must be there.
fn required<T: serde::de::DeserializeOwned>(
    store: &WriteBuffer,
    table: Table,
    number: u64,
) -> Result<T, StoreError> {
    let value = store.get(table, number)?;
    value.ok_or_else(|| missing(table, &format!("number {number} is not there")).into())
}
