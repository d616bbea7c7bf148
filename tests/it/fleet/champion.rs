//! The same champion, however many workers there are.

use std::io::{BufRead, BufReader};

use super::*;

#[test]
fn one_three_and_eight_workers_find_the_same_champion() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let elsewhere = Place::new();
    for count in [1, 3, 8] {
        let site = Site::new();
        // Workers may be there before the run, and stay after it.
        let workers: Vec<Process> = (0..count).map(|_| worker(&broker, &elsewhere)).collect();
        let coordinator = site.coordinate(&broker);
        site.expect_the_champion(coordinator);
        for worker in workers {
            let ended = terminate(worker);
            let told = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert_eq!(ended.status.code(), Some(0), "{told}");
            assert!(told.contains("stopped after"), "{told}");
        }
    }
}

#[test]
fn a_worker_plays_for_one_run_after_the_other_and_gives_back_what_it_has() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let elsewhere = Place::new();
    let mut one = Some(worker(&broker, &elsewhere));
    for _ in 0..2 {
        let site = Site::new();
        let coordinator = site.coordinate(&broker);
        if let Some(first) = one.take() {
            // It is asked to end while it plays, or before, or after: another
            // one plays the rest, without waiting for a timeout.
            let mut first = first;
            // From its first line on it hears signals.
            let mut lines = BufReader::new(first.stderr.take().unwrap());
            lines.read_line(&mut String::new()).unwrap();
            let ended = terminate(first);
            assert_eq!(ended.status.code(), Some(0));
            one = Some(worker(&broker, &elsewhere));
        }
        site.expect_the_champion(coordinator);
    }
}

#[test]
fn a_second_coordinator_is_refused() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let (site, other) = (Site::new(), Site::new());
    let first = site.coordinate(&broker);
    site.wait_for_fleet("a connection", |fleet| fleet["connected"] == true);
    let ended = other.coordinate(&broker).finish();
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(1), "{told}");
    assert!(
        told.contains("plays for the population far already"),
        "{told}"
    );
    assert_eq!(terminate(first).status.code(), Some(3));
    // Where the run has no fleet, the list says so.
    let message = site.place.refused(&["fleet", "-p", POPULATION]);
    assert!(message.starts_with("nobody works on"), "{message}");
}
