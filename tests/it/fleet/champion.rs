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

/// Workers play the run's own player and no other; the coordinator plays the
/// matches against the panel.
#[test]
fn a_panel_is_played_beside_the_fleet() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let panel = "panel = [\"default@mcts:s20\", \"random:3@selective:n50\"]\npanel_games = 4\n";
    let params = PARAMS.replace("hall_games = 2\n", &format!("hall_games = 2\n{panel}"));
    let site = || Site {
        place: Place::new().with("params.toml", &params),
    };
    let alone = site();
    let args = ["-q", "run", "-p", POPULATION, "--no-http"];
    alone.place.good(&args);
    let (far, elsewhere) = (site(), Place::new());
    let one = worker(&broker, &elsewhere);
    let ended = far.coordinate(&broker).finish();
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(0), "{told}");
    let champion = far.champion().unwrap();
    assert_eq!(champion.matches("player_engine").count(), 2);
    assert_eq!(Some(champion), alone.champion());
    assert_eq!(terminate(one).status.code(), Some(0));
}

/// The games take minutes, so a worker that finished them would be waited for.
#[test]
fn a_worker_that_is_asked_to_end_gives_long_matches_back() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let deep = PARAMS.replace("depth = 1", "depth = 9");
    let site = Site {
        place: Place::new().with("params.toml", &deep),
    };
    let _coordinator = site.coordinate(&broker);
    let elsewhere = Place::new();
    let plays = |fleet: &Value| fleet["workers"][0]["holding"].as_u64() > Some(0);
    let first = worker(&broker, &elsewhere);
    site.wait_for_fleet("a match in hand", plays);
    let begin = Instant::now();
    let ended = terminate(first);
    assert_eq!(ended.status.code(), Some(0));
    // Two seconds on a machine that has nothing else to do.
    assert!(begin.elapsed() < Duration::from_secs(10));
    // It has said goodbye, and the next one gets matches.
    site.wait_for_fleet("its end", |fleet| fleet["workers"][0]["state"] == "gone");
    let _second = worker(&broker, &elsewhere);
    site.wait_for_fleet("another worker that plays", |fleet| {
        let workers = fleet["workers"].as_array().unwrap().iter();
        let mut others = workers.filter(|one| one["state"] != "gone");
        others.any(|one| one["holding"].as_u64() > Some(0))
    });
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
    // The word about going on names the fleet, too.
    let stopped = site.place.good(&["stop", "-p", POPULATION]);
    let again = format!(
        "to go on: loatune run --population far --fleet {}",
        broker.url()
    );
    assert!(stopped.contains(&again), "{stopped}");
    let ended = first.finish();
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(3), "{told}");
    assert!(told.contains(&again), "{told}");
    // Where the run has no fleet, the list says so.
    let message = site.place.refused(&["fleet", "-p", POPULATION]);
    assert!(message.starts_with("nobody works on"), "{message}");
}
