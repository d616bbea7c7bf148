//! The page of a real population, served by the real binary: the API says what
//! the commands say, during a run and after it.

use std::fs;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::binary::{Place, address};
use crate::support::client::{get, request};
use serde_json::{Value, json};

use super::schema::check;

pub(super) const RUN: &[&str] = &[
    "run",
    "--population",
    "mine",
    "--depth",
    "1",
    "--certificate-games",
    "20",
    "--hall-games",
    "2",
    "--http",
    "127.0.0.1:0",
];

/// Everything about a population over HTTP is in the form that is described.
pub(super) fn look_around(address: SocketAddr) {
    let json = |path: &str| {
        let answer = get(address, path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.json()
    };
    check("Status", &json("/api/status"));
    let files = json("/api/files?count=5");
    check("Files", &files);
    check("File", &json("/api/files/0"));
    let matches = json("/api/matches?count=5");
    check("Matches", &matches);
    let newest = &matches["matches"][0]["number"];
    check("Match", &json(&format!("/api/matches/{newest}")));
    let history = json("/api/history");
    check("History", &history);
    assert_ne!(history["samples"], json!([]));
    for chart in json("/api/charts")["charts"].as_array().unwrap() {
        let path = format!(
            "/api/charts/{}.svg?theme=dark",
            chart["name"].as_str().unwrap()
        );
        let answer = get(address, &path);
        assert!(answer.body.starts_with("<svg "), "{path}: {answer:?}");
    }
    assert!(get(address, "/metrics").body.contains("loatune_games"));
    assert_eq!(get(address, "/healthz").status, 200);
}

#[test]
fn during_a_run_and_after_it() {
    let place = Place::new();
    let mut args = RUN.to_vec();
    args.extend(["--budget", "1000000"]);
    let mut run = place.start(&args);
    let page = address(run.stderr.take().unwrap());
    while get(page, "/api/status").json()["games"].as_u64().unwrap() < 60 {
        sleep(Duration::from_millis(20));
    }
    // What is applied is in the store a moment later.
    let is_empty = |path: &str, list: &str| get(page, path).json()[list] == json!([]);
    while is_empty("/api/matches?count=5", "matches") || is_empty("/api/history", "samples") {
        sleep(Duration::from_millis(20));
    }
    look_around(page);
    // How fast it plays, for the chart.
    while is_empty("/api/speed", "samples") {
        sleep(Duration::from_millis(20));
    }
    let speed = &get(page, "/api/speed").json()["samples"][0]["games_per_second"];
    assert!(speed.as_f64() > Some(0.0), "{speed}");
    let status = place.json(&["status", "--json"]);
    assert_eq!(status["page"], format!("http://{page}/"));
    assert_eq!(get(page, "/api/champion").status, 404);
    let served = place.refused(&["serve"]);
    assert!(
        served.contains(&format!("its page is http://{page}/")),
        "{served}"
    );

    // Events come as they happen, and one can go on from any of them.
    let events = exchange_events(page, "");
    assert!(events.contains("\"kind\":\"match\""), "{events}");

    // Stopping needs the token.
    let refused = request(page, "POST", "/api/stop", "", "");
    assert!([401, 403].contains(&refused.status), "{refused:?}");
    let token = fs::read_to_string(place.path().join("populations/mine/token")).unwrap();
    let bearer = format!("Authorization: Bearer {}\r\n", token.trim());
    let stopped = request(page, "POST", "/api/stop", &bearer, "");
    assert!(stopped.status < 300, "{stopped:?}");
    assert_eq!(run.wait().unwrap().code(), Some(3));

    // To the end, and served by another command.
    let mut args = RUN.to_vec();
    args.extend(["--budget", "80", "--accept-changes", "-q"]);
    place.good(&args);
    let mut serve = place.start(&["serve", "--http", "127.0.0.1:0"]);
    let page = address(serve.stdout.take().unwrap());
    look_around(page);
    let champion = place.good(&["export"]);
    let served = get(page, "/api/champion");
    assert_eq!(served.body, champion);
    let json = request(
        page,
        "GET",
        "/api/champion",
        "Accept: application/json\r\n",
        "",
    );
    assert_eq!(json.json()["certificate"]["champion"], "elder");
    strengths_are_measured(page, &json.json()["certificate"]);
    let mut status = place.json(&["status", "--json"]);
    let mut shown = get(page, "/api/status").json();
    assert_eq!(shown["state"], "finished");
    for status in [&mut status, &mut shown] {
        status["page"].take();
    }
    assert_eq!(shown, status);
    // Nobody works on it, so there is nothing to stop.
    let stopped = request(page, "POST", "/api/stop", &bearer, "");
    assert_eq!(stopped.status, 409, "{stopped:?}");
}

/// The strengths of a finished run are there for monitoring, all of them and no other.
fn strengths_are_measured(page: SocketAddr, certificate: &Value) {
    let mut expected = Vec::new();
    for result in certificate["match"].as_array().unwrap() {
        let name = format!("champion_elo{{opponent={}}}", result["opponent"]);
        expected.extend(result["elo"].as_f64().map(|elo| (name, elo)));
    }
    let status = get(page, "/api/status").json();
    let hall = status["hall"].as_array().unwrap().iter().rev();
    let mut measured =
        hall.filter_map(|entry| Some((entry["elo"].as_f64()?, entry["error"].as_f64()?)));
    if let Some((elo, error)) = measured.next() {
        expected.push((String::from("strength_elo"), elo));
        expected.push((String::from("strength_elo_error"), error));
    }
    assert!(!expected.is_empty(), "nothing was measured: {status}");
    let metrics = get(page, "/metrics").body;
    let mut told: Vec<(String, f64)> = metrics
        .lines()
        .filter_map(|line| line.strip_prefix("loatune_")?.rsplit_once(' '))
        .filter(|(name, _)| name.starts_with("champion_elo") || name.starts_with("strength"))
        .map(|(name, value)| (name.to_owned(), value.parse().unwrap()))
        .collect();
    for list in [&mut told, &mut expected] {
        list.sort_by(|a, b| a.0.cmp(&b.0));
    }
    assert_eq!(told, expected);
}

/// The first events of a stream.
fn exchange_events(page: SocketAddr, headers: &str) -> String {
    let mut stream = crate::support::client::connect(page);
    let text = format!("GET /api/events HTTP/1.1\r\nHost: {page}\r\n{headers}\r\n");
    stream.write_all(text.as_bytes()).unwrap();
    let mut found = String::new();
    let mut part = [0; 4096];
    while !found.contains("\"kind\":\"match\"") {
        let length = stream.read(&mut part).unwrap();
        assert!(length > 0, "the stream has ended: {found}");
        found += &String::from_utf8_lossy(&part[..length]);
    }
    found
}

/// `--open` starts the desktop's own opener, here one that only keeps what it
/// is given.
#[cfg(unix)]
#[test]
fn a_browser_is_opened_without_showing_the_token_to_others() {
    use std::os::unix::fs::PermissionsExt;

    let place = Place::new();
    let opener = place.path().join(match cfg!(target_os = "macos") {
        true => "open",
        false => "xdg-open",
    });
    let keep = "#!/bin/sh\necho \"$1\" > asked.new\ncp \"$1\" page\nmv asked.new asked\n";
    fs::write(&opener, keep).unwrap();
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", place.path().display());
    let mut run = Command::new(env!("CARGO_BIN_EXE_loatune"))
        .current_dir(place.path())
        .env_clear()
        .env("PATH", path)
        .args([RUN, &["--budget", "1000000", "--open"]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let page = address(run.stderr.take().unwrap());
    let asked = place.path().join("asked");
    while !asked.exists() {
        assert!(run.try_wait().unwrap().is_none(), "it has ended");
        sleep(Duration::from_millis(10));
    }
    let token = fs::read_to_string(place.path().join("populations/mine/token")).unwrap();
    let asked = fs::read_to_string(asked).unwrap();
    assert!(!asked.contains(token.trim()), "{asked}");
    let door = fs::metadata(place.path().join(asked.trim())).unwrap();
    assert_eq!(door.permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(place.path().join("page")).unwrap();
    let leads_to = format!("http://{page}/?token={}", token.trim());
    assert!(text.contains(&leads_to), "{text}");
    place.run(&["stop"]);
    assert_eq!(run.wait().unwrap().code(), Some(3));
}
