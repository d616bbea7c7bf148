//! Parameters of a run that differ from those of its population: whether they
//! can be accepted, and the message where they are not.

use crate::cli::args::{PopulationDir, quoted};
use crate::cli::output::BadUsage;
use crate::evolve::{Plan, Refused, Stage};
use crate::params::{Difference, Effective, Params};
use crate::store::Population;

/// The differences that would change the result of the run.
pub(super) fn result_affecting(ours: &Params, wanted: &Params) -> Vec<Difference> {
    let all = ours.differences(wanted).into_iter();
    all.filter(|difference| difference.key.affects_result)
        .collect()
}

/// How a population goes on with other parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// From the next match on.
    OnTheWay,
    /// It was finished and is taken further.
    Extension,
}

/// Whether a finished population is to be taken further: its budget grows.
fn is_extension(population: &Population, wanted: &Params) -> bool {
    population.state().stage() == Stage::Over
        && wanted.evolution.budget > population.params().evolution.budget
}

/// Why the population cannot go on with other parameters, if it cannot; tried
/// on a copy of its state.
fn refusal(population: &Population, wanted: &Params) -> Option<Refused> {
    let own = population.plan();
    let plan = Plan::with_genes(wanted, &own.genome.table, &own.seeds);
    let mut copy = population.state().clone();
    if is_extension(population, wanted) {
        copy.extend(&plan, Vec::new()).err()
    } else {
        copy.change_plan(&plan, Vec::new()).err()
    }
}

/// Checks parameters that differ from the population's own: with `accept` they
/// must be possible, without it they are refused, except for a larger budget of a
/// finished population, which says by itself what is wanted.
///
/// # Errors
/// The message names every key with its values and where the new one comes
/// from, and says what can be done instead.
pub(super) fn check(
    dir: &PopulationDir,
    population: &Population,
    differences: &[Difference],
    wanted: &Effective,
    accept: bool,
) -> Result<Change, BadUsage> {
    let refusal = refusal(population, &wanted.params);
    let is_extension = is_extension(population, &wanted.params);
    let is_accepted = accept || (is_extension && differences.len() == 1);
    if is_extension && !population.layout().champion().exists() {
        return Err(BadUsage::new(format!(
            "population {} has its champion, but not yet its proof: let the run end, then take it \
             further",
            dir.name
        )));
    }
    if is_accepted && refusal.is_none() {
        return Ok(if is_extension {
            Change::Extension
        } else {
            Change::OnTheWay
        });
    }
    let line =
        |difference: &Difference| format!("\n  {difference} ({})", wanted.source(difference.key));
    let lines: String = differences.iter().map(line).collect();
    let name = &dir.name;
    let advice = match refusal {
        None => format!(
            "Leave them as they were (they are in {}), begin another population with \
             --population NAME, or go on with the new values from here with --accept-changes",
            population.layout().params().display()
        ),
        Some(Refused::FinalBegun) if population.state().stage() == Stage::Over => {
            let champion = population.layout().champion();
            let seed = if champion.exists() {
                let file = quoted(&champion.display().to_string());
                format!(", from its champion with --seed-from {file}")
            } else {
                String::new()
            };
            format!(
                "Population {name} is over: its parameters cannot change, but --budget with more \
                 games takes it further. Or begin another population with --population NAME{seed}"
            )
        }
        Some(Refused::FinalBegun) => format!(
            "The final of population {name} has begun: its parameters cannot change any more. \
             Leave them as they were (they are in {}), or begin another population with \
             --population NAME",
            population.layout().params().display()
        ),
        Some(refused) => {
            let first = refused.to_string();
            format!("{first}: begin another population with --population NAME")
        }
    };
    Err(BadUsage::new(format!(
        "population {name} was begun with other parameters:{lines}\n{advice}"
    )))
}
