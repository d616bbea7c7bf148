//! One move of a book: its games and what they say.

use crate::board::Move;
use crate::stats::Record;

/// A move and the results of its games, as the side that moves sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move; in a [`super::Book`] a move of the canonical position.
    pub mv: Move,
    /// What its games brought.
    pub record: Record,
}

/// Won and lost games that are added before an error is estimated (Agresti and
/// Coull): a move that was played once has a wide error, not none.
const ADDED: f64 = 2.0;

/// The normal quantile of a 95 % interval.
const QUANTILE: f64 = 1.96;

impl BookMove {
    /// How often it was played.
    pub const fn games(&self) -> u64 {
        self.record.games()
    }

    /// Points a game, 0 to 1.
    pub fn score(&self) -> f64 {
        self.record.score().unwrap_or(0.5)
    }

    /// The 95 % error of the score.
    pub fn error(&self) -> f64 {
        let (mean, games) = self.shrunk();
        let wins = self.record.wins as f64 + ADDED;
        let squares = (wins + self.record.draws as f64 / 4.0) / games;
        let variance = (squares - mean * mean).max(0.0);
        QUANTILE * (variance / games).sqrt()
    }

    /// The score that the move has at least, as far as its games can tell: what
    /// moves are chosen by.
    pub fn lower_bound(&self) -> f64 {
        self.shrunk().0 - self.error()
    }

    /// The score with the added games, and the number of games with them.
    fn shrunk(&self) -> (f64, f64) {
        let games = self.games() as f64 + 2.0 * ADDED;
        let points = self.record.halves() as f64 / 2.0 + ADDED;
        (points / games, games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(wins: u64, draws: u64, losses: u64) -> BookMove {
        let record = Record {
            wins,
            draws,
            losses,
        };
        BookMove {
            mv: Move::PASS,
            record,
        }
    }

    #[test]
    fn more_games_are_surer() {
        assert_eq!(of(3, 2, 3).score(), 0.5);
        assert!((of(50, 0, 50).error() - 1.96 * 0.5 / 104_f64.sqrt()).abs() < 1e-12);
        // Draws leave less in doubt than as many wins and losses.
        assert!(of(0, 20, 0).error() < of(10, 0, 10).error());
        assert!(of(1, 0, 0).error() > 0.3);
        assert!(of(60, 0, 40).lower_bound() > of(6, 0, 4).lower_bound());
        assert!(of(6, 0, 4).lower_bound() > of(1, 0, 0).lower_bound() - 0.2);
        // One lucky game does not go before many good ones.
        assert!(of(1, 0, 0).lower_bound() < of(30, 0, 20).lower_bound());
    }
}
