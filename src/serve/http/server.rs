//! The server: its thread, its connections and its orderly end.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{fmt, io};

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::runtime;
use tokio::sync::{Semaphore, watch};

use super::access_policy::AccessPolicy;
use super::analysis_engine::AnalysisEngine;
use super::app_state::AppState;
use super::routes;
use super::token::{Token, TokenError};
use crate::api::Source;
use crate::game::Rules;

/// The most connections at a time; later ones wait to be accepted.
const MAX_CONNECTIONS: usize = 128;

/// The longest time for a request's headers to arrive, and so for a connection
/// to stay idle.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);

/// The longest life of a connection; a browser connects anew by itself.
const MAX_CONNECTION_AGE: Duration = Duration::from_secs(2 * 3600);

/// The time that answers under way get when the server ends.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

/// The most threads that ask the population at the same time.
const SOURCE_THREADS: usize = 4;

/// How to serve a population.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The rules of the population's games.
    pub rules: Rules,
    /// The directory of the file `token`. Without a token no client can change
    /// anything, and only this machine can be served.
    pub token_directory: Option<PathBuf>,
    /// Names, beside `localhost`, by which users may call this machine.
    pub hosts: Vec<String>,
}

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address cannot be used.
    #[error(
        "cannot serve the page on {address}: {source}; another address is set by --http, and --no-http goes without"
    )]
    Address {
        /// The address as it was given.
        address: String,
        /// Why it cannot be used.
        source: io::Error,
    },
    /// Other machines could reach the server, and there is no token.
    #[error("{0} can be reached by other machines: this needs a directory for the token")]
    NoToken(SocketAddr),
    /// The token cannot be read or written.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// A thread cannot be started.
    #[error("cannot start the page's thread")]
    Thread(#[source] io::Error),
}

/// A server that runs. Dropping it ends it.
pub struct Server {
    address: SocketAddr,
    token: Option<Token>,
    closing: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves `source` on `address` (`127.0.0.1:8420`; port 0 takes any free one)
    /// from a thread of its own.
    ///
    /// # Errors
    ///
    /// [`StartError`] where the address cannot be used, where other machines
    /// could reach it and there is no token directory, where the token cannot be
    /// read or written, or where a thread cannot be started.
    pub fn start(
        address: &str,
        source: Arc<dyn Source>,
        options: Options,
    ) -> Result<Server, StartError> {
        let unusable = |source| StartError::Address {
            address: address.to_owned(),
            source,
        };
        let listener = TcpListener::bind(address).map_err(unusable)?;
        listener.set_nonblocking(true).map_err(unusable)?;
        let bound = listener.local_addr().map_err(unusable)?;
        let token = match &options.token_directory {
            Some(directory) => Some(Token::in_directory(directory)?),
            None if bound.ip().is_loopback() => None,
            None => return Err(StartError::NoToken(bound)),
        };
        let runtime = runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(SOURCE_THREADS)
            .thread_name("loatune-ask")
            .build()
            .map_err(StartError::Thread)?;
        let (closing, closed) = watch::channel(false);
        let analysis_engine = AnalysisEngine::start().map_err(StartError::Thread)?;
        let access = AccessPolicy::new(bound, options.hosts, token.clone());
        let app = AppState::new(
            source,
            options.rules,
            access,
            analysis_engine,
            closed.clone(),
        );
        let router = routes::router(Arc::new(app));
        let serve = move || {
            if let Err(error) = runtime.block_on(serve(listener, router, closed)) {
                log::error!("the page on {bound} has ended: {error}");
            }
            runtime.shutdown_timeout(SHUTDOWN_GRACE);
        };
        let thread = thread::Builder::new()
            .name("loatune-http".to_owned())
            .spawn(serve)
            .map_err(StartError::Thread)?;
        Ok(Server {
            address: bound,
            token,
            closing,
            thread: Some(thread),
        })
    }

    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The page's address, for people.
    pub fn url(&self) -> String {
        let address = self.address;
        match address.ip() {
            ip if ip.is_unspecified() => format!("http://localhost:{}/", address.port()),
            _ => format!("http://{address}/"),
        }
    }

    /// The page's address with the token, to open a browser with; never to be
    /// printed or logged.
    pub fn url_with_token(&self) -> String {
        match &self.token {
            Some(token) => format!("{}?token={}", self.url(), token.reveal()),
            None => self.url(),
        }
    }

    /// The token, where there is one.
    pub fn token(&self) -> Option<&Token> {
        self.token.as_ref()
    }

    /// Ends all streams, finishes answers under way and ends the server.
    pub fn shutdown(mut self) {
        self.end();
    }

    fn end(&mut self) {
        // The receiver is gone where the thread has ended by itself.
        let _ = self.closing.send(true);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the page's thread panicked");
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// Accepts connections until `closed` becomes `true`.
async fn serve(
    listener: TcpListener,
    router: Router,
    mut closed: watch::Receiver<bool>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(64 * 1024);
    loop {
        let slot = tokio::select! {
            slot = slots.clone().acquire_owned() => slot.map_err(io::Error::other)?,
            _ = closed.wait_for(|closed| *closed) => break,
        };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = closed.wait_for(|closed| *closed) => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Too many open files, or a client that left: try again later.
                log::warn!("the page: cannot accept a connection: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            let ended = tokio::time::timeout(MAX_CONNECTION_AGE, connection).await;
            if let Ok(Err(error)) = ended {
                log::debug!("the page: a connection failed: {error}");
            }
            drop(slot);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(SHUTDOWN_GRACE, graceful.shutdown()).await;
    Ok(())
}
