//! The store: a population on the disk, safe against kills, power cuts and
//! damaged files.
//!
//! Owns the directory of a population. The evolution is a pure fold over
//! entries, so everything that is kept beside the entries can be rebuilt from
//! them: resuming, catching up and rebuilding are one [`Fold`]. An entry goes
//! into an append-only journal first, then into sled, in one transaction with
//! everything that follows from it. Only `sled_store` knows sled. Nothing here
//! plays a game, reads the command line or prints. [`Population`] has an
//! example.
//!
//! | file | purpose |
//! |---|---|
//! | `layout` | the names of files |
//! | `codec` | values as bytes |
//! | `first_schema` | how genomes were stored before populations named their genes |
//! | `record` | the entries: matches, immigrants, changes, pairs of measured matches |
//! | `measurements` | the matches outside of the evolution, from their pairs |
//! | `stored_game` | a game in few bytes |
//! | `fold` | folds entries into states |
//! | `journal` | the append-only file of entries, its format, torn tails and damage |
//! | `journal_matches` | the matches of a journal, read without a lock |
//! | `tables` | what the store holds, its format |
//! | `blocks` | many small values under one key |
//! | `sled_store` | sled, and the answers to its defects |
//! | `write_buffer` | changes that are in the journal but not in the store yet |
//! | `writer` | the thread that writes, by group commit |
//! | `lock` | one process per population |
//! | `disk` | rename, remove, sync |
//! | `inspect` | whether journal and store can be used, and how they compare |
//! | `rebuild` | a store from a journal, a journal from a store |
//! | `only_copy` | a store without a journal, kept from harm while it is opened |
//! | `open` | creation and start-up: journal, store and state made to agree |
//! | `look` | opening a population to look at it, without changing it |
//! | `scratch` | a directory for copies that does not outlive its process |
//! | `population` | an open population |
//! | `reader` | reading while it is written |
//! | `audit` | checks a population without changing it |
//! | `relocate` | copies and renames a population |
//! | `repair` | repairs a population on demand |
//! | `error` | what can be wrong, and what the user is told |
//! | `test_support` | files as a newer program would leave them, for tests |

mod audit;
mod blocks;
mod codec;
mod disk;
mod error;
mod first_schema;
mod fold;
mod inspect;
mod journal;
mod journal_matches;
mod layout;
mod lock;
mod look;
mod measurements;
mod only_copy;
mod open;
mod population;
mod reader;
mod rebuild;
mod record;
mod relocate;
mod repair;
mod scratch;
mod sled_store;
mod stored_game;
mod tables;
mod test_support;
mod write_buffer;
mod writer;

#[cfg(test)]
mod tests;

pub use audit::{Audit, AuditedEntry, EntryVisitor, FoldedJournal, MAX_NAMED_DIFFERENCES, audit};
pub use codec::{CodecError, SCHEMA, Stored, decode, encode};
pub use error::{Notice, StoreError, WriteFailure};
pub use fold::{Fold, FoldError};
pub use journal::{
    FrameReader, Journal, JournalError, JournalPosition, JournalTail, VERSION as JOURNAL_VERSION,
};
pub use journal_matches::JournalMatches;
pub use layout::Layout;
pub use measurements::{MatchIdentity, Measurements, PairRefused};
pub use population::{Claim, Population};
pub use reader::{Reader, SequencedEvent};
pub use record::{Begin, Entry, MatchRecord, MeasuredMatch, MeasuredPair, Purpose, RecordError};
pub use relocate::{copy, is_unfinished_copy, move_to};
pub use repair::{JournalCut, Remedy, Repaired, rehearse, repair, rewind};
pub use scratch::Scratch;
pub use sled_store::TableError;
pub use stored_game::{GameError, StoredGame, StoredReason, StoredWinner};
pub use tables::{Counts, FORMAT as STORE_FORMAT};
pub use test_support::{mark_journal_newer, mark_store_newer};
pub use writer::WriterLoad;
