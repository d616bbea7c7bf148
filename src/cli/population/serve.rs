//! `loatune serve`: the page of a population that is not running.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;

use super::open_population::{answer, open_idle};
use super::page::PageSettings;
use crate::api::Source;
use crate::cli::args::PopulationArg;
use crate::cli::interrupt;
use crate::cli::output::{BadUsage, write_text};
use crate::params::HttpParams;
use crate::serve::control;

/// Serve the page of a population that nobody works on
///
/// `loatune run` serves the same page while it works. Shows how the evolution
/// went, its files and matches, and plays against any of them. Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_help = "\
Only this machine can reach the page. Another address than a loopback one needs
the token in populations/NAME/token: open http://ADDRESS/?token=TOKEN.

Examples:
  loatune serve --open
  loatune serve --population mine --http 127.0.0.1:9000")]
pub(crate) struct Serve {
    #[command(flatten)]
    population: PopulationArg,
    /// Serve on this address and port [default: 127.0.0.1:8420, or another port
    /// where that is taken]
    #[arg(
        long,
        value_name = "ADDR",
        env = "LOATUNE_HTTP",
        hide_env_values = true
    )]
    http: Option<std::net::SocketAddr>,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
}

impl Serve {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let dir = self.population.resolve_existing()?;
        if let Some(daemon) = control::connect(&dir.directory) {
            let status = answer(daemon.status())?;
            let page = status.page.map_or_else(
                || String::from("it has no page: it was started with --no-http"),
                |page| format!("its page is {page}"),
            );
            let message = format!("a run works on the population {}; {page}", dir.name);
            return Err(BadUsage::new(message).into());
        }
        let stop = interrupt::stop_flag()?;
        let (live, population) = open_idle(&dir)?;
        let live = Arc::new(live);
        let default = HttpParams::default();
        let http = HttpParams {
            address: self
                .http
                .map_or(default.address, |address| address.to_string()),
            ..default
        };
        let page = PageSettings {
            http: &http,
            address_is_chosen: self.http.is_some(),
            open: self.open,
            directory: &dir.directory,
            rules: population.params().rules,
        };
        let _control = control::Server::start(&dir.directory, Arc::clone(&live) as _);
        let server = page.start(&live)?;
        write_text(out, &format!("{}\n", server.url()))?;
        out.flush()?;
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
        }
        server.shutdown();
        Ok(population.close()?)
    }
}
