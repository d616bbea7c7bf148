//! The store: a population on the disk, which nothing can take away.
//!
//! Owns the directory of a population. The evolution is a pure fold over
//! entries, so whatever is kept beside them can be made again from them, and
//! is: resuming, catching up and rebuilding are one [`Fold`]. Entries lie in
//! an append-only journal first, then in sled, each in one transaction with
//! everything that follows from it. Only `sled_store` knows sled. Nothing
//! here plays a game, reads the command line or prints.
//!
//! | file | purpose |
//! |---|---|
//! | `audit` | looking a population through without touching it |
//! | `repair` | making it whole on demand |
//! | `test_support` | files as a newer program would leave them, for tests |
//! | `layout` | the names of files |
//! | `codec` | values as bytes |
//! | `record` | the entries: matches, immigrants, changes, duels |
//! | `stored_game` | a game in few bytes |
//! | `fold` | entries into states |
//! | `journal` | the append-only file of entries, its format |
//! | `tables` | what the store holds, its format |
//! | `blocks` | many small values under one key |
//! | `sled_store` | sled, and the answers to its defects |
//! | `write_buffer` | the store with what is on its way there |
//! | `writer` | the thread that writes, in groups |
//! | `lock` | one process a population |
//! | `disk` | files that are moved, removed, made to last |
//! | `inspect` | what lies in a directory, and how it compares |
//! | `rebuild` | a store from a journal, a journal from a store |
//! | `open` | creation and start-up: making journal, store and state agree |
//! | `population` | an open population |
//! | `reader` | reading while it is written |
//! | `error` | what can be wrong, and what the user is told |

mod audit;
mod blocks;
mod codec;
mod disk;
mod error;
mod fold;
mod inspect;
mod journal;
mod layout;
mod lock;
mod open;
mod population;
mod reader;
mod rebuild;
mod record;
mod repair;
mod sled_store;
mod stored_game;
mod tables;
mod test_support;
mod write_buffer;
mod writer;

#[cfg(test)]
mod tests;

pub use audit::{Audit, Each, End, NAMED, audit};
pub use codec::{CodecError, SCHEMA, decode, encode};
pub use error::{Notice, StoreError, WriteFailure};
pub use fold::{Fold, FoldError};
pub use journal::{Frames, Journal, JournalError, Tail, Tip, VERSION as JOURNAL_VERSION};
pub use layout::Layout;
pub use population::Population;
pub use reader::{Reader, SequencedEvent};
pub use record::{Begin, Entry, MatchRecord, MeasuredMatch, Purpose, RecordError};
pub use repair::{Cut, Repaired, repair};
pub use sled_store::TableError;
pub use stored_game::{GameError, StoredGame, StoredReason, StoredWinner};
pub use tables::{Counts, FORMAT as STORE_FORMAT};
pub use test_support::{mark_journal_newer, mark_store_newer};
pub use writer::Load;
