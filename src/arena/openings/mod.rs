//! Openings: where the games of a match begin, so that they differ although
//! the players are deterministic.
//!
//! Owns the source of a match's openings. An opening is used for one pair: two
//! games with colours swapped. Random ones are drawn and judged in `random`,
//! those of a file are read in `book`.

mod book;
mod random;

use std::path::Path;

pub use book::BookError;
pub use random::{NoOpening, RandomOpenings};

use super::seeds::{Stream, pair_seed};
use crate::board::{Board, Move};
use crate::game::Game;
use crate::rules::Rules;

/// The beginning of a game: a position, and moves from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The first position.
    pub first: Board,
    /// Legal moves from there, after which the game is not over.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The beginning that a game has made so far.
    pub fn of(game: &Game) -> Opening {
        Opening {
            first: *game.first_board(),
            moves: game.played().to_vec(),
        }
    }

    /// The game after this opening; `None` where a move cannot be played or
    /// the game is over already.
    pub fn game(&self, rules: &Rules) -> Option<Game> {
        let mut game = Game::from_board(*rules, self.first);
        for &mv in &self.moves {
            game.play(mv).ok()?;
        }
        game.outcome().is_none().then_some(game)
    }
}

/// An opening, and the seed that gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The opening.
    pub opening: Opening,
    /// The pair's seed.
    pub seed: u64,
}

/// Where a match's openings come from.
#[derive(Clone, Debug)]
pub struct Openings {
    seed: u64,
    stream: Stream,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Random(RandomOpenings),
    Book(Vec<Opening>),
}

impl Openings {
    /// Random openings, the same for the same seed and stream.
    pub fn random(random: RandomOpenings, seed: u64, stream: Stream) -> Openings {
        Openings {
            seed,
            stream,
            source: Source::Random(random),
        }
    }

    /// The openings of a file, in its order.
    pub fn read(path: &Path, rules: &Rules, seed: u64) -> Result<Openings, BookError> {
        Ok(Openings {
            seed,
            stream: Stream::Match,
            source: Source::Book(book::read(path, rules)?),
        })
    }

    /// How many there are; `None` where there is no end to them.
    pub fn count(&self) -> Option<u64> {
        match &self.source {
            Source::Random(_) => None,
            Source::Book(book) => Some(book.len() as u64),
        }
    }

    /// Opening `number`, from 0. A file's openings begin anew after the last.
    pub fn get(&self, number: u64, rules: &Rules) -> Result<Start, NoOpening> {
        let seed = pair_seed(self.seed, self.stream, number);
        let opening = match &self.source {
            Source::Random(random) => random.draw(seed, self.stream, rules)?,
            Source::Book(book) => book[(number % book.len() as u64) as usize].clone(),
        };
        Ok(Start { opening, seed })
    }
}
