//! What systemd is told about a run: that it goes on, how far it is, that it
//! is alive and that it ends. Without `NOTIFY_SOCKET` nothing is told.

use std::time::{Duration, Instant};

use sd_notify::NotifyState;

use super::run_progress::{RunProgress, line};
use crate::api::Status;
use crate::run::Observer;

/// Between two words about the status.
const STATUS: Duration = Duration::from_secs(5);

/// Between two signs of life at the least: games may come by the thousand.
const SIGN: Duration = Duration::from_millis(500);

/// Tells systemd and shows progress.
pub(super) struct Service {
    progress: RunProgress,
    is_ready: bool,
    is_stopping: bool,
    status: Option<Instant>,
    sign: Option<Instant>,
}

impl Service {
    pub(super) fn new(progress: RunProgress) -> Service {
        Service {
            progress,
            is_ready: false,
            is_stopping: false,
            status: None,
            sign: None,
        }
    }

    /// Takes the bar away, and says that the end has come.
    pub(super) fn finish(&mut self) {
        self.progress.finish();
        self.stopping();
    }

    fn stopping(&mut self) {
        if !self.is_stopping {
            self.is_stopping = true;
            tell(&[NotifyState::Stopping]);
        }
    }
}

impl Observer for Service {
    fn status(&mut self, status: &Status) {
        self.progress.status(status);
        if !self.is_ready {
            self.is_ready = true;
            tell(&[NotifyState::Ready]);
        }
        if status.stopping {
            self.stopping();
        }
        if is_due(&mut self.status, STATUS) {
            tell(&[NotifyState::Status(&line(status, false))]);
        }
    }

    /// The watchdog hears of finished games only, so that it barks when none
    /// comes.
    fn heartbeat(&mut self) {
        if is_due(&mut self.sign, SIGN) {
            tell(&[NotifyState::Watchdog]);
        }
    }
}

fn is_due(last: &mut Option<Instant>, after: Duration) -> bool {
    let due = last.is_none_or(|last| last.elapsed() >= after);
    if due {
        *last = Some(Instant::now());
    }
    due
}

/// A manager that does not listen is no reason to stop.
fn tell(state: &[NotifyState<'_>]) {
    if std::env::var_os("NOTIFY_SOCKET").is_none() {
        return;
    }
    if let Err(error) = sd_notify::notify(state) {
        log::debug!("systemd was not told: {error}");
    }
}
