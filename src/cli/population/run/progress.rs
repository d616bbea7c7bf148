//! How far a run is: a bar with its figures on a terminal, a plain line now and
//! then elsewhere or in the log file, nothing with `-q`.

use std::time::{Duration, Instant};

use crate::api::{State, Status};
use crate::cli::output::{Progress, ProgressLine, clock};
use crate::run::Observer;

/// The length of the bar in columns.
const BAR_COLUMNS: usize = 20;

/// How many leading files are named.
const LEADERS: usize = 3;

/// Shows the progress of a run.
pub(super) struct RunProgress {
    progress: Progress,
    log: Option<ProgressLog>,
}

/// Plain lines of progress in the log file.
struct ProgressLog {
    interval: Duration,
    last: Instant,
}

impl RunProgress {
    /// Where there is no terminal, a line comes after every `interval`.
    pub(super) fn new(interval: Duration) -> RunProgress {
        RunProgress {
            progress: Progress::with_interval(interval),
            log: None,
        }
    }

    /// Writes the lines to the log file instead; a terminal still has its bar.
    pub(super) fn with_log(interval: Duration) -> RunProgress {
        RunProgress {
            progress: Progress::on_terminal_only(),
            log: Some(ProgressLog {
                interval,
                last: Instant::now(),
            }),
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&mut self) {
        self.progress.finish();
    }
}

impl Observer for RunProgress {
    fn status(&mut self, status: &Status) {
        self.progress
            .show(&|is_terminal| progress_line(status, is_terminal));
        if let Some(log) = &mut self.log
            && log.last.elapsed() >= log.interval
        {
            log.last = Instant::now();
            log::info!("{}", plain_text(status));
        }
    }
}

/// The whole line of progress, without a bar.
pub(super) fn plain_text(status: &Status) -> String {
    progress_line(status, false).full_text()
}

/// The percentage stays longest, then what the run does and when it ends; the
/// leaders go first.
fn progress_line(status: &Status, with_bar: bool) -> ProgressLine {
    let mut line = ProgressLine::default();
    if with_bar {
        let full = ((status.progress * BAR_COLUMNS as f64) as usize).min(BAR_COLUMNS);
        let rest = BAR_COLUMNS - full;
        line.push(3, format!("[{}{}] ", "#".repeat(full), "-".repeat(rest)));
    }
    line.push(0, format!("{:.1} %", 100.0 * status.progress));
    match status.state {
        State::Proving => line.push(1, "  proof of the champion"),
        State::Final => {
            line.push(3, format!("  {} games", status.games));
            line.push(1, ", final");
        }
        _ => {
            line.push(2, format!("  {} of {} games", status.games, status.budget));
            line.push(
                5,
                format!(
                    "  {} born, {} died, {} of {} files",
                    status.births, status.deaths, status.files, status.capacity
                ),
            );
            let leaders = status.leaders.iter().take(LEADERS);
            let leaders = leaders.map(|file| format!("{} {:+.1}", file.file, file.points));
            let leaders: Vec<String> = leaders.collect();
            if !leaders.is_empty() {
                line.push(6, format!("  best {}", leaders.join(", ")));
            }
        }
    }
    if let Some(rate) = status.games_per_second {
        line.push(4, format!("  {rate:.0} games/s"));
    }
    if let Some(eta) = status.eta_seconds {
        line.push(1, format!("  ETA {}", clock(eta)));
    }
    if status.stopping {
        line.push(0, "  stopping");
    }
    line
}
