//! The one thread that writes, by group commit.
//!
//! It takes the entries that have come in, up to [`MAX_GROUP`], and writes all
//! of them into the journal with one wait for the disk. That is cheaper than
//! one by one, so the thread collects a group for [`GROUP_WINDOW`] unless a
//! caller waits for it. What a kill loses of it is played again, with the same
//! result.
//!
//! Then the entries go to the [`write_buffer`](super::write_buffer), where
//! readers find them, and from there into the store when [`BUFFER_ENTRIES`] of
//! them wait, or the first has waited for [`BUFFER_AGE`]: in one transaction, so
//! that an entry is in the store with everything that follows from it, or not
//! at all. What a kill keeps from the store the journal gives back at the next
//! start.
//!
//! The first error ends the writing: it is kept, and every later call returns
//! it. That the journal was deleted or replaced is such an error: it is looked
//! for with every group, and every [`CHECK_INTERVAL`] while nothing comes.

use std::fmt::Display;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::codec::encode;
use super::error::{StoreError, WriteFailure};
use super::journal::Journal;
use super::record::Entry;
use super::tables::{Applied, Change, Head, checkpoint};
use super::write_buffer::WriteBuffer;
use crate::evolve::{State, Step};

/// The most entries that are written with one wait for the disk.
pub(super) const MAX_GROUP: usize = 64;

/// How long a group is collected before it is written.
pub(super) const GROUP_WINDOW: Duration = Duration::from_millis(250);

/// The write buffer is flushed into the store when so many entries wait there,
pub(super) const BUFFER_ENTRIES: u64 = 256;

/// or when the last flush is so long ago.
const BUFFER_AGE: Duration = Duration::from_secs(60);

/// How long the thread waits for a request before it looks whether the journal
/// is still where it was.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Entries that may wait for the thread before callers wait.
const QUEUE_ENTRIES: usize = 256;

/// What writing has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriterLoad {
    /// How long callers waited because the queue was full.
    pub waited: Duration,
    /// How long the thread wrote or waited for the disk.
    pub busy: Duration,
    /// Entries written into the journal.
    pub entries: u64,
    /// Groups that the entries were written in.
    pub groups: u64,
}

/// An entry on its way to the thread, with what follows from it.
#[derive(Debug)]
struct QueuedEntry {
    entry: Entry,
    step: Step,
    window: u32,
    checkpoint: Option<State>,
}

/// What callers ask of the thread.
#[derive(Debug)]
enum Request {
    Commit(Box<QueuedEntry>),
    /// Answer when everything before this request is safe in the journal.
    Flush(SyncSender<()>),
    /// Write the state, if there is one, as the checkpoint; wait for the disk,
    /// answer and end.
    Close(Option<Box<State>>, SyncSender<()>),
}

/// What the thread and its callers share. Times are in nanoseconds.
#[derive(Debug, Default)]
struct Shared {
    failure: Mutex<Option<WriteFailure>>,
    waited: AtomicU64,
    busy: AtomicU64,
    entries: AtomicU64,
    groups: AtomicU64,
}

impl Shared {
    fn failure(&self) -> Option<WriteFailure> {
        let failure = self.failure.lock();
        failure.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn check(&self) -> Result<(), StoreError> {
        self.failure()
            .map_or(Ok(()), |failure| Err(StoreError::Write(failure)))
    }
}

/// The callers' handle of the thread. Dropping it waits until the thread has
/// written everything that it was given.
#[derive(Debug)]
pub(super) struct Writer {
    name: String,
    /// `None` once the writer is closed.
    requests: Option<SyncSender<Request>>,
    thread: Option<JoinHandle<()>>,
    shared: Arc<Shared>,
}

impl Writer {
    /// Starts the thread for a journal and a store that go equally far.
    pub(super) fn start(
        name: &str,
        journal: Journal,
        store: Arc<WriteBuffer>,
        head: Head,
    ) -> Result<Writer, StoreError> {
        let (requests, receiver) = mpsc::sync_channel(QUEUE_ENTRIES);
        let shared = Arc::new(Shared::default());
        let mut writer_thread = WriterThread {
            name: name.to_owned(),
            journal,
            store,
            head,
            flushed_at: Instant::now(),
            shared: Arc::clone(&shared),
        };
        let thread = thread::Builder::new()
            .name(String::from("store"))
            .spawn(move || writer_thread.run(&receiver))
            .map_err(|error| failed(name, &error))?;
        Ok(Writer {
            name: name.to_owned(),
            requests: Some(requests),
            thread: Some(thread),
            shared,
        })
    }

    /// Queues an entry. It is safe once a later [`Writer::flush`] has returned.
    pub(super) fn commit(
        &self,
        entry: Entry,
        step: Step,
        window: u32,
        checkpoint: Option<State>,
    ) -> Result<(), StoreError> {
        self.shared.check()?;
        self.send(Request::Commit(Box::new(QueuedEntry {
            entry,
            step,
            window,
            checkpoint,
        })))
    }

    /// Waits until everything that was queued is safe in the journal.
    pub(super) fn flush(&self) -> Result<(), StoreError> {
        self.wait_for(Request::Flush)
    }

    /// Writes everything, with the state as the checkpoint, and ends the thread.
    pub(super) fn close(mut self, state: Option<State>) -> Result<(), StoreError> {
        let done = self.wait_for(|answer| Request::Close(state.map(Box::new), answer));
        self.end();
        done
    }

    /// Reports the first failure of the thread.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        self.shared.check()
    }

    /// What writing has cost so far.
    pub(super) fn load(&self) -> WriterLoad {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        WriterLoad {
            waited: Duration::from_nanos(read(&self.shared.waited)),
            busy: Duration::from_nanos(read(&self.shared.busy)),
            entries: read(&self.shared.entries),
            groups: read(&self.shared.groups),
        }
    }

    fn wait_for(&self, request: impl FnOnce(SyncSender<()>) -> Request) -> Result<(), StoreError> {
        self.shared.check()?;
        let (answer, answered) = mpsc::sync_channel(1);
        self.send(request(answer))?;
        let answered = answered.recv();
        self.shared.check()?;
        answered.map_err(|_| self.gone())
    }

    fn send(&self, request: Request) -> Result<(), StoreError> {
        let Some(requests) = &self.requests else {
            return Err(StoreError::Closed);
        };
        match requests.try_send(request) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(request)) => {
                let start = Instant::now();
                let sent = requests.send(request);
                add(&self.shared.waited, start.elapsed());
                sent.map_err(|_| self.gone())
            }
            Err(TrySendError::Disconnected(_)) => Err(self.gone()),
        }
    }

    /// The error for a thread that has ended: its own failure if it reported
    /// one.
    fn gone(&self) -> StoreError {
        let why = "the thread that writes has ended";
        let failure = self.shared.failure();
        failure.map_or_else(|| failed(&self.name, &why), StoreError::Write)
    }

    fn end(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            // A panic was reported when it happened, and calls have failed since.
            let _ = thread.join();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.end();
    }
}

/// What the thread owns: the journal, and the only right to change the store.
struct WriterThread {
    name: String,
    journal: Journal,
    store: Arc<WriteBuffer>,
    head: Head,
    /// When the write buffer was last flushed into the store.
    flushed_at: Instant,
    shared: Arc<Shared>,
}

impl WriterThread {
    fn run(&mut self, requests: &Receiver<Request>) {
        let mut group = Vec::with_capacity(MAX_GROUP);
        // Each turn: 1 wait for a request, 2 collect a group, 3 write it,
        // 4 answer the caller that waits for it.
        loop {
            let first = match requests.recv_timeout(CHECK_INTERVAL) {
                Ok(first) => first,
                Err(RecvTimeoutError::Timeout) => {
                    self.timed(|writer| Ok(writer.journal.check_place()?));
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let mut next = Some(first);
            let deadline = Instant::now() + GROUP_WINDOW;
            let mut urgent = None;
            while let Some(request) = next.take() {
                match request {
                    Request::Commit(queued) => group.push(*queued),
                    other => {
                        urgent = Some(other);
                        break;
                    }
                }
                if group.len() < MAX_GROUP {
                    let left = deadline.saturating_duration_since(Instant::now());
                    next = requests.recv_timeout(left).ok();
                }
            }
            self.timed(|writer| writer.write(&mut group));
            group.clear();
            match urgent {
                Some(Request::Flush(answer)) => {
                    // The caller may have gone.
                    let _ = answer.send(());
                }
                Some(Request::Close(state, answer)) => {
                    self.timed(|writer| writer.finish(state));
                    let _ = answer.send(());
                    return;
                }
                _ => {}
            }
        }
        self.timed(|writer| Ok(writer.store.flush_buffer()?));
    }

    /// Runs `act` unless an earlier one failed; keeps its failure, and adds its
    /// time.
    fn timed(&mut self, act: impl FnOnce(&mut WriterThread) -> Result<(), StoreError>) {
        if self.shared.failure().is_some() {
            return;
        }
        let start = Instant::now();
        if let Err(error) = act(self) {
            // The caller gets it, and tells the user once.
            log::debug!("population {}: {error}", self.name);
            let failure = match error {
                StoreError::Write(failure) => failure,
                other => failure(&self.name, &other),
            };
            let kept = self.shared.failure.lock();
            *kept.unwrap_or_else(PoisonError::into_inner) = Some(failure);
        }
        add(&self.shared.busy, start.elapsed());
    }

    /// Writes a group into the journal and the write buffer, and flushes the
    /// buffer when it is due.
    fn write(&mut self, group: &mut Vec<QueuedEntry>) -> Result<(), StoreError> {
        if group.is_empty() {
            return Ok(());
        }
        let payloads: Result<Vec<Vec<u8>>, _> =
            group.iter().map(|queued| encode(&queued.entry)).collect();
        let payloads = payloads.map_err(|error| failed(&self.name, &error))?;
        let positions = self.journal.append(&payloads)?;
        let mut all: Option<Change> = None;
        let mut head = self.head;
        for (queued, position) in group.drain(..).zip(positions) {
            let QueuedEntry { entry, step, .. } = &queued;
            let entry = Applied::Entry(entry);
            let change = Change::new(Some(&head), position, entry, step, queued.window);
            let mut change = change.map_err(|error| failed(&self.name, &error))?;
            if let Some(state) = queued.checkpoint {
                let added = change.add_checkpoint(state);
                added.map_err(|error| failed(&self.name, &error))?;
            }
            head = change.head;
            match &mut all {
                Some(all) => all.merge(change),
                None => all = Some(change),
            }
        }
        if let Some(all) = all {
            self.store.add(all);
        }
        if self.store.count() >= BUFFER_ENTRIES || self.flushed_at.elapsed() >= BUFFER_AGE {
            self.store.flush_buffer()?;
            self.flushed_at = Instant::now();
        }
        let count = head.entries - self.head.entries;
        self.shared.entries.fetch_add(count, Ordering::Relaxed);
        self.shared.groups.fetch_add(1, Ordering::Relaxed);
        self.head = head;
        Ok(())
    }

    /// Writes everything and the checkpoint into the store.
    fn finish(&mut self, state: Option<Box<State>>) -> Result<(), StoreError> {
        let kept = state
            .map(|state| checkpoint(&self.head, *state))
            .transpose();
        let kept = kept.map_err(|error| failed(&self.name, &error))?;
        Ok(self.store.finish(kept)?)
    }
}

fn failure(name: &str, why: &dyn Display) -> WriteFailure {
    WriteFailure {
        name: name.to_owned(),
        why: why.to_string(),
    }
}

fn failed(name: &str, why: &dyn Display) -> StoreError {
    StoreError::Write(failure(name, why))
}

fn add(total: &AtomicU64, time: Duration) {
    let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    total.fetch_add(nanos, Ordering::Relaxed);
}
