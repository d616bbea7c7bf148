//! Start-up: from whatever lies in a directory to a journal, a store and a
//! state that agree.
//!
//! 1. Take the lock.
//! 2. Delete what was only half made: `*.new`, and sled's half snapshots.
//! 3. Open the store, guarded. A newer format is refused, and nothing is
//!    touched.
//! 4. Read the journal through: where it ends, and its chain where the store
//!    and its checkpoint stand.
//! 5. Compare.
//!
//!    | journal | store | what is done |
//!    |---|---|---|
//!    | good | the same, or behind | the store catches up |
//!    | good | missing, broken, or another story | rebuilt from the journal |
//!    | missing, damaged, or behind | good | the journal is rebuilt from the store |
//!    | damaged | behind the damage | an error: nothing tells the whole story |
//!    | missing or damaged | missing or broken | an error, and nothing is touched |
//! 6. Fold: from the checkpoint if it belongs to this journal, else from the
//!    beginning.
//! 7. Copy a store that takes far more room than what it holds.
//!
//! What is broken is moved aside, never deleted; what takes its place is made
//! beside it and renamed. So a kill at any moment leaves a case of the table.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::codec::{CodecError, decode, encode};
use super::error::{Notice, StoreError, io_error};
use super::fold::Fold;
use super::journal::{Frames, Journal, JournalError, Tail, Tip};
use super::layout::Layout;
use super::record::{Begin, Entry, MatchRecord};
use super::sled_store::{Store, TableError, guarded, missing};
use super::tables::{Applied, Change, Checkpoint, Head, STATE_KEY, Table, WRITTEN_BY};
use crate::evolve::Step;

/// Entries that are written in one transaction where nobody looks on.
const BATCH: usize = 256;

/// A store may take so much room whatever it holds …
const ROOM: u64 = 64 << 20;

/// … and so many times the bytes of its keys and values beyond that.
const SPARE: u64 = 8;

/// What a population is made of, when all of it agrees.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) fold: Fold,
    pub(super) journal: Journal,
    pub(super) store: Store,
    pub(super) head: Head,
}

/// Whether somebody wants an end: asked between two entries. What is left then
/// is what a kill leaves.
pub(super) type Stop<'a> = &'a dyn Fn() -> bool;

fn unless(stop: Stop<'_>) -> Result<(), StoreError> {
    match stop() {
        true => Err(StoreError::Stopped),
        false => Ok(()),
    }
}

/// Makes a population: the journal, which makes it one, its parameters to
/// read, then the store, as if it had been lost.
pub(super) fn create(layout: &Layout, begin: &Begin) -> Result<Opened, StoreError> {
    Fold::begin(begin)?;
    let path = layout.journal();
    let new_path = Layout::new_of(&path);
    Journal::create(&new_path)?.append(&[payload(begin)?])?;
    rename(&new_path, &path)?;
    write_params(layout, &begin.params)?;
    sync_dir(layout.dir())?;
    let opened = rebuild_store(layout)?;
    sync_dir(layout.dir())?;
    Ok(opened)
}

/// Writes the parameters that a population began with, for people to read.
pub(super) fn write_params(layout: &Layout, params: &str) -> Result<(), StoreError> {
    let text = layout.params();
    let new_text = Layout::new_of(&text);
    let written = File::create(&new_text).and_then(|mut file| {
        file.write_all(params.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|source| io_error("write", &new_text, source))?;
    rename(&new_text, &text)
}

/// Makes the text of the parameters what it was. It decides nothing, but it
/// should not tell people what is not so.
fn restore_params(layout: &Layout, params: &str) -> Result<Option<Notice>, StoreError> {
    let path = layout.params();
    match fs::read(&path) {
        Ok(text) if text == params.as_bytes() => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            write_params(layout, params)?;
            return Ok(None);
        }
        _ => {}
    }
    let aside = Layout::broken(&path);
    rename(&path, &aside)?;
    write_params(layout, params)?;
    Ok(Some(Notice(format!(
        "{} was not what the population began with: it was written again, the old one is kept as \
         {}. (Parameters are changed by flags and --accept-changes.)",
        path.display(),
        aside.display()
    ))))
}

/// Opens a population whose lock is taken.
pub(super) fn open(layout: &Layout, stop: Stop<'_>) -> Result<(Opened, Vec<Notice>), StoreError> {
    let mut notices = Vec::new();
    clear(layout)?;
    let store = find_store(layout)?;
    unless(stop)?;
    let journal = find_journal(layout, &store, stop)?;
    let opened = match (store, journal) {
        (Found::Good(store), Found::Good(journal)) if journal.continues(&store) => {
            notices.extend(journal.torn_notice());
            catch_up(layout, store, &journal, stop, &mut notices)?
        }
        (Found::Good(store), Found::Good(journal)) if journal.contradicts(&store) => {
            notices.extend(journal.torn_notice());
            drop(store);
            let why = "it does not tell the same story as the journal";
            replace_store(layout, Some(why), stop, &mut notices)?
        }
        (Found::Good(store), Found::Good(journal)) => match &journal.tail {
            Tail::Damaged(_) if journal.tip.entries > store.head.entries => {
                let behind = format!("it has only {}", entries(store.head.entries));
                return Err(journal.lost(layout, &behind));
            }
            _ => replace_journal(layout, store, Ok(&journal), stop, &mut notices)?,
        },
        (Found::Good(store), Found::Bad(why)) => {
            replace_journal(layout, store, Err(why.as_deref()), stop, &mut notices)?
        }
        (Found::Bad(why), Found::Good(journal)) => {
            if matches!(journal.tail, Tail::Damaged(_)) || journal.tip.entries == 0 {
                let why = why.unwrap_or_else(|| String::from("it is missing"));
                return Err(journal.lost(layout, &why));
            }
            notices.extend(journal.torn_notice());
            replace_store(layout, why.as_deref(), stop, &mut notices)?
        }
        (Found::Bad(store), Found::Bad(journal)) => {
            let or_missing = |why: Option<String>| why.unwrap_or_else(|| "it is missing".into());
            return Err(StoreError::Damaged {
                name: layout.name(),
                journal: or_missing(journal),
                store: or_missing(store),
                advice: advice(layout),
            });
        }
    };
    if let Some(begin) = opened.store.get::<Begin>(Table::Entries, 0)? {
        notices.extend(restore_params(layout, &begin.params)?);
    }
    Ok((opened, notices))
}

/// Something that was looked for.
enum Found<T> {
    Good(T),
    /// Why it does not serve; `None` if it is not there.
    Bad(Option<String>),
}

/// A store that opens, with everything in it that its head counts.
struct GoodStore {
    store: Store,
    head: Head,
    /// Bytes of keys and values.
    bytes: u64,
    checkpoint: Option<Checkpoint>,
}

/// A journal that has a header.
struct GoodJournal {
    tip: Tip,
    /// Where its good part ends.
    offset: u64,
    tail: Tail,
    /// Its chain after as many entries as the store has.
    chain_at_head: Option<u32>,
    /// The place after as many entries as the checkpoint has, if their chains
    /// agree.
    checkpoint_at: Option<(u64, Tip)>,
}

impl GoodJournal {
    /// Whether it has all that the store has, and nothing is wrong with it.
    fn continues(&self, store: &GoodStore) -> bool {
        !matches!(self.tail, Tail::Damaged(_)) && self.chain_at_head == Some(store.head.chain)
    }

    /// Whether it is as long as the store, but not the same.
    fn contradicts(&self, store: &GoodStore) -> bool {
        !matches!(self.tail, Tail::Damaged(_))
            && self
                .chain_at_head
                .is_some_and(|chain| chain != store.head.chain)
    }

    fn torn_notice(&self) -> Option<Notice> {
        let Tail::Torn(bytes) = self.tail else {
            return None;
        };
        Some(Notice(format!(
            "The journal ended in the middle of an entry: its last {bytes} bytes were cut off, \
             {} are whole.",
            entries(self.tip.entries)
        )))
    }

    fn describe(&self) -> String {
        let whole = entries(self.tip.entries);
        match self.tail {
            Tail::Whole => format!("it has {whole}"),
            Tail::Torn(bytes) => format!("it has {whole}, then {bytes} bytes that are no entry"),
            Tail::Damaged(next) => format!(
                "damaged at byte {}: {whole} before that are good, and so is what follows from \
                 byte {next} on",
                self.offset
            ),
        }
    }

    fn lost(&self, layout: &Layout, store: &str) -> StoreError {
        let mut advice = advice(layout);
        if self.tip.entries > 0 {
            advice.push_str(&format!(
                ", or run `loatune repair --cut`: it goes on from the {} of the journal that are \
                 good, keeps the other files aside, and what comes after is played again",
                entries(self.tip.entries)
            ));
        }
        StoreError::Damaged {
            name: layout.name(),
            journal: self.describe(),
            store: store.to_owned(),
            advice,
        }
    }
}

fn advice(layout: &Layout) -> String {
    let journal = layout.journal();
    format!(
        "What to do: bring {} or {} back from a copy",
        journal.display(),
        layout.store().display()
    )
}

/// Removes what was only half made.
fn clear(layout: &Layout) -> Result<(), StoreError> {
    for path in [layout.journal(), layout.params()] {
        remove(&Layout::new_of(&path))?;
    }
    remove(&Layout::new_of(&layout.store()))?;
    for draft in layout.drafts() {
        remove(&draft)?;
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), StoreError> {
    let kind = match fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(io_error("read", path, error)),
    };
    let removed = if kind.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    removed.map_err(|source| io_error("remove", path, source))
}

fn find_store(layout: &Layout) -> Result<Found<GoodStore>, StoreError> {
    let path = layout.store();
    let is_empty = match fs::read_dir(&path) {
        Ok(mut files) => files.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Bad(None)),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Ok(Found::Bad(Some(String::from("it is no directory"))));
        }
        Err(error) => return Err(io_error("read", &path, error)),
    };
    if is_empty {
        return Ok(Found::Bad(Some(String::from("its directory is empty"))));
    }
    match look_into(&path) {
        Ok(store) => Ok(Found::Good(store)),
        Err(error) if !error.is_damage() => Err(error.into()),
        Err(error) => Ok(Found::Bad(Some(error.to_string()))),
    }
}

fn look_into(path: &Path) -> Result<GoodStore, TableError> {
    let store = Store::open(path)?;
    guarded(path, || {
        let head = store.head()?;
        let head = head.ok_or_else(|| missing(Table::Meta, "it is empty"))?;
        let bytes = store.census(&head)?;
        // A checkpoint only saves time: one that cannot be read is not missed.
        let checkpoint = store.get_at(Table::Checkpoint, STATE_KEY).unwrap_or(None);
        Ok(GoodStore {
            store,
            head,
            bytes,
            checkpoint,
        })
    })
}

fn find_journal(
    layout: &Layout,
    store: &Found<GoodStore>,
    stop: Stop<'_>,
) -> Result<Found<GoodJournal>, StoreError> {
    let path = layout.journal();
    let mut frames = match Frames::open(&path) {
        Ok(frames) => frames,
        Err(error) if error.is_missing() => return Ok(Found::Bad(None)),
        Err(error @ JournalError::Header { .. }) => {
            return Ok(Found::Bad(Some(error.to_string())));
        }
        Err(error) => return Err(error.into()),
    };
    let (head, checkpoint) = match store {
        Found::Good(store) => (Some(store.head), store.checkpoint.as_ref()),
        Found::Bad(_) => (None, None),
    };
    let mut chain_at_head = None;
    let mut checkpoint_at = None;
    while frames.next_frame()?.is_some() {
        unless(stop)?;
        let tip = frames.tip();
        if head.is_some_and(|head| head.entries == tip.entries) {
            chain_at_head = Some(tip.chain);
        }
        if checkpoint.is_some_and(|kept| (kept.entries, kept.chain) == (tip.entries, tip.chain)) {
            checkpoint_at = Some((frames.offset(), tip));
        }
    }
    let tail = frames.tail()?;
    Ok(Found::Good(GoodJournal {
        tip: frames.tip(),
        offset: frames.offset(),
        tail,
        chain_at_head,
        checkpoint_at,
    }))
}

/// Goes on with a store that agrees with the journal, and applies what only
/// the journal has.
fn catch_up(
    layout: &Layout,
    found: GoodStore,
    journal: &GoodJournal,
    stop: Stop<'_>,
    notices: &mut Vec<Notice>,
) -> Result<Opened, StoreError> {
    let path = layout.journal();
    let GoodStore {
        store,
        mut head,
        bytes,
        checkpoint,
    } = found;
    let behind = journal.tip.entries.saturating_sub(head.entries);
    let resumed = match (checkpoint, journal.checkpoint_at) {
        (Some(kept), Some(at)) => resume(&store, &head, kept)?.map(|fold| (fold, at)),
        _ => None,
    };
    let (mut fold, mut frames) = match resumed {
        Some((fold, (offset, tip))) => (fold, Frames::open_at(&path, offset, tip)?),
        None => {
            log::info!("population {}: folding the whole journal", layout.name());
            let mut frames = Frames::open(&path)?;
            let begin = next_payload(&mut frames)?;
            (Fold::begin(&begin)?.0, frames)
        }
    };
    let mut batch = Batch::new(&store, Some(head));
    while fold.entries() < journal.tip.entries {
        unless(stop)?;
        let entry: Entry = next_payload(&mut frames)?;
        let is_new = fold.entries() >= head.entries;
        let step = fold.apply(&entry)?;
        if is_new {
            batch.add(frames.tip(), Applied::Entry(&entry), &step, &fold)?;
        }
    }
    if let Some(last) = batch.finish()? {
        head = last;
        store.sync()?;
        notices.push(Notice(format!(
            "The last {behind} of {} were in the journal only: the store has them now.",
            entries(journal.tip.entries)
        )));
    }
    let store = compact(layout, store, bytes, notices)?;
    let journal = Journal::at(&path, journal.offset, journal.tip)?;
    Ok(Opened {
        fold,
        journal,
        store,
        head,
    })
}

/// The state of a checkpoint, with the parameters that were valid then; `None`
/// where it does not fit.
fn resume(store: &Store, head: &Head, kept: Checkpoint) -> Result<Option<Fold>, StoreError> {
    if kept.written_by != WRITTEN_BY || kept.entries > head.entries || kept.entries == 0 {
        return Ok(None);
    }
    let Some(begin) = store.get::<Begin>(Table::Entries, 0)? else {
        return Ok(None);
    };
    let mut params = begin.params.clone();
    for entry in store.backwards::<Entry>(Table::Entries, 1..kept.entries) {
        if let (_, Entry::Changed { params: text, .. }) = entry? {
            params = text;
            break;
        }
    }
    let fold = Fold::resume(&begin, &params, kept.state, kept.entries)?;
    Ok(Some(fold))
}

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
fn rebuild_store(layout: &Layout) -> Result<Opened, StoreError> {
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

/// A directory without anything in it is in the way of a rename on some
/// systems.
fn remove_empty(path: &Path) -> Result<(), StoreError> {
    match fs::remove_dir(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(io_error("remove", path, error))
        }
        _ => Ok(()),
    }
}

/// Writes the journal again from what the store holds, if that folds and its
/// chain ends where the store's head says.
fn replace_journal(
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
fn compact(
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
struct Batch<'a> {
    store: &'a Store,
    head: Option<Head>,
    change: Option<Change>,
    size: usize,
    written: Option<Head>,
}

impl Batch<'_> {
    fn new(store: &Store, head: Option<Head>) -> Batch<'_> {
        Batch {
            store,
            head,
            change: None,
            size: 0,
            written: None,
        }
    }

    fn add(
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
    fn finish(mut self) -> Result<Option<Head>, StoreError> {
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
fn next_payload<T: serde::de::DeserializeOwned>(frames: &mut Frames) -> Result<T, StoreError> {
    let payload = frames.next_frame()?;
    decode(payload.unwrap_or_default()).map_err(unreadable)
}

fn payload<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, StoreError> {
    encode(value).map_err(unreadable)
}

fn unreadable(source: CodecError) -> StoreError {
    StoreError::Table(TableError::Value {
        table: "journal",
        key: String::from("entry"),
        source,
    })
}

fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    fs::rename(from, to).map_err(|source| io_error("rename", from, source))
}

/// Makes new names in a directory last.
fn sync_dir(dir: &Path) -> Result<(), StoreError> {
    let synced = File::open(dir).and_then(|dir| dir.sync_all());
    synced.map_err(|source| io_error("write", dir, source))
}

fn entries(count: u64) -> String {
    format!("{count} entr{}", if count == 1 { "y" } else { "ies" })
}

fn holding(head: &Head) -> String {
    let matches = head.counts.matches;
    format!("{matches} match{}", if matches == 1 { "" } else { "es" })
}
