//! Many cases at a time, in threads of their own. Checking a population uses
//! rayon's threads; a case that waited for them there would begin another one
//! meanwhile, on the same stack.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many at a time, for each core: the processes wait for the disk most of the
/// time.
const FOR_EACH_CORE: usize = 4;

/// Does something with each of `items`, in any order, and returns what it gave.
pub(super) fn filter_map<T: Sync, R: Send>(
    items: &[T],
    act: impl Fn(&T) -> Option<R> + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(act(item));
        }
        found
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..FOR_EACH_CORE * cores)
            .map(|_| scope.spawn(work))
            .collect();
        let found = threads.into_iter().map(|thread| {
            let found = thread.join();
            found.unwrap_or_else(|cause| std::panic::resume_unwind(cause))
        });
        found.flatten().collect()
    })
}
