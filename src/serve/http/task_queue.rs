//! A short queue between the page's requests and the thread that searches for them.
//! It owns the order and the limit; what a task is, and who waits for it, is the
//! caller's.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// First in, first out, with a limit that abandoned tasks do not count for.
pub(super) struct TaskQueue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    limit: usize,
}

struct State<T> {
    waiting: VecDeque<T>,
    is_closed: bool,
}

/// Why a task was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// As many tasks wait as may wait.
    Full,
    /// Nobody takes tasks out any more.
    Closed,
}

impl<T> TaskQueue<T> {
    pub(super) fn new(limit: usize) -> TaskQueue<T> {
        TaskQueue {
            state: Mutex::new(State {
                waiting: VecDeque::with_capacity(limit),
                is_closed: false,
            }),
            changed: Condvar::new(),
            limit,
        }
    }

    /// Adds a task. Where the queue is full, tasks that are abandoned by now leave
    /// it first.
    pub(super) fn push(&self, task: T, is_abandoned: impl Fn(&T) -> bool) -> Result<(), Refused> {
        let mut state = self.lock();
        if state.is_closed {
            return Err(Refused::Closed);
        }
        if state.waiting.len() >= self.limit {
            state.waiting.retain(|one| !is_abandoned(one));
        }
        if state.waiting.len() >= self.limit {
            return Err(Refused::Full);
        }
        state.waiting.push_back(task);
        self.changed.notify_one();
        Ok(())
    }

    /// The oldest task, waiting for one; `None` after [`TaskQueue::close`].
    pub(super) fn pop(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(task) = state.waiting.pop_front() {
                return Some(task);
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends [`TaskQueue::pop`]; what still waits is dropped.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.waiting.clear();
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Nothing panics while the lock is held, so the state is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_come_in_order_and_a_full_queue_refuses() {
        let queue = TaskQueue::new(2);
        assert_eq!(queue.push(1, |_| false), Ok(()));
        assert_eq!(queue.push(2, |_| false), Ok(()));
        assert_eq!(queue.push(3, |_| false), Err(Refused::Full));
        assert_eq!(queue.pop(), Some(1));
        assert_eq!(queue.push(3, |_| false), Ok(()));
        assert_eq!(queue.pop(), Some(2));
        assert_eq!(queue.pop(), Some(3));
    }

    #[test]
    fn abandoned_tasks_make_room() {
        let queue = TaskQueue::new(2);
        for task in [1, 2] {
            assert_eq!(queue.push(task, |_| false), Ok(()));
        }
        assert_eq!(queue.push(3, |&task| task == 1), Ok(()));
        assert_eq!(queue.pop(), Some(2));
        assert_eq!(queue.pop(), Some(3));
    }

    #[test]
    fn a_closed_queue_ends_its_reader_and_refuses() {
        let queue = TaskQueue::new(2);
        assert_eq!(queue.push(1, |_| false), Ok(()));
        queue.close();
        assert_eq!(queue.pop(), None);
        assert_eq!(queue.push(2, |_| false), Err(Refused::Closed));
    }
}
