//! How far a run is: a bar that is drawn again on a terminal, a plain line now
//! and then elsewhere, nothing with `-q`. On standard error.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::progress::{Progress, clock};
use crate::api::{State, Status};
use crate::run::Observer;

/// The length of the bar.
const BAR: usize = 20;

/// Leading files that are named.
const BEST: usize = 3;

pub(super) struct RunProgress {
    progress: Progress,
    /// Where there is a log file, plain lines go there.
    logged: Option<(Instant, Duration)>,
}

impl RunProgress {
    /// Elsewhere than on a terminal, a line comes after every `interval`.
    pub(super) fn new(interval: Duration) -> RunProgress {
        RunProgress {
            progress: Progress::every(interval),
            logged: None,
        }
    }

    /// The same, with the lines in the log file; a terminal has its bar still.
    pub(super) fn logged(interval: Duration) -> RunProgress {
        RunProgress {
            progress: Progress::on_terminal(),
            logged: Some((Instant::now(), interval)),
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&mut self) {
        self.progress.finish();
    }
}

impl Observer for RunProgress {
    fn status(&mut self, status: &Status) {
        self.progress.draw(&|is_terminal| line(status, is_terminal));
        if let Some((last, interval)) = &mut self.logged
            && last.elapsed() >= *interval
        {
            *last = Instant::now();
            log::info!("{}", line(status, false));
        }
    }
}

/// One line about everything.
pub(super) fn line(status: &Status, is_terminal: bool) -> String {
    let mut text = String::new();
    if is_terminal {
        let full = ((status.progress * BAR as f64) as usize).min(BAR);
        let _ = write!(text, "[{}{}] ", "#".repeat(full), "-".repeat(BAR - full));
    }
    let _ = write!(text, "{:.1} %  ", 100.0 * status.progress);
    match status.state {
        State::Proving => text += "proof of the champion",
        State::Final => {
            let _ = write!(text, "{} games, final", status.games);
        }
        _ => {
            let _ = write!(
                text,
                "{} of {} games  {} born, {} died, {} of {} files",
                status.games,
                status.budget,
                status.births,
                status.deaths,
                status.files,
                status.capacity
            );
            let best = status.leaders.iter().take(BEST);
            let best = best.map(|file| format!("{} {:+.1}", file.file, file.points));
            let best: Vec<String> = best.collect();
            if !best.is_empty() {
                let _ = write!(text, "  best {}", best.join(", "));
            }
        }
    }
    if let Some(rate) = status.games_per_second {
        let _ = write!(text, "  {rate:.0} games/s");
    }
    if let Some(eta) = status.eta_seconds {
        let _ = write!(text, "  ETA {}", clock(eta));
    }
    if status.stopping {
        text += "  stopping";
    }
    text
}
