//! What comes in through sockets: the control socket and the page's server.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::OnceLock;
use std::time::Duration;

use loatune::serve::control;
use loatune::serve::http::{Options, Server};
use proptest::prelude::*;
use serde_json::Value;

use super::mutation::{bytes, text};
use super::{check_message, config, demand};
use crate::support::client::{exchange, get};
use crate::support::population::Playback;

const REQUESTS: &[&str] = &[
    r#"{"ask":"status"}"#,
    r#"{"ask":"files","from":0,"count":10}"#,
    r#"{"ask":"matches","before":null,"count":5,"file":3}"#,
    r#"{"ask":"events","after":7,"count":100}"#,
    r#"{"ask":"weights","file":1}"#,
    r#"{"ask":"chart","name":"points.svg","dark":true}"#,
    r#"{"ask":"import","weights":"[loatune]\nformat = 1\n"}"#,
];

/// A population that nobody works on, for all cases.
fn population() -> &'static Playback {
    static OPENED: OnceLock<Playback> = OnceLock::new();
    OPENED.get_or_init(|| Playback::at_rest(12))
}

/// Its socket, for all cases.
fn daemon() -> &'static control::Server {
    static STARTED: OnceLock<control::Server> = OnceLock::new();
    STARTED.get_or_init(|| {
        let (place, window) = (population().directory(), population().window.clone());
        control::Server::start(place, window).unwrap()
    })
}

/// Its page's server, for all cases.
fn page() -> &'static Server {
    static STARTED: OnceLock<Server> = OnceLock::new();
    STARTED.get_or_init(|| {
        let window = population().window.clone();
        Server::start("127.0.0.1:0", window, Options::default()).unwrap()
    })
}

const PATHS: &[&str] = &[
    "/api/files?from=3&count=2",
    "/api/files/3",
    "/api/matches?file=0&before=40&count=2",
    "/api/matches/0",
    "/api/charts/points.svg?theme=dark",
    "/api/moves?position=8%2F2x5%2F8%2F3x4%2F3oo3%2F8%2F6o1%2Fx7%20o&moves=d4-b2",
    "/api/analyse?depth=1&weights=3&player=mtdf&nodes=5&time=0.01&plies=3",
    "/api/curve?moves=b1-b3%20a2-c2&weights=default&depth=0",
    "/api/sgf?moves=b1-b3&black=a&white=b",
    "/assets/board.js",
];

const BODIES: &[&str] = &[
    include_str!("../../data/fuzz/game.sgf"),
    include_str!("../../data/fuzz/setup.sgf"),
];

const RAW: &[&str] = &[
    "GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
    "POST /api/sgf HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\nConnection: close\r\n\r\n(;GM[9])",
    "POST /api/stop HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer abc\r\nCookie: loatune-1=x\r\nOrigin: null\r\nConnection: close\r\n\r\n",
];

proptest! {
    #![proptest_config(config(48))]

    /// Whatever line is sent, one line of JSON comes back, and the next one
    /// who asks is answered.
    #[test]
    fn control_requests(request in bytes(REQUESTS.iter().map(|text| text.as_bytes().to_vec()).collect())) {
        daemon();
        let answer = ask(&request);
        if !answer.is_empty() {
            let value: Value = serde_json::from_str(&answer).unwrap();
            if let Some(why) = value.get("refused").or(value.get("failed")) {
                demand!(check_message(why.as_str().unwrap()));
            }
        }
        let status: Value = serde_json::from_str(&ask(REQUESTS[0].as_bytes())).unwrap();
        prop_assert!(status.get("answer").is_some(), "{}", status);
    }

    /// An address is answered, or refused with a sentence.
    #[test]
    fn addresses(path in text(PATHS)) {
        let is_sendable = |letter: char| letter.is_ascii_graphic() && letter != '#';
        let path: String = path.chars().filter(|letter| is_sendable(*letter)).collect();
        let path = format!("/{}", path.trim_start_matches('/'));
        // The stream of events has no end to wait for.
        prop_assume!(!path.starts_with("/api/events"));
        let answer = get(page().address(), &path);
        prop_assert!([200, 303, 400, 403, 404, 405, 409, 414, 503].contains(&answer.status), "{:?}", answer);
        // What is no address at all is refused before anybody reads it.
        let is_address = answer.status != 400 || !answer.body.is_empty();
        if answer.status >= 400 && is_address && path.starts_with("/api/") {
            demand!(check_message(&answer.error()));
        }
    }

    #[test]
    fn bodies(body in bytes(BODIES.iter().map(|text| text.as_bytes().to_vec()).collect())) {
        let address = page().address();
        let mut request = format!(
            "POST /api/sgf HTTP/1.1\r\nHost: {address}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(&body);
        let answer = exchange(address, &request);
        prop_assert!([200, 400].contains(&answer.status), "{:?}", answer);
        if answer.status == 400 {
            demand!(check_message(&answer.error()));
        }
    }

    /// Whatever comes in, the next one who asks is answered.
    #[test]
    fn raw_requests(request in bytes(RAW.iter().map(|text| text.as_bytes().to_vec()).collect())) {
        let address = page().address();
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let _ = stream.write_all(&request);
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        let mut first = [0; 1024];
        if let Ok(count) = stream.read(&mut first) {
            answer.extend_from_slice(&first[..count]);
        }
        prop_assert!(answer.is_empty() || answer.starts_with(b"HTTP/1."), "{:?}", answer);
        prop_assert!(!answer.starts_with(b"HTTP/1.1 5"), "{}", String::from_utf8_lossy(&answer));
        prop_assert_eq!(get(address, "/healthz").status, 200);
    }
}

fn ask(request: &[u8]) -> String {
    let mut stream = UnixStream::connect(population().directory().join("control.sock")).unwrap();
    let _ = stream.write_all(request);
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8(bytes).unwrap()
}
