//! A program that runs beside this one, and the pipes to it.
//!
//! Three threads keep its pipes from ever blocking the game: one writes what
//! it is told, one reads what it says, one drains what it complains about. The
//! queues between are bounded, so a program that floods waits for us, and one
//! that does not read is noticed. Whatever happens, the program is gone when
//! its [`Process`] is: asked to quit first, then killed, and always waited for.
//!
//! The threads are not joined: should the program have left others behind that
//! hold its pipes, a thread ends only when those do.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::util::bounded_lines::{Line, next_line};

use super::command_line::CommandLine;

/// What may wait in either direction: few, for a line can be a megabyte.
const WAITING: usize = 16;

/// How often a wait looks up: has the program ended, or the match?
const LOOK: Duration = Duration::from_millis(100);

/// How long an end is waited for that should come at once.
const SHORTLY: Duration = Duration::from_millis(500);

/// Lines of complaints that are logged; the others are only read.
const LOGGED: usize = 200;

/// Why nothing more, or nothing yet, can be heard of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PipeError {
    /// It said nothing until the deadline.
    Late,
    /// It reads nothing of what it is told.
    Deaf,
    /// The match was stopped.
    Halted,
    /// It has ended.
    Gone(ProcessEnd),
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProcessEnd {
    /// A sentence about it.
    pub(super) how: String,
    /// The last line of its standard error; may be empty.
    pub(super) complaint: String,
}

/// A running program.
pub(super) struct Process {
    child: Child,
    /// `None` once its input is closed.
    input: Option<SyncSender<String>>,
    /// `None` once the receiver is gone.
    output: Option<Receiver<String>>,
    complaints: Arc<Mutex<Complaints>>,
    /// How long it may take to quit.
    patience: Duration,
    /// Ends every wait for it when set.
    halt: Arc<AtomicBool>,
}

/// What is known of its standard error.
#[derive(Default)]
struct Complaints {
    last: String,
    over: bool,
}

impl Process {
    /// Starts a program; it may take `patience` to quit in the end.
    ///
    /// It gets a process group of its own, so that an interrupt from the
    /// keyboard reaches only this program, which then ends its games in order.
    pub(super) fn start(command: &CommandLine, patience: Duration) -> io::Result<Process> {
        let mut start = Command::new(command.program());
        start
            .args(command.arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut start, 0);
        let mut child = start.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // From here on, whatever fails ends the program.
        let mut process = Process {
            child,
            input: None,
            output: None,
            complaints: Arc::default(),
            patience,
            halt: Arc::default(),
        };
        if let (Some(stdin), Some(stdout), Some(stderr)) = pipes {
            let (input, to_write) = sync_channel(WAITING);
            process.input = Some(input);
            spawn("engine-input", move || write(stdin, &to_write))?;

            let (heard, output) = sync_channel(WAITING);
            process.output = Some(output);
            spawn("engine-output", move || read(stdout, &heard))?;

            let complaints = Arc::clone(&process.complaints);
            let name = command.program().to_owned();
            spawn("engine-errors", move || drain(stderr, &name, &complaints))?;
        }
        Ok(process)
    }

    /// Nothing is waited for once `halt` is set.
    pub(super) fn set_halt(&mut self, halt: &Arc<AtomicBool>) {
        self.halt = Arc::clone(halt);
    }

    /// Tells it something: whole lines. Never waits.
    pub(super) fn send_text(&mut self, text: String) -> Result<(), PipeError> {
        for line in text.lines() {
            log::trace!("to the engine: {}", printable(line));
        }
        let sent = match &self.input {
            Some(input) => input.try_send(text),
            None => Err(TrySendError::Disconnected(text)),
        };
        match sent {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(PipeError::Deaf),
            // Its last words may still wait to be read, so that is no end yet.
            Err(TrySendError::Disconnected(_)) => Ok(()),
        }
    }

    /// The next line that it says.
    pub(super) fn recv_line(&mut self, deadline: Instant) -> Result<String, PipeError> {
        let mut has_ended = false;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            // Asked before the queue: a flood must not outrun the deadline.
            if self.halt.load(Ordering::Relaxed) {
                return Err(PipeError::Halted);
            }
            if left.is_zero() {
                return Err(PipeError::Late);
            }
            let heard = match &self.output {
                Some(output) => output.recv_timeout(left.min(LOOK)),
                None => Err(RecvTimeoutError::Disconnected),
            };
            match heard {
                Ok(line) => {
                    log::trace!("from the engine: {}", printable(&line));
                    return Ok(line);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(PipeError::Gone(self.end())),
                // Others may hold its output open after its end.
                Err(RecvTimeoutError::Timeout) if has_ended => {
                    return Err(PipeError::Gone(self.end()));
                }
                Err(RecvTimeoutError::Timeout) => has_ended = !self.is_running(),
            }
        }
    }

    pub(super) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends it at once.
    pub(super) fn kill(&mut self) {
        // Fails only where it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// How it ended; waits a moment for what it still has to say about that.
    fn end(&mut self) -> ProcessEnd {
        let how = match self.wait(SHORTLY) {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its output".to_owned(),
        };
        let until = Instant::now() + SHORTLY;
        loop {
            let complaints = lock(&self.complaints);
            if complaints.over || Instant::now() >= until {
                let complaint = complaints.last.clone();
                return ProcessEnd { how, complaint };
            }
            drop(complaints);
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for its end, but not long.
    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let asked = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if asked.elapsed() < patience => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.is_running() {
            // Without a receiver it cannot get stuck on what it writes now.
            self.output = None;
            if let Some(input) = self.input.take() {
                let _ = input.try_send("quit\n".to_owned());
            }
            self.wait(self.patience);
        }
        self.kill();
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let thread = thread::Builder::new().name(name.to_owned());
    thread.spawn(work).map(drop)
}

/// Writes what comes until the sender is gone, then closes the input.
fn write(mut input: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        let written = input.write_all(text.as_bytes());
        if written.and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// The lines of an output until its end. One that is too long counts as
/// empty: it cannot be an answer.
fn lines(output: impl Read) -> impl Iterator<Item = String> {
    let mut output = BufReader::new(output);
    std::iter::from_fn(move || match next_line(&mut output) {
        Ok(Some(Line::Text(line))) => Some(line),
        Ok(Some(Line::TooLong)) => Some(String::new()),
        Ok(None) | Err(_) => None,
    })
}

/// Passes every line on, until there is none or the receiver is gone.
fn read(output: impl Read, heard: &SyncSender<String>) {
    for line in lines(output) {
        if heard.send(line).is_err() {
            return;
        }
    }
}

/// Reads standard error to its end, also where no receiver is left.
fn drain(errors: impl Read, name: &str, complaints: &Mutex<Complaints>) {
    let mut count = 0;
    for line in lines(errors) {
        if line.trim().is_empty() {
            continue;
        }
        if count < LOGGED {
            count += 1;
            log::debug!("{name} complains: {}", printable(&line));
            if count == LOGGED {
                log::debug!("{name} complains too much: no more is shown");
            }
        }
        lock(complaints).last = line;
    }
    lock(complaints).over = true;
}

/// A whole line, in which control characters cannot disturb a terminal.
fn printable(line: &str) -> String {
    line.trim_end().replace(char::is_control, "\u{fffd}")
}

fn lock(complaints: &Mutex<Complaints>) -> std::sync::MutexGuard<'_, Complaints> {
    complaints.lock().unwrap_or_else(PoisonError::into_inner)
}
