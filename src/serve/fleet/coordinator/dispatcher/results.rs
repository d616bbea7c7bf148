//! Which results are believed: the first legal one, held where it is to be checked,
//! compared where there is a second, and handed to the run once.

use std::time::Instant;

use super::{Action, Dispatcher, Done, Held, PairRecords};
use crate::run::Task;
use crate::serve::fleet::coordinator::roster::MAX_REFUSED;

/// Results that were handed over and can still be compared and audited.
const REMEMBERED: usize = 65_536;

/// Opinions of other workers that are asked for before the coordinator plays a
/// match itself.
const MAX_OPINIONS: u32 = 3;

impl Dispatcher {
    /// Takes a result of a worker: its digest and its games, or why it is none.
    pub(in super::super) fn answer(
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
        // Counting the trusted ones looks at every worker, so it comes last.
        let may_ask = agrees
            && open.opinions < MAX_OPINIONS
            && self.local_checks >= self.policy.local_checks
            && self.roster.trusted(now) >= 2;
        if may_ask {
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
    pub(in super::super) fn checked(
        &mut self,
        order: u64,
        digest: u64,
        records: PairRecords,
        now: Instant,
    ) {
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

    pub(super) fn check_here(&mut self, order: u64, task: Box<Task>) {
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

    /// A check whose match nobody waits for any more.
    pub(in super::super) fn unneeded_check(&mut self) {
        self.local_checks = self.local_checks.saturating_sub(1);
    }

    /// Whether chance chooses a match to be played again.
    pub(super) fn is_sampled(&self, order: u64) -> bool {
        let hash = blake3::keyed_hash(&self.policy.secret, &order.to_le_bytes());
        let (first, _) = hash
            .as_bytes()
            .split_first_chunk()
            .expect("it has 32 bytes");
        let drawn = u64::from_le_bytes(*first) as f64 / 2_f64.powi(64);
        drawn < self.policy.check
    }
}
