//! Messages that are copied, late, made up or false, and workers that are not
//! wanted.

use loatune::serve::fleet::wire::PlayedPair;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::intruder::{Copier, Intruder, beat};
use super::*;
use crate::support::binary::address;
use crate::support::client::get;

#[test]
fn copies_and_late_messages_are_not_counted() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let copier = Copier::start(&broker);
    let elsewhere = Place::new();
    let _worker = worker(&broker, &elsewhere);
    // What is late for the first run comes into the second.
    for _ in 0..2 {
        let site = Site::new();
        let coordinator = site.coordinate(&broker);
        site.expect_the_champion(coordinator);
    }
    assert!(copier.finish() > 100);
}

#[test]
fn hostile_payloads_change_nothing() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let site = Site::new();
    let coordinator = site.coordinate(&broker);
    let intruder = Intruder::new(&broker);
    intruder.charter();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut sent = 0;
    for length in [0, 1, 2, 17, 300, 5000, 60_000, 70_000, 400_000] {
        for last in [
            "result.mallory",
            "beat",
            "join",
            "charter",
            "work",
            "notice",
        ] {
            let bytes: Vec<u8> = (0..length).map(|_| rng.random()).collect();
            intruder.publish(&format!("loatune.loatune.{last}"), bytes);
            sent += 1;
        }
        let open = [b"{".repeat(length), b"[".repeat(length)];
        for bytes in open {
            intruder.publish("loatune.loatune.beat", bytes);
        }
    }
    assert!(sent > 50);
    let fleet = site.wait_for_fleet("refusals", |fleet| fleet["refused"].as_u64() > Some(10));
    assert_eq!(fleet["games"], 0);
    let elsewhere = Place::new();
    let _worker = worker(&broker, &elsewhere);
    site.expect_the_champion(coordinator);
}

/// A legal game with another value of its last position: only playing it again
/// finds it out.
fn exaggerate(pair: &mut PlayedPair) {
    if let PlayedPair::Games { games, .. } = pair {
        for game in games {
            game.final_value = game.final_value.map(|value| value + 1);
            game.nodes[0] += 1;
        }
    }
}

/// No legal game: its last move is missing.
fn cut_short(pair: &mut PlayedPair) {
    if let PlayedPair::Games { games, .. } = pair {
        games[1].moves.pop();
    }
}

#[test]
fn a_worker_that_cheats_is_barred_and_told_about() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let site = Site::new();
    let url = broker.url();
    let mut coordinator = site.place.start(&[
        "run",
        "-p",
        POPULATION,
        "--http",
        "127.0.0.1:0",
        "--fleet",
        &url,
    ]);
    let page = address(coordinator.stderr.take().unwrap());
    let intruder = Intruder::new(&broker);
    let why = intruder.cheat("liar", exaggerate);
    assert!(
        why.contains("differs from what the coordinator plays"),
        "{why}"
    );
    let why = intruder.cheat("mangler", cut_short);
    assert!(why.contains("were refused"), "{why}");
    // It may not come back.
    let charter = intruder.charter();
    assert!(intruder.join(&beat("liar", &charter)).barred);
    let fleet = site.wait_for_fleet("both", |fleet| {
        let workers = fleet["workers"].as_array().unwrap();
        let barred = workers.iter().filter(|worker| worker["state"] == "barred");
        barred.count() == 2
    });
    assert!(fleet["differences"].as_u64() > Some(0), "{fleet}");
    assert!(fleet["refused"].as_u64() > Some(2), "{fleet}");
    let events = fleet["events"].to_string();
    assert!(events.contains("liar is barred: its result of"), "{events}");
    // The page and the metrics show the same.
    let shown = get(page, "/api/fleet").json();
    assert_eq!(shown["fleet"]["workers"][0]["worker"], "liar");
    let metrics = get(page, "/metrics").body;
    assert!(
        metrics.contains("loatune_fleet_workers{state=\"barred\"} 2"),
        "{metrics}"
    );
    assert!(
        metrics.contains("loatune_fleet_worker_faults_total{worker=\"liar\"}"),
        "{metrics}"
    );
    let listed = site.place.run(&["fleet", "-p", POPULATION]);
    assert!(String::from_utf8_lossy(&listed.stdout).contains("mangler  barred"));
    // An honest one does the work.
    let elsewhere = Place::new();
    let _worker = worker(&broker, &elsewhere);
    site.expect_the_champion(coordinator);
}

#[test]
fn who_does_not_fit_is_told_why_and_goes_on_waiting() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let site = Site::new();
    let coordinator = site.coordinate(&broker);
    let intruder = Intruder::new(&broker);
    let charter = intruder.charter();
    let mut other = beat("stranger", &charter);
    other.engine += 1;
    let why = intruder.join(&other).unwanted.unwrap();
    assert!(why.contains("its engine has the signature"), "{why}");
    let mut other = beat("stranger", &charter);
    other.fingerprint = String::from("0");
    let verdict = intruder.join(&other);
    assert!(
        verdict.unwanted.unwrap().contains("parameters"),
        "no reason"
    );
    assert!(!verdict.barred);
    let fleet = site.wait_for_fleet("events", |fleet| {
        fleet["events"].to_string().contains("stranger")
    });
    assert!(fleet["workers"].as_array().unwrap().is_empty());
    assert_eq!(terminate(coordinator).status.code(), Some(3));
}
