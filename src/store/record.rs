//! What is written down: the entries of the journal, which the store holds
//! too.

use serde::{Deserialize, Serialize};

use super::stored_game::{GameError, StoredGame};
use crate::arena::GameRecord;
use crate::board::Side;
use crate::eval::Weights;
use crate::evolve::{FileId, MatchResult, Pairing, match_score};
use crate::search::value::WIN;
use crate::stats::Tally;

/// How a population begins: entry 0 of every journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begin {
    /// The effective parameters, as the text of a `params.toml`.
    pub params: String,
    /// Weights around which half of the first population is drawn.
    pub seeds: Vec<Weights>,
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
        weights: Weights,
    },
    /// The parameters were changed between two matches.
    Changed {
        /// The effective parameters from here on, as the text of a
        /// `params.toml`.
        params: String,
        /// What changed, a line a key.
        keys: Vec<String>,
    },
    /// A match outside of the evolution, added up.
    Measured(MeasuredMatch),
    /// From here on games are played by the engine with this signature.
    Engine(u64),
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
    pub weights: Weights,
    /// What the match was played for.
    pub purpose: Purpose,
    /// The results, from the file's point of view.
    pub tally: Tally,
}

/// What a measured match was played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// To prove the champion.
    Certificate,
    /// To see how the hall grew stronger.
    Hall,
}

/// Two games that are no match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A game is none.
    #[error("match {number}, game {game}: {cause}")]
    Game {
        /// The match.
        number: u64,
        /// 1 or 2.
        game: usize,
        /// What is wrong with it.
        cause: GameError,
    },
    /// The games do not belong together.
    #[error("match {number}: its games have the seeds {} and {}, not one", seeds[0], seeds[1])]
    Seeds {
        /// The match.
        number: u64,
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
        let seeds = [games[0].seed, games[1].seed];
        if seeds[0] != seeds[1] {
            return Err(RecordError::Seeds { number, seeds });
        }
        Ok(MatchRecord {
            number,
            files: pairing.files,
            is_final: pairing.is_final,
            seed: seeds[0],
            games: [StoredGame::from(&games[0]), StoredGame::from(&games[1])],
        })
    }

    /// Its games as the arena records them; players are called `#12`.
    ///
    /// # Errors
    /// The first game whose stored moves are not legal.
    pub fn game_records(&self) -> Result<[GameRecord; 2], RecordError> {
        let [first, second] = self.files.map(|file| file.to_string());
        let record = |n: usize, players| {
            let failed = |cause| RecordError::Game {
                number: self.number,
                game: n + 1,
                cause,
            };
            self.games[n].record(players, self.seed).map_err(failed)
        };
        Ok([
            record(0, [first.clone(), second.clone()])?,
            record(1, [second, first])?,
        ])
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
