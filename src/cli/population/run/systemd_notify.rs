//! What systemd is told about a run: that it is ready, how far it is, that it
//! is alive and that it ends. Without `NOTIFY_SOCKET` nothing is sent.

use std::time::{Duration, Instant};

use sd_notify::NotifyState;

use super::progress::{RunProgress, plain_text};
use crate::api::Status;
use crate::run::Observer;

/// Between two messages about the status.
pub(in crate::cli::population) const STATUS_INTERVAL: Duration = Duration::from_secs(5);

/// The least time between two messages to the watchdog: games may be finished
/// by the thousand a second.
const WATCHDOG_INTERVAL: Duration = Duration::from_millis(500);

/// Notifies systemd, and passes the status on to the progress line.
pub(super) struct SystemdNotifier {
    progress: RunProgress,
    is_ready: bool,
    is_stopping: bool,
    last_status: Option<Instant>,
    last_watchdog: Option<Instant>,
}

impl SystemdNotifier {
    /// Notifies systemd of a run whose progress `progress` shows.
    pub(super) fn new(progress: RunProgress) -> SystemdNotifier {
        SystemdNotifier {
            progress,
            is_ready: false,
            is_stopping: false,
            last_status: None,
            last_watchdog: None,
        }
    }

    /// Takes the progress line away, and notifies that the run ends.
    pub(super) fn finish(&mut self) {
        self.progress.finish();
        self.stopping();
    }

    fn stopping(&mut self) {
        if !self.is_stopping {
            self.is_stopping = true;
            notify(&[NotifyState::Stopping]);
        }
    }
}

impl Observer for SystemdNotifier {
    fn status(&mut self, status: &Status) {
        self.progress.status(status);
        if !self.is_ready {
            self.is_ready = true;
            notify(&[NotifyState::Ready]);
        }
        if status.stopping {
            self.stopping();
        }
        if is_due(&mut self.last_status, STATUS_INTERVAL) {
            notify(&[NotifyState::Status(&plain_text(status))]);
        }
    }

    /// The watchdog is fed by finished games only, so that it fires when none
    /// comes.
    fn heartbeat(&mut self) {
        if is_due(&mut self.last_watchdog, WATCHDOG_INTERVAL) {
            notify(&[NotifyState::Watchdog]);
        }
    }
}

/// Whether `interval` has passed since `last`, which becomes now if so.
pub(in crate::cli::population) fn is_due(last: &mut Option<Instant>, interval: Duration) -> bool {
    let due = last.is_none_or(|last| last.elapsed() >= interval);
    if due {
        *last = Some(Instant::now());
    }
    due
}

/// Sends a message; a service manager that does not listen must not end the
/// command.
pub(in crate::cli::population) fn notify(state: &[NotifyState<'_>]) {
    if std::env::var_os("NOTIFY_SOCKET").is_none() {
        return;
    }
    if let Err(error) = sd_notify::notify(state) {
        log::debug!("systemd was not told: {error}");
    }
}
