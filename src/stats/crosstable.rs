//! A cross table: who scored how much against whom.

use thiserror::Error;

use super::tally::Record;

/// The points of every player against every other. Players are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crosstable {
    players: usize,
    /// Row by row: what the row's player got from the column's, in halves.
    halves: Vec<u64>,
}

/// Results that no cross table can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CrosstableError {
    /// There is no player of this number.
    #[error("player {player} does not exist: the table's {players} players are numbered from 0")]
    NoSuchPlayer {
        /// The number that was given.
        player: usize,
        /// How many players the table has.
        players: usize,
    },
    /// A player met itself.
    #[error("player {0} cannot play against itself")]
    Itself(usize),
}

impl Crosstable {
    /// A table of so many players, numbered from 0, without games.
    pub fn new(players: usize) -> Crosstable {
        Crosstable {
            players,
            halves: vec![0; players * players],
        }
    }

    /// A table from the wins, draws and losses of `a` against `b`.
    #[cfg(test)]
    pub(super) fn from_results(players: usize, results: &[(usize, usize, [u64; 3])]) -> Crosstable {
        let mut table = Crosstable::new(players);
        for &(a, b, [wins, draws, losses]) in results {
            let record = Record {
                wins,
                draws,
                losses,
            };
            table.add(a, b, record).expect("players of the table");
        }
        table
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Adds games between `a` and `b`; `record` is `a`'s.
    ///
    /// # Errors
    ///
    /// Where `a` or `b` is not in the table, or both are the same player.
    pub fn add(&mut self, a: usize, b: usize, record: Record) -> Result<(), CrosstableError> {
        let players = self.players;
        if let Some(player) = [a, b].into_iter().find(|&player| player >= players) {
            return Err(CrosstableError::NoSuchPlayer { player, players });
        }
        if a == b {
            return Err(CrosstableError::Itself(a));
        }
        self.halves[a * players + b] += record.halves();
        self.halves[b * players + a] += record.reversed().halves();
        Ok(())
    }

    /// What `a` got from `b`, in halves.
    fn halves(&self, a: usize, b: usize) -> u64 {
        self.halves[a * self.players + b]
    }

    /// How many games `a` and `b` played against each other.
    pub(super) fn games_between(&self, a: usize, b: usize) -> u64 {
        (self.halves(a, b) + self.halves(b, a)) / 2
    }

    /// The number of a player's games; 0 for a player that is not in the table.
    pub fn games(&self, player: usize) -> u64 {
        let opponents = 0..self.players;
        opponents
            .filter(|_| player < self.players)
            .map(|opponent| self.games_between(player, opponent))
            .sum()
    }

    /// A player's points; 0 for a player that is not in the table.
    pub fn points(&self, player: usize) -> f64 {
        let opponents = 0..self.players;
        opponents
            .filter(|_| player < self.players)
            .map(|opponent| self.halves(player, opponent) as f64 / 2.0)
            .sum()
    }

    /// The strongly connected component of every player in the graph of points
    /// scored, named by its lowest player. Two players share one when each
    /// scored against the other, directly or by way of others. Results fix how
    /// far two players are apart only within a component: between components,
    /// one side never lost a point, or they never met.
    pub(super) fn components(&self) -> Vec<usize> {
        const NONE: usize = usize::MAX;
        let mut component = vec![NONE; self.players];
        for player in 0..self.players {
            if component[player] == NONE {
                let below = self.reachable(player, |a, b| self.halves(a, b) > 0);
                let above = self.reachable(player, |a, b| self.halves(b, a) > 0);
                for other in 0..self.players {
                    if below[other] && above[other] {
                        component[other] = player;
                    }
                }
            }
        }
        component
    }

    /// The players that `from` reaches step by step, itself included.
    fn reachable(&self, from: usize, step: impl Fn(usize, usize) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.players];
        reached[from] = true;
        let mut todo = vec![from];
        while let Some(a) = todo.pop() {
            for (b, seen) in reached.iter_mut().enumerate() {
                if !*seen && step(a, b) {
                    *seen = true;
                    todo.push(b);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(wins: u64, draws: u64, losses: u64) -> Record {
        Record {
            wins,
            draws,
            losses,
        }
    }

    #[test]
    fn both_players_get_their_points() {
        let mut table = Crosstable::new(3);
        assert_eq!(table.add(0, 1, record(3, 1, 2)), Ok(()));
        assert_eq!(table.add(1, 0, record(1, 0, 0)), Ok(()));
        assert_eq!(table.add(2, 0, record(0, 2, 0)), Ok(()));
        assert_eq!((table.points(0), table.games(0)), (4.5, 9));
        assert_eq!((table.points(1), table.games(1)), (3.5, 7));
        assert_eq!((table.points(2), table.games(2)), (1.0, 2));
        assert_eq!(table.games(3), 0);
    }

    #[test]
    fn components_of_mutual_points() {
        let mut table = Crosstable::new(6);
        let win = record(1, 0, 0);
        // 0, 1 and 2 beat each other in turn; 3 lost to 0 only; 4 drew with 3;
        // 5 has not played.
        for (a, b, games) in [
            (0, 1, win),
            (1, 2, win),
            (2, 0, win),
            (0, 3, win),
            (3, 4, record(0, 1, 0)),
        ] {
            table.add(a, b, games).expect("players of the table");
        }
        assert_eq!(table.components(), [0, 0, 0, 3, 3, 5]);
    }

    #[test]
    fn impossible_results_are_refused() {
        let mut table = Crosstable::new(2);
        let message = |result: Result<(), CrosstableError>| {
            result.expect_err("an impossible result").to_string()
        };
        assert_eq!(
            message(table.add(0, 2, record(1, 0, 0))),
            "player 2 does not exist: the table's 2 players are numbered from 0"
        );
        assert_eq!(
            message(table.add(1, 1, record(1, 0, 0))),
            "player 1 cannot play against itself"
        );
        assert_eq!(table, Crosstable::new(2));
    }
}
