//! The proof: the champion against the default weights, the best file of the
//! first population and every published champion; then the files of the hall
//! against the default weights, unless they were measured on the way. All on
//! openings that the evolution never saw.
//!
//! A match is kept when it is complete. An interrupted one is played again, to
//! the same result.

use std::ops::ControlFlow;

use super::held_out::{Contestant, play_match};
use crate::arena::match_runner::MatchError;
use crate::eval::Weights;
use crate::evolve::FileId;
use crate::stats::Tally;
use crate::store::{Entry, MeasuredMatch, Population, Purpose, StoreError};
use crate::weights::Conditions;

/// A match that is part of the proof.
#[derive(Clone, Debug)]
pub(in crate::run) struct PlannedMatch {
    /// The file that is measured.
    pub file: FileId,
    /// The weights of that file.
    pub weights: Weights,
    /// The name of its opponent.
    pub opponent: String,
    /// The weights of its opponent.
    pub against: Weights,
    /// What the result is used for.
    pub purpose: Purpose,
    /// Games to be played, two for each opening.
    pub games: u64,
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The matches cannot be played.
    #[error(transparent)]
    Games(#[from] MatchError),
    /// They cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The name of the default weights as an opponent.
const DEFAULT: &str = "default";

/// All matches of the proof, in order; none before there is a champion.
pub(in crate::run) fn planned_matches(
    population: &Population,
    published: &[(String, Weights)],
) -> Result<Vec<PlannedMatch>, StoreError> {
    let (state, params) = (population.state(), population.params());
    let Some(champion) = state.champion() else {
        return Ok(Vec::new());
    };
    let mut opponents = vec![(String::from(DEFAULT), Weights::default())];
    if let Some((file, weights)) = state.best_founder() {
        opponents.push((format!("first population's best, {file}"), weights));
    }
    opponents.extend_from_slice(published);
    let against = |(opponent, against): (String, Weights)| PlannedMatch {
        file: champion.file,
        weights: champion.weights,
        opponent,
        against,
        purpose: Purpose::Certificate,
        games: params.final_stage.certificate_games,
    };
    let mut all: Vec<PlannedMatch> = opponents.into_iter().map(against).collect();
    for &file in state.hall_of_fame() {
        all.extend(against_default(population, file)?);
    }
    all.retain(|planned| planned.games >= 2);
    Ok(all)
}

/// The match of a file of the hall; `None` where the store does not have the
/// file yet.
pub(in crate::run) fn against_default(
    population: &Population,
    file: FileId,
) -> Result<Option<PlannedMatch>, StoreError> {
    let found = population.reader().file(file)?;
    Ok(found.map(|(birth, _)| PlannedMatch {
        file,
        weights: birth.weights,
        opponent: String::from(DEFAULT),
        against: Weights::default(),
        purpose: Purpose::Hall,
        games: population.params().final_stage.hall_games,
    }))
}

impl PlannedMatch {
    /// The match with its result.
    pub(in crate::run) fn with(self, tally: Tally) -> MeasuredMatch {
        MeasuredMatch {
            file: self.file,
            opponent: self.opponent,
            weights: self.against,
            purpose: self.purpose,
            tally,
        }
    }

    fn is(&self, measured: &MeasuredMatch) -> bool {
        let MeasuredMatch {
            file,
            purpose,
            opponent,
            ..
        } = measured;
        (*file, *purpose, opponent) == (self.file, self.purpose, &self.opponent)
    }
}

/// Plays what is missing. `watch` is told of games played, those before this
/// process included, and interrupts by a break; then `false` comes back.
pub(in crate::run) fn prove(
    population: &mut Population,
    all: &[PlannedMatch],
    threads: usize,
    watch: &mut dyn FnMut(u64, &PlannedMatch, &Tally) -> ControlFlow<()>,
) -> Result<bool, ProofError> {
    let conditions = Conditions::from(population.params());
    let known = population.reader().measured_matches()?;
    let is_known = |wanted: &&PlannedMatch| known.iter().any(|measured| wanted.is(measured));
    let (known, missing): (Vec<_>, Vec<_>) = all.iter().partition(is_known);
    let mut before: u64 = known.iter().map(|planned| planned.games).sum();
    for wanted in missing {
        let name = wanted.file.to_string();
        let contestants = [
            Contestant {
                name: &name,
                weights: &wanted.weights,
            },
            Contestant {
                name: &wanted.opponent,
                weights: &wanted.against,
            },
        ];
        let mut told = |games, tally: &Tally| watch(before + games, wanted, tally);
        let played = play_match(contestants, &conditions, wanted.games, threads, &mut told)?;
        let Some(tally) = played else {
            return Ok(false);
        };
        population.apply(Entry::Measured(wanted.clone().with(tally)))?;
        before += wanted.games;
    }
    Ok(true)
}
