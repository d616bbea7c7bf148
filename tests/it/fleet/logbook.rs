//! What happened to a fleet outlives the coordinator.

use loatune::serve::fleet::wire::PlayedPair;

use super::intruder::{Intruder, beat};
use super::*;

/// Another value of the last position: only playing the game again finds it out.
fn exaggerate(pair: &mut PlayedPair) {
    if let PlayedPair::Games { games, .. } = pair {
        for game in games {
            game.nodes[0] += 1;
        }
    }
}

#[test]
fn a_worker_that_was_barred_stays_barred_when_the_coordinator_comes_back() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let site = Site::new();
    let mut coordinator = site.coordinate(&broker);
    let intruder = Intruder::new(&broker);
    let why = intruder.cheat("liar", exaggerate);
    // Whoever is told of a bar may rely on it: it is on the disk.
    coordinator.kill().unwrap();
    drop(coordinator);
    // Half a line, as a kill may leave it, is no obstacle.
    let log = site.directory().join("fleet.jsonl");
    let mut text = std::fs::read_to_string(&log).unwrap();
    text.push_str("{\"number\":");
    std::fs::write(&log, text).unwrap();

    let events = ["fleet", "-p", POPULATION, "--events"];
    let listed = site.place.good(&events);
    assert!(
        listed.contains(" UTC  liar is barred: its result of"),
        "{listed}"
    );
    let coordinator = site.coordinate(&broker);
    let charter = intruder.charter();
    let verdict = intruder.join(&beat("liar", &charter));
    assert!(verdict.barred);
    assert_eq!(verdict.unwanted, Some(why.clone()));
    let fleet = site.wait_for_fleet("the list", |fleet| fleet["connected"] == true);
    let liar = &fleet["workers"][0];
    assert_eq!(
        (&liar["worker"], &liar["state"]),
        (&"liar".into(), &"barred".into())
    );
    assert_eq!(liar["why"], why);
    let numbers: Vec<u64> = fleet["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["number"].as_u64().unwrap())
        .collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert!(
        fleet["events"].to_string().contains("liar is barred"),
        "{fleet}"
    );
    // An honest worker plays the rest, and the champion is the one it should be.
    let elsewhere = Place::new();
    let _worker = worker(&broker, &elsewhere);
    site.expect_the_champion(coordinator);
    let listed = site.place.good(&[&events[..], &["--json"]].concat());
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let listed = listed["events"].as_array().unwrap();
    let is_bar = |event: &&Value| event["worker"] == "liar" && event["why"] == *why;
    assert_eq!(listed.iter().filter(is_bar).count(), 1, "{listed:?}");
    assert!(
        listed.last().unwrap()["text"]
            .as_str()
            .unwrap()
            .contains("joined")
    );
}

#[test]
fn a_population_without_a_fleet_has_no_events() {
    let site = Site::new();
    let events = ["fleet", "-p", POPULATION, "--events"];
    let message = site.place.refused(&events);
    assert!(message.contains(POPULATION), "{message}");
    site.place
        .good(&["-q", "run", "-p", POPULATION, "--no-http", "--budget", "4"]);
    let listed = site.place.good(&events);
    assert_eq!(listed, "no fleet has played for far\n");
    assert!(!site.directory().join("fleet.jsonl").exists());
}
