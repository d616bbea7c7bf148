//! The proof: the champion against the reference weights, the best file of the
//! first population, the champions after which the population was taken further,
//! and every published champion; then the files of the hall
//! against the reference weights, as far as they were not measured on the way; then
//! the champion against the players of the panel. All on openings that the
//! evolution never saw.
//!
//! Every pair of games is saved when it is counted. A proof that was interrupted
//! goes on with the first pair that was not.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::held_out::{Contestant, play_pairs, player};
use super::panel::{PanelMember, panel_player};
use super::reference::reference_weights;
use crate::arena::match_runner::{Ended, MatchError};
use crate::arena::openings::NoOpening;
use crate::arena::{PlayerSpec, PoolError, ReorderBuffer, StartError, WorkerPool};
use crate::eval::Weights;
use crate::evolve::{FileId, FormerChampion, Stage};
use crate::genome::{BuiltIn, Genome, UnknownGenes};
use crate::run::fault_limit::{FaultLimit, KeepsFailing};
use crate::run::game_source::{GameEvent, GameSource, SourceFault, Task};
use crate::run::run::engine_version;
use crate::run::worker::{GameSettings, Measurement, RunPool, RunWorker};
use crate::search::EngineVersion;
use crate::store::{
    Entry, MatchIdentity, MeasuredPair, Measurements, Population, Purpose, RecordError, StoreError,
};
use crate::weights::Conditions;

/// A match that is part of the proof.
#[derive(Clone, Debug)]
pub(in crate::run) struct PlannedMatch {
    /// The file that is measured.
    pub file: FileId,
    /// The genome of that file.
    pub weights: Genome,
    /// The name of its opponent.
    pub opponent: String,
    /// The genome of its opponent.
    pub against: Genome,
    /// What the result is used for.
    pub purpose: Purpose,
    /// How the opponent plays; `None` where it plays as the file does.
    pub player: Option<PlayerSpec>,
    /// Pairs of games to be played.
    pub pairs: u64,
}

/// Who a champion is measured against beside the weights of its own population.
#[derive(Clone, Debug, Default)]
pub struct Opponents {
    /// Published champions, which play as the new one does.
    pub published: Vec<(String, Weights)>,
    /// The players of the panel.
    pub panel: Vec<PanelMember>,
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The matches cannot be played.
    #[error(transparent)]
    Games(#[from] MatchError),
    /// This program does not have the genes of the population.
    #[error(transparent)]
    Genes(#[from] UnknownGenes),
    /// Two games make no pair, which they should.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// They cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The fleet does not play any more.
    #[error(transparent)]
    Fleet(#[from] SourceFault),
    /// The program that plays cannot be started.
    #[error(transparent)]
    Engine(#[from] StartError),
    /// The program that plays keeps failing.
    #[error(transparent)]
    Faults(#[from] KeepsFailing),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// A pair has no opening.
    #[error(transparent)]
    Opening(#[from] NoOpening),
}

/// Who plays the matches of a proof.
#[derive(Clone, Copy)]
pub(in crate::run) enum Players<'a> {
    /// So many threads of this process.
    Threads(usize),
    /// Other machines, and so many threads of this process for the matches
    /// against the panel: workers know no players but the run's own.
    Fleet(&'a dyn GameSource, usize),
}

/// The name of a champion after which the population was taken further.
fn former_name(former: &FormerChampion) -> String {
    format!("former champion, {}", former.file)
}

/// Files that the hall will have: one for each tenth of the evolution.
const TENTHS: u64 = 10;

/// All matches of the proof, in order; none before there is a champion.
pub(in crate::run) fn planned_matches(
    population: &Population,
    others: &Opponents,
) -> Result<Vec<PlannedMatch>, StoreError> {
    let (state, params) = (population.state(), population.params());
    let Some(champion) = state.champion() else {
        return Ok(Vec::new());
    };
    let table = &population.plan().genome.table;
    let mut opponents = vec![reference_weights(params, table)];
    if let Some((file, weights)) = state.best_founder() {
        opponents.push((format!("first population's best, {file}"), weights));
    }
    for former in state.former_champions() {
        if former.file != champion.file {
            opponents.push((former_name(former), former.weights.clone()));
        }
    }
    // A champion that uses other genes than the population's cannot be its
    // opponent: its games could not be saved.
    let is_ours = params.genome.engine.is_empty();
    if let Some(genes) = BuiltIn::new(table).ok().filter(|_| is_ours) {
        let known =
            |(name, weights): &(String, Weights)| Some((name.clone(), genes.genome(weights)?));
        opponents.extend(others.published.iter().filter_map(known));
    }
    let against = |(opponent, against): (String, Genome)| PlannedMatch {
        file: champion.file,
        weights: champion.weights.clone(),
        opponent,
        against,
        purpose: Purpose::Certificate,
        player: None,
        pairs: params.final_stage.certificate_games / 2,
    };
    let mut all: Vec<PlannedMatch> = opponents.into_iter().map(against).collect();
    for &file in state.hall_of_fame() {
        all.extend(against_reference(population, file)?);
    }
    all.extend(others.panel.iter().map(|member| PlannedMatch {
        file: champion.file,
        weights: champion.weights.clone(),
        opponent: member.spec.text.clone(),
        against: member.genome.clone(),
        purpose: member.purpose(),
        player: Some(member.spec.clone()),
        pairs: params.final_stage.panel_games / 2,
    }));
    all.retain(|planned| planned.pairs > 0);
    Ok(all)
}

/// The match of a file of the hall; `None` where the store does not have the
/// file yet.
pub(in crate::run) fn against_reference(
    population: &Population,
    file: FileId,
) -> Result<Option<PlannedMatch>, StoreError> {
    let found = population.reader().file(file)?;
    let params = population.params();
    Ok(found.map(|(birth, _)| {
        let (opponent, against) = reference_weights(params, &population.plan().genome.table);
        PlannedMatch {
            file,
            weights: birth.weights,
            opponent,
            against,
            purpose: Purpose::Hall,
            player: None,
            pairs: params.final_stage.hall_games / 2,
        }
    }))
}

impl PlannedMatch {
    /// What tells it from other matches.
    pub(in crate::run) fn identity(&self) -> MatchIdentity<'_> {
        MatchIdentity {
            file: self.file,
            purpose: self.purpose,
            opponent: &self.opponent,
            weights: &self.against,
        }
    }

    /// The entry of pair `number`.
    pub(in crate::run) fn entry(
        &self,
        number: u64,
        games: &[crate::arena::GameRecord; 2],
    ) -> Result<Entry, RecordError> {
        MeasuredPair::new(&self.identity(), number, games).map(Entry::MeasuredPair)
    }

    /// Pairs that have been counted, never more than are planned.
    fn counted(&self, measurements: &Measurements) -> u64 {
        if measurements.is_complete(&self.identity()) {
            self.pairs
        } else {
            measurements.pairs(&self.identity()).min(self.pairs)
        }
    }
}

/// Games of the proof: those that have been counted, and all of them. While the
/// evolution goes on it is not known which files the hall will have, but how
/// many.
///
/// # Errors
/// Where the store cannot be read.
pub fn proof_workload(population: &Population, others: &Opponents) -> Result<[u64; 2], StoreError> {
    let measurements = population.measurements();
    if population.state().stage() != Stage::Over {
        let last = &population.params().final_stage;
        let state = population.state();
        let former = state.former_champions().len() as u64;
        let opponents = 2 + former + others.published.len() as u64;
        let panel = last.panel.len() as u64;
        // Those of earlier ends are counted already, and there is one hall more
        // for each.
        let all = opponents * last.certificate_games
            + panel * last.panel_games
            + (1 + former) * TENTHS * last.hall_games;
        return Ok([measurements.games().min(all), all]);
    }
    let all = planned_matches(population, others)?;
    Ok([
        2 * counted(&all, measurements),
        2 * all.iter().map(|planned| planned.pairs).sum::<u64>(),
    ])
}

fn counted(all: &[PlannedMatch], measurements: &Measurements) -> u64 {
    let counted = all.iter().map(|planned| planned.counted(measurements));
    counted.sum()
}

/// Whether every match of the proof is complete.
pub(in crate::run) fn is_proved(all: &[PlannedMatch], measurements: &Measurements) -> bool {
    let mut each = all.iter();
    each.all(|planned| planned.counted(measurements) == planned.pairs)
}

/// Plays what is missing, and saves every pair. `watch` is told of games played,
/// those before this process included, and interrupts by a break; then `false`
/// comes back.
pub(in crate::run) fn prove(
    population: &mut Population,
    all: &[PlannedMatch],
    players: Players<'_>,
    watch: &mut dyn FnMut(&Population, u64) -> ControlFlow<()>,
) -> Result<bool, ProofError> {
    match players {
        Players::Threads(threads) => prove_by_threads(population, all, &|_| true, threads, watch),
        Players::Fleet(games, threads) => {
            let is_of_panel = |planned: &PlannedMatch| planned.player.is_some();
            Ok(prove_by_source(population, all, games, watch)?
                && prove_by_threads(population, all, &is_of_panel, threads, watch)?)
        }
    }
}

/// How long a wait for a game lasts before `watch` is called.
const LOOK_UP: Duration = Duration::from_millis(20);

/// Pairs that are given out before the oldest of them is counted. They
/// decide nothing about one another, so there may be many.
const PAIRS_AHEAD: u64 = 1024;

fn prove_by_source(
    population: &mut Population,
    all: &[PlannedMatch],
    games: &dyn GameSource,
    watch: &mut dyn FnMut(&Population, u64) -> ControlFlow<()>,
) -> Result<bool, ProofError> {
    // Pairs of the hall's matches may still be with the workers, and have the
    // same numbers.
    games.discard();
    let mut faults = FaultLimit::new(population.params().engine.fault);
    for wanted in all.iter().filter(|planned| planned.player.is_none()) {
        let mut next = wanted.counted(population.measurements());
        let mut submitted = next;
        let mut buffer = ReorderBuffer::default();
        while next < wanted.pairs {
            while submitted < wanted.pairs.min(next + PAIRS_AHEAD) {
                games.submit(&Task::Measurement(Measurement {
                    pair: submitted,
                    weights: [wanted.weights.clone(), wanted.against.clone()],
                }));
                submitted += 1;
            }
            if let GameEvent::Finished(played) = games.wait(LOOK_UP)? {
                buffer.add(played.number, played.half, played.record?);
            }
            while let Some(pair) = buffer.take(next) {
                faults.add(&pair)?;
                population.apply(wanted.entry(next, &pair)?)?;
                next += 1;
            }
            let played = 2 * counted(all, population.measurements());
            if watch(population, played).is_break() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The same with another program as the player, in threads of this process: the
/// workers know what to do when it fails.
fn prove_by_engine(
    population: &mut Population,
    all: &[PlannedMatch],
    threads: usize,
    watch: &mut dyn FnMut(&Population, u64) -> ControlFlow<()>,
) -> Result<bool, ProofError> {
    if is_proved(all, population.measurements()) {
        return Ok(true);
    }
    let (_, version) = engine_version(population)?;
    let genes = &population.plan().genome.table;
    let settings = GameSettings::new(population.params(), genes, version)?;
    let halt = Arc::new(AtomicBool::new(false));
    let workers = (0..threads.max(1)).map(|_| RunWorker::new(&settings, &halt));
    let workers: Result<Vec<_>, StartError> = workers.collect();
    let prove = |pool: &RunPool| prove_by_source(population, all, pool, watch);
    WorkerPool::run(workers?, &halt, prove)?
}

/// Plays what is missing of those matches that are chosen, in threads of this
/// process.
fn prove_by_threads(
    population: &mut Population,
    all: &[PlannedMatch],
    is_chosen: &dyn Fn(&PlannedMatch) -> bool,
    threads: usize,
    watch: &mut dyn FnMut(&Population, u64) -> ControlFlow<()>,
) -> Result<bool, ProofError> {
    if !population.params().genome.engine.is_empty() {
        return prove_by_engine(population, all, threads, watch);
    }
    let conditions = Conditions::from(population.params());
    let (_, version) = engine_version(population)?;
    let genes = BuiltIn::new(&population.plan().genome.table)?;
    // Pairs are saved by one callback of the match, and looked at by the other.
    let population = RefCell::new(population);
    for wanted in all.iter().filter(|planned| is_chosen(planned)) {
        let (first, before) = {
            let population = population.borrow();
            let measurements = population.measurements();
            (wanted.counted(measurements), counted(all, measurements))
        };
        if first == wanted.pairs {
            continue;
        }
        let mut failed: Option<ProofError> = None;
        let mut save = |number, games: &_| {
            let entry = wanted.entry(number, games).map_err(ProofError::from);
            let saved = entry.and_then(|entry| Ok(population.borrow_mut().apply(entry)?));
            match saved {
                Ok(_) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let name = wanted.file.to_string();
        let player = |name: &str, genome: &Genome| {
            let weights = &genes.weights(genome);
            player(Contestant { name, weights }, &conditions, version)
        };
        let players = [
            player(&name, &wanted.weights),
            match &wanted.player {
                Some(spec) => panel_player(spec, &conditions, EngineVersion::PRESENT),
                None => player(&wanted.opponent, &wanted.against),
            },
        ];
        let ended = play_pairs(
            &players,
            &conditions,
            first..wanted.pairs,
            threads,
            &mut save,
            &mut |games| watch(&population.borrow(), 2 * before + games),
        )?;
        if let Some(error) = failed {
            return Err(error);
        }
        if ended == Ended::Interrupted {
            return Ok(false);
        }
    }
    Ok(true)
}
