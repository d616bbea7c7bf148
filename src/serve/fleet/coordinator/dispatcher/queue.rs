//! Which tasks wait, and which are out with the workers: the queue in the order in
//! which the run asked, what is published and when it is published again.

use std::time::Instant;

use super::{Action, Dispatcher, Open};
use crate::run::Task;
use crate::serve::fleet::wire::Order;

/// Matches that are published although no worker has room, so that one that
/// comes finds work.
pub(super) const AHEAD: usize = 8;

impl Dispatcher {
    /// Takes a task of the run.
    pub(in super::super) fn submit(&mut self, epoch: u64, task: Box<Task>) {
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
    pub(in super::super) fn discard(&mut self) {
        self.open.clear();
        self.queue.clear();
        self.out = 0;
    }

    /// An order could not be given to the broker.
    pub(in super::super) fn unpublished(&mut self, order: u64) {
        self.requeue(order);
    }

    /// Puts a task back into the queue.
    pub(super) fn requeue(&mut self, order: u64) {
        self.leave_out(order);
        if let Some(open) = self.open.get(&order) {
            self.queue.insert((open.place, order));
        }
    }

    pub(super) fn leave_out(&mut self, order: u64) {
        if let Some(open) = self.open.get_mut(&order)
            && open.out.take().is_some()
        {
            self.out -= 1;
        }
    }

    /// Publishes again what nobody has shown a sign of in time. Where the broker
    /// was lost, or there is nobody to play, nothing is known and all time counts
    /// from now.
    pub(in super::super) fn look_for_lost(&mut self, is_connected: bool, now: Instant) {
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
    pub(in super::super) fn publish(&mut self, now: Instant) {
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

    fn order(&self, task: &Task) -> Order {
        Order {
            charter: self.charter_id,
            task: task.clone(),
        }
    }
}
