//! Warnings that clients can cause, written at a limited rate: whoever sends
//! many bad requests must not fill the disk. What is left out is counted.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most lines in one period.
const MAX_LINES: u32 = 10;

/// The length of a period.
const PERIOD: Duration = Duration::from_secs(30);

/// A log that writes a few lines in each period.
#[derive(Default)]
pub(super) struct LimitedLog {
    period: Mutex<Period>,
}

#[derive(Default)]
struct Period {
    begun: Option<Instant>,
    lines: u32,
    left_out: u64,
}

/// What becomes of a line.
#[derive(Debug, PartialEq, Eq)]
struct Admission {
    /// Whether it is written.
    is_written: bool,
    /// Lines of the period before that were left out.
    left_out: u64,
}

impl LimitedLog {
    /// Writes a warning, unless the period has had its lines.
    pub(super) fn warn(&self, line: impl Display) {
        let mut period = self.period.lock().unwrap_or_else(PoisonError::into_inner);
        let admission = period.admit(Instant::now());
        drop(period);
        report(admission.left_out);
        if admission.is_written {
            log::warn!("{line}");
        }
    }
}

impl Drop for LimitedLog {
    fn drop(&mut self) {
        let period = self.period.get_mut();
        report(period.unwrap_or_else(PoisonError::into_inner).left_out);
    }
}

fn report(left_out: u64) {
    if left_out > 0 {
        log::warn!("the page: {left_out} more refusals of the same kind are not shown");
    }
}

impl Period {
    fn admit(&mut self, now: Instant) -> Admission {
        let is_over = |begun: Instant| now.saturating_duration_since(begun) >= PERIOD;
        let mut left_out = 0;
        if self.begun.is_none_or(is_over) {
            left_out = self.left_out;
            *self = Period {
                begun: Some(now),
                ..Period::default()
            };
        }
        let is_written = self.lines < MAX_LINES;
        if is_written {
            self.lines += 1;
        } else {
            self.left_out += 1;
        }
        Admission {
            is_written,
            left_out,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_has_few_lines_and_the_next_one_counts_the_rest() {
        let (mut period, begin) = (Period::default(), Instant::now());
        let written = (0..1000)
            .map(|n| period.admit(begin + n * Duration::from_millis(1)))
            .filter(|admission| admission.is_written && admission.left_out == 0)
            .count();
        assert_eq!(written, MAX_LINES as usize);
        let next = period.admit(begin + PERIOD);
        assert!(next.is_written);
        assert_eq!(next.left_out, 1000 - u64::from(MAX_LINES));
        assert_eq!(period.admit(begin + 2 * PERIOD).left_out, 0);
    }
}
