//! Workers, broker and coordinator are killed and come back.

use super::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// What happens to a run before its first match and at any time after it.
#[test]
fn kills_of_everything_change_nothing() {
    let Some(mut broker) = Broker::start() else {
        return;
    };
    let site = Site::new();
    let elsewhere = Place::new();
    let mut coordinator = site.coordinate(&broker);
    let is_out = |fleet: &Value| fleet["connected"] == true && fleet["out"].as_u64() > Some(0);
    // Orders are with the broker: it dies, once with its data kept, once lost.
    for is_lost in [false, true] {
        site.wait_for_fleet("orders", is_out);
        broker.kill();
        if is_lost {
            broker.lose_data();
        }
        broker.run();
    }
    // The coordinator dies before its first match.
    site.wait_for_fleet("orders", is_out);
    coordinator.kill().unwrap();
    drop(coordinator);
    coordinator = site.coordinate(&broker);
    let mut workers = vec![worker(&broker, &elsewhere)];
    // Then anything at any time, until the run is over or enough has happened.
    let mut rng = ChaCha8Rng::seed_from_u64(19);
    for _ in 0..12 {
        std::thread::sleep(Duration::from_millis(rng.random_range(50..600)));
        if site.champion().is_some() {
            break;
        }
        match rng.random_range(0..6) {
            0 => workers.push(worker(&broker, &elsewhere)),
            1 | 2 => {
                let victim = rng.random_range(0..workers.len());
                drop(workers.swap_remove(victim));
                workers.push(worker(&broker, &elsewhere));
            }
            3 => {
                broker.kill();
                broker.run();
            }
            4 => {
                broker.kill();
                broker.lose_data();
                broker.run();
            }
            _ => {
                coordinator.kill().unwrap();
                drop(coordinator);
                coordinator = site.coordinate(&broker);
            }
        }
    }
    site.expect_the_champion(coordinator);
}

/// A worker that holds matches hangs, and later comes back with its results.
#[test]
fn a_worker_that_hangs_is_replaced_and_its_late_results_harm_nothing() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let site = Site::new();
    let elsewhere = Place::new();
    let hangs = worker(&broker, &elsewhere);
    let coordinator = site.coordinate(&broker);
    // It may be at any point, even done.
    let is_there = |fleet: &Value| !fleet["workers"].as_array().unwrap().is_empty();
    wait_for("a worker", || {
        site.champion().is_some() || site.fleet().as_ref().is_some_and(is_there)
    });
    let id = rustix::process::Pid::from_child(&hangs);
    rustix::process::kill_process(id, rustix::process::Signal::STOP).unwrap();
    let _other = worker(&broker, &elsewhere);
    let began = Instant::now();
    wait_for("the other worker", || {
        let games = |fleet: Value| fleet["games"].as_u64().unwrap() > 100;
        site.champion().is_some() || site.fleet().is_some_and(games)
    });
    log(began.elapsed());
    rustix::process::kill_process(id, rustix::process::Signal::CONT).unwrap();
    site.expect_the_champion(coordinator);
    assert_eq!(terminate(hangs).status.code(), Some(0));
}

fn log(time: Duration) {
    println!("the other worker took over after {time:?}");
}
