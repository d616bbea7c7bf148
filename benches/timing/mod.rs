//! How long a piece of work takes: samples of it, their median and their spread.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Samples of each piece of work.
const SAMPLES: usize = 15;

/// How long a sample lasts at least: work that takes less is repeated.
const SAMPLE: Duration = Duration::from_millis(100);

/// Whether `cargo bench` runs this: with `cargo test --benches` every piece of
/// work is done once, to see that it still can be.
pub(crate) fn is_measured() -> bool {
    std::env::args().any(|arg| arg == "--bench")
}

/// Measures `work`, which says how many things it did, and prints what one of
/// them takes. Words on the command line choose the pieces whose names contain
/// one of them.
pub(crate) fn measure(name: &str, mut work: impl FnMut() -> u64) {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    if !wanted.is_empty() && !wanted.iter().any(|word| name.contains(word.as_str())) {
        return;
    }
    // The first time warms the caches and shows how often a sample repeats it.
    let begin = Instant::now();
    let things = black_box(work());
    let once = begin.elapsed();
    if !is_measured() {
        println!("{name}: {things} things, not measured");
        return;
    }
    let repeats = (SAMPLE.as_secs_f64() / once.as_secs_f64().max(1e-9)).ceil() as u64;
    let mut times: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let begin = Instant::now();
            for _ in 0..repeats {
                black_box(work());
            }
            begin.elapsed().as_secs_f64() / (repeats * things) as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let [low, median, high] =
        [SAMPLES / 10, SAMPLES / 2, SAMPLES - 1 - SAMPLES / 10].map(|n| times[n]);
    println!(
        "{name:<32}{:>12.2} ns each  [{:.2} .. {:.2}]{:>12.3} M/s",
        median * 1e9,
        low * 1e9,
        high * 1e9,
        1e-6 / median
    );
}
