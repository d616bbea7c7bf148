//! Looking a population through without touching it: the journal frame by
//! frame, folded from the beginning, and the store value by value against what
//! follows from that.
//!
//! sled writes when it is opened, so a copy of the store is looked at. While
//! another process has the population, its store is left alone and the journal
//! is read as far as it went at the start.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use super::codec::decode;
use super::error::{StoreError, io_error};
use super::fold::Fold;
use super::journal::{Frames, JournalError, Tail, Tip};
use super::layout::Layout;
use super::lock::Lock;
use super::record::{Begin, Entry, MatchRecord, MeasuredMatch};
use super::sled_store::{Store, TableError, guarded, missing};
use super::tables::{
    Applied, Change, Checkpoint, Counts, Head, STATE_KEY, Table, WRITTEN_BY, number_of,
};
use crate::evolve::{Birth, Event, FileId, Step, Totals};

/// So many differences are named; the others are only counted.
pub const NAMED: usize = 20;

/// What was found.
#[derive(Debug, Default)]
pub struct Audit {
    /// What is not as it should be, the first [`NAMED`] of them in the order in
    /// which they were found.
    pub differences: Vec<String>,
    /// How many there are.
    pub different: u64,
    /// What a kill may leave, and the next run puts right.
    pub notes: Vec<String>,
    /// Entries of the journal that are good, the beginning included.
    pub entries: u64,
    /// What they amount to.
    pub counts: Counts,
    /// Values of the store that were compared.
    pub compared: u64,
    /// Whether another process has the population.
    pub running: bool,
    /// Where the good entries lead; `None` where there is none.
    pub end: Option<End>,
}

/// Where a journal leads.
#[derive(Debug)]
pub struct End {
    /// The state and its parameters.
    pub fold: Fold,
    /// Every duel.
    pub measured_matches: Vec<MeasuredMatch>,
    /// How every file was born.
    pub births: BTreeMap<FileId, Birth>,
    /// The parameters that it began with.
    pub began_with: String,
    /// The signature of the engine that plays; `None` where nobody said.
    pub engine: Option<u64>,
}

impl Audit {
    /// Adds a difference.
    pub fn differs(&mut self, what: String) {
        self.different += 1;
        if self.differences.len() < NAMED {
            self.differences.push(what);
        }
    }

    /// Whether everything is as it should be.
    pub fn is_clean(&self) -> bool {
        self.different == 0
    }
}

/// Whoever sees every match of a journal.
pub type Each<'a> = &'a mut dyn FnMut(&End, &MatchRecord, &mut Audit) -> Result<(), StoreError>;

/// Looks through the population in `dir`; the copy of its store is made in
/// `scratch`. `each` sees every match before it is applied, with what led to
/// it, and ends everything by an error.
pub fn audit(dir: &Path, scratch: &Path, each: Each<'_>) -> Result<Audit, StoreError> {
    let layout = Layout::new(dir);
    if !layout.journal().exists() && !layout.store().exists() {
        return Err(StoreError::Missing {
            name: layout.name(),
            dir: dir.to_owned(),
        });
    }
    let mut audit = Audit::default();
    let mut copy = Copy::make(&layout, scratch, &mut audit)?;
    match Frames::open(&layout.journal()) {
        Ok(mut frames) => read(&mut frames, copy.as_mut(), each, &mut audit)?,
        Err(error) if error.is_missing() => audit.differs(String::from("journal: it is missing")),
        Err(error @ JournalError::Header { .. }) => audit.differs(format!("journal: {error}")),
        Err(error) => return Err(error.into()),
    }
    if let Some(copy) = &copy {
        copy.compare_rest(&mut audit);
    }
    Ok(audit)
}

/// Folds the journal, and compares what each entry writes.
fn read(
    frames: &mut Frames,
    mut copy: Option<&mut Copy>,
    each: Each<'_>,
    audit: &mut Audit,
) -> Result<(), StoreError> {
    let mut head: Option<Head> = None;
    let mut end: Option<End> = None;
    loop {
        let at = frames.offset();
        let Some(payload) = frames.next_frame()?.map(<[u8]>::to_vec) else {
            break;
        };
        let tip = frames.tip();
        let number = tip.entries - 1;
        let folded = fold_in(&payload, &mut end, each, audit);
        let (applied, step) = match folded {
            Ok(found) => found,
            Err(Stray::Entry(why)) => {
                audit.differs(format!("journal entry {number} at byte {at}: {why}"));
                break;
            }
            Err(Stray::Stop(error)) => return Err(error),
        };
        let Some(now) = &mut end else {
            break;
        };
        for event in &step.events {
            if let Event::Born(birth) = event {
                now.births.insert(birth.file, birth.clone());
            }
        }
        let applied = match &applied {
            Whole::Begin(begin) => Applied::Begin(begin),
            Whole::Entry(entry) => Applied::Entry(entry),
        };
        let change = Change::new(head.as_ref(), tip, applied, &step, now.fold.plan.window);
        let change = change.map_err(|source| TableError::Value {
            table: "journal",
            key: number.to_string(),
            source,
        })?;
        head = Some(change.head);
        audit.entries = tip.entries;
        audit.counts = change.head.counts;
        if let Some(copy) = copy.as_deref_mut() {
            copy.compare(&change, tip, &now.fold, audit);
        }
    }
    match frames.tail()? {
        Tail::Whole => {}
        // Somebody may be writing it.
        Tail::Torn(_) if audit.running => {}
        Tail::Torn(bytes) => audit.notes.push(format!(
            "the journal ends in the middle of an entry: the next run cuts its last {bytes} bytes \
             off and plays on from there"
        )),
        Tail::Damaged(next) => audit.differs(format!(
            "journal: damaged at byte {}, after {} good entries; what follows is good again from \
             byte {next} on",
            frames.offset(),
            audit.entries
        )),
    }
    audit.end = end;
    Ok(())
}

/// An entry that was applied.
enum Whole {
    Begin(Begin),
    Entry(Box<Entry>),
}

/// Why an entry is not applied.
enum Stray {
    Entry(String),
    Stop(StoreError),
}

fn fold_in(
    payload: &[u8],
    end: &mut Option<End>,
    each: Each<'_>,
    audit: &mut Audit,
) -> Result<(Whole, Step), Stray> {
    let stray = |error: &dyn std::fmt::Display| Stray::Entry(error.to_string());
    let Some(now) = end else {
        let begin: Begin = decode(payload).map_err(|error| stray(&error))?;
        let (fold, step) = Fold::begin(&begin).map_err(|error| stray(&error))?;
        *end = Some(End {
            fold,
            measured_matches: Vec::new(),
            births: BTreeMap::new(),
            began_with: begin.params.clone(),
            engine: None,
        });
        return Ok((Whole::Begin(begin), step));
    };
    let entry: Entry = decode(payload).map_err(|error| stray(&error))?;
    match &entry {
        Entry::Match(record) => each(now, record, audit).map_err(Stray::Stop)?,
        Entry::Measured(duel) => now.measured_matches.push(duel.clone()),
        Entry::Engine(signature) => now.engine = Some(*signature),
        Entry::Immigrant { .. } | Entry::Changed { .. } => {}
    }
    let step = now.fold.apply(&entry).map_err(|error| stray(&error))?;
    Ok((Whole::Entry(Box::new(entry)), step))
}

/// A copy of a store, and what has been found in it so far.
struct Copy {
    store: Store,
    /// Where the store itself is.
    real: String,
    head: Head,
    checkpoint: Option<Checkpoint>,
    /// What is rewritten, as it must be where the store ends.
    totals: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Values that must be there, in the order of [`Table::ALL`].
    expected: [u64; Table::ALL.len()],
    /// Where the journal has come.
    reached: u64,
}

impl Copy {
    /// `None` where there is nothing to compare, which the audit is told.
    fn make(
        layout: &Layout,
        scratch: &Path,
        audit: &mut Audit,
    ) -> Result<Option<Copy>, StoreError> {
        let path = layout.store();
        let to = scratch.join("store");
        let in_use = |process: Option<u32>| {
            let process = process.map_or_else(String::new, |process| format!(" {process}"));
            format!(
                "process{process} works on the population: its store was not compared, the \
                 journal was read as far as it went"
            )
        };
        if let Some(process) = Lock::holder(layout) {
            audit.running = true;
            audit.notes.push(in_use(process));
            return Ok(None);
        }
        let copied = copy_dir(&path, &to);
        if let Some(process) = Lock::holder(layout) {
            audit.running = true;
            audit.notes.push(in_use(process));
            return Ok(None);
        }
        match copied {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                audit.differs(String::from("store: it is missing"));
                return Ok(None);
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                audit.differs(String::from("store: it is no directory"));
                return Ok(None);
            }
            Err(error) => return Err(io_error("copy", &path, error)),
        }
        let real = path.display().to_string();
        let found = Store::open(&to).and_then(|store| {
            guarded(&to, || {
                let head = store.head()?;
                let head = head.ok_or_else(|| missing(Table::Meta, "it is empty"))?;
                let checkpoint: Option<Checkpoint> = store.get_at(Table::Checkpoint, STATE_KEY)?;
                Ok((head, checkpoint))
            })
            .map(|(head, checkpoint)| (store, head, checkpoint))
        });
        match found {
            Ok((store, head, checkpoint)) => Ok(Some(Copy {
                store,
                real,
                head,
                checkpoint,
                totals: BTreeMap::new(),
                expected: [0; Table::ALL.len()],
                reached: 0,
            })),
            Err(error @ TableError::Older { .. }) => {
                audit.notes.push(format!(
                    "the store was not compared: {error}; the next run makes it anew from the journal"
                ));
                Ok(None)
            }
            Err(error) if error.is_damage() => {
                let text = error.to_string().replace(&to.display().to_string(), &real);
                audit.differs(format!("store: {text}"));
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Compares what an entry writes, unless the store does not go so far.
    fn compare(&mut self, change: &Change, tip: Tip, fold: &Fold, audit: &mut Audit) {
        if tip.entries > self.head.entries {
            return;
        }
        self.reached = tip.entries;
        for (table, key, value) in &change.writes {
            if *table == Table::Totals {
                self.totals.insert(key.clone(), value.clone());
                continue;
            }
            self.expected[*table as usize] += 1;
            self.compare_value(*table, key, value, audit);
        }
        if let Some(kept) = self.checkpoint.as_ref()
            && kept.entries == tip.entries
            && kept.written_by == WRITTEN_BY
        {
            audit.compared += 1;
            if kept.chain != tip.chain || kept.state != fold.state {
                audit.differs(format!(
                    "store checkpoint: the state after {} entries is not what they lead to",
                    tip.entries
                ));
            }
        }
        if self.head.entries == tip.entries && self.head != change.head {
            audit.differs(format!(
                "store meta head: the store has {:?}, the journal tells {:?}",
                self.head, change.head
            ));
        }
    }

    fn compare_value(&self, table: Table, key: &[u8], value: &[u8], audit: &mut Audit) {
        audit.compared += 1;
        let found = guarded(Path::new(&self.real), || self.store.bytes(table, key));
        let number = number_of(key).unwrap_or_default();
        match found {
            Ok(Some(found)) if found == value => {}
            Ok(Some(found)) => audit.differs(difference(table, number, &found, value)),
            Ok(None) => audit.differs(format!("store {table} {number}: it is not there")),
            Err(error) => audit.differs(format!("store {table} {number}: {error}")),
        }
    }

    /// Compares what is known only at the end.
    fn compare_rest(&self, audit: &mut Audit) {
        if self.head.entries > audit.entries {
            audit.differs(format!(
                "store: it has {} entries, the journal's good part only {}",
                self.head.entries, audit.entries
            ));
            return;
        }
        if self.reached != self.head.entries {
            return;
        }
        for (key, value) in &self.totals {
            self.compare_value(Table::Totals, key, value, audit);
        }
        let mut expected = self.expected;
        expected[Table::Totals as usize] = self.totals.len() as u64;
        for table in Table::ALL {
            if matches!(table, Table::Meta | Table::Checkpoint) {
                continue;
            }
            let expected = expected[table as usize];
            match guarded(Path::new(&self.real), || self.store.count(table)) {
                Ok(found) if found == expected => {}
                Ok(found) => audit.differs(format!(
                    "store {table}: {found} values, the journal tells of {expected}"
                )),
                Err(error) => audit.differs(format!("store {table}: {error}")),
            }
        }
        if self.checkpoint.as_ref().is_some_and(|kept| {
            kept.written_by == WRITTEN_BY && (kept.entries == 0 || kept.entries > self.head.entries)
        }) {
            audit.differs(String::from(
                "store checkpoint: it is of no entry that is there",
            ));
        }
        let behind = audit.entries - self.head.entries;
        if behind > 0 {
            audit.notes.push(format!(
                "the last {behind} of {} entries are in the journal only: the next run puts them \
                 into the store",
                audit.entries
            ));
        }
    }
}

fn difference(table: Table, number: u64, found: &[u8], told: &[u8]) -> String {
    match (table, decode::<Totals>(found), decode::<Totals>(told)) {
        (Table::Totals, Ok(found), Ok(told)) => {
            format!(
                "store totals of file #{number}: the store has {found:?}, the journal tells {told:?}"
            )
        }
        _ => format!("store {table} {number}: it is not what the journal tells"),
    }
}

fn copy_dir(from: &Path, to: &Path) -> io::Result<()> {
    let entries = fs::read_dir(from)?;
    fs::create_dir_all(to)?;
    for entry in entries {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_dir(&entry.path(), &target)?,
            false => {
                fs::copy(entry.path(), target)?;
            }
        }
    }
    Ok(())
}
