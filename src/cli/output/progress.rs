//! How far a long command is, on standard error: one line that is drawn again
//! on a terminal, a plain line now and then elsewhere, nothing with `-q`.
//!
//! Every other line for standard error goes through [`above_progress`], which
//! takes the progress line away for as long as the other one is written.

use std::io::{self, Write};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use console::{Term, measure_text_width};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::numbers::clock;

/// Between two drawings on a terminal.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// Between two lines where there is no terminal, unless a command chooses
/// another interval.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// The drawing on standard error. It is hidden, and draws nothing, where
/// standard error is no terminal or `TERM` is unset or `dumb`.
static TERMINAL: LazyLock<MultiProgress> =
    LazyLock::new(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr()));

/// Runs `write`, which writes to standard error, while no progress line is on
/// the terminal; the line comes back below what was written.
pub(super) fn above_progress<T>(write: impl FnOnce() -> T) -> T {
    TERMINAL.suspend(write)
}

/// A line of progress in parts, the least important of which are left out
/// where the terminal is too narrow for all.
#[derive(Debug, Default)]
pub(crate) struct ProgressLine {
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    /// With the separator before it.
    text: String,
    /// Parts of a higher rank are dropped first, of equal ones the last.
    rank: u8,
}

impl ProgressLine {
    /// Adds a part with the separator before it, which is dropped where the
    /// part comes first. Rank 0 is never left out.
    pub(crate) fn push(&mut self, rank: u8, text: impl Into<String>) {
        let text = text.into();
        self.parts.push(Part { text, rank });
    }

    /// The whole line.
    pub(crate) fn full_text(&self) -> String {
        let all: String = self.parts.iter().map(|part| part.text.as_str()).collect();
        all.trim_start_matches([',', ' ']).trim_end().to_owned()
    }

    /// The line in at most `columns` columns, as far as parts may be left out.
    fn fitted_text(mut self, columns: usize) -> String {
        loop {
            let text = self.full_text();
            let least = self.parts.iter().enumerate();
            let least = least.max_by_key(|(index, part)| (part.rank, *index));
            match least {
                Some((index, part)) if part.rank > 0 && measure_text_width(&text) > columns => {
                    self.parts.remove(index);
                }
                _ => return text,
            }
        }
    }
}

/// Where progress is shown.
enum Display {
    /// With `-q`.
    Nowhere,
    Terminal(ProgressBar),
    /// Plain lines on standard error, `Duration` apart.
    Lines(Duration),
}

/// The progress of one command.
pub(crate) struct Progress {
    start: Instant,
    shown: Instant,
    display: Display,
    /// Games that were played before, by an earlier part.
    before: u64,
}

impl Progress {
    /// Where there is no terminal, a line comes after every 10 seconds.
    pub(crate) fn new() -> Progress {
        Progress::with_interval(LINE_INTERVAL)
    }

    /// Where there is no terminal, a line comes after every `interval`.
    pub(crate) fn with_interval(interval: Duration) -> Progress {
        let now = Instant::now();
        let display = if !log::log_enabled!(log::Level::Warn) {
            Display::Nowhere
        } else if TERMINAL.is_hidden() {
            Display::Lines(interval)
        } else {
            Display::Terminal(new_bar())
        };
        Progress {
            start: now,
            shown: now,
            display,
            before: 0,
        }
    }

    /// Where there is no terminal, nothing is shown.
    pub(crate) fn on_terminal_only() -> Progress {
        let mut progress = Progress::new();
        if let Display::Lines(_) = progress.display {
            progress.display = Display::Nowhere;
        }
        progress
    }

    /// The same, after so many games of an earlier part: they tell nothing of how
    /// long others take.
    #[must_use]
    pub(crate) fn after_games(mut self, before: u64) -> Progress {
        self.before = before;
        self
    }

    /// Shows that `done` games of `all` are played, if it is time for that;
    /// `details` adds the parts that follow.
    pub(crate) fn show_games(
        &mut self,
        done: u64,
        all: Option<u64>,
        details: &dyn Fn(&mut ProgressLine),
    ) {
        let (elapsed, before) = (self.start.elapsed(), self.before);
        self.show(&|_| {
            let mut line = games_line(done, all, before, elapsed);
            details(&mut line);
            line
        });
    }

    /// Shows a line, if it is time for that; `line` is told whether it is for a
    /// terminal.
    pub(crate) fn show(&mut self, line: &dyn Fn(bool) -> ProgressLine) {
        let interval = match self.display {
            Display::Nowhere => return,
            Display::Terminal(_) => REDRAW_INTERVAL,
            Display::Lines(interval) => interval,
        };
        if self.shown.elapsed() < interval {
            return;
        }
        self.shown = Instant::now();
        if let Display::Terminal(bar) = &self.display {
            let (_, columns) = Term::stderr().size();
            bar.set_message(line(true).fitted_text(columns.into()));
            bar.tick();
        } else {
            // A closed standard error must not end the command.
            let _ = writeln!(io::stderr(), "{}", line(false).full_text());
        }
    }

    /// Takes the line away; nothing is shown any more.
    pub(crate) fn finish(&mut self) {
        if let Display::Terminal(bar) = &self.display {
            bar.finish_and_clear();
            TERMINAL.remove(bar);
        }
        self.display = Display::Nowhere;
    }
}

/// A command that ends with an error leaves no line behind.
impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

/// A bar that draws its message alone. `wide_msg` cuts what is still too wide
/// after parts were left out, so that the line never wraps.
fn new_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_msg}").expect("the template is valid");
    TERMINAL.add(ProgressBar::no_length().with_style(style))
}

fn games_line(done: u64, all: Option<u64>, before: u64, elapsed: Duration) -> ProgressLine {
    let seconds = elapsed.as_secs_f64();
    let new = done.saturating_sub(before);
    let mut line = ProgressLine::default();
    let of = all.map_or_else(String::new, |all| format!(" of {all}"));
    line.push(0, format!("{done}{of} games"));
    line.push(4, format!(", {:.1}/s", new as f64 / seconds.max(1e-9)));
    if let Some(all) = all
        && new > 0
    {
        let left = seconds * (all.saturating_sub(done)) as f64 / new as f64;
        line.push(1, format!(", ETA {}", clock(left)));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(done: u64, all: Option<u64>) -> ProgressLine {
        let mut line = games_line(done, all, 0, Duration::from_secs(20));
        line.push(3, "  W 5, D 0, L 5");
        line.push(2, ", Elo: 3");
        line
    }

    #[test]
    fn whole_lines() {
        let text = |done, all| line(done, all).full_text();
        assert_eq!(
            text(10, Some(40)),
            "10 of 40 games, 0.5/s, ETA 1:00  W 5, D 0, L 5, Elo: 3"
        );
        assert_eq!(
            text(0, Some(40)),
            "0 of 40 games, 0.0/s  W 5, D 0, L 5, Elo: 3"
        );
        assert_eq!(text(10, None), "10 games, 0.5/s  W 5, D 0, L 5, Elo: 3");
        assert_eq!(ProgressLine::default().full_text(), "");
    }

    #[test]
    fn narrow_lines_lose_the_least_important_part_first() {
        let text = |columns| line(10, Some(40)).fitted_text(columns);
        let whole = line(10, Some(40)).full_text();
        assert_eq!(text(whole.len()), whole);
        assert_eq!(
            text(whole.len() - 1),
            "10 of 40 games, ETA 1:00  W 5, D 0, L 5, Elo: 3"
        );
        assert_eq!(text(40), "10 of 40 games, ETA 1:00, Elo: 3");
        assert_eq!(text(24), "10 of 40 games, ETA 1:00");
        assert_eq!(text(3), "10 of 40 games");
    }

    #[test]
    fn wide_characters_count_twice() {
        let mut line = ProgressLine::default();
        line.push(0, "ab");
        line.push(1, "  対局");
        assert_eq!(line.full_text(), "ab  対局");
        assert_eq!(line.fitted_text(7), "ab");
    }

    #[test]
    fn a_line_never_begins_with_a_separator() {
        let mut line = ProgressLine::default();
        line.push(1, "[##--] ");
        line.push(0, "50.0 %");
        assert_eq!(line.fitted_text(8), "50.0 %");
    }
}
