//! The page that a command serves, and the browser that shows it.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use super::logging::tell;
use crate::game::Rules;
use crate::params::HttpParams;
use crate::run::LivePopulation;
use crate::serve::http::{Options, Server, StartError};

/// Opens the page in a browser; holds the token, so only its owner may read it.
const DOOR: &str = "page.html";

/// Where to serve.
pub(super) struct Page<'a> {
    /// The address.
    pub(super) http: &'a HttpParams,
    /// Whether somebody asked for just this address.
    pub(super) is_wanted: bool,
    /// Whether a browser is to show it.
    pub(super) open: bool,
    /// The population's directory.
    pub(super) directory: &'a Path,
    /// For positions that are played on the page.
    pub(super) rules: Rules,
}

impl Page<'_> {
    /// Serves `live`. Where the usual port is taken, another one will do.
    pub(super) fn start(&self, live: &Arc<LivePopulation>) -> anyhow::Result<Server> {
        let serve = |address: &str| {
            let options = Options {
                rules: self.rules,
                token_directory: Some(self.directory.to_owned()),
                ..Options::default()
            };
            Server::start(address, Arc::clone(live) as _, options)
        };
        let server = match serve(&self.http.address) {
            Err(StartError::Address { .. }) if !self.is_wanted => serve("127.0.0.1:0")?,
            found => found?,
        };
        live.set_page(server.url());
        tell(&format!("page: {}", server.url()));
        if self.open {
            self.show(&server);
        }
        Ok(server)
    }

    /// The token must not stand in a list of processes, so the browser gets a
    /// file that leads to the page.
    fn show(&self, server: &Server) {
        let door = self.directory.join(DOOR);
        let opened = write_door(&door, &server.url_with_token()).and_then(|()| {
            let program = if cfg!(target_os = "macos") {
                "open"
            } else {
                "xdg-open"
            };
            Command::new(program)
                .arg(&door)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
        });
        if let Err(error) = opened {
            log::warn!(
                "cannot open a browser: {error}; the page is at {}",
                server.url()
            );
        }
    }
}

fn write_door(path: &Path, address: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)?;
    write!(
        file,
        "<!doctype html>\n<meta charset=\"utf-8\">\n<title>loatune</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n\
         <a href=\"{address}\">The page of this population</a>\n"
    )
}
