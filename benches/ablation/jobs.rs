//! Work on several threads: each takes the next piece that nobody has taken.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does all pieces, begun in their order; the results stand in it, too.
pub(crate) fn all<T: Sync, R: Send>(
    threads: usize,
    pieces: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(pieces.len()));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    let Some(piece) = pieces.get(n) else {
                        return;
                    };
                    let result = work(piece);
                    done.lock().unwrap().push((n, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, result)| result).collect()
}
