//! One connection: a request, and its answer.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::RwLock;
use std::time::{Duration, Instant};

use rustix::event::PollFlags;

use super::answers::{Daemon, answer_line};
use super::protocol::MAX_LINE_BYTES;
use super::wake::{WakeReceiver, Woken, wait_for};

/// The longest time for a request to arrive, and for an answer to be taken.
const IO_TIMEOUT: Duration = Duration::from_secs(5);

/// The longest time for an answer to be taken once the server ends.
const LAST_ANSWER_TIMEOUT: Duration = Duration::from_millis(500);

/// Reads one request and answers it. A client that has sent no whole request
/// when the server ends gets no answer; an answer that is being sent then is
/// still sent to a client that takes it at once.
pub(super) fn answer(
    stream: &UnixStream,
    daemon: &RwLock<Daemon>,
    woken: &WakeReceiver,
) -> io::Result<()> {
    stream.set_nonblocking(true)?;
    let Some(line) = read_line(stream, woken)? else {
        return Ok(());
    };
    write_all(stream, answer_line(daemon, &line).as_bytes(), woken)
}

/// The first line, or what was sent before the client's end was closed; `None`
/// where the server ends before that.
fn read_line(mut stream: &UnixStream, woken: &WakeReceiver) -> io::Result<Option<Vec<u8>>> {
    let deadline = Some(Instant::now() + IO_TIMEOUT);
    let mut line = Vec::new();
    let mut part = vec![0; 16 * 1024];
    loop {
        match stream.read(&mut part) {
            Ok(0) => return Ok(Some(line)),
            Ok(count) => {
                let part = &part[..count];
                let end = part.iter().position(|byte| *byte == b'\n');
                line.extend_from_slice(&part[..end.unwrap_or(count)]);
                if end.is_some() || line.len() as u64 >= MAX_LINE_BYTES {
                    return Ok(Some(line));
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                match woken.wait(stream, PollFlags::IN, deadline)? {
                    Woken::Ready => {}
                    Woken::Stopping => return Ok(None),
                    Woken::TimedOut => return Err(ErrorKind::TimedOut.into()),
                }
            }
            Err(error) => return Err(error),
        }
    }
}

/// Sends all bytes. Once the server ends, little time is left for the rest.
fn write_all(mut stream: &UnixStream, mut bytes: &[u8], woken: &WakeReceiver) -> io::Result<()> {
    let mut deadline = Instant::now() + IO_TIMEOUT;
    let mut is_last = false;
    while !bytes.is_empty() {
        match stream.write(bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                let waited = if is_last {
                    wait_for(stream, PollFlags::OUT, deadline)?
                } else {
                    woken.wait(stream, PollFlags::OUT, Some(deadline))?
                };
                match waited {
                    Woken::Ready => {}
                    Woken::Stopping => {
                        is_last = true;
                        deadline = deadline.min(Instant::now() + LAST_ANSWER_TIMEOUT);
                    }
                    Woken::TimedOut => return Err(ErrorKind::TimedOut.into()),
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
