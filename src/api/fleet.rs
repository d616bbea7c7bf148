//! The fleet that plays the games of a run: `loatune fleet --json` and
//! `/api/fleet`.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The fleet of a run, as its coordinator sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Fleet)]
pub struct FleetView {
    /// The name under which workers find the run on the broker.
    pub name: String,
    /// The broker's address, without anything secret.
    pub broker: String,
    /// Whether the coordinator has a connection to the broker now.
    pub connected: bool,
    /// Games a second of all workers that are there.
    pub games_per_second: f64,
    /// Games of the fleet that were accepted since the coordinator started.
    pub games: u64,
    /// Matches that wait for a worker to have room for them.
    pub waiting: u64,
    /// Matches that are with the broker or the workers.
    pub out: u64,
    /// Matches whose result waits until it has been played again.
    pub checking: u64,
    /// Matches that were published again, because nobody answered in time.
    pub republished: u64,
    /// Second results of a match, which were compared and not counted.
    pub duplicates: u64,
    /// Results of matches that nobody waits for any more.
    pub late: u64,
    /// Messages that were refused: no message at all, or no legal game.
    pub refused: u64,
    /// Results that were played again.
    pub checks: u64,
    /// Results that were played again and found false.
    pub differences: u64,
    /// The workers, by name; those that are gone are kept for an hour.
    pub workers: Vec<WorkerView>,
    /// What happened lately, the oldest first.
    pub events: Vec<FleetEventView>,
}

/// The answer of `/api/fleet`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = FleetAnswer)]
pub struct FleetAnswer {
    /// The fleet; null where threads of the run's own process play.
    pub fleet: Option<FleetView>,
}

/// A worker of the fleet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Worker)]
pub struct WorkerView {
    /// Its name, its process's number included.
    pub worker: String,
    /// What the coordinator thinks of it.
    pub state: WorkerState,
    /// Games that it plays at the same time.
    pub threads: u32,
    /// Games that were accepted from it.
    pub games: u64,
    /// Games a second, as the worker counts them.
    pub games_per_second: f64,
    /// The load average of its host over one minute; null where it has none.
    pub load: Option<f64>,
    /// Matches of it that were played again and found right.
    pub checked: u64,
    /// Results of it that were refused or found false.
    pub faults: u64,
    /// Matches that it holds now.
    pub holding: u64,
    /// Seconds since its last message.
    pub seen_seconds: f64,
    /// Why it is barred; null where it is not.
    pub why: Option<String>,
}

/// What the coordinator thinks of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WorkerState {
    /// Every match of it is played again, until enough were right.
    New,
    /// A share of its matches is played again.
    Trusted,
    /// It has not been heard of for some time.
    Gone,
    /// It gave a false result, and nothing is taken from it any more.
    Barred,
}

impl WorkerState {
    /// All states.
    pub const ALL: [WorkerState; 4] = [
        WorkerState::New,
        WorkerState::Trusted,
        WorkerState::Gone,
        WorkerState::Barred,
    ];

    /// The name in every JSON output.
    pub const fn name(self) -> &'static str {
        match self {
            WorkerState::New => "new",
            WorkerState::Trusted => "trusted",
            WorkerState::Gone => "gone",
            WorkerState::Barred => "barred",
        }
    }
}

impl fmt::Display for WorkerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Something that happened to a fleet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = FleetEvent)]
pub struct FleetEventView {
    /// Its number, from 1.
    pub number: u64,
    /// Seconds since then.
    pub seconds_ago: f64,
    /// What happened, as a sentence.
    pub text: String,
}

/// An event of a fleet as it is kept beside the journal: `loatune fleet --events`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FleetRecord {
    /// Its number, from 1.
    pub number: u64,
    /// When it happened, in seconds since 1970.
    pub time: u64,
    /// What happened, as a sentence.
    pub text: String,
    /// The worker that is barred from then on, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// Why it is barred.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}
