//! `loatune serve`: the page of a population that is not running.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;

use super::open_population::{answer, at_rest, open_to_show};
use super::page::PageSettings;
use crate::api::Source;
use crate::cli::args::PopulationArg;
use crate::cli::interrupt;
use crate::cli::output::{BadUsage, notice, write_text};
use crate::params::HttpParams;
use crate::serve::control;

/// Serve the page of a population that nobody works on
///
/// `loatune run` serves the same page while it works. Shows how the evolution
/// went, its files and matches, and plays against any of them. Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_help = "\
Only this machine can reach the page. Another address than a loopback one needs
the token in populations/NAME/token, and so does a name that --http-host sets:
open http://ADDRESS/ and enter it. A population that cannot be written is served
from a copy, which is gone afterwards; where its token lies is then said.

Examples:
  loatune serve --open
  loatune serve --population mine --http 127.0.0.1:9000
  loatune serve --http 0.0.0.0:8420 --http-host box.example.org")]
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
    /// Let users reach the page by this name, too, with the token; may be
    /// repeated
    #[arg(
        long,
        value_name = "NAME",
        env = "LOATUNE_HTTP_HOST",
        hide_env_values = true,
        value_delimiter = ',',
        value_parser = host_name
    )]
    http_host: Vec<String>,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
}

fn host_name(text: &str) -> Result<String, String> {
    let is_good = HttpParams::is_host_name(text);
    is_good
        .then(|| text.to_owned())
        .ok_or_else(|| String::from("must be a host name without a port, such as loa.example.org"))
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
            let name = &dir.name;
            let message = if status.running {
                format!("a run works on the population {name}; {page}")
            } else {
                format!("another process shows the population {name} already; {page}")
            };
            return Err(BadUsage::new(message).into());
        }
        let stop = interrupt::stop_flag()?;
        let (population, control) = open_to_show(&dir, &stop)?;
        let live = Arc::new(at_rest(&dir, &population)?);
        if let Some(control) = &control {
            control.set_source(Arc::clone(&live) as _);
        }
        let default = HttpParams::default();
        let http = HttpParams {
            address: self
                .http
                .map_or(default.address, |address| address.to_string()),
            hosts: self.http_host.clone(),
            ..default
        };
        let page = PageSettings {
            http: &http,
            address_is_chosen: self.http.is_some(),
            open: self.open,
            // Where the population cannot be written, the token lies beside the copy.
            directory: population.layout().dir(),
            rules: population.params().rules,
            show_again: format!("loatune serve{}", dir.as_flag()),
        };
        let server = page.start(&live)?;
        if population.is_copy() {
            let directory = population.layout().dir().display();
            notice(&format!(
                "this is a copy of {} as it is now, because it cannot be written; its token: \
                 {directory}/token",
                dir.name
            ));
        }
        write_text(out, &format!("{}\n", server.url()))?;
        out.flush()?;
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
        }
        server.shutdown();
        Ok(population.close()?)
    }
}
