//! The stream of events: as they happen, after a break, in a flood, and at the end.

use std::io::{BufRead, BufReader, Write};

use loatune::serve::http::Source;
use serde_json::Value;

use super::schema::check;
use super::stage::{BEGIN, Stage};
use crate::support::client::connect;
use crate::support::population::Playback;

/// One browser that listens.
struct Listener {
    lines: std::io::Lines<BufReader<std::net::TcpStream>>,
}

/// A message: its name, its id and its data.
type Message = (String, Option<u64>, Value);

impl Listener {
    fn new(stage: &Stage, path: &str, headers: &str) -> Listener {
        let mut stream = connect(stage.address());
        let host = stage.address();
        let text = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n");
        stream.write_all(text.as_bytes()).unwrap();
        Listener {
            lines: BufReader::new(stream).lines(),
        }
    }

    /// The next message of a kind; `None` at the end of the stream.
    fn next(&mut self, kind: &str) -> Option<Message> {
        let (mut name, mut id, mut data) = (String::new(), None, String::new());
        loop {
            let line = self.lines.next()?.ok()?;
            if let Some(text) = line.strip_prefix("event: ") {
                name = text.to_owned();
            } else if let Some(text) = line.strip_prefix("id: ") {
                id = text.parse().ok();
            } else if let Some(text) = line.strip_prefix("data: ") {
                data += text;
            } else if line.is_empty() && !name.is_empty() {
                if name == kind {
                    return Some((name, id, serde_json::from_str(&data).unwrap()));
                }
                (name, id, data) = (String::new(), None, String::new());
            }
        }
    }

    fn numbers(&mut self) -> (Vec<u64>, u64) {
        let (_, id, data) = self.next("events").unwrap();
        check("Events", &data);
        let events = data["events"].as_array().unwrap();
        let numbers: Vec<_> = events
            .iter()
            .map(|e| e["number"].as_u64().unwrap())
            .collect();
        assert_eq!(numbers.last().copied(), id);
        (numbers, data["skipped"].as_u64().unwrap())
    }
}

#[test]
fn events_come_as_they_happen_and_go_on_after_a_break() {
    let stage = Stage::new();
    let population = &stage.population;
    let newest = || *population.events().last().unwrap();
    let after = |known: u64| -> Vec<u64> {
        let events = population.events().into_iter();
        events.filter(|&number| number > known).collect()
    };
    let mut listener = Listener::new(&stage, "/api/events", "");
    let (numbers, skipped) = listener.numbers();
    let all = population.events();
    assert_eq!((numbers.as_slice(), skipped), (&all[all.len() - 30..], 0));
    let (_, _, status) = listener.next("status").unwrap();
    check("Status", &status);
    let known = newest();
    population.advance(1);
    assert_eq!(listener.numbers(), (after(known), 0));
    let (_, _, status) = listener.next("status").unwrap();
    assert_eq!(status["matches"], BEGIN + 1);
    drop(listener);

    // Everything since then, once, by either way of asking. No matter which
    // event was the last one known: each of the last matches and of what they
    // brought.
    population.advance(2);
    let all = population.events();
    for known in &all[all.len() - 12..all.len() - 1] {
        let header = format!("Last-Event-ID: {known}\r\n");
        let mut by_header = Listener::new(&stage, "/api/events", &header);
        let mut by_query = Listener::new(&stage, &format!("/api/events?after={known}"), "");
        assert_eq!(by_header.numbers(), (after(*known), 0));
        assert_eq!(by_query.numbers(), (after(*known), 0));
    }

    // Someone who knows everything hears of what comes next.
    let known = newest();
    let header = format!("Last-Event-ID: {known}\r\n");
    let mut patient = Listener::new(&stage, "/api/events", &header);
    patient.next("status").unwrap();
    population.advance(1);
    assert_eq!(patient.numbers(), (after(known), 0));

    // Someone who knows more than there is begins anew.
    let mut stranger = Listener::new(&stage, "/api/events?after=99999999999", "");
    let (numbers, _) = stranger.numbers();
    assert_eq!(numbers.last(), Some(&newest()));
}

#[test]
fn a_flood_of_events_drowns_nobody() {
    let stage = Stage::new();
    let mut listener = Listener::new(&stage, "/api/events", "");
    let (mut known, _) = listener.numbers();
    let mut seen = *known.last().unwrap();
    stage.population.advance(300);
    let all = stage.population.events();
    let place = |number: u64| all.iter().position(|&event| event == number).unwrap() as u64;
    let newest = *all.last().unwrap();
    let flood = all.len() as u64 - 1 - place(seen);
    let (mut told, mut left_out) = (0, 0);
    while seen < newest {
        let skipped;
        (known, skipped) = listener.numbers();
        assert!(known.len() <= 100);
        assert_eq!(place(known[0]), place(seen) + skipped + 1);
        seen = *known.last().unwrap();
        told += known.len() as u64;
        left_out += skipped;
    }
    assert_eq!(told + left_out, flood);
    assert!(left_out > told, "{told} of {flood} were told");
}

/// What is shown by number is what is shown without, whatever the count.
#[test]
fn the_newest_events_are_the_end_of_all() {
    let population = Playback::new(BEGIN);
    let all = population.events();
    for count in [1, 2, 3, 30, 100, all.len(), all.len() + 1] {
        let newest = population.window.events(None, count).unwrap();
        let newest: Vec<u64> = newest.iter().map(|event| event.number).collect();
        assert_eq!(newest, all[all.len().saturating_sub(count)..], "{count}");
    }
    for (first, &after) in all.iter().enumerate() {
        for (second, &before) in all.iter().enumerate().skip(first + 1).step_by(7) {
            let between = population.window.events_between(after, before).unwrap();
            assert_eq!(between, (second - first - 1) as u64, "{after} to {before}");
        }
    }
}

#[test]
fn streams_end_with_the_server() {
    let stage = Stage::new();
    let mut listener = Listener::new(&stage, "/api/events", "");
    listener.numbers();
    let address = stage.address();
    stage.server.shutdown();
    assert!(listener.next("bye").is_some(), "a word of farewell");
    assert!(listener.next("status").is_none(), "and nothing after it");
    assert!(std::net::TcpStream::connect(address).is_err());
}
