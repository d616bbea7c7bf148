//! What follows from a check: a worker whose result was right is a step nearer to
//! being trusted; one whose result was false is barred, and everything that it said
//! is looked at again.

use std::collections::BTreeMap;
use std::time::Instant;

use super::view::Bar;
use super::{Action, Dispatcher, task_name};
use crate::run::Task;
use crate::serve::fleet::wire::{Notice, Verdict};

impl Dispatcher {
    /// What follows from a result that was played again.
    pub(super) fn compare(&mut self, worker: &str, task: &Task, is_right: bool, now: Instant) {
        if is_right {
            self.credit(worker);
            return;
        }
        self.counts.differences += 1;
        let name = task_name(task);
        let why = format!("its result of {name} differs from what the coordinator plays");
        self.bar(worker, &why, now);
    }

    pub(super) fn credit(&mut self, worker: &str) {
        if let Some(entry) = self.roster.known(worker) {
            entry.checked += 1;
        }
    }

    pub(super) fn bar(&mut self, worker: &str, why: &str, now: Instant) {
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
        let bar = Bar {
            worker: worker.to_owned(),
            why: why.to_owned(),
        };
        self.note(now, event, Some(bar));
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
}
