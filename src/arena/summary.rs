//! What the games of a match add up to, from A's point of view.
//!
//! Games that a player lost by a fault are counted as games, but what is said
//! of strength comes from pairs without one.

use std::ops::AddAssign;

use serde::Serialize;

use super::contender::Fault;
use super::game::TimeUsed;
use super::match_runner::PlayedPair;
use super::record::{EndCause, GameRecord};
use crate::board::Side;
use crate::stats::{GameScore, Record, Tally};

/// A match so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The results of all pairs.
    pub tally: Tally,
    /// The results of the pairs in which nobody lost by a fault.
    pub faultless: Tally,
    /// The games that nobody lost by a fault, also those of pairs with one.
    pub on_board: Record,
    /// Games among them that were adjudicated.
    pub adjudicated: u64,
    /// The work of A and of B.
    pub work: [Work; 2],
    /// The time that A's and B's moves took.
    pub time: [TimeUsed; 2],
}

/// A player's part in a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Work {
    /// Positions visited.
    pub nodes: u64,
    /// Moves chosen.
    pub moves: u64,
    /// Moves among them that came from an opening book.
    pub book_moves: u64,
    /// Games lost by not answering in time.
    pub hangs: u64,
    /// Games lost by dying.
    pub dies: u64,
    /// Games lost by an illegal move.
    pub illegal_moves: u64,
    /// Games lost on time.
    pub time_losses: u64,
}

impl Work {
    /// Positions a move; `None` without moves.
    pub fn nodes_per_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.nodes as f64 / self.moves as f64)
    }

    /// Games lost by a fault.
    pub const fn faults(&self) -> u64 {
        self.hangs + self.dies + self.illegal_moves + self.time_losses
    }

    /// The kinds of faults that there were, for people: `2 died, 1 hung`.
    pub fn faults_text(&self) -> String {
        let kinds = [
            (self.dies, "died"),
            (self.hangs, "hung"),
            (self.illegal_moves, "by an illegal move"),
            (self.time_losses, "on time"),
        ];
        let kinds = kinds.iter().filter(|(count, _)| *count > 0);
        let texts: Vec<String> = kinds
            .map(|(count, kind)| format!("{count} {kind}"))
            .collect();
        texts.join(", ")
    }
}

impl Summary {
    /// Counts a pair of a match, with what is known of it beside its games.
    pub fn add_played(&mut self, played: &PlayedPair) {
        self.add(&played.games);
        self.add_time(&played.time);
        let [first, second] = played.book_moves;
        for (player, moves) in [(0, first[0] + second[1]), (1, first[1] + second[0])] {
            self.work[player].book_moves += u64::from(moves);
        }
    }

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
        if games.iter().all(|record| record.outcome.fault().is_none()) {
            self.faultless.add_pair(first, second);
        }
        for (record, a_side) in games.iter().zip(colours) {
            match &record.outcome.cause {
                EndCause::Fault(_) => {}
                EndCause::Rules(_) => self.on_board.count(record.points(a_side)),
                EndCause::Adjudicated => {
                    self.on_board.count(record.points(a_side));
                    self.adjudicated += 1;
                }
            }
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
                        Fault::Overtime(_) => work.time_losses += 1,
                    }
                }
            }
        }
    }

    /// Adds what Black and White took in the two games of a pair.
    fn add_time(&mut self, [first, second]: &[[TimeUsed; 2]; 2]) {
        for (mine, theirs) in [(first, [0, 1]), (second, [1, 0])] {
            for (player, seat) in theirs.into_iter().enumerate() {
                self.time[player].add(mine[seat]);
            }
        }
    }

    /// Games lost by a fault, of both players.
    pub fn faults(&self) -> u64 {
        self.work.iter().map(Work::faults).sum()
    }

    /// Plies a game; `None` without games.
    pub fn plies_per_game(&self) -> Option<f64> {
        let games = self.tally.games();
        (games > 0).then(|| self.tally.plies as f64 / games as f64)
    }

    /// Seconds a move of A or B; `None` without moves.
    pub fn seconds_per_move(&self, player: usize) -> Option<f64> {
        let moves = self.work[player].moves;
        (moves > 0).then(|| self.time[player].total.as_secs_f64() / moves as f64)
    }
}

impl AddAssign<&Summary> for Summary {
    fn add_assign(&mut self, other: &Summary) {
        self.tally += other.tally;
        self.faultless += other.faultless;
        self.on_board += other.on_board;
        self.adjudicated += other.adjudicated;
        for player in [0, 1] {
            self.work[player] += other.work[player];
            self.time[player].add(other.time[player]);
        }
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        self.nodes += other.nodes;
        self.moves += other.moves;
        self.book_moves += other.book_moves;
        self.hangs += other.hangs;
        self.dies += other.dies;
        self.illegal_moves += other.illegal_moves;
        self.time_losses += other.time_losses;
    }
}
