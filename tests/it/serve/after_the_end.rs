//! The page after the end of a run: where it stays, for how long, and what it and
//! the command say of it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::real_run::{RUN, look_around};
use crate::support::binary::{Place, Process, address, interrupt, loatune};
use crate::support::client::get;
use crate::support::terminal::Terminal;

/// What the command says where the page stays.
const STAYS: &str = "the page stays at ";

/// The command that shows it again.
const AGAIN: &str = "; to show it again: loatune serve --population mine";

/// After the end the page stays where it is told to, until Ctrl-C; a second one
/// is not begun.
#[test]
fn the_page_lingers_until_it_is_interrupted() {
    let place = Place::new();
    let mut args = RUN.to_vec();
    args.extend(["--budget", "80", "--linger"]);
    let mut run = place.start(&args);
    let page = address(run.stderr.take().unwrap());
    while get(page, "/api/status").json()["running"] == true {
        sleep(Duration::from_millis(20));
    }
    let status = get(page, "/api/status").json();
    assert_eq!(status["state"], "finished");
    look_around(page);
    let session = get(page, "/api/session").json();
    assert_eq!(session["show_again"], "loatune serve --population mine");
    let refused = place.refused(&["serve"]);
    let expected = "another process shows the population mine already; its page is ";
    assert!(refused.starts_with(expected), "{refused}");
    interrupt(&run);
    let output = run.finish();
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        printed.starts_with("champion   populations/mine/champion.toml"),
        "{printed}"
    );
}

/// What a browser's page asks for, as far as it is answered.
fn look_as_a_browser(page: SocketAddr) -> String {
    let mut answer = String::new();
    if let Ok(mut stream) = TcpStream::connect(page) {
        let question = format!(
            "GET /api/status HTTP/1.1\r\nHost: {page}\r\nSec-Fetch-Site: same-origin\r\n\
             Connection: close\r\n\r\n"
        );
        // The program may end at any moment.
        let _ = stream.write_all(question.as_bytes());
        let _ = stream.read_to_string(&mut answer);
    }
    answer
}

/// Where a browser looks at the page when the run ends, the page stays; a service
/// ends all the same.
#[test]
fn a_page_that_is_looked_at_stays_unless_it_is_a_service() {
    for is_service in [false, true] {
        let place = Place::new();
        let mut command = loatune(place.path());
        command.args(RUN).args(["--budget", "80"]);
        if is_service {
            command.env("INVOCATION_ID", "1");
        }
        let mut run = Process::spawn(&mut command);
        let page = address(run.stderr.take().unwrap());
        let begin = Instant::now();
        while run.try_wait().unwrap().is_none()
            && !look_as_a_browser(page).contains("\"running\":false")
        {
            assert!(begin.elapsed() < Duration::from_secs(120));
            sleep(Duration::from_millis(20));
        }
        if !is_service {
            sleep(Duration::from_millis(500));
            assert!(look_as_a_browser(page).contains("\"state\":\"finished\""));
            interrupt(&run);
        }
        assert_eq!(run.finish().status.code(), Some(0));
    }
}

/// The address of the page, in what a terminal shows.
fn page_in(text: &str) -> Option<SocketAddr> {
    let (_, rest) = text.split_once("http://")?;
    let (address, _) = rest.split_once('/')?;
    address.parse().ok()
}

/// In a terminal the page that was looked at stays until Ctrl-C, whether or not
/// somebody goes on looking, and the command says what shows it again.
#[test]
fn in_a_terminal_the_page_stays_until_ctrl_c() {
    let place = Place::new();
    let args = [RUN, &["--budget", "80"]].concat();
    let Some(mut terminal) = Terminal::start(&place, &args) else {
        return;
    };
    let page = terminal.until(page_in);
    let is_over = || look_as_a_browser(page).contains("\"running\":false");
    terminal.until(|_| is_over().then_some(()));
    let told = format!("{STAYS}http://{page}/ until Ctrl-C{AGAIN}");
    terminal.until(|text| text.contains(&told).then_some(()));
    sleep(Duration::from_millis(500));
    assert!(!terminal.has_ended(), "{}", terminal.text());
    assert_eq!(get(page, "/api/status").json()["state"], "finished");
    terminal.press_ctrl_c();
    assert_eq!(terminal.exit_code(), Some(0), "{}", terminal.text());
    let text = terminal.text();
    assert!(
        text.contains("champion   populations/mine/champion.toml"),
        "{text}"
    );
    // This was no interruption of the run.
    assert!(!text.contains("to go on: "), "{text}");
}

/// Where nobody looks at the page, the command ends with the run, in a terminal and
/// without one.
#[test]
fn a_page_that_nobody_looks_at_ends_with_the_run() {
    let place = Place::new();
    let args = [RUN, &["--budget", "80"]].concat();
    let output = place.start(&args).finish();
    assert_eq!(output.status.code(), Some(0));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("http://") && !told.contains(STAYS), "{told}");

    let place = Place::new();
    let Some(mut terminal) = Terminal::start(&place, &args) else {
        return;
    };
    let page = terminal.until(page_in);
    assert_eq!(terminal.exit_code(), Some(0), "{}", terminal.text());
    let text = terminal.text();
    assert!(!text.contains(STAYS), "{text}");
    assert!(TcpStream::connect(page).is_err(), "the page is still there");
}
