//! Who has which match, which results are believed, and what is done next: the
//! coordinator's decisions, without a network, a thread or a clock of its own.
//!
//! 1. A task that is submitted waits in the queue until the workers have room.
//! 2. It is published, and stays *out* until a result comes. Where neither a
//!    result nor a sign of life comes in time, it is published again.
//! 3. The first result that is a legal game counts. That of a new worker, and a
//!    share of the others, is held until the match was played a second time: by
//!    a thread of the coordinator, or, where these have too much to do, by
//!    another trusted worker, to whom it is published as if nobody had played it.
//! 4. Where two results differ, a thread of the coordinator plays the match, and
//!    whoever said something else is barred: what it holds is published again,
//!    its results that wait are thrown away, and those that were handed over
//!    unchecked are all played again.
//! 5. A result is handed to the run once. A later one of the same match is
//!    compared with it.
//!
//! | file | decides |
//! |---|---|
//! | `queue` | which tasks wait, which are out, which are published again |
//! | `admission` | who may take part |
//! | `results` | which results are believed, checked and handed over |
//! | `bars` | what follows from a check that found a worker right or wrong |
//! | `view` | nothing: it counts, and tells what happened |

mod admission;
mod bars;
mod queue;
mod results;
mod view;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::{Duration, Instant};

#[cfg(test)]
pub(super) use self::view::Bar;
pub(super) use self::view::NewEvent;
use self::view::{Counts, FleetEvents};
use super::roster::Roster;
use crate::arena::GameRecord;
use crate::arena::openings::NoOpening;
use crate::run::Task;
use crate::serve::fleet::wire::{Charter, Notice, Order};

/// The games of a task, or that there is no opening for them.
pub(super) type PairRecords = Result<[GameRecord; 2], NoOpening>;

/// How results are believed.
#[derive(Clone, Debug)]
pub(super) struct Policy {
    /// The share of a trusted worker's matches that is checked.
    pub(super) check: f64,
    /// First matches of a worker that are all checked.
    pub(super) probation: u64,
    /// Time without a sign of a match before it is published again.
    pub(super) timeout: Duration,
    /// Matches that the run draws before the oldest of them is applied.
    pub(super) window: u64,
    /// Checks that the coordinator's threads may have before them.
    pub(super) local_checks: usize,
    /// What the choice of matches to check follows from. No worker knows it.
    pub(super) secret: [u8; 32],
}

/// What the coordinator must do.
#[derive(Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all of them are the large variant, and few exist at a time"
)]
pub(super) enum Action {
    /// Give an order to the workers.
    Publish(Order),
    /// Play a match here.
    Check(u64, Box<Task>),
    /// Hand the games of a task to the run.
    Deliver {
        epoch: u64,
        task: Box<Task>,
        records: PairRecords,
        micros: u64,
    },
    /// Tell the workers.
    Tell(Notice),
    /// A result that was handed to the run is false.
    False { task: Box<Task>, worker: String },
}

/// A result that waits for its check.
#[derive(Debug)]
struct Held {
    worker: String,
    digest: u64,
    records: PairRecords,
    micros: u64,
}

/// A task that is not done.
#[derive(Debug)]
struct Open {
    task: Box<Task>,
    epoch: u64,
    /// Its place among all that were submitted.
    place: u64,
    /// The last sign of it; `None` while it is in the queue.
    out: Option<Instant>,
    held: Vec<Held>,
    is_checked_here: bool,
    opinions: u32,
}

/// A task whose games were handed to the run.
#[derive(Debug)]
struct Done {
    task: Box<Task>,
    worker: String,
    digest: u64,
    is_checked: bool,
    /// Results that differ and wait for the coordinator's own.
    disputed: Vec<(String, u64)>,
}

/// The coordinator's decisions.
#[derive(Debug)]
pub(super) struct Dispatcher {
    policy: Policy,
    charter: Charter,
    charter_id: u64,
    roster: Roster,
    open: HashMap<u64, Open>,
    queue: BTreeSet<(u64, u64)>,
    submitted: u64,
    out: usize,
    done: HashMap<u64, Done>,
    done_order: VecDeque<u64>,
    local_checks: usize,
    counts: Counts,
    events: FleetEvents,
    actions: Vec<Action>,
}

impl Dispatcher {
    pub(super) fn new(policy: Policy, charter: Charter) -> Dispatcher {
        Dispatcher {
            roster: Roster::new(policy.probation),
            charter_id: charter.id(),
            policy,
            charter,
            open: HashMap::new(),
            queue: BTreeSet::new(),
            submitted: 0,
            out: 0,
            done: HashMap::new(),
            done_order: VecDeque::new(),
            local_checks: 0,
            counts: Counts::default(),
            events: FleetEvents::new(),
            actions: Vec::new(),
        }
    }

    /// What is to be done since the last time.
    pub(super) fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// The task of an order, if a result of it is of any use.
    pub(super) fn task(&self, order: u64) -> Option<&Task> {
        let open = self.open.get(&order).map(|open| &*open.task);
        open.or_else(|| self.done.get(&order).map(|done| &*done.task))
    }
}

/// What messages call a task.
pub(super) fn task_name(task: &Task) -> String {
    match task {
        Task::Match(pairing) => format!("match {}", pairing.number),
        Task::Measurement(measurement) => format!("pair {} of a measurement", measurement.pair),
    }
}

#[cfg(test)]
mod tests;
