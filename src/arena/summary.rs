//! What the games of a match add up to, from A's point of view.

use serde::Serialize;

use super::contender::Fault;
use super::record::GameRecord;
use crate::board::Side;
use crate::stats::{GameScore, Tally};

/// A match so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The results of all pairs.
    pub tally: Tally,
    /// The work of A and of B.
    pub work: [Work; 2],
}

/// A player's part in a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Work {
    /// Positions visited.
    pub nodes: u64,
    /// Moves chosen.
    pub moves: u64,
    /// Games lost by not answering in time.
    pub hangs: u64,
    /// Games lost by dying.
    pub dies: u64,
    /// Games lost by an illegal move.
    pub illegal_moves: u64,
}

impl Work {
    /// Positions a move; `None` without moves.
    pub fn nodes_per_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.nodes as f64 / self.moves as f64)
    }

    /// Games lost by a fault.
    pub const fn faults(&self) -> u64 {
        self.hangs + self.dies + self.illegal_moves
    }
}

impl Summary {
    /// Counts a pair: A is Black in the first game, White in the second.
    pub fn add(&mut self, games: &[GameRecord; 2]) {
        let colours = [Side::X, Side::O];
        let [first, second] = [0, 1].map(|game| {
            let record = &games[game];
            GameScore {
                points: record.points(colours[game]),
                plies: record.plies(),
            }
        });
        self.tally.add_pair(first, second);
        for (record, a_side) in games.iter().zip(colours) {
            for (work, side) in self.work.iter_mut().zip([a_side, !a_side]) {
                work.nodes += record.nodes[side.index()];
                work.moves += u64::from(record.choices()[side.index()]);
                if record.winner() == Some(!side)
                    && let Some(fault) = record.outcome.fault()
                {
                    match fault {
                        Fault::Hangs(_) => work.hangs += 1,
                        Fault::Dies(_) => work.dies += 1,
                        Fault::Illegal(_) => work.illegal_moves += 1,
                    }
                }
            }
        }
    }

    /// Plies a game; `None` without games.
    pub fn plies_per_game(&self) -> Option<f64> {
        let games = self.tally.games();
        (games > 0).then(|| self.tally.plies as f64 / games as f64)
    }
}
