//! The results of a match between A and B, from A's point of view.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use super::{Moments, Pentanomial};

/// What A got out of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Points {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// One point.
    Win,
}

impl Points {
    /// The points in halves: 0, 1 or 2.
    pub const fn halves(self) -> u64 {
        self as u64
    }
}

/// A finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameScore {
    /// The points that A got.
    pub points: Points,
    /// The plies played, those of the opening included.
    pub plies: u32,
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Record {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Record {
    /// Counts one game.
    pub fn count(&mut self, points: Points) {
        match points {
            Points::Win => self.wins += 1,
            Points::Draw => self.draws += 1,
            Points::Loss => self.losses += 1,
        }
    }

    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points in halves: two a win, one a draw.
    pub const fn halves(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Points a game, 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.halves() as f64 / (2 * games) as f64)
    }

    /// Mean and variance of a game's score; `None` without games. Takes every
    /// game as independent: for paired games use [`Pentanomial::moments`].
    pub fn moments(&self) -> Option<Moments> {
        Moments::from_counts(&[0.0, 0.5, 1.0], &[self.losses, self.draws, self.wins], 1)
    }

    /// The same games from the opponent's point of view.
    pub const fn reversed(&self) -> Record {
        Record {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

impl Add for Record {
    type Output = Record;

    fn add(self, other: Record) -> Record {
        Record {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl AddAssign for Record {
    fn add_assign(&mut self, other: Record) {
        *self = *self + other;
    }
}

/// The results of a match, pair by pair; the module has an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tally {
    /// A's games as Black.
    pub as_black: Record,
    /// A's games as White.
    pub as_white: Record,
    /// The pairs by A's points in them.
    pub pairs: Pentanomial,
    /// Plies of all games together.
    pub plies: u64,
}

impl Tally {
    /// Counts the two games of an opening: A is Black in the first, White in
    /// the second.
    pub fn add_pair(&mut self, first: GameScore, second: GameScore) {
        self.as_black.count(first.points);
        self.as_white.count(second.points);
        let class = first.points.halves() + second.points.halves();
        self.pairs.0[class as usize] += 1;
        self.plies += u64::from(first.plies) + u64::from(second.plies);
    }

    /// All games, of either colour.
    pub fn record(&self) -> Record {
        self.as_black + self.as_white
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.record().games()
    }

    /// Points a game, 0 to 1; none without games.
    pub fn score(&self) -> Option<f64> {
        self.record().score()
    }

    /// Mean and variance by pairs, from which [`Moments`] derives Elo,
    /// normalised Elo and LOS; none without games.
    pub fn moments(&self) -> Option<Moments> {
        self.pairs.moments()
    }

    /// The same match from B's point of view.
    pub fn reversed(&self) -> Tally {
        Tally {
            as_black: self.as_white.reversed(),
            as_white: self.as_black.reversed(),
            pairs: self.pairs.reversed(),
            plies: self.plies,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.as_black += other.as_black;
        self.as_white += other.as_white;
        self.pairs += other.pairs;
        self.plies += other.plies;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Points::{Draw, Loss, Win};

    fn game(points: Points, plies: u32) -> GameScore {
        GameScore { points, plies }
    }

    fn sample() -> Tally {
        let mut tally = Tally::default();
        tally.add_pair(game(Win, 40), game(Win, 51));
        tally.add_pair(game(Win, 30), game(Loss, 60));
        tally.add_pair(game(Draw, 200), game(Loss, 33));
        tally.add_pair(game(Draw, 200), game(Draw, 200));
        tally
    }

    #[test]
    fn pairs_are_counted_by_colour_and_by_points() {
        let tally = sample();
        let record = |wins, draws, losses| Record {
            wins,
            draws,
            losses,
        };
        assert_eq!(tally.as_black, record(2, 2, 0));
        assert_eq!(tally.as_white, record(1, 1, 2));
        assert_eq!(tally.record(), record(3, 3, 2));
        assert_eq!(tally.pairs, Pentanomial([0, 1, 2, 0, 1]));
        assert_eq!(tally.plies, 814);
        assert_eq!(tally.games(), 8);
        assert_eq!(tally.score(), Some(4.5 / 8.0));
        assert_eq!(tally.moments().map(|m| m.mean), tally.score());
    }

    #[test]
    fn merging_is_counting_both() {
        let mut twice = sample();
        twice += sample();
        assert_eq!(twice.games(), 16);
        assert_eq!(twice.plies, 2 * 814);
        assert_eq!(twice.pairs, Pentanomial([0, 2, 4, 0, 2]));
        assert_eq!(twice.score(), sample().score());
        let mut same = sample();
        same += Tally::default();
        assert_eq!(same, sample());
    }

    #[test]
    fn the_opponent_sees_the_mirror_image() {
        let mut seen_by_b = Tally::default();
        // B is White where A was Black: the games of a pair change places.
        seen_by_b.add_pair(game(Loss, 51), game(Loss, 40));
        seen_by_b.add_pair(game(Win, 60), game(Loss, 30));
        seen_by_b.add_pair(game(Win, 33), game(Draw, 200));
        seen_by_b.add_pair(game(Draw, 200), game(Draw, 200));
        assert_eq!(sample().reversed(), seen_by_b);
    }

    #[test]
    fn no_games_have_no_score() {
        assert_eq!(Tally::default().score(), None);
        assert_eq!(Tally::default().moments(), None);
    }

    #[test]
    fn the_stored_form() {
        let json = serde_json::to_string(&sample()).expect("a tally is JSON");
        assert_eq!(
            json,
            r#"{"as_black":{"wins":2,"draws":2,"losses":0},"#.to_owned()
                + r#""as_white":{"wins":1,"draws":1,"losses":2},"#
                + r#""pairs":[0,1,2,0,1],"plies":814}"#
        );
        let back: Tally = serde_json::from_str(&json).expect("and back");
        assert_eq!(back, sample());
    }
}
