//! One run on many machines, with a real broker, real processes, and everything
//! that can go wrong between them. Whatever happens, the champion must be the
//! one of a run on one machine, byte for byte.

mod broker;
mod champion;
mod credentials;
mod hostile;
mod intruder;
mod logbook;
mod manners;
mod storm;
mod tls;

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;

use self::broker::{Broker, PATIENCE};
use crate::support::binary::{Place, Process};

const POPULATION: &str = "far";

/// A short run: some hundred matches one ply deep.
const PARAMS: &str = "\
[player]
depth = 1

[evolution]
budget = 240

[final]
certificate_games = 8
hall_games = 2

[run]
seed = 7
threads = 1

[fleet]
timeout = 2
";

/// The champion of that run on one machine.
fn champion() -> &'static str {
    static MADE: OnceLock<String> = OnceLock::new();
    MADE.get_or_init(|| {
        let fleet = Site::new();
        fleet
            .place
            .good(&["-q", "run", "-p", POPULATION, "--no-http"]);
        fleet.champion().expect("the run is over")
    })
}

/// A machine with a population.
struct Site {
    place: Place,
}

impl Site {
    fn new() -> Site {
        Site {
            place: Place::new().with("params.toml", PARAMS),
        }
    }

    /// Starts the coordinator.
    fn coordinate(&self, broker: &Broker) -> Process {
        let url = broker.url();
        let args = ["run", "-p", POPULATION, "--no-http", "--fleet", &url];
        self.place.start(&args)
    }

    /// What the champion's file says, once it is there.
    fn champion(&self) -> Option<String> {
        std::fs::read_to_string(self.directory().join("champion.toml")).ok()
    }

    fn directory(&self) -> PathBuf {
        self.place.path().join("populations").join(POPULATION)
    }

    /// Waits for the coordinator's end, and compares its champion.
    fn expect_the_champion(&self, coordinator: Process) {
        let ended = coordinator.finish();
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(0), "{told}");
        assert_eq!(self.champion().as_deref(), Some(champion()));
    }

    /// What `loatune fleet --json` says; `None` where the run is not there.
    fn fleet(&self) -> Option<Value> {
        let output = self.place.run(&["-q", "fleet", "-p", POPULATION, "--json"]);
        let is_good = output.status.code() == Some(0);
        is_good.then(|| serde_json::from_slice(&output.stdout).unwrap())
    }

    /// Waits until the fleet is as it should be.
    fn wait_for_fleet(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let mut last = None;
        wait_for(what, || {
            last = self.fleet();
            last.as_ref().is_some_and(&is_so)
        });
        last.unwrap()
    }
}

/// Starts a worker, in a directory of its own.
fn worker(broker: &Broker, place: &Place) -> Process {
    place.start(&["worker", "--fleet", &broker.url(), "--threads", "1"])
}

/// Asks a process to end, and waits for it.
fn terminate(process: Process) -> std::process::Output {
    let id = rustix::process::Pid::from_child(&process);
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    process.finish()
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
