//! The limits of the page's server: addresses, long bodies, slow clients, too many
//! searches.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use loatune::serve::http::{Options, Server};

use super::schema::check;
use super::stage::Stage;
use crate::support::client::{connect, exchange, get, request};
use crate::support::population::NAME;

#[test]
fn an_address_in_use_is_named() {
    let stage = Stage::new();
    let address = stage.address().to_string();
    let second = Server::start(
        &address,
        stage.population.window.clone(),
        Options::default(),
    );
    let message = second.unwrap_err().to_string();
    assert!(
        message.contains(&address) && message.contains("--no-http"),
        "{message}"
    );
    assert!(
        Server::start(
            "nonsense",
            stage.population.window.clone(),
            Options::default()
        )
        .is_err()
    );
}

#[test]
fn a_body_that_is_too_long_is_refused() {
    let stage = Stage::new();
    let long = "x".repeat(300 * 1024);
    let answer = request(stage.address(), "POST", "/api/sgf", "", &long);
    assert_eq!(answer.status, 413);
    // Even where the length is a lie, or not told.
    let head = format!("POST /api/sgf HTTP/1.1\r\nHost: {}\r\n", stage.address());
    let lie = exchange(
        stage.address(),
        format!("{head}Content-Length: 99999999999\r\nConnection: close\r\n\r\n(;").as_bytes(),
    );
    assert_eq!(lie.status, 413);
    let chunk = format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
    let chunked = exchange(
        stage.address(),
        format!("{head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n{chunk}").as_bytes(),
    );
    assert_eq!(chunked.status, 413);
    assert_eq!(stage.good("/api/status")["population"], NAME);
}

#[test]
fn slow_clients_hold_up_nobody() {
    let stage = Stage::new();
    let mut slow: Vec<_> = (0..40).map(|_| connect(stage.address())).collect();
    for (n, stream) in slow.iter_mut().enumerate() {
        // Half a head, half a body, or an answer that nobody reads.
        let text = match n % 3 {
            0 => "GET /api/st".to_owned(),
            1 => format!(
                "POST /api/sgf HTTP/1.1\r\nHost: {}\r\nContent-Length: 50\r\n\r\n(;",
                stage.address()
            ),
            _ => format!(
                "GET /api/matches?count=500 HTTP/1.1\r\nHost: {}\r\n\r\n",
                stage.address()
            ),
        };
        stream.write_all(text.as_bytes()).unwrap();
    }
    for _ in 0..5 {
        stage.good("/api/status");
    }
}

#[test]
fn too_many_searches_are_turned_away() {
    let stage = Stage::new();
    let address = stage.address();
    let ask = format!(
        "GET /api/analyse?time=5&depth=99 HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    );
    let mut waiting: Vec<_> = (0..12)
        .map(|_| {
            let mut stream = connect(address);
            stream.write_all(ask.as_bytes()).unwrap();
            stream
        })
        .collect();
    // The page is there meanwhile, and those who come too late are told so.
    stage.good("/api/status");
    let mut answers = vec![Vec::new(); waiting.len()];
    let busy = |answers: &[Vec<u8>]| {
        let refused = |answer: &&Vec<u8>| answer.starts_with(b"HTTP/1.1 503");
        answers.iter().filter(refused).count()
    };
    let start = Instant::now();
    while busy(&answers) < 5 {
        assert!(start.elapsed() < Duration::from_secs(60), "{answers:?}");
        for (stream, answer) in waiting.iter_mut().zip(&mut answers) {
            let pause = Duration::from_millis(20);
            stream.set_read_timeout(Some(pause)).unwrap();
            // Those that are thought for have no answer yet.
            let _ = stream.read_to_end(answer);
        }
    }
    assert!(busy(&answers) < waiting.len(), "some are thought for");
    // Whoever leaves is not thought for: the next answer comes soon.
    drop(waiting);
    let start = Instant::now();
    let answer = loop {
        let answer = get(address, "/api/analyse?depth=1");
        if answer.status == 200 {
            break answer;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{answer:?}");
        std::thread::sleep(Duration::from_millis(20));
    };
    check("Analysis", &answer.json());
}
