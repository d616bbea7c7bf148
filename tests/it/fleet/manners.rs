//! How a worker behaves towards its machine: it shows what it does, stands back
//! behind other programs, and tells a service manager.

use std::os::unix::net::UnixDatagram;

use super::*;
use crate::support::binary::loatune;

/// The nice level of a process.
fn nice_level(process: u32) -> i32 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // The name, which may have spaces in it, is in brackets.
    let (_, rest) = stat.rsplit_once(')').unwrap();
    rest.split_whitespace().nth(16).unwrap().parse().unwrap()
}

#[test]
fn a_worker_stands_back_and_tells_what_it_does() {
    let Some(mut broker) = Broker::start() else {
        return;
    };
    let deep = PARAMS.replace("budget = 240", "budget = 1000000");
    let site = Site {
        place: Place::new().with("params.toml", &deep),
    };
    let coordinator = site.coordinate(&broker);
    let elsewhere = Place::new();
    let path = elsewhere.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let url = broker.url();
    let worker = Process::spawn(
        loatune(elsewhere.path())
            .args(["worker", "--fleet", &url, "--threads", "1"])
            .args(["--nice", "7", "--name", "modest", "--report-every", "1"])
            .env("NOTIFY_SOCKET", &path),
    );
    let mut told = Vec::new();
    let mut hear = |is_it: &dyn Fn(&str) -> bool| {
        while !told.iter().any(|text: &String| is_it(text)) {
            let mut bytes = [0; 4096];
            let size = socket.recv(&mut bytes).unwrap();
            told.push(String::from_utf8(bytes[..size].to_vec()).unwrap());
        }
    };
    hear(&|text| text.contains("READY=1"));
    let expected = (nice_level(std::process::id()) + 7).min(19);
    assert_eq!(nice_level(worker.id()), expected);
    // The service manager and the list of the coordinator say what it does.
    let is_busy = |text: &str| {
        let words = ["STATUS=plays for far, ", " games/s", ", load "];
        words.iter().all(|word| text.contains(word)) && !text.contains(" 0.0 games/s")
    };
    hear(&is_busy);
    let fleet = site.wait_for_fleet("its speed", |fleet| {
        fleet["workers"][0]["games_per_second"].as_f64() > Some(0.0)
    });
    let shown = &fleet["workers"][0];
    let name = format!("modest-{}", worker.id());
    assert_eq!(shown["worker"], name);
    assert!(shown["load"].as_f64().is_some(), "{shown}");
    let listed = site.place.good(&["fleet", "-p", POPULATION]);
    assert!(listed.contains(&name), "{listed}");
    // Without its broker it waits, says so, and goes on when the broker is back.
    broker.kill();
    hear(&|text| text.contains("STATUS=plays for far, but the broker is lost"));
    site.wait_for_fleet("the loss", |fleet| {
        fleet["connected"] == false && fleet["games_per_second"] == 0.0
    });
    broker.run();
    let games =
        site.wait_for_fleet("the broker", |fleet| fleet["connected"] == true)["games"].as_u64();
    site.wait_for_fleet("further games", |fleet| fleet["games"].as_u64() > games);
    let ended = terminate(worker);
    hear(&|text| text.contains("STOPPING=1"));
    let lines = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(0), "{lines}");
    assert!(lines.contains(" games/s, load "), "{lines}");
    assert_eq!(terminate(coordinator).status.code(), Some(3));
}
