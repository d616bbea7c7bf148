//! A store made from a journal, a journal made from a store, and a store copied
//! to take less room. What is made lies beside its place until it is whole.

use std::path::Path;

use super::codec::{CodecError, decode, encode};
use super::disk::{remove, remove_empty, rename, sync_dir};
use super::error::{Notice, StoreError};
use super::fold::Fold;
use super::inspect::{GoodJournal, GoodStore, advice};
use super::journal::{Frames, Journal, Tip};
use super::layout::Layout;
use super::open::{Opened, Stop, unless};
use super::record::{Begin, Entry, MatchRecord};
use super::sled_store::{Store, TableError, missing};
use super::tables::{Applied, Change, Head, Table};
use crate::evolve::Step;

/// Entries that are written in one transaction where nobody looks on.
const BATCH: usize = 256;

/// A store may take so much room whatever it holds …
const ROOM: u64 = 64 << 20;

/// … and so many times the bytes of its keys and values beyond that.
const SPARE: u64 = 8;

/// Moves a broken store aside and rebuilds it from the journal.
pub(super) fn replace_store(
    layout: &Layout,
    why: Option<&str>,
    stop: Stop<'_>,
    notices: &mut Vec<Notice>,
) -> Result<Opened, StoreError> {
    let path = layout.store();
    let made = build_store(layout, stop)?;
    let what = match why {
        None => String::from("The store was missing"),
        Some(why) => {
            let aside = Layout::broken(&path);
            rename(&path, &aside)?;
            let aside = aside.display();
            format!("The store could not be used ({why}) and was moved to {aside}")
        }
    };
    let opened = made.put_in_place(layout)?;
    notices.push(Notice(format!(
        "{what}. It was rebuilt from the journal, with {}.",
        holding(&opened.head)
    )));
    Ok(opened)
}

/// Makes the store where there is none.
pub(super) fn rebuild_store(layout: &Layout) -> Result<Opened, StoreError> {
    build_store(layout, &|| false)?.put_in_place(layout)
}

/// A store beside the place where it is to be.
struct Made {
    fold: Fold,
    head: Head,
    /// Where the journal ends that it was made from.
    offset: u64,
    tip: Tip,
}

/// Folds the journal into a new store.
fn build_store(layout: &Layout, stop: Stop<'_>) -> Result<Made, StoreError> {
    let path = Layout::new_of(&layout.store());
    remove(&path)?;
    let store = Store::open(&path)?;
    let mut frames = Frames::open(&layout.journal())?;
    let begin: Begin = next_payload(&mut frames)?;
    let (mut fold, step) = Fold::begin(&begin)?;
    let mut batch = Batch::new(&store, None);
    batch.add(frames.tip(), Applied::Begin(&begin), &step, &fold)?;
    while let Some(payload) = frames.next_frame()? {
        unless(stop)?;
        let entry: Entry = decode(payload).map_err(unreadable)?;
        let step = fold.apply(&entry)?;
        batch.add(frames.tip(), Applied::Entry(&entry), &step, &fold)?;
    }
    let head = batch.finish()?;
    let head = head.ok_or_else(|| missing(Table::Meta, "it is empty"))?;
    keep_state(&store, &head, &fold)?;
    Ok(Made {
        fold,
        head,
        offset: frames.offset(),
        tip: frames.tip(),
    })
}

impl Made {
    fn put_in_place(self, layout: &Layout) -> Result<Opened, StoreError> {
        let path = layout.store();
        remove_empty(&path)?;
        rename(&Layout::new_of(&path), &path)?;
        sync_dir(layout.dir())?;
        Ok(Opened {
            fold: self.fold,
            journal: Journal::at(&layout.journal(), self.offset, self.tip)?,
            store: Store::open(&path)?,
            head: self.head,
        })
    }
}

/// Writes the journal again from what the store holds, if that folds and its
/// chain ends where the store's head says.
pub(super) fn replace_journal(
    layout: &Layout,
    found: GoodStore,
    journal: Result<&GoodJournal, Option<&str>>,
    stop: Stop<'_>,
    notices: &mut Vec<Notice>,
) -> Result<Opened, StoreError> {
    let GoodStore { store, head, .. } = found;
    let path = layout.journal();
    let what = match journal {
        Ok(journal) => journal.describe(),
        Err(Some(why)) => why.to_owned(),
        Err(None) => String::from("it is missing"),
    };
    let prefix = journal.ok().map(|journal| journal.tip);
    let made = write_journal(&store, &head, prefix, &Layout::new_of(&path), stop);
    let (fold, new) = match made {
        Ok(made) => made,
        // The disk, not what is on it.
        Err(error @ (StoreError::Journal(_) | StoreError::Io { .. } | StoreError::Stopped)) => {
            return Err(error);
        }
        Err(error) => {
            let store = error.to_string();
            return Err(match journal {
                Ok(journal) => journal.lost(layout, &store),
                Err(_) => StoreError::Damaged {
                    name: layout.name(),
                    journal: what,
                    store,
                    advice: advice(layout),
                },
            });
        }
    };
    let aside = match journal {
        Err(None) => String::new(),
        _ => {
            let aside = Layout::broken(&path);
            rename(&path, &aside)?;
            format!(", the old one is kept as {}", aside.display())
        }
    };
    let (length, tip) = (new.length(), new.tip());
    drop(new);
    rename(&Layout::new_of(&path), &path)?;
    sync_dir(layout.dir())?;
    notices.push(Notice(format!(
        "The journal could not be used ({what}). It was written again from the store, with \
         {}{aside}.",
        holding(&head)
    )));
    Ok(Opened {
        fold,
        journal: Journal::at(&path, length, tip)?,
        store,
        head,
    })
}

/// The store's entries as a new journal. `prefix` is how the old one began.
fn write_journal(
    store: &Store,
    head: &Head,
    prefix: Option<Tip>,
    path: &Path,
    stop: Stop<'_>,
) -> Result<(Fold, Journal), StoreError> {
    let mut journal = Journal::create(path)?;
    let begin = store.get::<Begin>(Table::Entries, 0)?;
    let begin = begin.ok_or_else(|| missing(Table::Entries, "the beginning is not there"))?;
    let mut fold = Fold::begin(&begin)?.0;
    let mut others = store.from::<Entry>(Table::Entries, 1).peekable();
    let mut matches = store.from::<MatchRecord>(Table::Matches, 0);
    let mut payloads = vec![payload(&begin)?];
    let mut is_prefix = true;
    let mut write = |payloads: &mut Vec<Vec<u8>>| -> Result<(), StoreError> {
        for tip in journal.append(payloads)? {
            let old = prefix.filter(|old| old.entries == tip.entries);
            is_prefix &= old.is_none_or(|old| old.chain == tip.chain);
        }
        payloads.clear();
        Ok(())
    };
    for number in 1..head.entries {
        unless(stop)?;
        let entry = match others.next_if(|other| {
            // An error is taken at once.
            other.as_ref().map_or(true, |(place, _)| *place == number)
        }) {
            Some(other) => other?.1,
            None => match matches.next() {
                Some(found) => Entry::Match(found?.1),
                None => {
                    let what = format!("entry {number} is not there");
                    return Err(missing(Table::Matches, &what).into());
                }
            },
        };
        fold.apply(&entry)?;
        payloads.push(payload(&entry)?);
        if payloads.len() == BATCH {
            write(&mut payloads)?;
        }
    }
    if !payloads.is_empty() {
        write(&mut payloads)?;
    }
    if !is_prefix || journal.tip().chain != head.chain {
        let what = if is_prefix {
            "its entries are not those that it counts"
        } else {
            "it does not tell the same story as the journal's good part"
        };
        return Err(missing(Table::Meta, what).into());
    }
    Ok((fold, journal))
}

/// Copies a store that takes far more room than what it holds.
pub(super) fn compact(
    layout: &Layout,
    store: Store,
    bytes: u64,
    notices: &mut Vec<Notice>,
) -> Result<Store, StoreError> {
    let before = store.size()?;
    if before < ROOM + SPARE * bytes {
        return Ok(store);
    }
    let store = copy(layout, store)?;
    notices.push(Notice(format!(
        "The store was made smaller: {} MiB instead of {} MiB.",
        store.size()? >> 20,
        before >> 20
    )));
    Ok(store)
}

/// Puts a copy, which is as small as can be, in a store's place. A kill
/// between the removal and the renaming leaves the journal to rebuild it from.
pub(super) fn copy(layout: &Layout, store: Store) -> Result<Store, StoreError> {
    let path = layout.store();
    let new_path = Layout::new_of(&path);
    let new = Store::open(&new_path)?;
    store.copy_to(&new)?;
    drop((store, new));
    remove(&path)?;
    rename(&new_path, &path)?;
    sync_dir(layout.dir())?;
    Ok(Store::open(&path)?)
}

/// Changes that are written together.
pub(super) struct Batch<'a> {
    store: &'a Store,
    head: Option<Head>,
    change: Option<Change>,
    size: usize,
    written: Option<Head>,
}

impl Batch<'_> {
    pub(super) fn new(store: &Store, head: Option<Head>) -> Batch<'_> {
        Batch {
            store,
            head,
            change: None,
            size: 0,
            written: None,
        }
    }

    pub(super) fn add(
        &mut self,
        tip: Tip,
        applied: Applied<'_>,
        step: &Step,
        fold: &Fold,
    ) -> Result<(), StoreError> {
        let next = Change::new(self.head.as_ref(), tip, applied, step, fold.plan.window);
        let next = next.map_err(unreadable)?;
        self.head = Some(next.head);
        match &mut self.change {
            Some(change) => change.then(next),
            None => self.change = Some(next),
        }
        self.size += 1;
        if self.size == BATCH {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), StoreError> {
        if let Some(change) = self.change.take() {
            self.store.commit(&change)?;
            self.written = Some(change.head);
        }
        self.size = 0;
        Ok(())
    }

    /// The head, if anything was written.
    pub(super) fn finish(mut self) -> Result<Option<Head>, StoreError> {
        self.write()?;
        Ok(self.written)
    }
}

fn keep_state(store: &Store, head: &Head, fold: &Fold) -> Result<(), StoreError> {
    let kept = super::tables::checkpoint(head, fold.state.clone());
    let (table, key, value) = kept.map_err(unreadable)?;
    store.put(table, &key, &value)?;
    Ok(store.sync()?)
}

/// The next payload of frames that were read before.
pub(super) fn next_payload<T: serde::de::DeserializeOwned>(
    frames: &mut Frames,
) -> Result<T, StoreError> {
    let payload = frames.next_frame()?;
    decode(payload.unwrap_or_default()).map_err(unreadable)
}

pub(super) fn payload<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, StoreError> {
    encode(value).map_err(unreadable)
}

fn unreadable(source: CodecError) -> StoreError {
    StoreError::Table(TableError::Value {
        table: "journal",
        key: String::from("entry"),
        source,
    })
}

fn holding(head: &Head) -> String {
    let matches = head.counts.matches;
    format!("{matches} match{}", if matches == 1 { "" } else { "es" })
}
