//! How fast it goes, and so how long it will take.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The speed is judged by slices of this length,
const SLICE: Duration = Duration::from_secs(2);

/// the last so many of them.
const SLICES: usize = 60;

/// Counts games against the clock.
#[derive(Clone, Debug)]
pub struct Pace {
    /// When the present slice began, and the games that had been played.
    begun: Instant,
    games: u64,
    /// Games a second, the newest slice last.
    slices: VecDeque<f64>,
}

/// A forecast in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Games a second.
    pub rate: f64,
    /// As things go.
    pub seconds: f64,
    /// If the next games are as fast as the faster ones were,
    pub low: f64,
    /// or as slow as the slower ones.
    pub high: f64,
}

impl Pace {
    /// Begins to count at `games`.
    pub fn new(now: Instant, games: u64) -> Pace {
        Pace {
            begun: now,
            games,
            slices: VecDeque::new(),
        }
    }

    /// So many games have been played by now.
    pub fn count(&mut self, now: Instant, games: u64) {
        let spent = now.saturating_duration_since(self.begun);
        if spent < SLICE {
            return;
        }
        if self.slices.len() == SLICES {
            self.slices.pop_front();
        }
        let played = games.saturating_sub(self.games);
        self.slices.push_back(played as f64 / spent.as_secs_f64());
        (self.begun, self.games) = (now, games);
    }

    /// How long `left` games take; `None` before anything is known.
    pub fn forecast(&self, left: u64) -> Option<Forecast> {
        let count = self.slices.len() as f64;
        let rate = self.slices.iter().sum::<f64>() / count;
        if self.slices.is_empty() || rate <= 0.0 {
            return None;
        }
        let squares = self.slices.iter().map(|slice| (slice - rate).powi(2));
        // With one slice nothing is known about the spread: assume a half.
        let spread = match self.slices.len() {
            1 => rate / 2.0,
            _ => 2.0 * (squares.sum::<f64>() / (count - 1.0) / count).sqrt(),
        };
        // Games get longer or shorter as weights change: never promise more
        // than a twentieth.
        let spread = spread.max(rate / 20.0).min(rate * 0.9);
        let left = left as f64;
        Some(Forecast {
            rate,
            seconds: left / rate,
            low: left / (rate + spread),
            high: left / (rate - spread),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_pace_and_an_uneven_one() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut pace = Pace::new(start, 1000);
        assert_eq!(pace.forecast(10), None);
        pace.count(at(1), 1100);
        assert_eq!(pace.forecast(10), None);
        for slice in 1..=100 {
            pace.count(at(2 * slice), 1000 + 200 * slice);
        }
        let steady = pace.forecast(1000).unwrap();
        assert_eq!((steady.rate, steady.seconds), (100.0, 10.0));
        assert!(steady.low < 10.0 && 10.0 < steady.high);
        assert!(steady.high - steady.low < 1.1);
        let mut uneven = Pace::new(start, 0);
        let mut games = 0;
        for slice in 1..=10 {
            games += if slice % 2 == 0 { 20 } else { 380 };
            uneven.count(at(2 * slice), games);
        }
        let uneven = uneven.forecast(1000).unwrap();
        assert!(uneven.high - uneven.low > 5.0, "{uneven:?}");
        // Nothing was played for a while.
        let mut idle = Pace::new(start, 0);
        idle.count(at(2), 0);
        assert_eq!(idle.forecast(10), None);
    }
}
