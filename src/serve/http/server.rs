//! The server: its thread and its orderly end.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{fmt, io};

use tokio::runtime;
use tokio::sync::watch;

use super::access_policy::AccessPolicy;
use super::analysis_engine::AnalysisEngine;
use super::app_state::{AppState, SOURCE_THREADS};
use super::connections::{Routers, SHUTDOWN_GRACE, serve};
use super::feed::keep_looking;
use super::routes;
use super::token::{Token, TokenError};
use crate::api::{FileQuery, PopulationView, Source};
use crate::evolve::FileId;
use crate::game::Rules;

/// Between two readings of what is new about files.
const FILES_INTERVAL: Duration = Duration::from_secs(30);

/// Lists all populations of a directory. Only the caller knows where they are
/// and how they are opened.
#[derive(Clone, Default)]
pub struct ListPopulations(Option<Arc<dyn Fn() -> Vec<PopulationView> + Send + Sync>>);

impl ListPopulations {
    /// Lists by calling `list`, on a thread that may block.
    pub fn new(list: impl Fn() -> Vec<PopulationView> + Send + Sync + 'static) -> ListPopulations {
        ListPopulations(Some(Arc::new(list)))
    }

    /// The populations; none where nobody can list them.
    pub(super) fn list(&self) -> Vec<PopulationView> {
        self.0.as_ref().map_or_else(Vec::new, |list| list())
    }
}

impl fmt::Debug for ListPopulations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ListPopulations").finish()
    }
}

/// How to serve a population.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The rules of the population's games.
    pub rules: Rules,
    /// The directory of the file `token`. Without a token no client can change
    /// anything, and only this machine can be served.
    pub token_directory: Option<PathBuf>,
    /// Names, beside `localhost`, by which users reach the server, directly or
    /// through a proxy. Requests by these names need the token.
    pub hosts: Vec<String>,
    /// The command that shows the population again, for people.
    pub show_again: Option<String>,
    /// Lists the populations beside this one.
    pub list_populations: ListPopulations,
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
    app: Arc<AppState>,
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
            // One more, which is kept for the status.
            .max_blocking_threads(SOURCE_THREADS + 1)
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
            options.show_again,
            options.list_populations,
        );
        let app = Arc::new(app);
        let own = app.clone();
        runtime.spawn(keep_files_read(app.clone(), closed.clone()));
        runtime.spawn(keep_looking(app.clone(), closed.clone()));
        let routers = Routers {
            all: routes::router(app.clone()),
            reserved: routes::reserved_router(app),
        };
        let serve = move || {
            if let Err(error) = runtime.block_on(serve(listener, routers, closed)) {
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
            app: own,
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

    /// Whether somebody looks at the page in a browser.
    pub fn is_watched(&self) -> bool {
        self.app.viewers.are_there()
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

/// Reads what is new about files from time to time. The first question about the
/// files of a long run would read them all, and a page would wait for it.
async fn keep_files_read(app: Arc<AppState>, mut closed: watch::Receiver<bool>) {
    loop {
        let least = FileQuery::page(FileId(0), 1);
        // What cannot be read is told to whoever asks.
        let _ = app.ask(move |source| source.files(&least)).await;
        tokio::select! {
            () = tokio::time::sleep(FILES_INTERVAL) => {}
            _ = closed.wait_for(|closed| *closed) => return,
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
