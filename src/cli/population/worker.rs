//! `loatune worker`: plays matches for the run of a fleet.

use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use sd_notify::NotifyState;

use super::run::systemd_notify as systemd;
use crate::cli::args::FleetFlags;
use crate::cli::interrupt;
use crate::cli::output::{BadUsage, Progress, ProgressLine, notice, thousands};
use crate::serve::fleet::{WorkerEnd, WorkerError, WorkerSettings, WorkerStatus, work};

/// Play matches for the run of a fleet, on any machine
///
/// Needs nothing but the address of the fleet's broker: the run says what is
/// played. Runs come and go, and the worker plays for whichever there is.
#[derive(Debug, Args)]
#[command(after_help = "\
A worker keeps nothing on its disk. It may be started and stopped at any time, on
any number of machines; the run's champion is the same, byte for byte. Where the
broker or the run is gone, it waits and comes back by itself, with growing pauses.

The run tells a worker why it is not wanted: its engine or its reading of the
parameters is not the run's. It then waits for another run. A worker that gave a
false result is barred and ends with exit code 1: its machine or its program is
broken.

The first Ctrl-C or SIGTERM ends it within two seconds: matches that are almost
finished are finished, the others are given back. A second one ends it at once.

Secrets are given in a file, never in the address. See docs/fleet.md.

Exit codes: 0 stopped in order, 1 barred or failed, 2 bad usage, or the broker
does not let it in, 130 or 143 after a second signal.

Examples:
  loatune worker --fleet nats://broker:4222
  loatune worker --fleet nats://broker:4222 --threads 6 --nice 19
  loatune worker --fleet tls://broker:4222 --fleet-credentials ~/.loatune-fleet")]
pub(crate) struct Worker {
    #[command(flatten)]
    fleet: FleetFlags,
    /// Games at the same time, 0 for one a core
    #[arg(long, value_name = "N", default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
    /// How far it stands back behind other programs, from 0 to 19
    #[arg(long, value_name = "N", default_value_t = 10,
        value_parser = clap::value_parser!(i32).range(0..=19))]
    nice: i32,
    /// What it is called in the list of workers [default: the host's name]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Seconds between two lines of progress where there is no terminal
    #[arg(long, value_name = "S", default_value_t = 30,
        value_parser = clap::value_parser!(u64).range(1..=86_400))]
    report_every: u64,
}

impl Worker {
    pub(crate) fn run(&self, _: &mut dyn Write) -> anyhow::Result<()> {
        let Some(broker) = self.fleet.broker()? else {
            let message = "--fleet is missing: the address of the broker, nats://HOST:4222";
            return Err(BadUsage::new(message).into());
        };
        // Before any thread: those that are started later stand back, too.
        if let Err(error) = rustix::process::nice(self.nice) {
            log::warn!("cannot take the nice level {}: {error}", self.nice);
        }
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads as usize,
        };
        let settings = WorkerSettings {
            name: self.name.clone().unwrap_or_else(host_name),
            threads,
            broker,
        };
        let stop = interrupt::stop_flag()?;
        notice(&format!(
            "worker for the fleet {} at {}: {threads} {}",
            settings.broker.subjects.fleet(),
            settings.broker.url(),
            if threads == 1 { "thread" } else { "threads" }
        ));
        let mut progress = Progress::with_interval(Duration::from_secs(self.report_every));
        systemd::notify(&[NotifyState::Ready]);
        let (mut games, mut last_notice, mut is_stopping) = (0, None, false);
        let mut tell = |status: &WorkerStatus| {
            games = status.games;
            progress.show(&|_| progress_line(status));
            if systemd::is_due(&mut last_notice, systemd::STATUS_INTERVAL) {
                let text = progress_line(status).full_text();
                systemd::notify(&[NotifyState::Status(&text)]);
            }
            if !is_stopping && stop.load(Ordering::Relaxed) {
                is_stopping = true;
                systemd::notify(&[NotifyState::Stopping]);
            }
        };
        let ended = work(&settings, &stop, &mut tell);
        progress.finish();
        match ended {
            Ok(WorkerEnd::Stopped) => {
                notice(&format!("stopped after {} games", thousands(games)));
                Ok(())
            }
            Ok(WorkerEnd::Barred(why)) => anyhow::bail!("barred by the run: {why}"),
            Err(error @ WorkerError::Broker(_)) => Err(BadUsage::new(error).into()),
            Err(error) => Err(error.into()),
        }
    }
}

fn progress_line(status: &WorkerStatus) -> ProgressLine {
    let mut line = ProgressLine::default();
    line.push(0, status.doing.clone());
    if status.is_lost {
        line.push(0, ", but the broker is lost");
    }
    line.push(2, format!(", {} games", thousands(status.games)));
    line.push(1, format!(", {:.1} games/s", status.games_per_second));
    if let Some(load) = status.load {
        line.push(3, format!(", load {load:.2}"));
    }
    line
}

/// The name of this machine.
fn host_name() -> String {
    let name = rustix::system::uname();
    name.nodename().to_string_lossy().into_owned()
}
