//! The daemon's side: a thread that accepts connections, and one for each
//! connection until its request is answered.
//!
//! All threads wait with [`WakeReceiver`], so the end of the server depends on
//! no client and on nothing that happens to the socket's path: another process
//! may have bound it since, and the population may have been moved.

use std::io;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::event::PollFlags;

use super::address::{Address, SocketId};
use super::answers::Daemon;
use super::connection;
use super::wake::{WakeReceiver, WakeSender, Woken, wake_pair};
use crate::api::Source;

/// The most connections at a time; later ones wait in the socket's queue.
const MAX_CONNECTIONS: usize = 16;

/// The time until another try where no connection can be accepted.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// Answers requests until it is dropped.
pub struct Server {
    address: Address,
    socket: SocketId,
    daemon: Arc<RwLock<Daemon>>,
    /// Dropped to wake the thread.
    wake: Option<WakeSender>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens in a population's directory, whose lock the caller holds.
    ///
    /// # Errors
    ///
    /// An I/O error where the socket cannot be made, or where the thread cannot be
    /// started.
    pub fn start(directory: &Path, source: Arc<dyn Source>) -> io::Result<Server> {
        Server::listen(directory, Daemon::Open(source))
    }

    /// Listens while the caller, who holds the population's lock, still opens
    /// it. A request to stop sets `stop`; all others are told to wait until
    /// [`Server::set_source`] is called.
    ///
    /// # Errors
    ///
    /// See [`Server::start`].
    pub fn start_opening(directory: &Path, stop: Arc<AtomicBool>) -> io::Result<Server> {
        Server::listen(directory, Daemon::Opening(stop))
    }

    /// Answers from `source` from now on: the population is open.
    pub fn set_source(&self, source: Arc<dyn Source>) {
        let mut daemon = self.daemon.write().unwrap_or_else(PoisonError::into_inner);
        *daemon = Daemon::Open(source);
    }

    fn listen(directory: &Path, daemon: Daemon) -> io::Result<Server> {
        let address = Address::new(directory)?;
        let (wake, woken) = wake_pair()?;
        let (listener, socket) = address.listen()?;
        listener.set_nonblocking(true)?;
        let daemon = Arc::new(RwLock::new(daemon));
        let thread = thread::Builder::new()
            .name(String::from("control"))
            .spawn({
                let daemon = Arc::clone(&daemon);
                move || accept_all(&listener, &daemon, &woken)
            })?;
        Ok(Server {
            address,
            socket,
            daemon,
            wake: Some(wake),
            thread: Some(thread),
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // First, so that no client finds a socket that is answered no more.
        self.address.remove(self.socket);
        drop(self.wake.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Accepts connections until the server is dropped, and waits for those that
/// are being answered.
fn accept_all(listener: &UnixListener, daemon: &RwLock<Daemon>, woken: &WakeReceiver) {
    let connections = AtomicUsize::new(0);
    thread::scope(|scope| {
        loop {
            let is_full = connections.load(Ordering::Relaxed) >= MAX_CONNECTIONS;
            if is_full && woken.pause(RETRY_INTERVAL) {
                return;
            }
            if is_full {
                continue;
            }
            match woken.wait(listener, PollFlags::IN, None) {
                Ok(Woken::Ready) => {}
                Ok(Woken::TimedOut) => continue,
                Ok(Woken::Stopping) => return,
                Err(error) => {
                    log::error!("the control socket cannot be waited for: {error}");
                    return;
                }
            }
            let stream = match listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) => {
                    log::debug!("a connection to the control socket failed: {error}");
                    // Too many open files, or a client that left.
                    if woken.pause(RETRY_INTERVAL) {
                        return;
                    }
                    continue;
                }
            };
            connections.fetch_add(1, Ordering::Relaxed);
            let answer = || {
                if let Err(error) = connection::answer(&stream, daemon, woken) {
                    log::debug!("a request on the control socket failed: {error}");
                }
                drop(stream);
                connections.fetch_sub(1, Ordering::Relaxed);
            };
            let name = String::from("control client");
            if let Err(error) = thread::Builder::new()
                .name(name)
                .spawn_scoped(scope, answer)
            {
                connections.fetch_sub(1, Ordering::Relaxed);
                log::warn!("a request on the control socket is not answered: {error}");
            }
        }
    });
}
