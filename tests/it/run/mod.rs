//! Whole runs: to the champion, through kills, stopped in order, verified and
//! repaired.

mod earlier_rule;
mod foreign;
mod foreign_faults;
mod foreign_genes;
mod foreign_school;
pub mod foreign_support;
mod foreign_time;
mod going_on;
mod kills;
mod panel;
mod proof;
mod replaced;
mod rewind;
mod school;
mod selective;
mod taken_further;
mod to_the_end;
mod tree_search;
mod trust;

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::binary::Place;
use serde_json::Value;

fn status(place: &Place, population: &str) -> Value {
    place.json(&["status", "--population", population, "--json"])
}

/// Waits until a run goes on and has played so many games.
fn wait_for(place: &Place, population: &str, games: u64) {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(60) {
        let output = place.run(&["status", "--population", population, "--json"]);
        if output.status.success() {
            let found: Value = serde_json::from_slice(&output.stdout).unwrap();
            if found["running"] == true && found["games"].as_u64().unwrap() >= games {
                return;
            }
        }
        sleep(Duration::from_millis(5));
    }
    panic!("{population} has not played {games} games within a minute");
}
