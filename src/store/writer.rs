//! The one thread that writes.
//!
//! It takes what has come in, up to [`GROUP`] entries, and writes all of them
//! into the journal with one wait for the disk. That is cheaper than one by
//! one, so the thread lets a group gather for [`GATHER`] unless somebody waits
//! for it. What a kill loses of it is played again, with the same result.
//!
//! Then they go to the [`shelf`](super::write_buffer), where readers find them, and
//! from there into the store when [`SHELF`] of them wait, or the first has
//! waited for [`REST`]: in one transaction, so that an entry is in the store
//! with everything that follows from it, or not at all. What a kill keeps from
//! the store the journal gives back at the next start.
//!
//! The first error ends the writing: it is kept, and every later call returns
//! it.

use std::fmt::Display;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::codec::encode;
use super::error::{StoreError, WriteFailure};
use super::journal::Journal;
use super::record::Entry;
use super::tables::{Applied, Change, Head, checkpoint};
use super::write_buffer::Shelf;
use crate::evolve::{State, Step};

/// The most entries that are written together.
pub(super) const GROUP: usize = 64;

/// How long a group gathers.
pub(super) const GATHER: Duration = Duration::from_millis(250);

/// So many entries go into the store together,
pub(super) const SHELF: u64 = 256;

/// or as many as there are, after this time.
const REST: Duration = Duration::from_secs(60);

/// Entries that may wait for the thread before callers do.
const QUEUE: usize = 256;

/// The times that writing took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Callers waited so long because the thread did not keep up.
    pub waited: Duration,
    /// The thread wrote, or waited for the disk, so long.
    pub busy: Duration,
    /// Entries written.
    pub entries: u64,
    /// Groups that they were written in.
    pub groups: u64,
}

/// An entry on its way.
#[derive(Debug)]
struct Work {
    entry: Entry,
    step: Step,
    window: u32,
    checkpoint: Option<State>,
}

#[derive(Debug)]
enum Order {
    Commit(Box<Work>),
    /// Answer when everything before is written.
    Flush(SyncSender<()>),
    /// Keep the state, if there is one, wait for the disk, answer and end.
    Close(Option<Box<State>>, SyncSender<()>),
}

/// What the thread and its callers share.
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

/// The way to the thread. Dropping it lets the thread write what it was given,
/// and waits for that.
#[derive(Debug)]
pub(super) struct Writer {
    name: String,
    /// `None` once it is closed.
    orders: Option<SyncSender<Order>>,
    thread: Option<JoinHandle<()>>,
    shared: Arc<Shared>,
}

impl Writer {
    /// Starts the thread for a journal and a store that go equally far.
    pub(super) fn start(
        name: &str,
        journal: Journal,
        store: Arc<Shelf>,
        head: Head,
    ) -> Result<Writer, StoreError> {
        let (orders, receiver) = mpsc::sync_channel(QUEUE);
        let shared = Arc::new(Shared::default());
        let mut pen = Pen {
            name: name.to_owned(),
            journal,
            store,
            head,
            settled: Instant::now(),
            shared: Arc::clone(&shared),
        };
        let thread = thread::Builder::new()
            .name(String::from("store"))
            .spawn(move || pen.run(&receiver))
            .map_err(|error| failed(name, &error))?;
        Ok(Writer {
            name: name.to_owned(),
            orders: Some(orders),
            thread: Some(thread),
            shared,
        })
    }

    /// Hands an entry over. It is safe once a later [`Writer::flush`] has
    /// returned.
    pub(super) fn commit(
        &self,
        entry: Entry,
        step: Step,
        window: u32,
        checkpoint: Option<State>,
    ) -> Result<(), StoreError> {
        self.shared.check()?;
        self.send(Order::Commit(Box::new(Work {
            entry,
            step,
            window,
            checkpoint,
        })))
    }

    /// Waits until everything that was handed over is safe.
    pub(super) fn flush(&self) -> Result<(), StoreError> {
        self.wait_for(Order::Flush)
    }

    /// Writes everything, the state too, and ends the thread.
    pub(super) fn close(mut self, state: Option<State>) -> Result<(), StoreError> {
        let done = self.wait_for(|answer| Order::Close(state.map(Box::new), answer));
        self.end();
        done
    }

    /// What went wrong, as soon as it did.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        self.shared.check()
    }

    /// The times so far.
    pub(super) fn load(&self) -> Load {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Load {
            waited: Duration::from_nanos(read(&self.shared.waited)),
            busy: Duration::from_nanos(read(&self.shared.busy)),
            entries: read(&self.shared.entries),
            groups: read(&self.shared.groups),
        }
    }

    fn wait_for(&self, order: impl FnOnce(SyncSender<()>) -> Order) -> Result<(), StoreError> {
        self.shared.check()?;
        let (answer, answered) = mpsc::sync_channel(1);
        self.send(order(answer))?;
        let answered = answered.recv();
        self.shared.check()?;
        answered.map_err(|_| self.gone())
    }

    fn send(&self, order: Order) -> Result<(), StoreError> {
        let Some(orders) = &self.orders else {
            return Err(StoreError::Closed);
        };
        match orders.try_send(order) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(order)) => {
                let start = Instant::now();
                let sent = orders.send(order);
                add(&self.shared.waited, start.elapsed());
                sent.map_err(|_| self.gone())
            }
            Err(TrySendError::Disconnected(_)) => Err(self.gone()),
        }
    }

    /// The thread has ended: why, if it could still say.
    fn gone(&self) -> StoreError {
        let why = "the thread that writes has ended";
        let failure = self.shared.failure();
        failure.map_or_else(|| failed(&self.name, &why), StoreError::Write)
    }

    fn end(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // A panic was reported when it happened, and calls fail since.
            let _ = thread.join();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.end();
    }
}

/// What the thread owns.
struct Pen {
    name: String,
    journal: Journal,
    store: Arc<Shelf>,
    head: Head,
    /// When the shelf was empty last.
    settled: Instant,
    shared: Arc<Shared>,
}

impl Pen {
    fn run(&mut self, orders: &Receiver<Order>) {
        let mut group = Vec::with_capacity(GROUP);
        // Each turn: 1 wait for an order, 2 let a group gather, 3 write it,
        // 4 answer who waits for that.
        while let Ok(first) = orders.recv() {
            let mut next = Some(first);
            let gathered = Instant::now() + GATHER;
            let mut urgent = None;
            while let Some(order) = next.take() {
                match order {
                    Order::Commit(work) => group.push(*work),
                    other => {
                        urgent = Some(other);
                        break;
                    }
                }
                if group.len() < GROUP {
                    let left = gathered.saturating_duration_since(Instant::now());
                    next = orders.recv_timeout(left).ok();
                }
            }
            self.timed(|pen| pen.write(&mut group));
            group.clear();
            match urgent {
                Some(Order::Flush(answer)) => {
                    // Whoever asked may have gone.
                    let _ = answer.send(());
                }
                Some(Order::Close(state, answer)) => {
                    self.timed(|pen| pen.finish(state));
                    let _ = answer.send(());
                    return;
                }
                _ => {}
            }
        }
        self.timed(|pen| Ok(pen.store.settle()?));
    }

    /// Does something unless something failed before, and keeps its failure.
    fn timed(&mut self, act: impl FnOnce(&mut Pen) -> Result<(), StoreError>) {
        if self.shared.failure().is_some() {
            return;
        }
        let start = Instant::now();
        if let Err(error) = act(self) {
            log::error!("population {}: {error}", self.name);
            let failure = match error {
                StoreError::Write(failure) => failure,
                other => failure(&self.name, &other),
            };
            let kept = self.shared.failure.lock();
            *kept.unwrap_or_else(PoisonError::into_inner) = Some(failure);
        }
        add(&self.shared.busy, start.elapsed());
    }

    fn write(&mut self, group: &mut Vec<Work>) -> Result<(), StoreError> {
        if group.is_empty() {
            return Ok(());
        }
        let payloads: Result<Vec<Vec<u8>>, _> =
            group.iter().map(|work| encode(&work.entry)).collect();
        let payloads = payloads.map_err(|error| failed(&self.name, &error))?;
        let tips = self.journal.append(&payloads)?;
        let mut all: Option<Change> = None;
        let mut head = self.head;
        for (work, tip) in group.drain(..).zip(tips) {
            let Work { entry, step, .. } = &work;
            let entry = Applied::Entry(entry);
            let change = Change::new(Some(&head), tip, entry, step, work.window);
            let mut change = change.map_err(|error| failed(&self.name, &error))?;
            if let Some(state) = work.checkpoint {
                let kept = change.keep(state);
                kept.map_err(|error| failed(&self.name, &error))?;
            }
            head = change.head;
            match &mut all {
                Some(all) => all.then(change),
                None => all = Some(change),
            }
        }
        if let Some(all) = all {
            self.store.add(all);
        }
        if self.store.count() >= SHELF || self.settled.elapsed() >= REST {
            self.store.settle()?;
            self.settled = Instant::now();
        }
        let count = head.entries - self.head.entries;
        self.shared.entries.fetch_add(count, Ordering::Relaxed);
        self.shared.groups.fetch_add(1, Ordering::Relaxed);
        self.head = head;
        Ok(())
    }

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
