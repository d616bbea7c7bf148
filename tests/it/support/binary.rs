//! The real binary, in a directory of its own with a clean environment.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The program with a clean environment, in `directory`.
pub fn loatune(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loatune"));
    command.current_dir(directory).env_clear();
    command
}

/// Runs a command to its end with `input` on its standard input.
pub fn output_of(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.as_ref());
    std::thread::scope(|scope| {
        // It may end before it has read everything.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap()
    })
}

/// A directory of its own to run in.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    #[must_use]
    pub fn with(self, file: &str, text: &str) -> Place {
        fs::write(self.path().join(file), text).unwrap();
        self
    }

    pub fn run(&self, args: &[&str]) -> Output {
        loatune(self.path()).args(args).output().unwrap()
    }

    /// Starts a command and leaves it alone.
    pub fn start(&self, args: &[&str]) -> Process {
        Process::spawn(loatune(self.path()).args(args))
    }

    /// Lets a shell run a line, with the program in its path, and leaves it
    /// alone.
    pub fn shell(&self, line: &str) -> Process {
        let program = Path::new(env!("CARGO_BIN_EXE_loatune"));
        let child = Command::new("/bin/sh")
            .args(["-c", &format!("exec {line}")])
            .current_dir(self.path())
            .env_clear()
            .env("PATH", program.parent().unwrap())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Process(Some(child.unwrap()))
    }

    /// What a command prints that must succeed and say nothing else.
    #[track_caller]
    pub fn good(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(text(&output.stderr), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        text(&output.stdout)
    }

    /// The one line of JSON that a command prints.
    #[track_caller]
    pub fn json(&self, args: &[&str]) -> Value {
        let printed = self.good(args);
        assert_eq!(printed.lines().count(), 1, "one line of JSON");
        serde_json::from_str(&printed).unwrap()
    }

    /// The message of a command that must refuse what it is given.
    #[track_caller]
    pub fn refused(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(text(&output.stdout), "", "{args:?}");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let message = text(&output.stderr);
        message.strip_prefix("loatune: error: ").unwrap().to_owned()
    }
}

/// Sends a process what Ctrl-C sends.
pub fn interrupt(process: &Child) {
    let id = process.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.unwrap().success());
}

/// A process that does not outlive the test, also when that fails.
pub struct Process(Option<Child>);

impl Process {
    /// Starts a command, whose output is kept for the test.
    pub fn spawn(command: &mut Command) -> Process {
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Process(Some(child.unwrap()))
    }

    /// Waits for its end, and says what it printed.
    pub fn finish(mut self) -> Output {
        let child = self.0.take().expect("nobody took it before");
        child.wait_with_output().unwrap()
    }
}

impl From<Child> for Process {
    fn from(child: Child) -> Process {
        Process(Some(child))
    }
}

impl Deref for Process {
    type Target = Child;

    fn deref(&self) -> &Child {
        self.0.as_ref().expect("only `finish` takes it")
    }
}

impl DerefMut for Process {
    fn deref_mut(&mut self) -> &mut Child {
        self.0.as_mut().expect("only `finish` takes it")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits until a process answers Ctrl-C by itself: before that, the signal would
/// just end it.
#[track_caller]
pub fn wait_for_handler(id: u32) {
    const INTERRUPT: u64 = 1 << 1;
    let begin = Instant::now();
    loop {
        let status = fs::read_to_string(format!("/proc/{id}/status"));
        let Ok(status) = status else {
            // Another system: a while must do.
            return sleep(Duration::from_secs(2));
        };
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap_or("0").trim(), 16).unwrap();
        if caught & INTERRUPT != 0 {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "{status}");
        sleep(Duration::from_millis(5));
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The address in the first line that has one. The rest is read, too, so that
/// nobody waits for a reader.
pub fn address(output: impl Read + Send + 'static) -> SocketAddr {
    let mut lines = BufReader::new(output).lines();
    let find = |line: String| {
        let (_, rest) = line.split_once("http://")?;
        rest.trim_end_matches('/').parse().ok()
    };
    let found = lines.by_ref().map_while(Result::ok).find_map(find);
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    found.expect("it says where its page is")
}
