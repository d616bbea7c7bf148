//! The connections: how many there are, from where, and how long they last.
//!
//! A client that finds no place among the ordinary connections, or whose address
//! has its share already, gets one of a few reserved places. There only
//! `/healthz` and `/metrics` are answered, one request a connection, and the
//! newest takes the place of the oldest: monitoring is answered however many
//! clients hold connections.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv6Addr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::limited_log::LimitedLog;
use super::write_timeout::WriteTimeout;

/// The most ordinary connections at a time.
const MAX_CONNECTIONS: usize = 128;

/// The most ordinary connections of one address at a time.
const MAX_PER_ADDRESS: usize = 64;

/// The reserved places.
const RESERVED: usize = 16;

/// The longest time for a request's headers to arrive, and so for a connection
/// to stay idle.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);

/// The longest time for which a client may take nothing of an answer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// The longest life of a connection; a browser connects anew by itself.
const MAX_CONNECTION_AGE: Duration = Duration::from_secs(2 * 3600);

/// The longest life of a connection in a reserved place.
const RESERVED_AGE: Duration = Duration::from_secs(5);

/// The time that answers under way get when the server ends.
pub(super) const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

/// What is answered.
pub(super) struct Routers {
    /// Everything, for ordinary connections.
    pub(super) all: Router,
    /// Health and metrics, for reserved places.
    pub(super) reserved: Router,
}

/// Accepts connections until `closed` becomes `true`.
pub(super) async fn serve(
    listener: TcpListener,
    routers: Routers,
    mut closed: watch::Receiver<bool>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Places::default();
    let mut reserved = ReservedPlaces::default();
    let graceful = GracefulShutdown::new();
    let log = LimitedLog::default();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(64 * 1024);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = closed.wait_for(|closed| *closed) => break,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Too many open files, or a client that left: try again later.
                log.warn(format_args!(
                    "the page: cannot accept a connection: {error}"
                ));
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let Some(place) = places.take(address.ip()) else {
            log.warn(format_args!(
                "the page: too many connections; {} is answered about health and metrics only",
                address.ip()
            ));
            reserved.serve(stream, routers.reserved.clone());
            continue;
        };
        let service = TowerToHyperService::new(routers.all.clone());
        let io = WriteTimeout::new(TokioIo::new(stream), WRITE_TIMEOUT);
        let connection = graceful.watch(http.serve_connection(io, service));
        tokio::spawn(async move {
            let ended = tokio::time::timeout(MAX_CONNECTION_AGE, connection).await;
            if let Ok(Err(error)) = ended {
                log::debug!("the page: a connection failed: {error}");
            }
            drop(place);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(SHUTDOWN_GRACE, graceful.shutdown()).await;
    Ok(())
}

/// How many ordinary connections each address has.
#[derive(Clone, Default)]
struct Places(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// A place among the ordinary connections, given back when it is dropped.
struct Place {
    places: Places,
    address: IpAddr,
}

impl Places {
    fn take(&self, address: IpAddr) -> Option<Place> {
        let address = network_of(address);
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.values().sum::<usize>() >= MAX_CONNECTIONS {
            return None;
        }
        let count = counts.entry(address).or_default();
        if *count >= MAX_PER_ADDRESS {
            return None;
        }
        *count += 1;
        Some(Place {
            places: self.clone(),
            address,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let counts = self.places.0.lock();
        let mut counts = counts.unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// The address that counts: a host has all addresses of an IPv6 /64.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        other => other,
    }
}

/// The connections in reserved places, the oldest first.
#[derive(Default)]
struct ReservedPlaces(VecDeque<AbortHandle>);

impl ReservedPlaces {
    fn serve(&mut self, stream: TcpStream, router: Router) {
        self.0.retain(|connection| !connection.is_finished());
        if self.0.len() >= RESERVED
            && let Some(oldest) = self.0.pop_front()
        {
            oldest.abort();
        }
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(RESERVED_AGE)
            .keep_alive(false)
            .max_buf_size(16 * 1024);
        let service = TowerToHyperService::new(router);
        let connection = http.serve_connection(TokioIo::new(stream), service);
        let task = tokio::spawn(async move {
            // Who is too slow is let go without a word.
            let _ = tokio::time::timeout(RESERVED_AGE, connection).await;
        });
        self.0.push_back(task.abort_handle());
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_share_and_gives_it_back() {
        let places = Places::default();
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let take = |text: &str| places.take(address(text));
        let mut held: Vec<Place> = (0..MAX_PER_ADDRESS)
            .map(|_| take("192.0.2.1").unwrap())
            .collect();
        assert!(take("192.0.2.1").is_none());
        assert!(take("::ffff:192.0.2.1").is_none());
        held.pop();
        assert!(take("192.0.2.1").is_some());
        // All addresses of one host together.
        let host: Vec<_> = (0..MAX_PER_ADDRESS)
            .map(|n| take(&format!("2001:db8::{n:x}")).unwrap())
            .collect();
        assert!(take("2001:db8::ffff").is_none());
        let _rest = take("192.0.2.1").unwrap();
        assert!(take("198.51.100.7").is_none(), "all places are taken");
        drop(host);
        assert!(take("198.51.100.7").is_some());
    }
}
