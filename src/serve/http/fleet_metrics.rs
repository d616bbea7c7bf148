//! The numbers of a fleet, in the text format of Prometheus.

use std::fmt::Write as _;

use super::metrics::{escaped, metric};
use crate::api::{FleetView, WorkerState, WorkerView};

/// A number of one worker, by its name in the metrics.
type Column = (
    &'static str,
    &'static str,
    &'static str,
    fn(&WorkerView) -> f64,
);

/// What is told of each worker.
const COLUMNS: [Column; 5] = [
    (
        "fleet_worker_games_total",
        "counter",
        "Games accepted from a worker.",
        |worker| worker.games as f64,
    ),
    (
        "fleet_worker_games_per_second",
        "gauge",
        "How fast a worker plays.",
        |worker| worker.games_per_second,
    ),
    (
        "fleet_worker_checked_total",
        "counter",
        "Matches of a worker that were played again and found right.",
        |worker| worker.checked as f64,
    ),
    (
        "fleet_worker_faults_total",
        "counter",
        "Results of a worker that were refused or false.",
        |worker| worker.faults as f64,
    ),
    (
        "fleet_worker_load",
        "gauge",
        "The load average of a worker's host.",
        |worker| worker.load.unwrap_or(0.0),
    ),
];

/// All numbers of a fleet.
pub(super) fn text(fleet: &FleetView) -> String {
    let mut text = String::new();
    let connected = u64::from(fleet.connected);
    let totals = [
        (
            "fleet_connected",
            "gauge",
            "Whether the broker is there.",
            connected,
        ),
        (
            "fleet_games_total",
            "counter",
            "Games of the fleet.",
            fleet.games,
        ),
        (
            "fleet_waiting",
            "gauge",
            "Matches that wait for a worker.",
            fleet.waiting,
        ),
        (
            "fleet_out",
            "gauge",
            "Matches with the broker or workers.",
            fleet.out,
        ),
        (
            "fleet_checking",
            "gauge",
            "Matches that are checked.",
            fleet.checking,
        ),
        (
            "fleet_republished_total",
            "counter",
            "Matches published again.",
            fleet.republished,
        ),
        (
            "fleet_duplicates_total",
            "counter",
            "Second results.",
            fleet.duplicates,
        ),
        (
            "fleet_late_total",
            "counter",
            "Results that came too late.",
            fleet.late,
        ),
        (
            "fleet_refused_total",
            "counter",
            "Messages that were refused.",
            fleet.refused,
        ),
        (
            "fleet_checks_total",
            "counter",
            "Results that were played again.",
            fleet.checks,
        ),
        (
            "fleet_differences_total",
            "counter",
            "Results found false.",
            fleet.differences,
        ),
    ];
    for (name, kind, help, value) in totals {
        metric(&mut text, name, kind, help, value);
    }
    let name = "loatune_fleet_workers";
    let _ = writeln!(text, "# HELP {name} Workers by state.\n# TYPE {name} gauge");
    for state in WorkerState::ALL {
        let workers = fleet.workers.iter();
        let count = workers.filter(|worker| worker.state == state).count();
        let _ = writeln!(text, "{name}{{state=\"{state}\"}} {count}");
    }
    for (name, kind, help, value) in COLUMNS {
        let _ = writeln!(
            text,
            "# HELP loatune_{name} {help}\n# TYPE loatune_{name} {kind}"
        );
        for worker in &fleet.workers {
            let label = escaped(&worker.worker);
            let value = value(worker);
            let _ = writeln!(text, "loatune_{name}{{worker=\"{label}\"}} {value}");
        }
    }
    text
}
