//! What a match is worth: the number that the rule turns into points.
//!
//! Owns the arithmetic between the results of games and the score of a match.
//! It knows no board, no colour and no stored record: the caller says what
//! each game brought the first individual of the pairing.

/// The result of one game from the point of view of the first individual of a
/// pairing.
///
/// A decided game carries the winner's evaluation of its last position, in the
/// units of the search that played it, or `None` where the winner did not
/// report one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// The first individual won.
    Won(Option<i32>),
    /// The second individual won.
    Lost(Option<i32>),
    /// Neither won.
    Drawn,
}

impl GameResult {
    /// What the game brings the first individual, from `-win` to `win`.
    ///
    /// The winner's evaluation is clamped to 0 to `win`: a winner never loses
    /// points by its win, even if its search expected to lose. A winner that
    /// reported no evaluation gets `win`.
    fn value(self, win: i32) -> i32 {
        let size = |evaluation: Option<i32>| evaluation.unwrap_or(win).clamp(0, win);
        match self {
            GameResult::Won(evaluation) => size(evaluation),
            GameResult::Lost(evaluation) => -size(evaluation),
            GameResult::Drawn => 0,
        }
    }
}

/// The score of a match for its first individual, from -1 to 1: the mean of
/// what its two games brought, in parts of `win`.
///
/// `win` is the search's value of an immediate win and must be positive, so
/// that a game won by a proven win counts almost 1. The sum of the two games
/// is exact; the one division makes the score the same on every machine.
///
/// ```
/// use loatune::evolve::{GameResult, match_score};
///
/// let win = 30_000;
/// assert_eq!(match_score([GameResult::Won(Some(15_000)), GameResult::Drawn], win), 0.25);
/// assert_eq!(match_score([GameResult::Won(None), GameResult::Lost(None)], win), 0.0);
/// ```
pub fn match_score(games: [GameResult; 2], win: i32) -> f64 {
    let [first, second] = games.map(|game| game.value(win));
    f64::from(first + second) / f64::from(2 * win)
}

#[cfg(test)]
mod tests {
    use super::GameResult::{Drawn, Lost, Won};
    use super::*;

    const WIN: i32 = 30_000;

    #[test]
    fn two_wins_at_full_value_are_worth_one() {
        assert_eq!(match_score([Won(Some(WIN)); 2], WIN), 1.0);
        assert_eq!(match_score([Lost(Some(WIN)); 2], WIN), -1.0);
        assert_eq!(match_score([Drawn; 2], WIN), 0.0);
    }

    #[test]
    fn a_missing_evaluation_counts_as_a_win_at_full_value() {
        assert_eq!(match_score([Won(None), Drawn], WIN), 0.5);
        assert_eq!(match_score([Drawn, Lost(None)], WIN), -0.5);
    }

    #[test]
    fn the_winners_evaluation_is_clamped() {
        assert_eq!(match_score([Won(Some(-500)), Drawn], WIN), 0.0);
        assert_eq!(match_score([Lost(Some(-500)), Drawn], WIN), 0.0);
        assert_eq!(match_score([Won(Some(i32::MAX)); 2], WIN), 1.0);
        assert_eq!(match_score([Lost(Some(i32::MAX)); 2], WIN), -1.0);
    }

    #[test]
    fn the_mean_is_one_division_of_an_exact_sum() {
        let games = [Won(Some(29_991)), Lost(Some(1_234))];
        assert_eq!(match_score(games, WIN), f64::from(28_757) / 60_000.0);
        let swapped = [Lost(Some(29_991)), Won(Some(1_234))];
        assert_eq!(match_score(swapped, WIN), -match_score(games, WIN));
    }
}
