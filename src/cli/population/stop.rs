//! `loatune stop`: ends a run, in order.

use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;

use crate::cli::args::population_arg::{PopulationArg, answer};
use crate::cli::output::error::BadUsage;
use crate::cli::output::{put, put_json};
use crate::serve::control;

/// How long a run may take to save.
const PATIENCE: Duration = Duration::from_secs(60);

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
        let place = self.population.running_place()?;
        let directory = place.directory.display();
        let Some(daemon) = control::connect(&place.directory) else {
            let message = format!(
                "nobody works on the population {} in {directory}",
                place.name
            );
            return Err(BadUsage::new(message).into());
        };
        answer(crate::api::Source::stop(&daemon))?;
        let begin = Instant::now();
        while control::connect(&place.directory).is_some() {
            if begin.elapsed() > PATIENCE {
                anyhow::bail!(
                    "the process that works on {directory} was asked to stop {} seconds ago and \
                     is still there",
                    PATIENCE.as_secs()
                );
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        if self.json {
            let value = serde_json::json!({"population": place.name, "stopped": true});
            return put_json(out, &value);
        }
        put(
            out,
            &format!("stopped; to go on: loatune run{}\n", place.flag()),
        )
    }
}
