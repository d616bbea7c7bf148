//! What is written down: the entries of the journal, which the store holds
//! too.

use serde::{Deserialize, Serialize};

use super::measurements::MatchIdentity;
use super::stored_game::{GameError, StoredGame};
use crate::arena::GameRecord;
use crate::board::Side;
use crate::evolve::{FileId, Learned, MatchResult, Pairing, match_score};
use crate::genome::{GeneTable, Genome};
use crate::search::value::WIN;
use crate::stats::{GameScore, Tally};

/// How a population begins: entry 0 of every journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begin {
    /// The effective parameters, as the text of a `params.toml`.
    pub params: String,
    /// The genes of every individual.
    pub genes: GeneTable,
    /// Genomes around which half of the first population is drawn.
    pub seeds: Vec<Genome>,
}

/// Anything after the beginning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// A match was played.
    Match(MatchRecord),
    /// Weights were imported.
    Immigrant {
        /// What they were called.
        name: String,
        /// The weights.
        weights: Genome,
    },
    /// The parameters were changed between two matches.
    Changed {
        /// The effective parameters from here on, as the text of a
        /// `params.toml`.
        params: String,
        /// What changed, a line a key.
        keys: Vec<String>,
    },
    /// A match outside of the evolution, added up: earlier programs saved such
    /// matches as a whole.
    Measured(MeasuredMatch),
    /// From here on games are played by the engine with this signature.
    Engine(u64),
    /// A pair of games of a match outside of the evolution.
    MeasuredPair(MeasuredPair),
    /// A finished population is taken further.
    Extended {
        /// The effective parameters from here on, as the text of a
        /// `params.toml`.
        params: String,
        /// What changed, a line a key.
        keys: Vec<String>,
    },
    /// What the lesson that was due has brought.
    Scholar(Learned),
}

impl Entry {
    /// The genome that the entry brings, where it brings one.
    pub fn genome(&self) -> Option<&Genome> {
        match self {
            Entry::Immigrant { weights, .. } => Some(weights),
            Entry::Measured(measured) => Some(&measured.weights),
            Entry::MeasuredPair(pair) => Some(&pair.weights),
            Entry::Scholar(learned) => Some(&learned.weights),
            Entry::Match(_) | Entry::Changed { .. } | Entry::Engine(_) | Entry::Extended { .. } => {
                None
            }
        }
    }
}

/// A match of the evolution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchRecord {
    /// Its number in the run, from 0.
    pub number: u64,
    /// Who played; the first is Black in the first game.
    pub files: [FileId; 2],
    /// Whether it belongs to the final.
    pub is_final: bool,
    /// The seed of its opening.
    pub seed: u64,
    /// The two games of the opening.
    pub games: [StoredGame; 2],
}

/// A match of many games outside of the evolution, added up: it changes
/// nothing in the state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuredMatch {
    /// The file whose strength is measured.
    pub file: FileId,
    /// Who played against it, as people name players.
    pub opponent: String,
    /// What it played with.
    pub weights: Genome,
    /// What the match was played for.
    pub purpose: Purpose,
    /// The results, from the file's point of view.
    pub tally: Tally,
}

/// Two games of a match outside of the evolution. They change nothing in the
/// state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuredPair {
    /// The file whose strength is measured. It is Black in the first game.
    pub file: FileId,
    /// Who played against it, as people name players.
    pub opponent: String,
    /// What it played with.
    pub weights: Genome,
    /// What the match is played for.
    pub purpose: Purpose,
    /// The number of the pair in its match, from 0.
    pub number: u64,
    /// The seed of its opening.
    pub seed: u64,
    /// The two games of the opening.
    pub games: [StoredGame; 2],
}

/// What a measured match was played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// To prove the champion.
    Certificate,
    /// To see how the hall grew stronger.
    Hall,
    /// To measure the champion against a player of another kind. The opponent's
    /// name is its text, `champion@selective:n2000`.
    Panel {
        /// The signature of the opponent's engine.
        engine: u64,
    },
}

/// Two games that are no match, or no pair.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A game is none.
    #[error("{of}, game {game}: {cause}")]
    Game {
        /// The match or pair.
        of: String,
        /// 1 or 2.
        game: usize,
        /// What is wrong with it.
        cause: GameError,
    },
    /// The games do not belong together.
    #[error("{of}: its games have the seeds {} and {}, not one", seeds[0], seeds[1])]
    Seeds {
        /// The match or pair.
        of: String,
        /// The seeds.
        seeds: [u64; 2],
    },
}

impl MatchRecord {
    /// The record of a match whose two games were played, colours swapped in
    /// the second.
    ///
    /// # Errors
    /// Where the games do not have the same seed.
    pub fn new(pairing: &Pairing, games: &[GameRecord; 2]) -> Result<MatchRecord, RecordError> {
        let number = pairing.number;
        Ok(MatchRecord {
            number,
            files: pairing.files,
            is_final: pairing.is_final,
            seed: common_seed(games, || match_name(number))?,
            games: stored(games),
        })
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        match_name(self.number)
    }

    /// Its games as the arena records them; players are called `#12`.
    ///
    /// # Errors
    /// The first game whose stored moves are not legal.
    pub fn game_records(&self) -> Result<[GameRecord; 2], RecordError> {
        let names = self.files.map(|file| file.to_string());
        records(&self.games, names, self.seed, || self.name())
    }

    /// The result as the rule takes it; the first file is Black in the first
    /// game and White in the second.
    pub fn result(&self) -> MatchResult {
        let games = [
            self.games[0].result_for(Side::X),
            self.games[1].result_for(Side::O),
        ];
        MatchResult {
            number: self.number,
            files: self.files,
            score: match_score(games, WIN),
        }
    }
}

impl MeasuredPair {
    /// The record of pair `number` of a match, the file Black in the first game.
    ///
    /// # Errors
    /// Where the games do not have the same seed.
    pub fn new(
        of: &MatchIdentity<'_>,
        number: u64,
        games: &[GameRecord; 2],
    ) -> Result<MeasuredPair, RecordError> {
        Ok(MeasuredPair {
            file: of.file,
            opponent: of.opponent.to_owned(),
            weights: of.weights.clone(),
            purpose: of.purpose,
            number,
            seed: common_seed(games, || pair_name(number, of.file, of.opponent))?,
            games: stored(games),
        })
    }

    /// Which match it belongs to.
    pub fn identity(&self) -> MatchIdentity<'_> {
        MatchIdentity {
            file: self.file,
            purpose: self.purpose,
            opponent: &self.opponent,
            weights: &self.weights,
        }
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        pair_name(self.number, self.file, &self.opponent)
    }

    /// Its games as the arena records them.
    ///
    /// # Errors
    /// The first game whose stored moves are not legal.
    pub fn game_records(&self) -> Result<[GameRecord; 2], RecordError> {
        let names = [self.file.to_string(), self.opponent.clone()];
        records(&self.games, names, self.seed, || self.name())
    }

    /// What the file got out of the two games.
    pub(super) fn scores(&self) -> [GameScore; 2] {
        let [first, second] = &self.games;
        [first.score_for(Side::X), second.score_for(Side::O)]
    }
}

fn match_name(number: u64) -> String {
    format!("match {number}")
}

fn pair_name(number: u64, file: FileId, opponent: &str) -> String {
    format!("pair {number} of {file} against {opponent}")
}

fn stored(games: &[GameRecord; 2]) -> [StoredGame; 2] {
    [StoredGame::from(&games[0]), StoredGame::from(&games[1])]
}

/// The seed that both games have.
fn common_seed(games: &[GameRecord; 2], name: impl FnOnce() -> String) -> Result<u64, RecordError> {
    let seeds = [games[0].seed, games[1].seed];
    if seeds[0] == seeds[1] {
        Ok(seeds[0])
    } else {
        let of = name();
        Err(RecordError::Seeds { of, seeds })
    }
}

/// Two stored games as the arena records them, the first player Black in the
/// first.
fn records(
    games: &[StoredGame; 2],
    [first, second]: [String; 2],
    seed: u64,
    name: impl Fn() -> String,
) -> Result<[GameRecord; 2], RecordError> {
    let record = |n: usize, players| {
        let failed = |cause| RecordError::Game {
            of: name(),
            game: n + 1,
            cause,
        };
        games[n].record(players, seed).map_err(failed)
    };
    Ok([
        record(0, [first.clone(), second.clone()])?,
        record(1, [second, first])?,
    ])
}
