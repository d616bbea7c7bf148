//! How a run starts: a new population, or one that exists and goes on with the
//! parameters it was begun with.

use std::sync::atomic::{AtomicBool, Ordering};

use super::Run;
use crate::cli::args::{PopulationDir, read_weights};
use crate::cli::output::{BadUsage, notice};
use crate::cli::population::open_population::open_store_unless;
use crate::eval::Weights;
use crate::evolve::{Plan, Stage};
use crate::params::{Difference, Effective, Layers, Params, Preset, QUICK};
use crate::search::signature;
use crate::store::{Begin, Entry, Population};

impl Run {
    fn preset(&self) -> Option<&'static Preset> {
        self.quick.then_some(&QUICK)
    }

    /// Creates the population with the parameters in force.
    ///
    /// # Errors
    /// Parameters or seeds are bad, or the directory cannot be written.
    pub(super) fn begin(&self, dir: &PopulationDir) -> anyhow::Result<(Population, Effective)> {
        let wanted = self.flags.effective(self.preset())?;
        let params = &wanted.params;
        let begin = Begin {
            params: params.to_toml(),
            seeds: seeds(&self.seed_from, params)?,
        };
        let mut population = Population::create(&dir.directory, &begin)?;
        population.apply(Entry::Engine(signature::SIGNATURE))?;
        notice(&format!(
            "new population {} in {}: {} files, {} games, seed {}",
            dir.name,
            dir.directory.display(),
            params.evolution.population,
            params.evolution.budget,
            params.run.seed
        ));
        Ok((population, wanted))
    }

    /// Opens the population; parameters that affect its result may differ from
    /// its own only with `--accept-changes`, which records them.
    ///
    /// # Errors
    /// It cannot be opened, its parameters differ, or `stop` was set.
    pub(super) fn resume(
        &self,
        dir: &PopulationDir,
        stop: &AtomicBool,
    ) -> anyhow::Result<(Population, Effective)> {
        let mut population = open_store_unless(dir, &|| stop.load(Ordering::Relaxed))?;
        let ours = population.params().clone();
        let layers = Layers::from_population(ours.clone());
        let wanted = self.flags.effective_over(layers, self.preset())?;
        let differences = result_affecting(&ours, &wanted.params);
        if !differences.is_empty() {
            if !self.accept_changes {
                return Err(changed_params_error(dir, &differences, &wanted).into());
            }
            let keys: Vec<String> = differences.iter().map(ToString::to_string).collect();
            let entry = Entry::Changed {
                params: wanted.params.to_toml(),
                keys: keys.clone(),
            };
            population.apply(entry).map_err(BadUsage::new)?;
            population.flush()?;
            log::warn!(
                "from match {} on: {}",
                population.state().matches(),
                keys.join(", ")
            );
        }
        let before = population.reader().engine()?;
        if before != Some(signature::SIGNATURE) && population.state().stage() != Stage::Over {
            if let Some(before) = before {
                log::warn!(
                    "another engine played until here (signature {before}, now {}): the rest of \
                     the run is not what it would have been",
                    signature::SIGNATURE
                );
            }
            population.apply(Entry::Engine(signature::SIGNATURE))?;
        }
        if !self.seed_from.is_empty() && population.state().matches() > 0 {
            log::warn!(
                "--seed-from counts only for a new population; `loatune import` adds weights to \
                 one that has begun"
            );
        }
        let (name, directory) = (&dir.name, dir.directory.display());
        let (state, budget) = (population.state(), population.params().evolution.budget);
        let games = state.games();
        // The champion's file is written last, after the proof.
        let is_finished = state.stage() == Stage::Over && population.layout().champion().exists();
        notice(&if is_finished {
            format!("population {name} in {directory} is finished: it has its champion")
        } else {
            format!("going on with population {name} in {directory}: {games} of {budget} games")
        });
        Ok((population, wanted))
    }
}

/// The differences that would change the result of the run.
fn result_affecting(ours: &Params, wanted: &Params) -> Vec<Difference> {
    let all = ours.differences(wanted).into_iter();
    all.filter(|difference| difference.key.affects_result)
        .collect()
}

fn changed_params_error(
    dir: &PopulationDir,
    differences: &[Difference],
    wanted: &Effective,
) -> BadUsage {
    let line =
        |difference: &Difference| format!("\n  {difference} ({})", wanted.source(difference.key));
    let lines: String = differences.iter().map(line).collect();
    BadUsage::new(format!(
        "population {} was begun with other parameters:{lines}\n\
         Leave them as they were (they are in {}), begin another population with \
         --population NAME, or go on with the new values from here with --accept-changes",
        dir.name,
        dir.directory.join("params.toml").display()
    ))
}

/// The weights that half of the first population is drawn around. They must fit
/// the genome, as weights that are imported must.
///
/// # Errors
/// A file cannot be read, or its weights do not fit.
fn seeds(files: &[String], params: &Params) -> anyhow::Result<Vec<Weights>> {
    let plan = Plan::new(params, &[]);
    let read = |file: &String| {
        let weights = read_weights(file)?.weights;
        let fits = plan.check_weights(&weights);
        fits.map_err(|refused| BadUsage::new(format!("cannot begin with {file}: {refused}")))?;
        Ok(weights)
    };
    files.iter().map(read).collect()
}
