//! One round of a search on several threads: root parallelism, whose result does
//! not depend on the threads, and a shared tree, whose result does.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rayon::ThreadPool;

use super::budget::Budget;
use super::growth::Growth;
use super::judge::Judge;
use super::worker::{End, Worker};
use crate::search::context::StopFn;

/// How often a thread that has nothing left to do asks whether to stop.
const WAIT: Duration = Duration::from_millis(1);

/// What a round works with.
pub(super) struct Round<'a> {
    pub(super) judge: &'a Judge<'a>,
    /// The keys of the game's positions that may come back.
    pub(super) past: &'a [u64],
    pub(super) pool: Option<&'a ThreadPool>,
    /// The simulations that each tree has at the end of the round.
    pub(super) until: u64,
    pub(super) stop: StopFn<'a>,
}

/// What the threads that do not ask the caller need to know.
struct Shared<'a> {
    judge: &'a Judge<'a>,
    past: &'a [u64],
    until: u64,
    stop: &'a AtomicBool,
}

impl Round<'_> {
    /// Lets every tree grow; returns whether the search was stopped.
    pub(super) fn run(&self, growths: &mut [Growth]) -> bool {
        let options = self.judge.options;
        let threads = options.threads as usize;
        if options.shared_tree != 0 && threads > 1 && growths.len() == 1 {
            return self.run_shared(&mut growths[0], threads);
        }
        if threads > 1 && growths.len() > 1 {
            return self.run_roots(growths, threads);
        }
        for growth in growths.iter_mut() {
            let mut worker = Worker::new(self.judge, self.past, growth.seed, self.pool);
            growth.grow(&mut worker, options.leaf, self.until, self.stop);
        }
        (self.stop)()
    }

    /// Each thread grows some of the trees; this one asks whether to stop.
    fn run_roots(&self, growths: &mut [Growth], threads: usize) -> bool {
        let stop = AtomicBool::new(false);
        let shared = self.shared(&stop);
        let share = growths.len().div_ceil(threads.min(growths.len()));
        self.watch(&stop, |scope| {
            let mut handles = Vec::new();
            for trees in growths.chunks_mut(share) {
                let shared = &shared;
                handles.push(scope.spawn(move || {
                    for growth in trees {
                        let mut worker = Worker::new(shared.judge, shared.past, growth.seed, None);
                        let stopped = || shared.stop.load(Ordering::Relaxed);
                        let count = shared.judge.options.leaf;
                        growth.grow(&mut worker, count, shared.until, &stopped);
                    }
                }));
            }
            handles
        })
    }

    /// All threads work on one tree under one lock, which they hold while they go
    /// through the tree and not while they simulate.
    fn run_shared(&self, growth: &mut Growth, threads: usize) -> bool {
        let stop = AtomicBool::new(false);
        let shared = self.shared(&stop);
        let growth = Mutex::new(growth);
        self.watch(&stop, |scope| {
            let work = |_| {
                let (shared, growth) = (&shared, &growth);
                scope.spawn(move || shared.work(growth))
            };
            (0..threads).map(work).collect()
        })
    }

    fn shared<'s>(&'s self, stop: &'s AtomicBool) -> Shared<'s> {
        Shared {
            judge: self.judge,
            past: self.past,
            until: self.until,
            stop,
        }
    }

    /// Starts threads, waits for them and asks the caller meanwhile; returns
    /// whether it was stopped.
    fn watch<'env>(
        &self,
        flag: &'env AtomicBool,
        start: impl for<'scope> FnOnce(
            &'scope thread::Scope<'scope, 'env>,
        ) -> Vec<thread::ScopedJoinHandle<'scope, ()>>,
    ) -> bool {
        thread::scope(|scope| {
            let handles = start(scope);
            while !handles.iter().all(thread::ScopedJoinHandle::is_finished) {
                if (self.stop)() {
                    flag.store(true, Ordering::Relaxed);
                }
                thread::sleep(WAIT);
            }
        });
        flag.load(Ordering::Relaxed) || (self.stop)()
    }
}

impl Shared<'_> {
    /// One thread's work on the shared tree.
    fn work(&self, growth: &Mutex<&mut Growth>) {
        let lock = || {
            let held = growth.lock();
            held.unwrap_or_else(std::sync::PoisonError::into_inner)
        };
        let seed = lock().seed;
        let mut worker = Worker::new(self.judge, self.past, seed, None);
        loop {
            let mut held = lock();
            let over = held.is_done() || held.simulations >= self.until;
            // One batch is always played: without it there is no move.
            let stopped = held.simulations > 0 && self.stop.load(Ordering::Relaxed);
            if over || stopped {
                return;
            }
            let batch = held.batch(self.judge.options.leaf);
            let mut budget = held.budget();
            let end = worker.descend(&mut held.tree, &mut budget);
            held.count(0, budget.used());
            // What this thread may look at without the lock is kept from the others.
            let threads = u64::from(self.judge.options.threads);
            let reserved = budget.left().div_ceil(threads);
            if end == End::Spent || (end == End::Open && reserved == 0) {
                return;
            }
            held.reserved += reserved;
            held.simulations += u64::from(batch.count);
            worker.add_virtual_loss(&mut held.tree);
            drop(held);
            let mut budget = Budget::new(reserved);
            let count = match end {
                End::Open => worker.simulate(batch, &mut budget),
                End::Known(_) | End::Spent => batch.count,
            };
            let mut held = lock();
            worker.remove_virtual_loss(&mut held.tree);
            worker.back_up(&mut held.tree, end, count);
            held.reserved -= reserved;
            held.count(0, budget.used());
        }
    }
}
