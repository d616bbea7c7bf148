//! Scores as Elo differences and back, on the logistic scale: ten times the
//! odds are 400 Elo.

use serde::Serialize;

/// The Elo difference that an expected score of `score` stands for. A score of
/// 0 is minus infinity, one of 1 plus infinity; a score beyond them counts as
/// 0 or 1.
///
/// # Examples
///
/// ```
/// use loatune::stats::{elo_of_score, score_of_elo};
///
/// assert_eq!(elo_of_score(0.5), 0.0);
/// assert!((elo_of_score(0.75) - 190.85).abs() < 0.01);
/// assert!((score_of_elo(100.0) - 0.64).abs() < 0.001);
/// ```
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score, 0 to 1, of a player who is `elo` stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A measured value and its 95 % interval. Infinite ends mean that the results
/// give no bound on that side; JSON has no infinity and writes `null`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The measured value; infinite where every game was won or lost.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// The value with the same error on either side.
    pub(super) fn around(value: f64, error: f64) -> Estimate {
        Estimate {
            value,
            low: value - error,
            high: value + error,
        }
    }

    /// A value about whose error the results say nothing.
    pub(super) fn unbounded(value: f64) -> Estimate {
        Estimate {
            value,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        }
    }

    /// Half the interval, the number after `±`; none where an end is infinite.
    pub fn error(&self) -> Option<f64> {
        let error = (self.high - self.low) / 2.0;
        error.is_finite().then_some(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_scores() {
        assert_eq!(elo_of_score(0.5), 0.0);
        // Odds of 3, 10 and 1/9: 400·log10 of them.
        let known = [
            (0.75, 190.848_501_887_864_97),
            (10.0 / 11.0, 400.0),
            (0.1, -381.697_003_775_729_95),
        ];
        for (score, elo) in known {
            assert!((elo_of_score(score) - elo).abs() < 1e-9, "{score}");
            assert!((score_of_elo(elo) - score).abs() < 1e-12, "{elo}");
        }
    }

    #[test]
    fn the_ends_are_infinite() {
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
        assert_eq!(elo_of_score(1.2), f64::INFINITY);
        assert_eq!(elo_of_score(-0.1), f64::NEG_INFINITY);
        assert_eq!(score_of_elo(f64::INFINITY), 1.0);
        assert_eq!(score_of_elo(f64::NEG_INFINITY), 0.0);
    }

    #[test]
    fn an_estimate_without_a_bound_has_no_error() {
        assert_eq!(Estimate::around(3.0, 2.0).error(), Some(2.0));
        assert_eq!(Estimate::unbounded(3.0).error(), None);
        let won = Estimate::unbounded(f64::INFINITY);
        let json = serde_json::to_string(&won).expect("an estimate is JSON");
        assert_eq!(json, r#"{"value":null,"low":null,"high":null}"#);
    }
}
