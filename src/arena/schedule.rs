//! Who plays whom, in which order. Pure numbers: pair `n` of a schedule is
//! always the same.

/// The two games of one opening: A is Black in the first, White in the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePair {
    /// The numbers of A and B in the list of players.
    pub players: [usize; 2],
    /// The number of the opening.
    pub opening: u64,
}

/// Matches that are played side by side: in each round every match has one pair,
/// all from the same opening, so a schedule that is cut short is still fair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    matches: Vec<[usize; 2]>,
    rounds: u64,
    /// The number of the first round's opening.
    first: u64,
}

impl Schedule {
    /// A match of players 0 and 1.
    pub fn single_match(pairs: u64) -> Schedule {
        Schedule {
            matches: vec![[0, 1]],
            rounds: pairs,
            first: 0,
        }
    }

    /// Player 0 against each of the others.
    pub fn gauntlet(players: usize, pairs: u64) -> Schedule {
        Schedule {
            matches: (1..players).map(|other| [0, other]).collect(),
            rounds: pairs,
            first: 0,
        }
    }

    /// Everyone against everyone.
    pub fn round_robin(players: usize, pairs: u64) -> Schedule {
        let matches = (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b]));
        Schedule {
            matches: matches.collect(),
            rounds: pairs,
            first: 0,
        }
    }

    /// The same, begun at a later opening: what is left of a schedule of which
    /// `first` rounds were played before.
    #[must_use]
    pub fn from_opening(self, first: u64) -> Schedule {
        Schedule { first, ..self }
    }

    /// The two players of each match.
    pub fn matches(&self) -> &[[usize; 2]] {
        &self.matches
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> u64 {
        self.rounds.saturating_mul(self.matches.len() as u64)
    }

    /// Pair `number`, from 0.
    pub fn pair(&self, number: u64) -> Option<GamePair> {
        let matches = self.matches.len() as u64;
        (number < self.pairs()).then(|| GamePair {
            players: self.matches[(number % matches) as usize],
            opening: self.first + number / matches,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(schedule: &Schedule) -> Vec<(usize, usize, u64)> {
        let pairs = (0..).map_while(|number| schedule.pair(number));
        pairs
            .map(|pair| (pair.players[0], pair.players[1], pair.opening))
            .collect()
    }

    #[test]
    fn schedules() {
        assert_eq!(pairs(&Schedule::single_match(2)), [(0, 1, 0), (0, 1, 1)]);
        let gauntlet = Schedule::gauntlet(3, 2);
        let expected = [(0, 1, 0), (0, 2, 0), (0, 1, 1), (0, 2, 1)];
        assert_eq!(pairs(&gauntlet), expected);
        let all = Schedule::round_robin(3, 1);
        assert_eq!(pairs(&all), [(0, 1, 0), (0, 2, 0), (1, 2, 0)]);
        let rest = Schedule::single_match(2).from_opening(5);
        assert_eq!(pairs(&rest), [(0, 1, 5), (0, 1, 6)]);
        assert_eq!(Schedule::single_match(u64::MAX).pairs(), u64::MAX);
    }
}
