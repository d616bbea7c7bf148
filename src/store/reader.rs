//! Reading a population's store, from any thread, also while it is written.
//!
//! An entry is seen once it is in the journal, some tenths of a second after it
//! was applied.

use std::sync::{Arc, Weak};

use super::error::StoreError;
use super::record::{Entry, MatchRecord, MeasuredMatch};
use super::sled_store::missing;
use super::tables::{Counts, StoredEvent, Table};
use super::write_buffer::Shelf;
use crate::evolve::{Birth, Event, FileId, Origin, Sample, Totals};

/// A window onto a store. Once the population is closed every question gets
/// [`StoreError::Closed`].
#[derive(Clone, Debug)]
pub struct Reader {
    store: Weak<Shelf>,
}

/// An event, and when it happened.
#[derive(Clone, Debug, PartialEq)]
pub struct SequencedEvent {
    /// Its number, from 0.
    pub sequence: u64,
    /// Matches applied by then.
    pub matches: u64,
    /// What happened.
    pub event: Event,
}

impl Reader {
    pub(super) fn new(store: &Arc<Shelf>) -> Reader {
        Reader {
            store: Arc::downgrade(store),
        }
    }

    fn store(&self) -> Result<Arc<Shelf>, StoreError> {
        self.store.upgrade().ok_or(StoreError::Closed)
    }

    /// What there is of everything.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        let head = self.store()?.head()?;
        Ok(head.map_or_else(Counts::default, |head| head.counts))
    }

    /// A file, living or dead, and what it has done.
    pub fn file(&self, id: FileId) -> Result<Option<(Birth, Totals)>, StoreError> {
        let store = self.store()?;
        let birth: Option<Birth> = store.get(Table::Files, id.0)?;
        let Some(birth) = birth else {
            return Ok(None);
        };
        let totals = store.get(Table::Totals, id.0)?.unwrap_or_default();
        Ok(Some((birth, totals)))
    }

    /// Files in the order of their births.
    pub fn files(&self, from: FileId, count: usize) -> Result<Vec<(Birth, Totals)>, StoreError> {
        let store = self.store()?;
        let mut files = Vec::new();
        for birth in store.from::<Birth>(Table::Files, from.0).take(count) {
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

    /// Matches from a number on.
    pub fn matches(&self, from: u64, count: usize) -> Result<Vec<MatchRecord>, StoreError> {
        let store = self.store()?;
        let found = store.from(Table::Matches, from).take(count);
        let found: Result<Vec<_>, _> = found.map(|found| found.map(|(_, record)| record)).collect();
        Ok(found?)
    }

    /// Matches before a number, the last of them first.
    pub fn matches_backwards(
        &self,
        before: u64,
        count: usize,
    ) -> Result<Vec<MatchRecord>, StoreError> {
        let store = self.store()?;
        let found = store.backwards(Table::Matches, 0..before).take(count);
        let found: Result<Vec<_>, _> = found.map(|found| found.map(|(_, record)| record)).collect();
        Ok(found?)
    }

    /// The last matches of a file before a number, the last one first.
    ///
    /// There is no index, which would need two more keys a match. The matches of
    /// the file's lifetime, and of the window after its death, are looked
    /// through backwards until `count` are found. With n files living, every
    /// match found costs about n/2 looked at.
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
        for record in store.backwards::<MatchRecord>(Table::Matches, birth.at..end.max(birth.at)) {
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

    /// The children of a file, the oldest first. They are born while it lives.
    pub fn offspring(&self, file: FileId, count: usize) -> Result<Vec<FileId>, StoreError> {
        let store = self.store()?;
        let totals: Totals = store.get(Table::Totals, file.0)?.unwrap_or_default();
        let last = totals.death.map_or(u64::MAX, |(at, _)| at);
        let mut found = Vec::new();
        let wanted = count.min(usize::try_from(totals.children).unwrap_or(usize::MAX));
        for birth in store.from::<Birth>(Table::Files, file.0.saturating_add(1)) {
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
                Some(told) if told.matches < matches => low = middle + 1,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    /// Events from a sequence number on.
    pub fn events(&self, from: u64, count: usize) -> Result<Vec<SequencedEvent>, StoreError> {
        let store = self.store()?;
        let mut told = Vec::new();
        for event in store.from(Table::Events, from).take(count) {
            let (sequence, (matches, event)): (u64, (u64, StoredEvent)) = event?;
            let event = match event {
                StoredEvent::Born(file) => Event::Born(found(&store, Table::Files, file.0)?),
                StoredEvent::Sample => Event::Sample(found(&store, Table::Samples, sequence)?),
                StoredEvent::Other(event) => event,
            };
            told.push(SequencedEvent {
                sequence,
                matches,
                event,
            });
        }
        Ok(told)
    }

    /// Every sample, the first one first.
    pub fn samples(&self) -> Result<Vec<Sample>, StoreError> {
        let store = self.store()?;
        let samples = store.from(Table::Samples, 0);
        let samples: Result<Vec<_>, _> = samples
            .map(|found| found.map(|(_, sample)| sample))
            .collect();
        Ok(samples?)
    }

    /// The signature of the engine that played last; `None` where nobody said.
    pub fn engine(&self) -> Result<Option<u64>, StoreError> {
        let store = self.store()?;
        let mut engine = None;
        // Entry 0 is the beginning.
        for entry in store.from::<Entry>(Table::Entries, 1) {
            if let (_, Entry::Engine(signature)) = entry? {
                engine = Some(signature);
            }
        }
        Ok(engine)
    }

    /// Every duel, the first one first.
    pub fn measured_matches(&self) -> Result<Vec<MeasuredMatch>, StoreError> {
        let store = self.store()?;
        let mut measured_matches = Vec::new();
        // Entry 0 is the beginning.
        for entry in store.from::<Entry>(Table::Entries, 1) {
            if let (_, Entry::Measured(duel)) = entry? {
                measured_matches.push(duel);
            }
        }
        Ok(measured_matches)
    }
}

fn found<T: serde::de::DeserializeOwned>(
    store: &Shelf,
    table: Table,
    number: u64,
) -> Result<T, StoreError> {
    let value = store.get(table, number)?;
    value.ok_or_else(|| missing(table, &format!("number {number} is not there")).into())
}
