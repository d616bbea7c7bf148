//! Waiting for a socket that can be broken off: every wait ends at once when
//! the server is dropped.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// The end that the server holds; dropping it ends all waits.
pub(super) struct WakeSender {
    _end: UnixStream,
}

/// The end that threads wait on beside their sockets.
pub(super) struct WakeReceiver {
    end: UnixStream,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Woken {
    /// The socket is ready.
    Ready,
    /// The server ends.
    Stopping,
    /// The time is over.
    TimedOut,
}

/// Two ends that belong together.
pub(super) fn wake_pair() -> io::Result<(WakeSender, WakeReceiver)> {
    let (sender, receiver) = UnixStream::pair()?;
    Ok((WakeSender { _end: sender }, WakeReceiver { end: receiver }))
}

impl WakeReceiver {
    /// Waits until a socket is readable or writable, as `flags` say, until
    /// `deadline`. A socket that is ready counts as ready also while the server
    /// ends.
    pub(super) fn wait(
        &self,
        socket: &impl AsFd,
        flags: PollFlags,
        deadline: Option<Instant>,
    ) -> io::Result<Woken> {
        let end = PollFd::new(&self.end, PollFlags::IN);
        poll_until(&mut [PollFd::new(socket, flags), end], deadline)
    }

    /// Waits for some time; whether the server ends.
    pub(super) fn pause(&self, time: Duration) -> bool {
        let mut waiting = [PollFd::new(&self.end, PollFlags::IN)];
        poll(&mut waiting, Some(&timespec(time))).is_ok_and(|ready| ready > 0)
    }
}

/// Waits for a socket also while the server ends.
pub(super) fn wait_for(
    socket: &impl AsFd,
    flags: PollFlags,
    deadline: Instant,
) -> io::Result<Woken> {
    poll_until(&mut [PollFd::new(socket, flags)], Some(deadline))
}

/// Waits until something happens on one of the sockets. The first one is the
/// one that is waited for: also an error or its peer's end makes it ready, and
/// the next call on it tells which.
fn poll_until(waiting: &mut [PollFd<'_>], deadline: Option<Instant>) -> io::Result<Woken> {
    loop {
        let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        match poll(waiting, left.map(timespec).as_ref()) {
            Ok(0) => return Ok(Woken::TimedOut),
            Ok(_) if !waiting[0].revents().is_empty() => return Ok(Woken::Ready),
            Ok(_) => return Ok(Woken::Stopping),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn timespec(time: Duration) -> Timespec {
    // The greatest wait of this module is far below what the type holds.
    Timespec {
        tv_sec: time.as_secs().min(86_400) as _,
        tv_nsec: time.subsec_nanos() as _,
    }
}
