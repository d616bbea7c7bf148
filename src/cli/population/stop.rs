//! `loatune stop`: ends a run, in order.

use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;

use super::open_population::{answer, find_daemon};
use crate::api::{FleetView, Source, SourceError};
use crate::cli::args::{DEFAULT_FLEET, PopulationArg, quoted};
use crate::cli::output::{BadUsage, write_json, write_text};
use crate::serve::control;

/// How long a run may take to save and end.
const STOP_TIMEOUT: Duration = Duration::from_secs(60);

/// Ask the process that works on a population to save and end
///
/// Waits until it has done so. What was applied is saved; `loatune run` goes on
/// with it.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 it has ended, 1 it does not end, 2 nobody works on the population.

Examples:
  loatune stop
  loatune stop --population mine

JSON: population, stopped (true).")]
pub(crate) struct Stop {
    #[command(flatten)]
    population: PopulationArg,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Stop {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let dir = self.population.resolve_running()?;
        let directory = dir.directory.display();
        let Some(daemon) = find_daemon(&dir)? else {
            let message = format!("nobody works on the population {} in {directory}", dir.name);
            return Err(BadUsage::new(message).into());
        };
        // A run of a fleet goes on with its fleet.
        let fleet = daemon.fleet_at_once();
        let fleet = fleet.map_or_else(String::new, |fleet| as_flags(&fleet));
        match daemon.stop() {
            // It was about to end by itself.
            Err(SourceError::Ended(_)) => {}
            Err(SourceError::Refused(why)) => {
                let page = daemon.status().ok().and_then(|status| status.page);
                let shown = page.map_or_else(String::new, |page| {
                    format!("; another process only shows it, on {page}")
                });
                return Err(BadUsage::new(format!("{why}{shown}")).into());
            }
            asked => answer(asked)?,
        }
        let begin = Instant::now();
        while control::connect(&dir.directory).is_some() {
            if begin.elapsed() > STOP_TIMEOUT {
                anyhow::bail!(
                    "the process that works on {directory} was asked to stop {} seconds ago and \
                     is still there",
                    STOP_TIMEOUT.as_secs()
                );
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        if self.json {
            let value = serde_json::json!({"population": dir.name, "stopped": true});
            return write_json(out, &value);
        }
        write_text(
            out,
            &format!("stopped; to go on: loatune run{}{fleet}\n", dir.as_flag()),
        )
    }
}

/// The flags of the fleet that played, as far as they are told.
fn as_flags(fleet: &FleetView) -> String {
    let name = if fleet.name == DEFAULT_FLEET {
        String::new()
    } else {
        format!(" --fleet-name {}", quoted(&fleet.name))
    };
    format!(" --fleet {}{name}", quoted(&fleet.broker))
}
