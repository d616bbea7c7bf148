//! The proof: the champion against the default weights, the best file of the
//! first population and every published champion; then the files of the hall
//! against the default weights, unless they were measured on the way. All on
//! openings that the evolution never saw.
//!
//! A match is kept when it is complete. An interrupted one is played again, to
//! the same result.

use std::ops::ControlFlow;

use super::proof::{Contestant, duel};
use crate::arena::match_runner::MatchError;
use crate::eval::Weights;
use crate::evolve::FileId;
use crate::stats::Tally;
use crate::store::{Duel, Entry, Population, Purpose, StoreError};
use crate::weights::Conditions;

/// A match that is part of the proof.
#[derive(Clone, Debug)]
pub(super) struct ProofDuel {
    /// Who is measured.
    pub file: FileId,
    /// What it plays with.
    pub weights: Weights,
    /// Its opponent's name,
    pub opponent: String,
    /// and weights.
    pub against: Weights,
    /// What for.
    pub purpose: Purpose,
    /// Games to be played.
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
pub(super) const DEFAULT: &str = "default";

/// All matches of the proof, in order; none before there is a champion.
pub(super) fn duels(
    population: &Population,
    published: &[(String, Weights)],
) -> Result<Vec<ProofDuel>, StoreError> {
    let (state, params) = (population.state(), population.params());
    let Some(champion) = state.champion() else {
        return Ok(Vec::new());
    };
    let mut opponents = vec![(String::from(DEFAULT), Weights::default())];
    if let Some((file, weights)) = state.best_founder() {
        opponents.push((format!("first population's best, {file}"), weights));
    }
    opponents.extend_from_slice(published);
    let against = |(opponent, against): (String, Weights)| ProofDuel {
        file: champion.file,
        weights: champion.weights,
        opponent,
        against,
        purpose: Purpose::Certificate,
        games: params.final_stage.certificate_games,
    };
    let mut all: Vec<ProofDuel> = opponents.into_iter().map(against).collect();
    for &file in state.hall() {
        all.extend(against_default(population, file)?);
    }
    all.retain(|duel| duel.games >= 2);
    Ok(all)
}

/// The match of a file of the hall; `None` where the store does not have the
/// file yet.
pub(super) fn against_default(
    population: &Population,
    file: FileId,
) -> Result<Option<ProofDuel>, StoreError> {
    let found = population.reader().file(file)?;
    Ok(found.map(|(birth, _)| ProofDuel {
        file,
        weights: birth.weights,
        opponent: String::from(DEFAULT),
        against: Weights::default(),
        purpose: Purpose::Hall,
        games: population.params().final_stage.hall_games,
    }))
}

impl ProofDuel {
    /// The match with its result.
    pub(super) fn with(self, tally: Tally) -> Duel {
        Duel {
            file: self.file,
            opponent: self.opponent,
            weights: self.against,
            purpose: self.purpose,
            tally,
        }
    }

    fn is(&self, duel: &Duel) -> bool {
        (duel.file, duel.purpose, &duel.opponent) == (self.file, self.purpose, &self.opponent)
    }
}

/// Plays what is missing. `watch` hears of games played, those of former
/// sittings included, and interrupts by saying so; then `false` comes back.
pub(super) fn prove(
    population: &mut Population,
    all: &[ProofDuel],
    threads: usize,
    watch: &mut dyn FnMut(u64, &ProofDuel, &Tally) -> ControlFlow<()>,
) -> Result<bool, ProofError> {
    let conditions = Conditions::from(population.params());
    let known = population.reader().duels()?;
    let is_known = |wanted: &&ProofDuel| known.iter().any(|duel| wanted.is(duel));
    let (known, missing): (Vec<_>, Vec<_>) = all.iter().partition(is_known);
    let mut before: u64 = known.iter().map(|duel| duel.games).sum();
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
        let played = duel(contestants, &conditions, wanted.games, threads, &mut told)?;
        let Some(tally) = played else {
            return Ok(false);
        };
        population.apply(Entry::Duel(wanted.clone().with(tally)))?;
        before += wanted.games;
    }
    Ok(true)
}
