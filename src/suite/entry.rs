//! A position of a suite, and a game that such positions come from.

use super::examine::ProofSettings;
use super::fate::{ErrorKind, Fate, Judgement};
use crate::board::{Board, Move};
use crate::game::{NoMoves, Rules, Simultaneous};

/// A game in which errors are looked for.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The names of Black and White; empty where unknown.
    pub players: [String; 2],
    /// The position before the first move.
    pub first: Board,
    /// All moves, legal one after the other.
    pub moves: Vec<Move>,
    /// How many of the moves are the opening's, which no player chose.
    pub opening: usize,
}

/// A position at which a player threw away what it had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position, whose side to move went wrong.
    pub board: Board,
    /// Plies of the game before it.
    pub plies: u32,
    /// The player that went wrong; empty where unknown.
    pub by: String,
    /// What it played.
    pub played: Move,
    /// Every move that keeps what the position offers.
    pub right: Vec<Move>,
    /// The number of legal moves.
    pub moves: u32,
    /// How many of them lose by proof.
    pub losing: u32,
    /// What the position offers.
    pub before: Judgement,
    /// What the move that was played left.
    pub after: Judgement,
    /// Positions visited to prove all moves.
    pub nodes: u64,
    /// The line of a file that it begins in, from 1; 0 where it comes from none.
    pub line: usize,
}

impl Entry {
    /// What kind of error it is.
    ///
    /// # Panics
    /// Where it is none, which neither a file nor a search lets through.
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::of(self.before.fate, self.after.fate).expect("an entry is an error")
    }

    /// The plies that must be seen to avoid the error: to the end of the win that
    /// is missed, or of the loss that is walked into.
    pub fn difficulty(&self) -> u32 {
        if self.before.fate == Fate::Win {
            self.before.plies
        } else {
            self.after.plies
        }
    }
}

/// Positions that all were proved in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// The command that made it; empty where unknown.
    pub command: String,
    /// Where its games come from.
    pub source: String,
    /// Games that were looked through.
    pub games: u64,
    /// Decides a capture that leaves both sides connected.
    pub simultaneous: Simultaneous,
    /// Decides what a side without a move does.
    pub no_moves: NoMoves,
    /// How much was proved.
    pub settings: ProofSettings,
    /// The positions; no two of them are the same under symmetry.
    pub entries: Vec<Entry>,
}

impl Suite {
    /// The rules that its values depend on. Repetition and the ply limit belong to
    /// a game, and are those of the defaults.
    pub fn rules(&self) -> Rules {
        Rules {
            simultaneous: self.simultaneous,
            no_moves: self.no_moves,
            ..Rules::default()
        }
    }

    /// The share of positions that a player solves on average which draws its
    /// moves by lot.
    pub fn by_lot(&self) -> f64 {
        let share = |entry: &Entry| entry.right.len() as f64 / f64::from(entry.moves);
        let sum: f64 = self.entries.iter().map(share).sum();
        sum / (self.entries.len() as f64).max(1.0)
    }
}
