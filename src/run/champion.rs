//! The champion as a weight file, with its certificate. Everything in it
//! follows from the run: equal runs give equal files.

use std::{fs, io};

use super::foreign::Foreign;
use crate::api::origin_name;
use crate::arena::panel;
use crate::evolve::{Birth, Champion, FileId, Origin, Plan, Scholar, Stage, State};
use crate::genome::BuiltIn;
use crate::params::Params;
use crate::store::{Layout, MeasuredMatch, Purpose, StoreError};
use crate::util::atomic_file;
use crate::weights::{
    Certificate, ChampionKind, Conditions, OptionCertificate, OptionFile, PanelPlayer, ProofMatch,
    WeightFile,
};

/// The most forebears that a certificate names.
const FOREBEARS: usize = 40;

/// Looks up how a file was born; `None` where it is not known.
pub type Births<'a> = &'a dyn Fn(FileId) -> Result<Option<Birth>, StoreError>;

/// The name of a population's champion. It is given when the champion's file is
/// written and stays, also when the population is renamed or copied, so that equal
/// champions have equal files.
pub fn champion_name(layout: &Layout, population: &str) -> String {
    let written = fs::read_to_string(layout.champion()).ok();
    name_in(&written.unwrap_or_default()).unwrap_or_else(|| format!("{population}-champion"))
}

/// The name in the text of a champion's file; `None` where it is no weight file.
pub(super) fn name_in(text: &str) -> Option<String> {
    if let Some(name) = option_name_in(text) {
        return Some(name);
    }
    let file = WeightFile::parse(text, "champion.toml").ok()?;
    Some(file.name)
}

/// The name in the text of a champion's file of another program.
pub(super) fn option_name_in(text: &str) -> Option<String> {
    let table: toml::Table = text.parse().ok()?;
    table.get("options")?;
    Some(table.get("loatune")?.get("name")?.as_str()?.to_owned())
}

/// A champion as it is written down.
#[derive(Clone, Debug, PartialEq)]
pub enum ChampionFile {
    /// Weights of this program's evaluation.
    Weights(Box<WeightFile>),
    /// Values of another program's options.
    Options(OptionFile),
}

impl ChampionFile {
    /// The file as TOML.
    pub fn to_toml(&self) -> String {
        match self {
            ChampionFile::Weights(file) => file.to_toml(),
            ChampionFile::Options(file) => file.to_toml(),
        }
    }
}

/// The champion's file of a population whose genes are another program's
/// options; `None` where there is no champion yet, or the genes are our own.
pub fn option_file(
    name: &str,
    state: &State,
    params: &Params,
    plan: &Plan,
    measured: &[MeasuredMatch],
) -> Option<OptionFile> {
    let champion = state.champion()?;
    let engine = Foreign::new(params, &plan.genome.table)?;
    let kind = champion_kind(&champion);
    let results = measured
        .iter()
        .filter(|one| one.purpose == Purpose::Certificate)
        .map(|one| (one.opponent.clone(), engine.values(&one.weights), one.tally));
    Some(OptionFile {
        name: name.to_owned(),
        origin: format!(
            "evolved by loatune: {}, after {} games",
            kind.meaning(),
            state.games()
        ),
        values: engine.values(&champion.weights),
        certificate: Some(OptionCertificate {
            champion: kind,
            seed: params.run.seed,
            params: params.fingerprint(),
            games: state.games(),
            depth: params.player.depth,
            nodes: params.player.nodes,
            movetime: params.engine.movetime,
            is_repeatable: !params.engine.nondeterministic,
            results: results.collect(),
        }),
        engine: engine.command,
    })
}

fn champion_kind(champion: &Champion) -> ChampionKind {
    if champion.is_elder {
        ChampionKind::Elder
    } else if champion.is_scholar {
        ChampionKind::Scholar
    } else {
        ChampionKind::Last
    }
}

/// Puts the file of the champion aside after which a population is taken further
/// for the time `number`, and keeps the original until the population has gone
/// on: a kill in between changes nothing.
///
/// # Errors
/// The file cannot be read or written.
pub fn keep_former_champion(layout: &Layout, number: usize) -> io::Result<()> {
    let text = fs::read_to_string(layout.champion())?;
    atomic_file::save(&layout.former_champion(number), text, true)
}

/// Removes the file of a champion that is a former one, because its population
/// goes on.
///
/// # Errors
/// The file cannot be removed.
pub fn remove_former_champion(layout: &Layout, state: &State) -> io::Result<()> {
    let is_former = state.stage() != Stage::Over && !state.former_champions().is_empty();
    let path = layout.champion();
    if !is_former || !path.exists() {
        return Ok(());
    }
    let kept = layout.former_champion(state.former_champions().len());
    if kept.exists() {
        fs::remove_file(path)
    } else {
        fs::rename(path, kept)
    }
}

/// The champion's file under a name; `None` where there is no champion yet. The
/// certificate
/// holds the matches that have been played so far, and `engine`, the signature
/// of the engine that played them. `genes` says what the population's genes mean
/// to the evaluation.
///
/// # Errors
/// Where births cannot be read.
pub fn champion_file(
    name: &str,
    state: &State,
    params: &Params,
    genes: &BuiltIn,
    births: Births<'_>,
    measured: &[MeasuredMatch],
    engine: u64,
) -> Result<Option<WeightFile>, StoreError> {
    let Some(champion) = state.champion() else {
        return Ok(None);
    };
    let results = measured
        .iter()
        .filter(|one| one.purpose != Purpose::Hall && one.file == champion.file)
        .map(|one| {
            let player = match one.purpose {
                Purpose::Panel { engine } => Some(PanelPlayer {
                    search: panel::search_of(&one.opponent).to_owned(),
                    engine,
                }),
                Purpose::Certificate | Purpose::Hall => None,
            };
            let weights = genes.weights(&one.weights);
            ProofMatch::new(&one.opponent, &weights, &one.tally).with_player(player)
        });
    let kind = champion_kind(&champion);
    Ok(Some(WeightFile {
        name: name.to_owned(),
        origin: format!(
            "evolved by loatune: {}, after {} games",
            kind.meaning(),
            state.games()
        ),
        weights: genes.weights(&champion.weights),
        certificate: Some(Certificate {
            champion: kind,
            file: champion.file.0,
            ancestry: ancestry(&champion, state, births)?,
            seed: params.run.seed,
            params: params.fingerprint(),
            command: command(state, params, births)?,
            engine,
            games: state.games(),
            matches: state.matches(),
            conditions: Conditions::from(params),
            results: results.collect(),
        }),
    }))
}

/// The command that makes the champion again; `None` where that takes more than
/// parameters: files that the first population was drawn around, or a population that
/// was taken further.
fn command(
    state: &State,
    params: &Params,
    births: Births<'_>,
) -> Result<Option<String>, StoreError> {
    let first = births(FileId(0))?;
    let is_seeded = first.is_some_and(|birth| birth.origin == Origin::Seeded);
    if is_seeded || !state.former_champions().is_empty() {
        return Ok(None);
    }
    Ok(params.run_command())
}

/// Where a champion comes from, a line each: a file's first parents back to a
/// founder. The elder has many forebears: those of the last file stand for them.
fn ancestry(
    champion: &Champion,
    state: &State,
    births: Births<'_>,
) -> Result<Vec<String>, StoreError> {
    let mut lines = Vec::new();
    let mut next = Some(champion.file);
    if champion.is_elder {
        lines.push(format!(
            "{}: running mean of the consensus of {} matches",
            champion.file,
            state.matches()
        ));
        lines.extend(last_move(state));
        next = state.final_record().map(|record| record.last);
    }
    while let Some(file) = next {
        let Some(birth) = births(file)? else {
            break;
        };
        if lines.len() == FOREBEARS {
            lines.push(String::from("and so on"));
            break;
        }
        let parents: Vec<String> = birth.parents.iter().map(FileId::to_string).collect();
        let of = if parents.is_empty() {
            String::new()
        } else {
            format!(" of {}", parents.join(" and "))
        };
        let origin = origin_name(birth.origin);
        let scholar = state.scholars().iter().find(|scholar| scholar.file == file);
        let learned = scholar.map_or_else(String::new, learned_from);
        lines.push(format!(
            "{file}: {origin}{of}{learned} at match {}",
            birth.at
        ));
        next = birth.parents.first().copied();
    }
    Ok(lines)
}

/// The scholar that the consensus last moved to, in words.
fn last_move(state: &State) -> Option<String> {
    let has_won = |scholar: &&Scholar| scholar.challenge.is_some_and(|it| it.won);
    let scholar = state.scholars().iter().rev().find(has_won)?;
    Some(format!(
        "the consensus moved to the scholar {}{} at match {}",
        scholar.file,
        learned_from(scholar),
        scholar.at
    ))
}

/// What a scholar was learned from.
fn learned_from(scholar: &Scholar) -> String {
    format!(
        " of {} games, {} positions",
        scholar.games, scholar.positions
    )
}
