//! Clients that mean no good: many connections, answers that nobody takes,
//! requests that are refused by the thousand. The server goes on to answer
//! monitoring, and its log stays short.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use loatune::serve::http::Server;

use crate::support::binary::{Process, address, loatune};
use crate::support::client::{get, request};
use crate::support::population::{NAME, Playback};

/// More than there are places for.
const CLIENTS: usize = 140;

/// How long an answer may take on a busy machine. Silent clients are let go
/// later than that.
const PATIENCE: Duration = Duration::from_secs(12);

fn serve(population: &Playback) -> Server {
    let window = population.window.clone();
    Server::start("127.0.0.1:0", window, population.options()).unwrap()
}

/// A client that sends requests for as long as they are taken, and reads
/// nothing.
fn greedy_client(address: SocketAddr, requests: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nonblocking(true).unwrap();
    for _ in 0..20 {
        match stream.write(requests) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            // The server may have let it go already.
            Err(_) => break,
        }
    }
    stream
}

#[track_caller]
fn monitoring_is_answered(address: SocketAddr) {
    for path in ["/healthz", "/metrics"] {
        let begin = Instant::now();
        assert_eq!(get(address, path).status, 200, "{path}");
        assert!(begin.elapsed() < PATIENCE, "{path}");
    }
}

#[test]
fn clients_that_take_no_answers_do_not_block_monitoring() {
    let population = Playback::new(10);
    let server = serve(&population);
    let address = server.address();
    let one = format!("GET /api/openapi.json HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let requests = one.repeat(500);
    let mut clients: Vec<_> = (0..CLIENTS)
        .map(|_| greedy_client(address, requests.as_bytes()))
        .collect();
    for _ in 0..5 {
        monitoring_is_answered(address);
        // Those that were let go come back.
        clients.extend((0..4).map(|_| greedy_client(address, requests.as_bytes())));
    }
    // Pages are answered again when those who take no answers are let go.
    let begin = Instant::now();
    while get(address, "/api/status").status != 200 {
        assert!(begin.elapsed() < Duration::from_secs(60));
        monitoring_is_answered(address);
        std::thread::sleep(Duration::from_millis(200));
    }
    drop(clients);
}

#[test]
fn clients_that_say_nothing_do_not_block_monitoring() {
    let population = Playback::new(10);
    let server = serve(&population);
    let address = server.address();
    let silent: Vec<_> = (0..CLIENTS)
        .map(|_| TcpStream::connect(address).unwrap())
        .collect();
    // A page finds no place, and is told so.
    let answer = get(address, "/api/status");
    assert_eq!(answer.status, 503, "{answer:?}");
    assert!(answer.error().contains("too many connections"));
    for _ in 0..5 {
        monitoring_is_answered(address);
    }
    drop(silent);
    let begin = Instant::now();
    while get(address, "/api/status").status != 200 {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    }
    server.shutdown();
}

/// The end does not wait for those who take nothing.
#[test]
fn clients_that_take_no_answers_do_not_delay_the_end() {
    let population = Playback::new(10);
    let server = serve(&population);
    let address = server.address();
    let one = format!("GET /api/openapi.json HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let clients: Vec<_> = (0..20)
        .map(|_| greedy_client(address, one.repeat(500).as_bytes()))
        .collect();
    monitoring_is_answered(address);
    let begin = Instant::now();
    server.shutdown();
    assert!(begin.elapsed() < PATIENCE);
    drop(clients);
}

#[test]
fn refused_requests_are_logged_at_a_limited_rate() {
    const REQUESTS: usize = 400;
    let population = Playback::at_rest(5);
    population.close();
    let place = population.directory().parent().unwrap();
    let name = format!("./{NAME}");
    let mut serve = loatune(place);
    serve.args(["serve", "--population", &name, "--http", "127.0.0.1:0"]);
    let mut serve = Process::spawn(&mut serve);
    let page = address(serve.stdout.take().unwrap());
    let long = format!("/{}", "x".repeat(8000));
    for _ in 0..REQUESTS {
        let answer = request(page, "GET", &long, "Host: example.org\r\n", "");
        assert_eq!(answer.status, 403);
    }
    let metrics = get(page, "/metrics").body;
    let counted = format!("loatune_http_refused_total {REQUESTS}\n");
    assert!(metrics.contains(&counted), "{metrics}");
    let asked = std::process::Command::new("kill")
        .args(["-TERM", &serve.id().to_string()])
        .status();
    assert!(asked.unwrap().success());
    let mut log = String::new();
    let mut stderr = serve.stderr.take().unwrap();
    stderr.read_to_string(&mut log).unwrap();
    let lines = log.matches("is no name of this server").count();
    assert!((1..=30).contains(&lines), "{lines} lines");
    assert!(log.len() < 30_000, "{} bytes", log.len());
    // What was left out is counted, too.
    let left_out: usize = log
        .lines()
        .filter_map(|line| line.split_once(" more refusals"))
        .filter_map(|(before, _)| before.rsplit(' ').next()?.parse::<usize>().ok())
        .sum();
    assert_eq!(lines + left_out, REQUESTS, "{log}");
}

/// The thread that searches for the page gives way to those that play.
#[test]
#[cfg(target_os = "linux")]
fn searches_of_the_page_have_a_low_priority() {
    let niceness = |task: &std::path::Path| -> i32 {
        let stat = std::fs::read_to_string(task.join("stat")).unwrap();
        // The name, in brackets, may hold spaces; the 19th field is the niceness.
        let (_, fields) = stat.rsplit_once(") ").unwrap();
        fields.split(' ').nth(16).unwrap().parse().unwrap()
    };
    let own = niceness(std::path::Path::new("/proc/self"));
    let population = Playback::new(10);
    let server = serve(&population);
    assert_eq!(get(server.address(), "/api/analyse?depth=2").status, 200);
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let name = |task: &std::path::Path| std::fs::read_to_string(task.join("comm"));
    let searching: Vec<_> = tasks
        .map(|task| task.path())
        .filter(|task| name(task).is_ok_and(|name| name.trim() == "loatune-think"))
        .map(|task| niceness(&task))
        .collect();
    let lowered = (own + 10).min(19);
    assert!(searching.contains(&lowered), "{searching:?}");
}
