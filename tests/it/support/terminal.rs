//! A command in a terminal of its own, as a person would start it: `script` of
//! util-linux makes the terminal.

use std::io::{Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::binary::{Place, Process};

/// How long something may take that a test waits for.
const PATIENCE: Duration = Duration::from_secs(120);

/// A terminal in which a command runs; it ends with the test.
pub struct Terminal {
    script: Process,
    keyboard: ChildStdin,
    screen: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    /// Starts the program in a terminal; `None` where no terminal can be made.
    pub fn start(place: &Place, args: &[&str]) -> Option<Terminal> {
        if Command::new("script").arg("--version").output().is_err() {
            let must = std::env::var("LOATUNE_TEST_ALL").is_ok_and(|value| value == "1");
            assert!(!must, "script is not there, and LOATUNE_TEST_ALL wants it");
            eprintln!("SKIPPED: script is not there");
            return None;
        }
        let line = format!("exec {} {}", env!("CARGO_BIN_EXE_loatune"), args.join(" "));
        let mut child = Command::new("script")
            .args(["--quiet", "--flush", "--return", "--command", &line])
            .arg("/dev/null")
            .current_dir(place.path())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let keyboard = child.stdin.take().unwrap();
        let mut output = child.stdout.take().unwrap();
        let screen = Arc::new(Mutex::new(Vec::new()));
        let shown = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut part) {
                shown.lock().unwrap().extend_from_slice(&part[..length]);
            }
        });
        Some(Terminal {
            script: child.into(),
            keyboard,
            screen,
        })
    }

    /// Everything that it has shown so far.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().unwrap()).into_owned()
    }

    /// Waits until it has shown what `find` finds.
    #[track_caller]
    pub fn until<T>(&mut self, find: impl Fn(&str) -> Option<T>) -> T {
        let begin = Instant::now();
        loop {
            let has_ended = self.has_ended();
            let text = self.text();
            if let Some(found) = find(&text) {
                return found;
            }
            assert!(!has_ended && begin.elapsed() < PATIENCE, "{text}");
            sleep(Duration::from_millis(20));
        }
    }

    pub fn has_ended(&mut self) -> bool {
        self.script.try_wait().unwrap().is_some()
    }

    /// Presses Ctrl-C: the terminal makes a signal of the key.
    pub fn press_ctrl_c(&mut self) {
        self.keyboard.write_all(b"\x03").unwrap();
        self.keyboard.flush().unwrap();
    }

    /// Waits until the command ends; its exit code.
    #[track_caller]
    pub fn exit_code(&mut self) -> Option<i32> {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.script.try_wait().unwrap() {
                return status.code();
            }
            assert!(begin.elapsed() < PATIENCE, "{}", self.text());
            sleep(Duration::from_millis(20));
        }
    }
}
