//! What may end a game beside its rules, where it is asked for: values on which
//! both players agree, and the clock. Owns the decision; [`super::game`] plays.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::board::Side;

/// What a referee is told to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Referee {
    /// When a game counts as won before its end.
    pub adjudication: Option<Adjudication>,
    /// How much longer than its time a move may take, for what the system and
    /// the way between two programs add to it.
    pub time_margin: Duration,
}

impl Default for Referee {
    /// No adjudication; half a second beyond the time of a move, which a busy
    /// machine may add to it.
    fn default() -> Referee {
        Referee {
            adjudication: None,
            time_margin: Duration::from_millis(500),
        }
    }
}

/// A game counts as won once both players have valued it so for some moves in
/// a row, each of them: `500,3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// The least value for the one side, and the loss for the other.
    pub value: i32,
    /// For so many moves of each player in a row.
    pub moves: u32,
}

/// A text that is no rule of adjudication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be VALUE,MOVES as in 500,3: VALUE from 1 to 100000, MOVES from 1 to 1000")]
pub struct BadAdjudication;

impl FromStr for Adjudication {
    type Err = BadAdjudication;

    fn from_str(text: &str) -> Result<Adjudication, BadAdjudication> {
        let (value, moves) = text.split_once(',').ok_or(BadAdjudication)?;
        let value: Option<i32> = value.trim().parse().ok();
        let moves: Option<u32> = moves.trim().parse().ok();
        let value = value.filter(|value| (1..=100_000).contains(value));
        let moves = moves.filter(|moves| (1..=1000).contains(moves));
        let both = value.zip(moves);
        both.map(|(value, moves)| Adjudication { value, moves })
            .ok_or(BadAdjudication)
    }
}

/// In the form that is read.
impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.value, self.moves)
    }
}

/// The values of one game, as far as they agree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Agreement {
    /// Who is said to win, and for how many plies in a row.
    favourite: Option<(Side, u32)>,
}

impl Agreement {
    /// Takes the value that `side` gave its position, if it gave one; returns
    /// the winner once both players have agreed for long enough.
    pub(super) fn add(
        &mut self,
        rule: Adjudication,
        side: Side,
        value: Option<i32>,
    ) -> Option<Side> {
        let ahead = match value {
            Some(value) if value >= rule.value => Some(side),
            Some(value) if value <= -rule.value => Some(!side),
            _ => None,
        };
        self.favourite = match (ahead, self.favourite) {
            (Some(ahead), Some((before, plies))) if ahead == before => Some((ahead, plies + 1)),
            (Some(ahead), _) => Some((ahead, 1)),
            (None, _) => None,
        };
        let (winner, plies) = self.favourite?;
        // Sides alternate, so that twice as many plies are moves of both.
        (plies >= 2 * rule.moves).then_some(winner)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn rules_as_text() {
        let rule: Adjudication = "500, 3".parse().unwrap();
        assert_eq!((rule.value, rule.moves), (500, 3));
        assert_eq!(rule.to_string(), "500,3");
        for text in [
            "", "500", "0,3", "-5,3", "500,0", "500,x", "500,1001", "1,2,3",
        ] {
            assert_eq!(text.parse::<Adjudication>(), Err(BadAdjudication), "{text}");
        }
    }

    #[test]
    fn both_have_to_agree_in_a_row() {
        let rule: Adjudication = "100,2".parse().unwrap();
        let decided = |values: &[Option<i32>]| {
            let mut agreement = Agreement::default();
            let sides = [Side::X, Side::O].into_iter().cycle();
            let mut plies = sides.zip(values);
            plies.position(|(side, &value)| agreement.add(rule, side, value) == Some(Side::O))
        };
        let lost = [-100, 200, -300, 100].map(Some);
        assert_eq!(decided(&lost), Some(3));
        let twice: Vec<_> = [Some(-100), Some(99)].into_iter().chain(lost).collect();
        assert_eq!(decided(&twice), Some(5));
        // Both think that they win.
        assert_eq!(decided(&[150; 8].map(Some)), None);
        // One that says nothing agrees to nothing.
        assert_eq!(decided(&[Some(-100), None].repeat(8)), None);
    }
}
