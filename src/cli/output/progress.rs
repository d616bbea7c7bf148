//! How far a long command is: a line that is drawn again on a terminal, a
//! plain line now and then elsewhere, nothing with `-q`. On standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Between two drawings on a terminal.
const REDRAW: Duration = Duration::from_millis(100);

/// Between two lines elsewhere.
const LINE: Duration = Duration::from_secs(10);

pub(crate) struct Progress {
    start: Instant,
    shown: Instant,
    /// `None` where nothing is to be shown.
    style: Option<Style>,
    /// Between two lines elsewhere than on a terminal.
    interval: Duration,
    drawn: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Terminal,
    Plain,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        Progress::every(LINE)
    }

    /// Elsewhere than on a terminal, a line comes after every `interval`.
    pub(crate) fn every(interval: Duration) -> Progress {
        let now = Instant::now();
        let style = match io::stderr().is_terminal() {
            _ if !log::log_enabled!(log::Level::Warn) => None,
            true => Some(Style::Terminal),
            false => Some(Style::Plain),
        };
        Progress {
            start: now,
            shown: now,
            style,
            interval,
            drawn: false,
        }
    }

    /// Nothing comes elsewhere than on a terminal.
    pub(crate) fn on_terminal() -> Progress {
        let mut progress = Progress::new();
        progress.style = progress.style.filter(|style| *style == Style::Terminal);
        progress
    }

    /// Shows that `done` games of `all` are played, if it is time for that.
    pub(crate) fn show(&mut self, done: u64, all: Option<u64>, state: &dyn Fn() -> String) {
        let elapsed = self.start.elapsed();
        self.draw(&|_| line(done, all, elapsed, &state()));
    }

    /// Shows a line, if it is time for that; it may be another one on a
    /// terminal.
    pub(crate) fn draw(&mut self, line: &dyn Fn(bool) -> String) {
        let wait = match self.style {
            None => return,
            Some(Style::Terminal) => REDRAW,
            Some(Style::Plain) => self.interval,
        };
        if self.shown.elapsed() < wait {
            return;
        }
        self.shown = Instant::now();
        // Where standard error is closed, there is nobody left to tell.
        let _ = match self.style {
            Some(Style::Terminal) => write!(io::stderr(), "\r{}\x1b[K", line(true)),
            _ => writeln!(io::stderr(), "{}", line(false)),
        };
        self.drawn = true;
    }

    /// Seconds since the start.
    pub(crate) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Takes the line away.
    pub(crate) fn finish(&mut self) {
        if self.drawn && self.style == Some(Style::Terminal) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        self.style = None;
    }
}

fn line(done: u64, all: Option<u64>, elapsed: Duration, state: &str) -> String {
    let seconds = elapsed.as_secs_f64();
    let rate = done as f64 / seconds.max(1e-9);
    let of = all.map_or_else(String::new, |all| format!(" of {all}"));
    let left = match all {
        Some(all) if done > 0 => {
            let left = seconds * (all.saturating_sub(done)) as f64 / done as f64;
            format!(", ETA {}", clock(left))
        }
        _ => String::new(),
    };
    format!("{done}{of} games, {rate:.1}/s{left}  {state}")
}

/// `0:07`, `1:02:03`.
pub(crate) fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let text = |done, all| line(done, all, Duration::from_secs(20), "Elo: 3");
        assert_eq!(
            text(10, Some(40)),
            "10 of 40 games, 0.5/s, ETA 1:00  Elo: 3"
        );
        assert_eq!(text(0, Some(40)), "0 of 40 games, 0.0/s  Elo: 3");
        assert_eq!(text(10, None), "10 games, 0.5/s  Elo: 3");
        assert_eq!(clock(3723.4), "1:02:03");
        assert_eq!(clock(7.0), "0:07");
    }
}
