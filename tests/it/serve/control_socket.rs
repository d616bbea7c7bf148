//! The control socket: it ends whatever clients and other processes do, and
//! says the same to all commands while a population is being opened.

use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use loatune::api::Source;
use loatune::run::{Latest, LivePopulation, RunContext};
use loatune::serve::control::{self, Server};
use loatune::store::{Claim, Population};
use serde_json::Value;

use crate::support::binary::{Place, loatune};
use crate::support::population::{NAME, Playback};

const SOCKET: &str = "control.sock";

/// Far longer than an end takes, and shorter than any timeout of a client.
const PATIENCE: Duration = Duration::from_secs(4);

/// Ends a server, which must not take long.
#[track_caller]
fn end(server: Server) {
    let (done, ended) = channel();
    thread::spawn(move || {
        drop(server);
        let _ = done.send(());
    });
    ended.recv_timeout(PATIENCE).expect("the server ends");
}

fn silent_client(directory: &Path) -> UnixStream {
    UnixStream::connect(directory.join(SOCKET)).unwrap()
}

#[track_caller]
fn answers(directory: &Path) {
    let status = control::connect(directory).unwrap().status().unwrap();
    assert_eq!(status.population, NAME);
}

#[test]
fn silent_clients_delay_neither_others_nor_the_end() {
    let population = Playback::new(5);
    let directory = population.directory();
    let server = Server::start(directory, population.window.clone()).unwrap();
    let silent: Vec<_> = (0..8).map(|_| silent_client(directory)).collect();
    let begin = Instant::now();
    answers(directory);
    assert!(begin.elapsed() < PATIENCE);
    // More than are served at a time.
    let more: Vec<_> = (0..20).map(|_| silent_client(directory)).collect();
    end(server);
    drop((silent, more));
    assert!(!directory.join(SOCKET).exists());
    assert!(control::connect(directory).is_none());
}

/// A client that asks for much and reads nothing.
#[test]
fn a_client_that_takes_no_answer_does_not_delay_the_end() {
    use std::io::Write as _;
    let population = Playback::new(60);
    let directory = population.directory();
    let server = Server::start(directory, population.window.clone()).unwrap();
    let mut client = silent_client(directory);
    // The answer is larger than a socket's buffer.
    client
        .write_all(b"{\"ask\":\"events\",\"after\":0,\"count\":1000000}\n")
        .unwrap();
    answers(directory);
    end(server);
}

#[test]
fn another_process_on_the_path_hinders_no_end() {
    let population = Playback::new(5);
    let directory = population.directory();
    let first = Server::start(directory, population.window.clone()).unwrap();
    let second = Server::start(directory, population.window.clone()).unwrap();
    end(first);
    // The first one has not taken the second one's socket along.
    answers(directory);
    end(second);
    assert!(!directory.join(SOCKET).exists());
}

#[test]
fn a_moved_population_hinders_no_end() {
    let population = Playback::new(5);
    let directory = population.directory();
    let moved = directory.with_file_name("moved");
    let first = Server::start(directory, population.window.clone()).unwrap();
    std::fs::rename(directory, &moved).unwrap();
    std::fs::create_dir(directory).unwrap();
    let second = Server::start(directory, population.window.clone()).unwrap();
    answers(&moved);
    end(first);
    assert!(!moved.join(SOCKET).exists());
    answers(directory);
    end(second);
}

/// Runs that begin and end, and somebody who looks all the time.
#[test]
fn status_answers_while_a_run_starts_and_ends() {
    const PARAMS: &str = "[player]\ndepth = 1\n[evolution]\nbudget = 100\npopulation = 8\n\
        [final]\ncertificate_games = 2\nhall_games = 2\n";
    let place = Place::new().with("params.toml", PARAMS);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let looking = scope.spawn(|| {
            let mut looks = 0;
            while !is_over.load(Ordering::Relaxed) {
                let output = place.run(&["status", "--json"]);
                let message = String::from_utf8_lossy(&output.stderr);
                // Before the first run there is nothing to look at.
                if looks == 0 && message.contains("no population") {
                    continue;
                }
                assert_eq!(output.status.code(), Some(0), "after {looks}: {message}");
                looks += 1;
            }
            looks
        });
        // The first one plays; the others find it finished, and start and end.
        for _ in 0..12 {
            let output = place.run(&["run", "--no-http"]);
            let message = String::from_utf8_lossy(&output.stderr);
            if output.status.code() != Some(0) {
                is_over.store(true, Ordering::Relaxed);
                panic!("{message}");
            }
        }
        is_over.store(true, Ordering::Relaxed);
        assert!(looking.join().unwrap() > 10);
    });
}

#[test]
fn while_a_population_is_opened_commands_agree() {
    let population = Playback::new(5);
    population.close();
    let directory = population.directory();
    let claim = Claim::new(directory).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let server = Server::start_opening(directory, stop.clone()).unwrap();
    let place = directory.parent().unwrap();
    let run = |command: &str| {
        let mut command_line = loatune(place);
        let name = format!("./{NAME}");
        command_line.args([command, "--json", "--population", &name]);
        command_line
    };
    thread::scope(|scope| {
        // It waits until the population is open, and is answered then.
        let status = scope.spawn(|| run("status").output().unwrap());
        thread::sleep(Duration::from_millis(300));
        assert!(!status.is_finished());
        let stopping = scope.spawn(|| run("stop").output().unwrap());
        let begin = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            assert!(begin.elapsed() < Duration::from_secs(60));
            thread::sleep(Duration::from_millis(10));
        }
        // Opening goes on to its end here, so that the status has an answer.
        let (opened, _) = claim.open(&|| false).unwrap();
        let latest = Latest::new(NAME, &opened, &RunContext::default());
        let live = LivePopulation::new(NAME, opened.reader(), latest, None);
        server.set_source(Arc::new(live));
        let status = status.join().unwrap();
        assert_eq!(status.status.code(), Some(0), "{status:?}");
        let status: Value = serde_json::from_slice(&status.stdout).unwrap();
        assert_eq!(status["population"], NAME);
        opened.close().unwrap();
        drop(server);
        let stopped = stopping.join().unwrap();
        assert_eq!(stopped.status.code(), Some(0), "{stopped:?}");
    });
}

/// A process that has a population and listens to nobody.
#[test]
fn status_and_stop_say_the_same_of_a_process_that_does_not_listen() {
    let population = Playback::new(5);
    let directory = population.directory();
    assert_eq!(Population::owner(directory), Some(Some(std::process::id())));
    let place = directory.parent().unwrap();
    let message = |command: &str| {
        let name = format!("./{NAME}");
        let output = loatune(place)
            .args([command, "--population", &name])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    thread::scope(|scope| {
        let stop = scope.spawn(|| message("stop"));
        let status = message("status");
        assert_eq!(status, stop.join().unwrap());
        let process = format!("in use by process {}", std::process::id());
        assert!(status.contains(&process), "{status}");
    });
}
