//! The journal's part of an audit: every entry decoded and folded, and what it
//! writes compared with the copy of the store.

use std::collections::BTreeMap;

use super::store_copy::StoreCopy;
use super::{Audit, AuditedEntry, EntryVisitor, FoldedJournal};
use crate::evolve::{Event, Step};
use crate::store::codec::decode;
use crate::store::error::StoreError;
use crate::store::fold::Fold;
use crate::store::journal::{FrameReader, JournalTail};
use crate::store::record::{Begin, Entry};
use crate::store::sled_store::TableError;
use crate::store::tables::{Applied, Change, Head};

/// Folds the journal, and compares what each entry writes with the copy of the
/// store. Stops at the first entry that cannot be applied.
pub(super) fn read_journal(
    frames: &mut FrameReader,
    mut copy: Option<&mut StoreCopy>,
    visit: EntryVisitor<'_>,
    audit: &mut Audit,
) -> Result<(), StoreError> {
    let mut head: Option<Head> = None;
    let mut folded: Option<FoldedJournal> = None;
    loop {
        let at = frames.offset();
        let Some(payload) = frames.next_frame()?.map(<[u8]>::to_vec) else {
            break;
        };
        let position = frames.position();
        let number = position.entries - 1;
        let applied = apply_payload(&payload, &mut folded, visit, audit);
        let (applied, step) = match applied {
            Ok(found) => found,
            Err(EntryFailure::Rejected(why)) => {
                audit.add_difference(format!("journal entry {number} at byte {at}: {why}"));
                break;
            }
            Err(EntryFailure::Abort(error)) => return Err(error),
        };
        let Some(now) = &mut folded else {
            break;
        };
        for event in &step.events {
            if let Event::Born(birth) = event {
                now.births.insert(birth.file, birth.clone());
            }
        }
        let applied = match &applied {
            OwnedEntry::Begin(begin) => Applied::Begin(begin),
            OwnedEntry::Entry(entry) => Applied::Entry(entry),
        };
        let change = Change::new(
            head.as_ref(),
            position,
            applied,
            &step,
            now.fold.plan.window,
        );
        let change = change.map_err(|source| TableError::Value {
            table: "journal",
            key: number.to_string(),
            source,
        })?;
        head = Some(change.head);
        audit.entries = position.entries;
        audit.counts = change.head.counts;
        if let Some(copy) = copy.as_deref_mut() {
            copy.compare(&change, position, &now.fold, audit);
        }
    }
    match frames.tail()? {
        JournalTail::Clean => {}
        // The process that owns the population may be writing this entry.
        JournalTail::Torn(_) if audit.running => {}
        JournalTail::Torn(bytes) => audit.notes.push(format!(
            "the journal ends in the middle of an entry: the next run cuts its last {bytes} bytes \
             off and plays on from there"
        )),
        JournalTail::Damaged(next) => audit.add_difference(format!(
            "journal: damaged at byte {}, after {} good entries; what follows is good again from \
             byte {next} on",
            frames.offset(),
            audit.entries
        )),
    }
    audit.folded = folded;
    Ok(())
}

/// An entry that was applied, owned.
enum OwnedEntry {
    Begin(Begin),
    Entry(Box<Entry>),
}

/// Why an entry was not applied.
enum EntryFailure {
    /// The entry cannot be decoded, or does not follow from those before it.
    Rejected(String),
    /// The visitor ended the audit.
    Abort(StoreError),
}

/// Decodes one payload, shows it to the visitor, and folds the entry.
fn apply_payload(
    payload: &[u8],
    folded: &mut Option<FoldedJournal>,
    visit: EntryVisitor<'_>,
    audit: &mut Audit,
) -> Result<(OwnedEntry, Step), EntryFailure> {
    let rejected = |error: &dyn std::fmt::Display| EntryFailure::Rejected(error.to_string());
    let Some(now) = folded else {
        let begin: Begin = decode(payload).map_err(|error| rejected(&error))?;
        let (fold, step) = Fold::begin(&begin).map_err(|error| rejected(&error))?;
        *folded = Some(FoldedJournal {
            fold,
            births: BTreeMap::new(),
            began_with: begin.params.clone(),
            engine: None,
        });
        return Ok((OwnedEntry::Begin(begin), step));
    };
    let entry: Entry = decode(payload).map_err(|error| rejected(&error))?;
    let shown = match &entry {
        Entry::Match(record) => Some(AuditedEntry::Match(record)),
        Entry::MeasuredPair(pair) => Some(AuditedEntry::Pair(pair)),
        Entry::Engine(signature) => {
            now.engine = Some(*signature);
            None
        }
        Entry::Extended { .. } => Some(AuditedEntry::Extended),
        Entry::Scholar(learned) => Some(AuditedEntry::Scholar(learned)),
        Entry::Measured(_) | Entry::Immigrant { .. } | Entry::Changed { .. } => None,
    };
    if let Some(shown) = shown {
        visit(now, shown, audit).map_err(EntryFailure::Abort)?;
    }
    let step = now.fold.apply(&entry).map_err(|error| rejected(&error))?;
    Ok((OwnedEntry::Entry(Box::new(entry)), step))
}
