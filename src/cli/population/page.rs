//! The page that a command serves, and the browser that shows it.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use super::list::list_views;
use crate::cli::output::notice;
use crate::game::Rules;
use crate::params::HttpParams;
use crate::run::LivePopulation;
use crate::serve::http::{ListPopulations, Options, Server, StartError};

/// The file that sends a browser to the page. It holds the token, so only its
/// owner may read it.
const REDIRECT_FILE: &str = "page.html";

/// How a command serves the page.
pub(crate) struct PageSettings<'a> {
    /// The address and port.
    pub(crate) http: &'a HttpParams,
    /// Whether the user chose the address; the default one may give way to a
    /// free port.
    pub(crate) address_is_chosen: bool,
    /// Whether a browser is started to show it.
    pub(crate) open: bool,
    /// The population's directory, for the token and the redirect.
    pub(crate) directory: &'a Path,
    /// The rules of games that are played on the page.
    pub(crate) rules: Rules,
    /// The command that shows the population again.
    pub(crate) show_again: String,
}

impl PageSettings<'_> {
    /// Serves `live`. Where the default port is taken, any free one is used.
    ///
    /// # Errors
    /// The address cannot be served.
    pub(crate) fn start(&self, live: &Arc<LivePopulation>) -> anyhow::Result<Server> {
        let serve = |address: &str| {
            let options = Options {
                rules: self.rules,
                token_directory: Some(self.directory.to_owned()),
                hosts: self.http.hosts.clone(),
                show_again: Some(self.show_again.clone()),
                list_populations: ListPopulations::new({
                    let directory = self.directory.to_owned();
                    move || list_views(&directory)
                }),
            };
            Server::start(address, Arc::clone(live) as _, options)
        };
        let server = match serve(&self.http.address) {
            Err(StartError::Address { .. }) if !self.address_is_chosen => serve("127.0.0.1:0")?,
            found => found?,
        };
        live.set_page(server.url());
        notice(&format!("page: {}", server.url()));
        if self.open {
            self.show(&server);
        }
        Ok(server)
    }

    /// Starts a browser on a file that redirects to the page: the token must not
    /// appear in a list of processes.
    fn show(&self, server: &Server) {
        let redirect = self.directory.join(REDIRECT_FILE);
        let opened = write_redirect(&redirect, &server.url_with_token()).and_then(|()| {
            let program = if cfg!(target_os = "macos") {
                "open"
            } else {
                "xdg-open"
            };
            Command::new(program)
                .arg(&redirect)
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

fn write_redirect(path: &Path, address: &str) -> std::io::Result<()> {
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
