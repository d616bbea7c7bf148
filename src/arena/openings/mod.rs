//! Openings: where the games of a match begin, so that they differ although
//! the players are deterministic.
//!
//! Owns the source of a match's openings. An opening is used for one pair: two
//! games with colours swapped. Random ones are drawn and judged in `random`,
//! those of a file are read in `book`. Random openings of four plies repeat
//! now and then: 2,000 of them were 1,915 different ones.

mod book;
mod random;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub use book::BookError;
pub use random::{NoOpening, RandomOpenings};

use random::Judge;

use crate::board::{Board, Move};
use crate::game::Game;
use crate::game::Rules;
use crate::random::{Stream, pair_seed};

/// The beginning of a game: a position, and moves from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The first position.
    pub first: Board,
    /// Legal moves from there, after which the game is not over.
    pub moves: Vec<Move>,
}

/// The moves that a game has made so far.
impl From<&Game> for Opening {
    fn from(game: &Game) -> Opening {
        Opening {
            first: *game.first_board(),
            moves: game.played().to_vec(),
        }
    }
}

impl Opening {
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
    recent: Arc<Mutex<Recent>>,
}

/// The last openings that were handed out, because each is asked for twice and
/// judging one takes as long as some moves of a shallow game.
type Recent = VecDeque<(u64, Rules, Start)>;

/// How many are remembered: the games that begin at about the same time.
const REMEMBERED: usize = 64;

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
            recent: Arc::default(),
        }
    }

    /// The openings of a file, in its order.
    ///
    /// # Errors
    /// Where the file cannot be read or a line is no opening.
    pub fn read(path: &Path, rules: &Rules, seed: u64) -> Result<Openings, BookError> {
        Ok(Openings {
            seed,
            stream: Stream::Match,
            source: Source::Book(book::read(path, rules)?),
            recent: Arc::default(),
        })
    }

    /// How many there are; `None` where there is no end to them.
    pub fn count(&self) -> Option<u64> {
        match &self.source {
            Source::Random(_) => None,
            Source::Book(book) => Some(book.len() as u64),
        }
    }

    /// An opener under these rules; each thread has its own.
    pub fn opener(&self, rules: &Rules) -> Opener<'_> {
        Opener {
            openings: self,
            judge: Judge::new(rules),
        }
    }
}

/// Hands out openings: what it gives depends on nothing but the number.
pub struct Opener<'a> {
    openings: &'a Openings,
    judge: Judge,
}

impl Opener<'_> {
    /// Opening `number`, from 0. A file's openings begin anew after the last.
    ///
    /// # Errors
    /// Where no random opening is level enough.
    pub fn get(&mut self, number: u64) -> Result<Start, NoOpening> {
        let rules = *self.judge.rules();
        if let Some(start) = self.openings.remembered(number, &rules) {
            return Ok(start);
        }
        let Openings {
            seed,
            stream,
            source,
            ..
        } = self.openings;
        let seed = pair_seed(*seed, *stream, number);
        let opening = match source {
            Source::Random(random) => random.draw(seed, *stream, &mut self.judge)?,
            Source::Book(book) => book[(number % book.len() as u64) as usize].clone(),
        };
        let start = Start { opening, seed };
        self.openings.remember(number, rules, &start);
        Ok(start)
    }
}

impl Openings {
    fn remembered(&self, number: u64, rules: &Rules) -> Option<Start> {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = recent.iter().rev();
        let found = found.find(|(other, under, _)| *other == number && under == rules);
        found.map(|(_, _, start)| start.clone())
    }

    /// The lock is not held while an opening is judged: two threads may both
    /// judge the same one.
    fn remember(&self, number: u64, rules: Rules, start: &Start) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() >= REMEMBERED {
            recent.pop_front();
        }
        recent.push_back((number, rules, start.clone()));
    }
}
