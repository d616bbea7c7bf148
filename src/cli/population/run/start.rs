//! How a run starts: a new population, or one that exists and goes on with the
//! parameters it was begun with.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;

use super::Run;
use super::changed_params::{self, Change, result_affecting};
use crate::arena::panel::member;
use crate::cli::args::{PopulationDir, check_players, read_weights};
use crate::cli::output::{BadUsage, notice};
use crate::cli::population::open_population::{cannot_listen, open_to_work};
use crate::evolve::{Plan, Refused, Stage};
use crate::genome::{BuiltIn, GeneTable, Genome};
use crate::params::{ChosenGene, Effective, FileValues, Layers, Params, Preset, QUICK, find_key};
use crate::run::{Foreign, keep_former_champion, match_that_differs, remove_former_champion};
use crate::search::EngineVersion;
use crate::serve::control;
use crate::store::{Begin, Entry, Population};
use crate::util::memory;

/// A population to work on, its parameters, and the server that commands talk
/// to.
pub(super) type Started = (Population, Effective, control::Server);

impl Run {
    fn preset(&self) -> Option<&'static Preset> {
        self.quick.then_some(&QUICK)
    }

    /// Creates the population with the parameters in force.
    ///
    /// # Errors
    /// Parameters or seeds are bad, or the directory cannot be written.
    pub(super) fn begin(
        &self,
        dir: &PopulationDir,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Started> {
        let mut wanted = self.flags.effective(self.preset())?;
        check_memory(&wanted)?;
        find_panel(&wanted.params)?;
        let engine = self.engine(&wanted.params, None)?;
        if let Some(engine) = &engine {
            wanted.params.genome.genes = ChosenGene::rows_of(engine.genes());
        } else if let Some(gene) = wanted.params.genome.genes.first() {
            return Err(BadUsage::new(format!(
                "genes.{}: [genes] names options of another engine, and there is none: set \
                 genome.engine or --engine",
                gene.name
            ))
            .into());
        }
        let params = &wanted.params;
        let begin = Begin {
            params: wanted.to_recorded_toml(),
            genes: engine.map_or_else(GeneTable::built_in, |engine| engine.genes().clone()),
            seeds: seeds(&self.seed_from, params)?,
        };
        let mut population = Population::create(&dir.directory, &begin)?;
        let control = control::Server::start_opening(&dir.directory, Arc::clone(stop));
        let control = control.map_err(|error| cannot_listen(dir, &error))?;
        let engine = EngineVersion::present_signature(params.player.search.algorithm);
        population.apply(Entry::Engine(engine))?;
        notice(&format!(
            "new population {} in {}: {} files, {} games, seed {}",
            dir.name,
            dir.directory.display(),
            params.evolution.population,
            params.evolution.budget,
            params.run.seed
        ));
        if dir.name.bytes().all(|byte| byte.is_ascii_digit()) {
            log::warn!(
                "{} is the name of the population; --files says how many files it has",
                dir.name
            );
        }
        Ok((population, wanted, control))
    }

    /// Opens the population, which keeps its own parameters unless a flag, a
    /// variable or an edited key of the file says otherwise. Those that affect
    /// its result may differ only with `--accept-changes`, which records them.
    ///
    /// # Errors
    /// It cannot be opened, its parameters differ, or `stop` was set.
    pub(super) fn resume(
        &self,
        dir: &PopulationDir,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Started> {
        let (mut population, control) = open_to_work(dir, stop)?;
        let table = &population.plan().genome.table;
        if self.engine(population.params(), Some(table))?.is_some() {
            // Its genes are another program's.
        } else if let Err(unknown) = BuiltIn::new(table) {
            return Err(BadUsage::new(format!(
                "population {} has {unknown}. It was begun by another version of loatune, and \
                 this one ({}) cannot play its games. It can be looked at (status, history, games, \
                 verify), and nothing of it was changed",
                dir.name,
                env!("CARGO_PKG_VERSION")
            ))
            .into());
        }
        let ours = population.params().clone();
        let begun_with = FileValues::from_comments(population.params_text());
        let layers = Layers::from_population(ours.clone(), begun_with);
        let mut wanted = self.flags.effective_over(layers, None)?;
        check_memory(&wanted)?;
        let chosen = std::mem::replace(&mut wanted.params.genome.genes, ours.genome.genes.clone());
        if !chosen.is_empty() && chosen != ours.genome.genes {
            let own = ChosenGene::rows_of(&population.plan().genome.table);
            if let Some(what) = ChosenGene::contradiction(&chosen, &own) {
                return Err(BadUsage::new(format!(
                    "{what}: the genes of a population stay what they are; begin another \
                     population for other genes"
                ))
                .into());
            }
        }
        if ours.genome.engine.is_empty() != wanted.params.genome.engine.is_empty() {
            let message = "genome.engine: the genes of a population stay those of one engine; begin \
                           another population for another engine";
            return Err(BadUsage::new(message).into());
        }
        let differences = result_affecting(&ours, &wanted.params);
        if wanted.params.final_stage.panel != ours.final_stage.panel {
            find_panel(&wanted.params)?;
        }
        if !differences.is_empty() {
            let accept = self.accept_changes;
            let change = changed_params::check(dir, &population, &differences, &wanted, accept)?;
            let keys: Vec<String> = differences.iter().map(ToString::to_string).collect();
            let params = wanted.to_recorded_toml();
            match change {
                Change::Extension => extend(dir, &mut population, params, keys)?,
                Change::OnTheWay => {
                    let told = keys.join(", ");
                    let entry = Entry::Changed { params, keys };
                    population.apply(entry).map_err(BadUsage::new)?;
                    population.flush()?;
                    log::warn!("from match {} on: {told}", population.state().matches());
                }
            }
        }
        remove_former_champion(population.layout(), population.state())?;
        self.warn_of_ignored_preset(&wanted.params);
        // A population goes on with the version of the engine that it began
        // with, where this program knows it.
        let before = population.reader().engine()?;
        let player = population.params().player.search.algorithm;
        let version = before.and_then(|it| EngineVersion::from_signature(player, it));
        if version.is_none() && population.state().stage() != Stage::Over {
            let present = EngineVersion::present_signature(player);
            if let Some(before) = before.filter(|_| player == ours.player.search.algorithm) {
                log::warn!(
                    "another engine played until here (signature {before}, now {present}): the \
                     rest of the run is not what it would have been"
                );
            }
            population.apply(Entry::Engine(present))?;
        }
        let params = population.params();
        let is_repeatable = !params.genome.engine.is_empty() && !params.engine.nondeterministic;
        if is_repeatable
            && population.state().stage() != Stage::Over
            && let Some(number) = match_that_differs(&population).map_err(BadUsage::new)?
        {
            log::warn!(
                "the engine `{}` does not play as it did: match {number}, played again, goes another \
                 way. The rest of the run is not what it would have been",
                params.genome.engine
            );
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
        Ok((population, wanted, control))
    }

    /// The other program that the parameters name: asked for its genes, or
    /// compared with those that a population has, and tried whether it plays the
    /// same games when it is asked again.
    fn engine(
        &self,
        params: &Params,
        genes: Option<&GeneTable>,
    ) -> anyhow::Result<Option<Foreign>> {
        let engine = match genes {
            None => Foreign::ask(params).map_err(BadUsage::new)?,
            Some(genes) => Foreign::new(params, genes),
        };
        let Some(engine) = engine else {
            return Ok(None);
        };
        if !self.seed_from.is_empty() {
            let message = "--seed-from takes weights of loatune's own evaluation, not options of \
                           another engine";
            return Err(BadUsage::new(message).into());
        }
        if self.fleet.broker()?.is_some() {
            let message = "--fleet: the workers of a fleet start no programs that somebody else \
                           names; leave it out to tune another engine";
            return Err(BadUsage::new(message).into());
        }
        if genes.is_some() {
            engine.check().map_err(BadUsage::new)?;
            return Ok(Some(engine));
        }
        let difference = engine.first_difference(params).map_err(BadUsage::new)?;
        if params.engine.nondeterministic {
            log::info!("games of this run need not be the same when they are played again");
        }
        if let Some(opening) = difference {
            let what = format!(
                "the engine `{}` is not deterministic: two games from opening {opening} with the \
                 same options and limits differ",
                engine.command
            );
            if !params.engine.nondeterministic {
                return Err(BadUsage::new(format!(
                    "{what}. A run with it cannot be repeated or resumed to the same result: \
                     --nondeterministic accepts that"
                ))
                .into());
            }
            log::warn!("{what}");
        }
        notice(&format!(
            "the engine `{}` has {} genes: {}",
            engine.command,
            engine.genes().len(),
            shown_names(engine.genes())
        ));
        if params.school.enabled {
            notice(if engine.has_features().map_err(BadUsage::new)? {
                "it prints its features, so that the school learns for it"
            } else {
                "it does not answer `query features`: it is tuned by matches alone, without a school"
            });
        }
        Ok(Some(engine))
    }

    /// A preset is a set of defaults for a new population. One that exists keeps
    /// its own values, so that the command which `loatune run` prints goes on
    /// with it, with the preset's flag or without.
    fn warn_of_ignored_preset(&self, params: &Params) {
        let Some(preset) = self.preset() else {
            return;
        };
        let mut with_preset = params.clone();
        for (path, text) in preset.settings {
            let set = find_key(path).map(|key| key.set_text(&mut with_preset, text));
            debug_assert!(matches!(set, Some(Ok(()))), "{path} = {text}");
        }
        let kept: Vec<String> = params
            .differences(&with_preset)
            .iter()
            .map(|difference| format!("{} = {}", difference.key.path(), difference.ours))
            .collect();
        if !kept.is_empty() {
            log::warn!(
                "--{} counts only for a new population; this one keeps {}",
                preset.name,
                kept.join(", ")
            );
        }
    }
}

/// The first names of a table, for people.
fn shown_names(genes: &GeneTable) -> String {
    const MOST: usize = 12;
    let mut names: Vec<&str> = genes.iter().take(MOST).map(|gene| &*gene.name).collect();
    if genes.len() > MOST {
        names.push("…");
    }
    names.join(", ")
}

/// Takes a finished population further. The champion's file is kept aside first.
fn extend(
    dir: &PopulationDir,
    population: &mut Population,
    params: String,
    keys: Vec<String>,
) -> anyhow::Result<()> {
    let number = population.state().former_champions().len() + 1;
    let kept = population.layout().former_champion(number);
    keep_former_champion(population.layout(), number)
        .with_context(|| format!("cannot write {}", kept.display()))?;
    let before = population.params().evolution.budget;
    let entry = Entry::Extended { params, keys };
    population.apply(entry).map_err(BadUsage::new)?;
    population.flush()?;
    notice(&format!(
        "population {} is taken further, from {before} to {} games; its champion until now is in {}",
        dir.name,
        population.params().evolution.budget,
        kept.display()
    ));
    Ok(())
}

/// Looks for the players of the panel, whose games come last: a name that leads
/// nowhere is better known before the first.
///
/// # Errors
/// One cannot be found, or there is no memory for its trees.
fn find_panel(params: &Params) -> anyhow::Result<()> {
    for text in &params.final_stage.panel {
        let found = member(text, Path::new(""));
        let found = found.map_err(|error| BadUsage::new(format!("final.panel: {error}")))?;
        let bytes = found
            .tree_bytes()
            .saturating_mul(params.run.thread_count() as u64);
        memory::check(bytes).map_err(|error| {
            BadUsage::new(format!(
                "final.panel: {text:?}: {error}; give less to its memory or to --threads"
            ))
        })?;
    }
    Ok(())
}

/// Checks that memory has room for the tables and trees of all threads.
///
/// # Errors
/// It has not.
fn check_memory(wanted: &Effective) -> anyhow::Result<()> {
    let Some(key) = find_key("player.table_kib") else {
        return Ok(());
    };
    let setting = format!(
        "{} = {} KiB ({})",
        key.path(),
        key.text(&wanted.params),
        wanted.source(key)
    );
    let Params { player, run, .. } = &wanted.params;
    let threads = run.thread_count();
    Ok(check_players(
        &setting,
        player,
        threads,
        "--hash or --threads",
    )?)
}

/// The weights that half of the first population is drawn around. They must fit
/// the genome, as weights that are imported must.
///
/// # Errors
/// A file cannot be read, or its weights do not fit.
fn seeds(files: &[String], params: &Params) -> anyhow::Result<Vec<Genome>> {
    let plan = Plan::new(params, &[]);
    let read = |file: &String| {
        let weights = Genome::from(&read_weights(file)?.weights);
        let fits = plan.check_weights(&weights);
        fits.map_err(|refused| {
            let advice = match &refused {
                Refused::OutOfBounds { gene, .. } => {
                    format!("; --{} LEAST..MOST allows more", gene.replace('_', "-"))
                }
                _ => String::new(),
            };
            BadUsage::new(format!("cannot begin with {file}: {refused}{advice}"))
        })?;
        Ok(weights)
    };
    files.iter().map(read).collect()
}
