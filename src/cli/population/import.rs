//! `loatune import`: weights of one's own into a population.

use std::io::Write;

use anyhow::Context;
use clap::Args;
use serde_json::json;

use super::open_population::{Reached, answer, reach, with_warnings};
use crate::api::Source;
use crate::cli::args::{PopulationArg, read_weights};
use crate::cli::output::{write_json, write_text};
use crate::evolve::FileId;
use crate::run;
use crate::store::Population;
use crate::weights::WeightFile;

/// Add weight files to a population
///
/// Each becomes a new file with no points and no games, and has to prove itself
/// like all others: in a population that has not begun as one of the first, in
/// one that runs as an immigrant. Where there is no room, the living file with
/// the fewest points goes. Refused once the final has begun.
#[derive(Debug, Args)]
#[command(after_help = "\
The import is an event of the run: it is recorded, and the run stays repeatable.

Examples:
  loatune import mine.toml
  loatune import --population mine a.toml b.json
  loatune import champion

JSON: a list of {name, file}.")]
pub(crate) struct Import {
    /// The weight files, or names of published champions
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    #[command(flatten)]
    population: PopulationArg,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Import {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let files = self.files.iter().map(|file| read_weights(file));
        let files = files.collect::<anyhow::Result<Vec<_>>>()?;
        let dir = self.population.resolve_existing()?;
        let mut taken: Vec<(WeightFile, FileId)> = Vec::new();
        match reach(&dir, &|| false, &Population::open)? {
            Reached::Daemon(daemon) => {
                for (path, file) in self.files.iter().zip(files) {
                    let id = answer(daemon.import(file.clone()));
                    taken.push((file, id.with_context(|| cannot(path))?));
                }
            }
            Reached::Free(found) => {
                let mut population = with_warnings(found);
                for (path, file) in self.files.iter().zip(files) {
                    let id = answer(run::immigrate(&mut population, &file));
                    taken.push((file, id.with_context(|| cannot(path))?));
                }
                population.close()?;
            }
        }
        if self.json {
            let row = |(file, id): &(WeightFile, FileId)| json!({"name": file.name, "file": id});
            return write_json(out, &taken.iter().map(row).collect::<Vec<_>>());
        }
        for (file, id) in &taken {
            write_text(
                out,
                &format!(
                    "{} is file {id} of the population {}\n",
                    file.name, dir.name
                ),
            )?;
        }
        Ok(())
    }
}

fn cannot(path: &str) -> String {
    format!("cannot import {path}")
}
