//! The worker pool: threads that play games for a driver. Matches,
//! runs and proofs are played by this one machine.
//!
//! Owns the threads, the two channels and what happens when a worker panics.
//! It neither puts results in order ([`super::reorder_buffer`]) nor knows what
//! a job is: each [`Worker`] brings its own players.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

/// What one thread of a pool owns and does.
pub trait Worker: Send {
    /// The task of one game.
    type Job: Send;
    /// What comes of it.
    type Output: Send;

    /// Does a job; `None` where the stop flag of the pool cut it short.
    fn play(&mut self, job: Self::Job) -> Option<Self::Output>;
}

/// A pool at work. Lives as long as its driver runs: see [`WorkerPool::run`].
pub struct WorkerPool<J, O> {
    jobs: Sender<J>,
    results: Receiver<Result<O, WorkerPanic>>,
    /// Nanoseconds that all workers together have spent in jobs.
    busy: Arc<AtomicU64>,
}

/// What came of waiting for a result.
#[derive(Debug)]
pub enum PoolEvent<O> {
    /// A worker has finished a job.
    Finished(O),
    /// No job was finished in the given time.
    Idle,
    /// A worker has panicked, and its job will never be finished.
    Panicked(WorkerPanic),
}

/// The panic of a worker, which is a defect of the program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a thread that plays games has failed ({0}); this is a fault of the program")]
pub struct WorkerPanic(String);

/// The threads of a pool cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} threads: {source}")]
pub struct PoolError {
    threads: usize,
    source: rayon::ThreadPoolBuildError,
}

impl<J: Send, O: Send> WorkerPool<J, O> {
    /// Starts a thread for each worker, hands the pool to `drive`, and ends the
    /// threads when that returns: `halt`, which the workers watch inside of
    /// their jobs, is set then, jobs that are under way are cut short, and jobs
    /// that wait are dropped.
    ///
    /// # Errors
    /// Where the system does not give the threads. A panic of a worker does not
    /// end the pool; it is the driver's to see, as [`PoolEvent::Panicked`].
    pub fn run<W, R>(
        workers: Vec<W>,
        halt: &AtomicBool,
        drive: impl FnOnce(&WorkerPool<J, O>) -> R,
    ) -> Result<R, PoolError>
    where
        W: Worker<Job = J, Output = O>,
    {
        let threads = workers.len();
        let threads_of_pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|n| format!("games {n}"))
            .build()
            .map_err(|source| PoolError { threads, source })?;
        let (jobs, waiting) = unbounded();
        let (send, results) = unbounded();
        let busy = Arc::<AtomicU64>::default();
        let pool = WorkerPool {
            jobs,
            results,
            busy: Arc::clone(&busy),
        };
        Ok(threads_of_pool.in_place_scope(|scope| {
            for worker in workers {
                let (waiting, send, busy) = (waiting.clone(), send.clone(), Arc::clone(&busy));
                scope.spawn(move |_| work(worker, &waiting, &send, halt, &busy));
            }
            drop((waiting, send));
            let found = {
                // Also where the driver itself panics, the threads must end.
                let _halted = HaltOnDrop(halt);
                drive(&pool)
            };
            drop(pool);
            found
        }))
    }

    /// Gives out a job. Any worker takes it, the oldest job first.
    pub fn submit(&self, job: J) {
        // Without workers the job is lost, and `wait` says why they are gone.
        let _ = self.jobs.send(job);
    }

    /// Waits for a result, `at_most` so long.
    pub fn wait(&self, at_most: Duration) -> PoolEvent<O> {
        match self.results.recv_timeout(at_most) {
            Ok(Ok(output)) => PoolEvent::Finished(output),
            Ok(Err(panic)) => PoolEvent::Panicked(panic),
            Err(RecvTimeoutError::Timeout) => PoolEvent::Idle,
            Err(RecvTimeoutError::Disconnected) => {
                PoolEvent::Panicked(WorkerPanic(String::from("all threads are gone")))
            }
        }
    }

    /// Where results come from, for a driver that waits for other things, too.
    pub fn finished(&self) -> &Receiver<Result<O, WorkerPanic>> {
        &self.results
    }

    /// The time that all workers together have spent in jobs.
    pub fn busy(&self) -> Duration {
        Duration::from_nanos(self.busy.load(Ordering::Relaxed))
    }
}

struct HaltOnDrop<'a>(&'a AtomicBool);

impl Drop for HaltOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// One thread's work: job after job, until the driver has returned.
fn work<W: Worker>(
    mut worker: W,
    waiting: &Receiver<W::Job>,
    send: &Sender<Result<W::Output, WorkerPanic>>,
    halt: &AtomicBool,
    busy: &AtomicU64,
) {
    while let Ok(job) = waiting.recv() {
        if halt.load(Ordering::Relaxed) {
            return;
        }
        let begin = Instant::now();
        // A worker that has panicked is not used again, so what it left behind
        // is never seen.
        let played = catch_unwind(AssertUnwindSafe(|| worker.play(job)));
        let spent = begin.elapsed().as_nanos().try_into().unwrap_or(u64::MAX);
        busy.fetch_add(spent, Ordering::Relaxed);
        let (message, has_failed) = match played {
            Ok(Some(output)) => (Ok(output), false),
            Ok(None) => continue,
            Err(cause) => (Err(WorkerPanic(panic_text(&*cause))), true),
        };
        // Without a listener the driver has returned.
        if send.send(message).is_err() || has_failed {
            return;
        }
    }
}

/// The text that a panic was raised with.
fn panic_text(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| cause.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| String::from("a panic without a message"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(20);

    /// Squares numbers; panics at 13, and at 0 works until it is halted.
    struct Squares<'a>(&'a AtomicBool);

    impl Worker for Squares<'_> {
        type Job = u64;
        type Output = u64;

        fn play(&mut self, job: u64) -> Option<u64> {
            assert_ne!(job, 13, "an unlucky number");
            if job == 0 {
                while !self.0.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                return None;
            }
            Some(job * job)
        }
    }

    fn run<R>(threads: usize, drive: impl FnOnce(&WorkerPool<u64, u64>) -> R) -> R {
        let halt = AtomicBool::new(false);
        let workers = (0..threads).map(|_| Squares(&halt)).collect();
        let found = WorkerPool::run(workers, &halt, drive).unwrap();
        assert!(halt.load(Ordering::Relaxed));
        found
    }

    #[test]
    fn every_job_is_done_once() {
        for threads in [1, 3] {
            let sum = run(threads, |pool| {
                (1..=10).for_each(|job| pool.submit(job));
                let mut found: Vec<u64> = (0..10)
                    .map(|_| match pool.wait(SOON) {
                        PoolEvent::Finished(square) => square,
                        other => panic!("a result was expected, not {other:?}"),
                    })
                    .collect();
                assert!(matches!(pool.wait(Duration::ZERO), PoolEvent::Idle));
                assert!(pool.busy() > Duration::ZERO);
                found.sort_unstable();
                found
            });
            assert_eq!(sum, (1..=10).map(|n| n * n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn jobs_that_are_under_way_or_waiting_do_not_hold_the_end() {
        run(2, |pool| (0..50).for_each(|_| pool.submit(0)));
    }

    #[test]
    fn a_panic_is_told_and_the_other_workers_go_on() {
        run(2, |pool| {
            pool.submit(13);
            let PoolEvent::Panicked(panic) = pool.wait(SOON) else {
                panic!("the panic of a worker is an event");
            };
            assert!(panic.to_string().contains("an unlucky number"), "{panic}");
            pool.submit(4);
            assert!(matches!(pool.wait(SOON), PoolEvent::Finished(16)));
            pool.submit(13);
            assert!(matches!(pool.wait(SOON), PoolEvent::Panicked(_)));
            // Both workers are gone now.
            pool.submit(4);
            let PoolEvent::Panicked(panic) = pool.wait(SOON) else {
                panic!("nobody is left to work");
            };
            assert!(panic.to_string().contains("all threads are gone"));
        });
    }
}
