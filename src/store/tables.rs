//! What the store holds, key by key, and what an entry writes. This module knows
//! keys and values, not the database that keeps them.
//!
//! Format version 2. A number in a key is a `u64` with its highest byte first,
//! so that keys sort by it; a value is a schema byte and postcard
//! ([`codec`](super::codec)). Where the third column has a number, so many
//! values lie together under one key ([`blocks`](super::blocks)), which is the
//! value's number divided by it.
//!
//! | tree | number | together | value | written |
//! |---|---|---|---|---|
//! | `files` | file | 32 | [`Birth`](crate::evolve::Birth) | once |
//! | `totals` | file | 16 | [`Totals`] | at each change |
//! | `matches` | match | 16 | [`MatchRecord`](super::record::MatchRecord) | once |
//! | `entries` | entry | | [`Begin`] for entry 0, else every [`Entry`] but matches and pairs | once |
//! | `pairs` | entry | 16 | the [`Entry`] of a pair of a match outside of the evolution | once |
//! | `events` | sequence | 64 | (matches applied, [`StoredEvent`]) | once |
//! | `samples` | sequence of its event | | [`Sample`](crate::evolve::Sample) | once |
//! | `checkpoint` | `state` | | [`Checkpoint`] | now and then |
//! | `meta` | `format` | | the version, four bytes, highest first | at the creation |
//! | `meta` | `head` | | [`Head`] | with each entry |
//!
//! Version 1 had a key for every value. Such a store is made again from the
//! journal, whose format is the same.
//!
//! The journal is the entries in order: entry n is what `entries` or `pairs` has
//! under n, else the next match. Stores of programs that did not save pairs have
//! no tree `pairs`; it is made empty when they are opened. A checkpoint lies in a tree of its own because sled
//! rewrites neighbours together.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::codec::{CodecError, encode};
use super::journal::JournalPosition;
use super::record::{Begin, Entry};
use crate::evolve::{Event, FileId, State, Step, Totals};

/// The format version of the store that this program reads and writes.
pub const FORMAT: u32 = 2;

/// A tree of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Table {
    Files,
    Totals,
    Matches,
    Entries,
    Pairs,
    Events,
    Samples,
    Checkpoint,
    Meta,
}

impl Table {
    pub(super) const ALL: [Table; 9] = [
        Table::Files,
        Table::Totals,
        Table::Matches,
        Table::Entries,
        Table::Pairs,
        Table::Events,
        Table::Samples,
        Table::Checkpoint,
        Table::Meta,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Table::Files => "files",
            Table::Totals => "totals",
            Table::Matches => "matches",
            Table::Entries => "entries",
            Table::Pairs => "pairs",
            Table::Events => "events",
            Table::Samples => "samples",
            Table::Checkpoint => "checkpoint",
            Table::Meta => "meta",
        }
    }

    /// How many values lie together under one key; `None` where each has a key
    /// of its own. sled writes up to 17 neighbours together, and what is larger than
    /// 128 KiB goes into a file of its own: blocks stay well below a
    /// seventeenth of that.
    pub(super) const fn block_size(self) -> Option<u64> {
        match self {
            Table::Files => Some(32),
            Table::Totals => Some(16),
            Table::Events => Some(64),
            Table::Matches | Table::Pairs => Some(16),
            Table::Entries | Table::Samples | Table::Checkpoint | Table::Meta => None,
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

pub(super) const FORMAT_KEY: &[u8] = b"format";
pub(super) const HEAD_KEY: &[u8] = b"head";
pub(super) const STATE_KEY: &[u8] = b"state";

/// How far the store goes, and what it counts. (Here and below the order of
/// fields and variants is part of the stored format.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    /// Entries applied, the beginning included.
    pub(super) entries: u64,
    /// The journal's CRC of the last of them.
    pub(super) chain: u32,
    /// How many values of each kind the trees hold.
    pub(super) counts: Counts,
    /// The largest window that was ever valid, in matches: so long after its
    /// death an individual may still play.
    pub(super) window: u32,
}

/// How much a store holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Matches applied.
    pub matches: u64,
    /// Games of those matches.
    pub games: u64,
    /// Individuals and elders.
    pub files: u64,
    /// Individuals born, founders included, elders not.
    pub births: u64,
    /// Individuals that died.
    pub deaths: u64,
    /// Events of every kind.
    pub events: u64,
    /// Samples among the events.
    pub samples: u64,
    /// Matches outside of the evolution that were saved as a whole.
    pub measured_matches: u64,
}

/// An [`Event`] without the part that lies in a tree of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum StoredEvent {
    /// [`Event::Born`]: the birth is in `files`.
    Born(FileId),
    /// [`Event::Sample`]: the sample is in `samples`.
    Sample,
    /// Any other event, whole.
    Other(Event),
}

/// The writer of checkpoints: the program's version, and a number that grows
/// when [`State`] changes its shape or its meaning in between. A checkpoint of
/// another writer is not read: the entries give the state, too.
pub(super) const WRITTEN_BY: &str = concat!(env!("CARGO_PKG_VERSION"), "/3");

/// A whole state, and the position in the journal that it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// [`WRITTEN_BY`] of the program that wrote it.
    pub(super) written_by: String,
    /// Entries applied, the beginning included.
    pub(super) entries: u64,
    /// The journal's CRC of the last of them.
    pub(super) chain: u32,
    /// The state after that entry.
    pub(super) state: State,
}

/// What is applied: the beginning of a population, or an entry after it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Applied<'a> {
    Begin(&'a Begin),
    Entry(&'a Entry),
}

/// What one entry, or several, write into the store in one transaction.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// Entries that the store must have before the change.
    pub(super) base_entries: u64,
    /// The table, key and value of every write, in order.
    pub(super) writes: Vec<(Table, Vec<u8>, Vec<u8>)>,
    /// How far the store goes after the change.
    pub(super) head: Head,
}

impl Change {
    /// What applying an entry writes. `before` is `None` for the beginning,
    /// `position` is the journal's after the entry, `window` the plan's.
    ///
    /// # Errors
    ///
    /// A value that cannot be encoded.
    pub(super) fn new(
        before: Option<&Head>,
        position: JournalPosition,
        applied: Applied<'_>,
        step: &Step,
        window: u32,
    ) -> Result<Change, CodecError> {
        let mut counts = before.map_or_else(Counts::default, |head| head.counts);
        let mut writes = Vec::with_capacity(8 + 2 * step.events.len());
        let number = position.entries.saturating_sub(1);
        match applied {
            Applied::Entry(Entry::Match(record)) => {
                counts.matches += 1;
                counts.games += record.games.len() as u64;
                writes.push((Table::Matches, key(record.number), encode(record)?));
            }
            Applied::Entry(entry @ Entry::MeasuredPair(_)) => {
                writes.push((Table::Pairs, key(number), encode(entry)?));
            }
            Applied::Entry(entry) => {
                counts.measured_matches += u64::from(matches!(entry, Entry::Measured(_)));
                writes.push((Table::Entries, key(number), encode(entry)?));
            }
            Applied::Begin(begin) => writes.push((Table::Entries, key(number), encode(begin)?)),
        }
        for event in &step.events {
            let sequence = key(counts.events);
            let stored = match event {
                Event::Born(birth) => {
                    counts.files += 1;
                    counts.births += u64::from(birth.origin.lives());
                    let file = key(birth.file.0);
                    writes.push((Table::Files, file.clone(), encode(birth)?));
                    writes.push((Table::Totals, file, encode(&Totals::default())?));
                    StoredEvent::Born(birth.file)
                }
                Event::Sample(sample) => {
                    counts.samples += 1;
                    writes.push((Table::Samples, sequence.clone(), encode(sample)?));
                    StoredEvent::Sample
                }
                other => {
                    counts.deaths += u64::from(matches!(other, Event::Died { .. }));
                    StoredEvent::Other(other.clone())
                }
            };
            let value = encode(&(counts.matches, stored))?;
            writes.push((Table::Events, sequence, value));
            counts.events += 1;
        }
        for (file, totals) in &step.totals {
            writes.push((Table::Totals, key(file.0), encode(totals)?));
        }
        let head = Head {
            entries: position.entries,
            chain: position.chain,
            counts,
            window: before.map_or(window, |head| head.window.max(window)),
        };
        Ok(Change {
            base_entries: before.map_or(0, |head| head.entries),
            writes,
            head,
        })
    }

    /// Puts the next entry's change into the same transaction.
    pub(super) fn merge(&mut self, next: Change) {
        self.writes.extend(next.writes);
        self.head = next.head;
    }

    /// Adds the state after the change as the checkpoint.
    pub(super) fn add_checkpoint(&mut self, state: State) -> Result<(), CodecError> {
        let write = checkpoint(&self.head, state)?;
        self.writes.push(write);
        Ok(())
    }
}

/// The write that makes a state the checkpoint.
pub(super) fn checkpoint(
    head: &Head,
    state: State,
) -> Result<(Table, Vec<u8>, Vec<u8>), CodecError> {
    let checkpoint = Checkpoint {
        written_by: WRITTEN_BY.to_owned(),
        entries: head.entries,
        chain: head.chain,
        state,
    };
    Ok((Table::Checkpoint, STATE_KEY.to_vec(), encode(&checkpoint)?))
}

/// The key of a number: eight bytes that sort like it.
pub(super) fn key(number: u64) -> Vec<u8> {
    number.to_be_bytes().to_vec()
}

/// The number that a key stands for; `None` for a named key.
pub(super) fn key_number(key: &[u8]) -> Option<u64> {
    key.try_into().ok().map(u64::from_be_bytes)
}
