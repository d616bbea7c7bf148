//! The speed of a run since its process began, for a chart. It is kept in
//! memory only: how fast games were played is no part of a population.

use std::time::Instant;

use crate::api::{SpeedSample, SpeedView};

/// The most samples that are kept. When there are more, every other one goes,
/// so that a run of weeks has as many as one of minutes.
const MAX_SAMPLES: usize = 600;

/// The least time between the first samples, in seconds.
const FIRST_INTERVAL: f64 = 2.0;

/// Notes the speed from time to time.
#[derive(Debug)]
pub(super) struct SpeedHistory {
    begun: Instant,
    interval: f64,
    samples: Vec<SpeedSample>,
}

impl Default for SpeedHistory {
    fn default() -> SpeedHistory {
        SpeedHistory {
            begun: Instant::now(),
            interval: FIRST_INTERVAL,
            samples: Vec::new(),
        }
    }
}

impl SpeedHistory {
    /// Notes the speed now, unless the last sample is too young.
    pub(super) fn note(&mut self, games: u64, games_per_second: f64) {
        self.note_at(self.begun.elapsed().as_secs_f64(), games, games_per_second);
    }

    fn note_at(&mut self, seconds: f64, games: u64, games_per_second: f64) {
        let last = self.samples.last().map(|sample| sample.seconds);
        if last.is_some_and(|last| seconds < last + self.interval) {
            return;
        }
        self.samples.push(SpeedSample {
            seconds,
            games,
            games_per_second,
        });
        if self.samples.len() > MAX_SAMPLES {
            let mut place = 0;
            self.samples.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.interval *= 2.0;
        }
    }

    /// The samples so far.
    pub(super) fn view(&self) -> SpeedView {
        SpeedView {
            samples: self.samples.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_keeps_a_bounded_number_of_samples() {
        let mut history = SpeedHistory::default();
        for second in 0..100_000_u32 {
            history.note_at(f64::from(second), second.into(), 25.0);
        }
        let samples = history.view().samples;
        assert!((MAX_SAMPLES / 2..=MAX_SAMPLES).contains(&samples.len()));
        assert_eq!(samples[0].seconds, 0.0);
        assert!(samples.last().is_some_and(|last| last.seconds > 99_000.0));
        assert!(samples.is_sorted_by_key(|sample| sample.games));
    }
}
