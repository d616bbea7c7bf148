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

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::time::{Duration, Instant};

use super::roster::{MAX_REFUSED, Roster};
use crate::api::{FleetEventView, FleetView};
use crate::arena::GameRecord;
use crate::arena::openings::NoOpening;
use crate::run::Task;
use crate::serve::fleet::wire::{Beat, Charter, Notice, Order, PROTOCOL, Verdict};

/// The games of a task, or that there is no opening for them.
pub(super) type PairRecords = Result<[GameRecord; 2], NoOpening>;

/// Results that were handed over and can still be compared and audited.
const REMEMBERED: usize = 65_536;

/// Matches that are published although no worker has room, so that one that
/// comes finds work.
const AHEAD: usize = 8;

/// Opinions of other workers that are asked for before the coordinator plays a
/// match itself.
const MAX_OPINIONS: u32 = 3;

/// Events that are kept for the page.
const MAX_EVENTS: usize = 100;

/// How results are believed.
#[derive(Clone, Debug)]
pub(super) struct Policy {
    /// The share of a trusted worker's matches that is checked.
    pub(super) check: f64,
    /// First matches of a worker that are all checked.
    pub(super) probation: u64,
    /// Time without a sign of a match before it is published again.
    pub(super) timeout: Duration,
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

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    games: u64,
    republished: u64,
    duplicates: u64,
    late: u64,
    refused: u64,
    checks: u64,
    differences: u64,
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
    events: VecDeque<(u64, Instant, String)>,
    next_event: u64,
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
            events: VecDeque::new(),
            next_event: 1,
            actions: Vec::new(),
        }
    }

    /// What is to be done since the last time.
    pub(super) fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// Takes a task of the run.
    pub(super) fn submit(&mut self, epoch: u64, task: Box<Task>) {
        let number = self.order(&task).number();
        let place = self.submitted;
        self.submitted += 1;
        if let Some(open) = self.open.get_mut(&number) {
            open.epoch = epoch;
            return;
        }
        self.queue.insert((place, number));
        self.open.insert(
            number,
            Open {
                task,
                epoch,
                place,
                out: None,
                held: Vec::new(),
                is_checked_here: false,
                opinions: 0,
            },
        );
    }

    /// Forgets everything that was submitted.
    pub(super) fn discard(&mut self) {
        self.open.clear();
        self.queue.clear();
        self.out = 0;
    }

    /// The task of an order, if a result of it is of any use.
    pub(super) fn task(&self, order: u64) -> Option<&Task> {
        let open = self.open.get(&order).map(|open| &*open.task);
        open.or_else(|| self.done.get(&order).map(|done| &*done.task))
    }

    /// A message that cannot be read, or not by who sent it.
    pub(super) fn unreadable(&mut self) {
        self.counts.refused += 1;
    }

    /// A result that nobody waits for.
    pub(super) fn late(&mut self) {
        self.counts.late += 1;
    }

    /// A check whose match nobody waits for any more.
    pub(super) fn unneeded_check(&mut self) {
        self.local_checks = self.local_checks.saturating_sub(1);
    }

    /// What a worker is told that wants to take part.
    pub(super) fn join(&mut self, beat: &Beat, now: Instant) -> Verdict {
        let verdict = self.judge(beat);
        if verdict.unwanted.is_none() {
            self.beat(beat, now);
        } else {
            let why = verdict.unwanted.as_deref().unwrap_or_default();
            self.tell_event(now, format!("{} is not wanted: {why}", beat.worker));
        }
        verdict
    }

    /// Takes a sign of life.
    pub(super) fn beat(&mut self, beat: &Beat, now: Instant) {
        let verdict = self.judge(beat);
        if verdict.unwanted.is_some() {
            self.actions.push(Action::Tell(Notice::Unwanted {
                worker: beat.worker.clone(),
                verdict,
            }));
            return;
        }
        let is_new = self.roster.beat(beat, now);
        if is_new == Some(true) {
            let event = format!("{} joined with {} threads", beat.worker, beat.threads);
            self.tell_event(now, event);
        } else if beat.leaving {
            self.tell_event(now, format!("{} leaves", beat.worker));
        }
        for order in &beat.holding {
            if let Some(open) = self.open.get_mut(order)
                && let Some(alive) = &mut open.out
            {
                *alive = now;
            }
        }
    }

    /// Whether a worker may take part, and why not.
    fn judge(&self, beat: &Beat) -> Verdict {
        let charter = &self.charter;
        let barred = self.roster.barred_because(&beat.worker);
        let unwanted = if let Some(why) = barred {
            Some(why.to_owned())
        } else if beat.protocol != PROTOCOL {
            Some(format!(
                "it speaks version {} of the messages, the run version {PROTOCOL}: use loatune {} \
                 there",
                beat.protocol, charter.program
            ))
        } else if beat.engine != charter.engine {
            Some(format!(
                "its engine has the signature {}, the run's {}: use loatune {} there",
                beat.engine, charter.engine, charter.program
            ))
        } else if beat.fingerprint != charter.fingerprint {
            Some(format!(
                "it reads the run's parameters as {}, the run as {}: use loatune {} there",
                beat.fingerprint, charter.fingerprint, charter.program
            ))
        } else {
            None
        };
        Verdict {
            unwanted,
            barred: barred.is_some(),
        }
    }

    /// Takes a result of a worker: its digest and its games, or why it is none.
    pub(super) fn answer(
        &mut self,
        worker: &str,
        order: u64,
        micros: u64,
        judged: Result<(u64, PairRecords), String>,
        now: Instant,
    ) {
        let Some(entry) = self.roster.entry(worker, now) else {
            self.counts.refused += 1;
            return;
        };
        if entry.barred.is_some() {
            self.counts.refused += 1;
            return;
        }
        let (digest, records) = match judged {
            Ok(judged) => judged,
            Err(why) => {
                entry.faults += 1;
                let must_go = entry.faults >= MAX_REFUSED;
                self.counts.refused += 1;
                self.tell_event(now, format!("a result of {worker} was refused: {why}"));
                self.requeue(order);
                if must_go {
                    let why = format!("{MAX_REFUSED} of its results were refused; the last: {why}");
                    self.bar(worker, &why, now);
                }
                return;
            }
        };
        if self.open.contains_key(&order) {
            let held = Held {
                worker: worker.to_owned(),
                digest,
                records,
                micros,
            };
            self.answer_open(order, held, now);
        } else if let Some(done) = self.done.get_mut(&order) {
            self.counts.duplicates += 1;
            if done.digest != digest {
                done.disputed.push((worker.to_owned(), digest));
                let task = done.task.clone();
                self.check_here(order, task);
            }
        } else {
            self.counts.late += 1;
        }
    }

    fn answer_open(&mut self, order: u64, new: Held, now: Instant) {
        let is_trusted = self.roster.is_trusted(&new.worker);
        let is_sampled = self.is_sampled(order);
        let trusted = self.roster.trusted(now);
        let Some(open) = self.open.get_mut(&order) else {
            return;
        };
        let is_first = open.held.is_empty();
        if is_first && is_trusted && !is_sampled {
            self.deliver(order, new, false);
            return;
        }
        if !is_first {
            self.counts.duplicates += 1;
        }
        let agrees = open.held.iter().all(|held| held.digest == new.digest);
        if !is_first && agrees && is_trusted && open.held.iter().all(|h| h.worker != new.worker) {
            // A second opinion, which is what the match was waiting for.
            self.counts.checks += 1;
            let held = std::mem::take(&mut open.held);
            for held in held {
                self.credit(&held.worker);
            }
            self.deliver(order, new, true);
            return;
        }
        if is_first || !agrees {
            open.held.push(new);
        }
        if open.is_checked_here {
            return;
        }
        let may_ask = agrees && trusted >= 2 && open.opinions < MAX_OPINIONS;
        if self.local_checks >= self.policy.local_checks && may_ask {
            open.opinions += 1;
            self.requeue(order);
        } else {
            open.is_checked_here = true;
            let place = open.place;
            self.leave_out(order);
            self.queue.remove(&(place, order));
            let task = self.open[&order].task.clone();
            self.check_here(order, task);
        }
    }

    /// Takes the result of a match that was played here, which is the truth.
    pub(super) fn checked(&mut self, order: u64, digest: u64, records: PairRecords, now: Instant) {
        self.local_checks = self.local_checks.saturating_sub(1);
        self.counts.checks += 1;
        if let Some(done) = self.done.get_mut(&order) {
            let disputed = std::mem::take(&mut done.disputed);
            done.is_checked = true;
            let (accepted, worker) = (done.digest, done.worker.clone());
            let task = done.task.clone();
            for (other, theirs) in disputed {
                self.compare(&other, &task, theirs == digest, now);
            }
            if accepted != digest {
                self.compare(&worker, &task, false, now);
                self.actions.push(Action::False { task, worker });
            }
        }
        let Some(open) = self.open.get_mut(&order) else {
            return;
        };
        let task = open.task.clone();
        let held = std::mem::take(&mut open.held);
        let mut first = None;
        for held in held {
            let is_right = held.digest == digest;
            self.compare(&held.worker, &task, is_right, now);
            if is_right && first.is_none() {
                first = Some((held.worker, held.micros));
            }
        }
        let (worker, micros) = first.unwrap_or_default();
        let truth = Held {
            worker,
            digest,
            records,
            micros,
        };
        self.deliver(order, truth, true);
    }

    /// What follows from a result that was played again.
    fn compare(&mut self, worker: &str, task: &Task, is_right: bool, now: Instant) {
        if is_right {
            self.credit(worker);
            return;
        }
        self.counts.differences += 1;
        let name = task_name(task);
        let why = format!("its result of {name} differs from what the coordinator plays");
        self.bar(worker, &why, now);
    }

    fn credit(&mut self, worker: &str) {
        if let Some(entry) = self.roster.known(worker) {
            entry.checked += 1;
        }
    }

    fn bar(&mut self, worker: &str, why: &str, now: Instant) {
        let Some(entry) = self.roster.known(worker) else {
            return;
        };
        entry.faults += 1;
        if entry.barred.is_some() {
            return;
        }
        entry.barred = Some(why.to_owned());
        let event = format!("{worker} is barred: {why}");
        log::warn!("{event}");
        self.tell_event(now, event);
        self.actions.push(Action::Tell(Notice::Unwanted {
            worker: worker.to_owned(),
            verdict: Verdict {
                unwanted: Some(why.to_owned()),
                barred: true,
            },
        }));
        // What it said and nobody has checked is thrown away.
        let mut again = Vec::new();
        for (&order, open) in &mut self.open {
            let before = open.held.len();
            open.held.retain(|held| held.worker != worker);
            if open.held.len() < before && open.held.is_empty() && !open.is_checked_here {
                again.push(order);
            }
        }
        for order in again {
            self.requeue(order);
        }
        // What was handed over on trust is played again.
        let unchecked = self.done.iter();
        let unchecked = unchecked.filter(|(_, done)| done.worker == worker && !done.is_checked);
        let unchecked: BTreeMap<u64, Box<Task>> = unchecked
            .map(|(&order, done)| (order, done.task.clone()))
            .collect();
        if !unchecked.is_empty() {
            let count = unchecked.len();
            let event = format!("{count} results of {worker} that were applied are played again");
            log::warn!("{event}");
            self.tell_event(now, event);
        }
        for (order, task) in unchecked {
            self.check_here(order, task);
        }
    }

    fn check_here(&mut self, order: u64, task: Box<Task>) {
        self.local_checks += 1;
        self.actions.push(Action::Check(order, task));
    }

    fn deliver(&mut self, order: u64, held: Held, is_checked: bool) {
        self.leave_out(order);
        let Some(open) = self.open.remove(&order) else {
            return;
        };
        self.queue.remove(&(open.place, order));
        self.counts.games += 2;
        if let Some(entry) = self.roster.known(&held.worker) {
            entry.games += 2;
        }
        let done = Done {
            task: open.task.clone(),
            worker: held.worker,
            digest: held.digest,
            is_checked,
            disputed: Vec::new(),
        };
        if self.done.insert(order, done).is_none() {
            self.done_order.push_back(order);
        }
        if self.done_order.len() > REMEMBERED
            && let Some(oldest) = self.done_order.pop_front()
        {
            self.done.remove(&oldest);
        }
        self.actions.push(Action::Deliver {
            epoch: open.epoch,
            task: open.task,
            records: held.records,
            micros: held.micros,
        });
    }

    /// An order could not be given to the broker.
    pub(super) fn unpublished(&mut self, order: u64) {
        self.requeue(order);
    }

    /// Puts a task back into the queue.
    fn requeue(&mut self, order: u64) {
        self.leave_out(order);
        if let Some(open) = self.open.get(&order) {
            self.queue.insert((open.place, order));
        }
    }

    fn leave_out(&mut self, order: u64) {
        if let Some(open) = self.open.get_mut(&order)
            && open.out.take().is_some()
        {
            self.out -= 1;
        }
    }

    /// Publishes again what nobody has shown a sign of in time. Where the broker
    /// was lost, or there is nobody to play, nothing is known and all time counts
    /// from now.
    pub(super) fn look_for_lost(&mut self, is_connected: bool, now: Instant) {
        self.roster.forget(now);
        let is_blind = !is_connected || self.roster.is_deserted(now);
        let mut lost = Vec::new();
        for (&order, open) in &mut self.open {
            let Some(alive) = &mut open.out else {
                continue;
            };
            if !is_connected {
                *alive = now;
            } else if now.saturating_duration_since(*alive) > self.policy.timeout && !is_blind {
                lost.push(order);
            }
        }
        self.counts.republished += lost.len() as u64;
        for order in lost {
            self.requeue(order);
        }
    }

    /// Publishes as much as the workers have room for, the oldest first.
    pub(super) fn publish(&mut self, now: Instant) {
        let room = self.roster.capacity(now) + AHEAD;
        while self.out < room {
            let Some((_, number)) = self.queue.pop_first() else {
                return;
            };
            let Some(open) = self.open.get_mut(&number) else {
                continue;
            };
            open.out = Some(now);
            self.out += 1;
            let task = Task::clone(&open.task);
            let charter = self.charter_id;
            self.actions.push(Action::Publish(Order { charter, task }));
        }
    }

    /// The notice that a run goes on.
    pub(super) fn here(&self) -> Notice {
        Notice::Here {
            charter: self.charter_id,
            beat_seconds: self.roster.beat_seconds(),
        }
    }

    /// Whether no worker is there that could play.
    pub(super) fn is_deserted(&self, now: Instant) -> bool {
        self.roster.is_deserted(now)
    }

    fn order(&self, task: &Task) -> Order {
        Order {
            charter: self.charter_id,
            task: task.clone(),
        }
    }

    /// Whether chance chooses a match to be played again.
    fn is_sampled(&self, order: u64) -> bool {
        let hash = blake3::keyed_hash(&self.policy.secret, &order.to_le_bytes());
        let (first, _) = hash
            .as_bytes()
            .split_first_chunk()
            .expect("it has 32 bytes");
        let drawn = u64::from_le_bytes(*first) as f64 / 2_f64.powi(64);
        drawn < self.policy.check
    }

    /// Notes something that happened.
    pub(super) fn tell_event(&mut self, now: Instant, text: String) {
        log::info!("fleet: {text}");
        if self.events.len() == MAX_EVENTS {
            self.events.pop_front();
        }
        self.events.push_back((self.next_event, now, text));
        self.next_event += 1;
    }

    /// What is shown of the fleet.
    pub(super) fn view(
        &self,
        name: &str,
        broker: &str,
        connected: bool,
        now: Instant,
    ) -> FleetView {
        let workers = self.roster.view(now);
        let counts = &self.counts;
        let event = |(number, at, text): &(u64, Instant, String)| FleetEventView {
            number: *number,
            seconds_ago: now.saturating_duration_since(*at).as_secs_f64(),
            text: text.clone(),
        };
        FleetView {
            name: name.to_owned(),
            broker: broker.to_owned(),
            connected,
            games_per_second: workers.iter().map(|worker| worker.games_per_second).sum(),
            games: counts.games,
            waiting: self.queue.len() as u64,
            out: self.out as u64,
            checking: self.local_checks as u64,
            republished: counts.republished,
            duplicates: counts.duplicates,
            late: counts.late,
            refused: counts.refused,
            checks: counts.checks,
            differences: counts.differences,
            workers,
            events: self.events.iter().map(event).collect(),
        }
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
