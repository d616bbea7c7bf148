//! Mean and variance of independent results, and what follows from them: Elo,
//! normalised Elo and the likelihood of superiority.

use std::f64::consts::LN_10;

use super::elo::{Estimate, elo_of_score};
use super::normal::{Z95, normal_cdf};

/// Mean and variance of scores from 0 to 1. An observation is a pair of games
/// or, where games are independent, one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// How many scores were observed, at least one.
    pub observations: u64,
    /// Their mean.
    pub mean: f64,
    /// Their mean squared distance from the mean (divided by the number of
    /// observations, as the common match runners do).
    pub variance: f64,
    /// Games in one observation: 2 for pairs.
    pub games_each: u32,
}

impl Moments {
    /// Normalised Elo for each standard deviation of a game's score: with the
    /// variance of a won-or-lost game it agrees with Elo near equality.
    pub const NELO_PER_SIGMA: f64 = 800.0 / LN_10;

    /// The moments of `counts[i]` observations of each score `scores[i]`; none
    /// without observations.
    pub(super) fn from_counts(scores: &[f64], counts: &[u64], games_each: u32) -> Option<Moments> {
        let observations: u64 = counts.iter().sum();
        if observations == 0 {
            return None;
        }
        let average = |value: &dyn Fn(f64) -> f64| {
            let weighted = scores.iter().zip(counts);
            let sum: f64 = weighted.map(|(&s, &n)| value(s) * n as f64).sum();
            sum / observations as f64
        };
        let mean = average(&|score| score);
        let variance = average(&|score| (score - mean).powi(2));
        Some(Moments {
            observations,
            mean,
            variance,
            games_each,
        })
    }

    /// The standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.observations as f64).sqrt()
    }

    /// The 95 % error of the mean.
    pub fn error(&self) -> f64 {
        Z95 * self.standard_error()
    }

    /// The Elo difference. Its interval is that of the mean, with both ends
    /// turned into Elo, so it is wider on the far side of zero, and an end
    /// beyond a score of 0 or 1 is infinite. Observations that are all alike
    /// show no spread: then there is no interval.
    pub fn elo(&self) -> Estimate {
        let value = elo_of_score(self.mean);
        if self.variance == 0.0 {
            return Estimate::unbounded(value);
        }
        let reach = self.error();
        Estimate {
            value,
            low: elo_of_score(self.mean - reach),
            high: elo_of_score(self.mean + reach),
        }
    }

    /// Normalised Elo (Van den Bergh): the advantage in standard deviations of
    /// one game, on a scale that agrees with Elo for even games without draws.
    /// It tells how many games a test needs, whatever the openings and draws.
    /// None where the observations are all alike, unless at an even score,
    /// which is 0 without an interval.
    pub fn normalised_elo(&self) -> Option<Estimate> {
        let advantage = self.mean - 0.5;
        if self.variance == 0.0 {
            return (advantage == 0.0).then(|| Estimate::unbounded(0.0));
        }
        let game_deviation = (f64::from(self.games_each) * self.variance).sqrt();
        let scale = Moments::NELO_PER_SIGMA / game_deviation;
        Some(Estimate::around(
            advantage * scale,
            Z95 * self.standard_error() * scale,
        ))
    }

    /// The likelihood of superiority: how probable it is, given these results,
    /// that the true mean is above one half. Where all n observations are
    /// alike, the normal distribution has no width; then each counts as a won
    /// toss of a coin about which nothing was known, 1 − 2^−(n+1), so that one
    /// pair is no certainty.
    pub fn los(&self) -> f64 {
        let advantage = self.mean - 0.5;
        if advantage == 0.0 {
            0.5
        } else if self.variance > 0.0 {
            normal_cdf(advantage / self.standard_error())
        } else {
            let doubt = 0.5f64.powf(self.observations as f64 + 1.0);
            if advantage > 0.0 { 1.0 - doubt } else { doubt }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Pentanomial, Record};

    fn pairs(counts: [u64; 5]) -> Moments {
        Pentanomial(counts).moments().expect("pairs were counted")
    }

    fn games(wins: u64, draws: u64, losses: u64) -> Moments {
        let record = Record {
            wins,
            draws,
            losses,
        };
        record.moments().expect("games were counted")
    }

    fn error(estimate: Estimate) -> f64 {
        estimate.error().expect("a bounded estimate")
    }

    fn close(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() < tolerance
    }

    #[test]
    fn as_fastchess_reports_pairs() {
        // Elo, ±, nElo, ±: the values that fastchess tests itself against
        // (its pair classes WL and DD added up), to their two digits.
        let known = [
            ([34, 54, 63, 64, 75], [55.58, 27.65, 57.94, 28.28]),
            ([332, 433, 498, 333, 334], [-8.64, 10.33, -9.17, 10.96]),
            ([7895, 8757, 5685, 568, 9999], [-21.04, 2.95, -19.01, 2.65]),
        ];
        for (counts, expected) in known {
            let moments = pairs(counts);
            let elo = moments.elo();
            let nelo = moments.normalised_elo().expect("pairs that differ");
            let found = [elo.value, error(elo), nelo.value, error(nelo)];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!(close(found, expected, 0.006), "{found} {expected}");
            }
        }
        assert!(close(pairs([332, 433, 498, 333, 334]).los(), 0.0505, 5e-5));
    }

    #[test]
    fn as_fastchess_reports_independent_games() {
        let moments = games(136, 111, 96);
        let elo = moments.elo();
        let nelo = moments.normalised_elo().expect("games that differ");
        assert!(close(elo.value, 40.70, 0.006));
        assert!(close(error(elo), 30.43, 0.006));
        assert!(close(nelo.value, 49.77, 0.006));
        assert!(close(error(nelo), 36.77, 0.006));
        assert!(close(moments.los(), 0.9960, 5e-5));
        assert!(close(games(76, 123, 89).los(), 0.1553, 5e-5));
    }

    #[test]
    fn pairs_of_independent_games_have_the_error_of_games() {
        // 400 games, 50 % won, the others lost, pairs as chance mixes them.
        let paired = pairs([50, 0, 100, 0, 50]);
        let single = games(200, 0, 200);
        assert!(close(error(paired.elo()), error(single.elo()), 1e-9));
        let nelo = |m: Moments| error(m.normalised_elo().expect("they differ"));
        assert!(close(nelo(paired), nelo(single), 1e-9));
    }

    #[test]
    fn openings_that_favour_a_colour_make_pairs_more_certain() {
        // In both, 200 of 400 games are won. Where the colour decides most
        // games the pairs split; where the stronger takes both, they do not.
        // By hand: se = √(20·0.25/200/200) and √(180·0.25/200/200).
        let split = pairs([10, 0, 180, 0, 10]);
        let swept = pairs([90, 0, 20, 0, 90]);
        assert!(close(split.standard_error(), 0.011_180_339_887_5, 1e-12));
        assert!(close(swept.standard_error(), 0.033_541_019_662_5, 1e-12));
        let unpaired = error(games(200, 0, 200).elo());
        assert!(error(split.elo()) < 0.5 * unpaired);
        assert!(error(swept.elo()) > 1.3 * unpaired);
    }

    #[test]
    fn los_by_hand() {
        // Mean 0.625, variance 0.078125, 16 pairs: z = 0.125/0.069877 = 1.78885.
        // Φ by mpmath.
        let moments = pairs([0, 4, 4, 4, 4]);
        assert!(close(moments.mean, 0.625, 1e-15));
        assert!(close(moments.los(), 0.963_180_864_939_848_7, 1e-12));
        let turned = pairs([4, 4, 4, 4, 0]);
        assert!(close(turned.los(), 1.0 - 0.963_180_864_939_848_7, 1e-12));
    }

    #[test]
    fn pairs_that_are_all_alike_bound_nothing() {
        let won = pairs([0, 0, 0, 0, 3]);
        assert_eq!(won.elo(), Estimate::unbounded(f64::INFINITY));
        assert_eq!(won.normalised_elo(), None);
        assert_eq!(won.los(), 0.9375);
        assert_eq!(pairs([3, 0, 0, 0, 0]).elo().value, f64::NEG_INFINITY);
        assert_eq!(pairs([3, 0, 0, 0, 0]).los(), 0.0625);
        let even = pairs([0, 0, 7, 0, 0]);
        assert_eq!(even.elo(), Estimate::unbounded(0.0));
        assert_eq!(even.normalised_elo(), Some(Estimate::unbounded(0.0)));
        assert_eq!(even.los(), 0.5);
        assert!(pairs([0, 9, 0, 0, 0]).elo().error().is_none());
    }

    #[test]
    fn an_interval_may_be_open_on_one_side() {
        let elo = pairs([0, 0, 1, 0, 4]).elo();
        assert!(elo.low.is_finite() && elo.high == f64::INFINITY);
        assert_eq!(elo.error(), None);
    }
}
