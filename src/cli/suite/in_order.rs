//! Jobs on several threads, whose results are taken in the order of the jobs, so
//! that they do not depend on the number of threads.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;
use std::time::Duration;

use crate::arena::{PoolEvent, Worker, WorkerPool};

/// How long a wait lasts before the caller is asked whether to go on.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Jobs in the hands of the workers, for each thread.
const JOBS_PER_THREAD: usize = 3;

/// The number of threads that was asked for, or one a core.
pub(super) fn threads_or_cores(threads: Option<u32>) -> usize {
    let cores = || available_parallelism().map_or(1, usize::from);
    threads.map_or_else(cores, |threads| threads as usize)
}

/// A thread's work, with the number of each job.
struct Numbered<J, O, F> {
    work: F,
    types: PhantomData<fn(J) -> O>,
}

impl<J: Send, O: Send, F: FnMut(J) -> Option<O> + Send> Worker for Numbered<J, O, F> {
    type Job = (usize, J);
    type Output = (usize, O);

    fn play(&mut self, (number, job): (usize, J)) -> Option<(usize, O)> {
        Some((number, (self.work)(job)?))
    }
}

/// Gives the jobs to the workers, one thread each, which end a job early where
/// `halt` is set. `taken` gets every result in the order of the jobs, and may end
/// it all; `waiting` is called several times a second with the number of jobs
/// done, and may interrupt it.
///
/// # Errors
/// The threads cannot be started, or one has panicked.
pub(super) fn in_order<J: Send, O: Send, F: FnMut(J) -> Option<O> + Send>(
    jobs: impl IntoIterator<Item = J>,
    workers: Vec<F>,
    halt: &AtomicBool,
    taken: &mut dyn FnMut(O) -> ControlFlow<()>,
    waiting: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> anyhow::Result<()> {
    let most = JOBS_PER_THREAD * workers.len();
    let numbered = |work| Numbered {
        work,
        types: PhantomData,
    };
    let workers = workers.into_iter().map(numbered).collect();
    let mut jobs = jobs.into_iter().enumerate();
    WorkerPool::run(workers, halt, |pool| {
        let mut results = BTreeMap::new();
        let (mut in_flight, mut done, mut next) = (0, 0, 0);
        loop {
            while in_flight < most
                && let Some(job) = jobs.next()
            {
                pool.submit(job);
                in_flight += 1;
            }
            if in_flight == 0 {
                return Ok(());
            }
            match pool.wait(LOOK_UP) {
                PoolEvent::Finished((number, result)) => {
                    in_flight -= 1;
                    done += 1;
                    results.insert(number, result);
                }
                PoolEvent::Idle => {}
                PoolEvent::Panicked(panic) => return Err(panic.into()),
            }
            while let Some(result) = results.remove(&next) {
                next += 1;
                if taken(result).is_break() {
                    return Ok(());
                }
            }
            if waiting(done).is_break() {
                return Ok(());
            }
        }
    })?
}
