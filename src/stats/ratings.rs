//! Bradley–Terry ratings: the strengths under which the results of a cross
//! table are likeliest, a draw taken as half a win.
//!
//! Player i beats j with probability γᵢ/(γᵢ + γⱼ), which is the logistic Elo
//! curve. So two players' ratings differ by the Elo of their match. The errors
//! take games as independent; in a match of two, the pentanomial knows better.
//!
//! Where results leave a distance open, because a player won or lost every
//! game or two groups never met, no likeliest strengths exist. Then, and only then,
//! every player is given one more draw, against a virtual player of average
//! strength.

use std::f64::consts::LN_10;

use serde::Serialize;

use super::crosstable::Crosstable;
use super::elo::Estimate;
use super::normal::{Z95, normal_cdf};
use super::strengths::Strengths;

/// Elo of a unit of ln γ.
const SCALE: f64 = 400.0 / LN_10;

/// A player's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Elo above or below the mean of all players, which is 0. The interval is
    /// infinite where the games bound nothing.
    pub elo: Estimate,
    /// The number of games it played.
    pub games: u64,
    /// The points it scored, one a win and half a one a draw.
    pub points: f64,
    /// Whether only the virtual draws make this rating finite: the player is
    /// outside the largest group whose members all took points from each
    /// other, directly or by way of others. Without a single largest group,
    /// all players are.
    pub regularised: bool,
}

/// The ratings of a cross table's players, in its order.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    players: Vec<Rating>,
    /// Covariances of the ratings in Elo², row by row, the mean held at 0.
    covariance: Option<Vec<f64>>,
}

impl Ratings {
    /// Rates the players of a table.
    ///
    /// # Examples
    ///
    /// ```
    /// use loatune::stats::{Crosstable, Ratings, Record};
    ///
    /// let mut table = Crosstable::new(2);
    /// table.add(0, 1, Record { wins: 60, draws: 2, losses: 38 })?;
    /// let ratings = Ratings::from_crosstable(&table);
    /// let apart = ratings.difference(0, 1).expect("both players are in the table");
    /// assert!((apart.value - 77.7).abs() < 0.1);
    /// assert!(ratings.los(0, 1).is_some_and(|los| los > 0.98));
    /// # Ok::<(), loatune::stats::CrosstableError>(())
    /// ```
    pub fn from_crosstable(table: &Crosstable) -> Ratings {
        let regularised = regularised(table);
        // A single player has no games that could rate it.
        let open = regularised.contains(&true) || table.players() == 1;
        let strengths = Strengths::fit(table, if open { 1.0 } else { 0.0 });
        let covariance = strengths.covariance().map(|mut covariance| {
            for entry in &mut covariance {
                *entry *= SCALE * SCALE;
            }
            covariance
        });
        let logs = strengths.logs();
        let players = (0..logs.len())
            .map(|player| {
                let value = logs[player] * SCALE;
                let variance = covariance.as_ref().map(|c| c[player * logs.len() + player]);
                Rating {
                    elo: estimate(value, variance),
                    games: table.games(player),
                    points: table.points(player),
                    regularised: regularised[player],
                }
            })
            .collect();
        Ratings {
            players,
            covariance,
        }
    }

    /// One rating a player, in the table's order.
    pub fn players(&self) -> &[Rating] {
        &self.players
    }

    /// By how much `a` is above `b`. Its error is not the sum of both ratings'
    /// errors, because they depend on each other. `None` for players that are
    /// not in the table.
    pub fn difference(&self, a: usize, b: usize) -> Option<Estimate> {
        let value = self.players.get(a)?.elo.value - self.players.get(b)?.elo.value;
        Some(estimate(value, self.difference_variance(a, b)))
    }

    /// The likelihood that `a` is stronger than `b`; `None` for players that are
    /// not in the table or where the games bound nothing.
    pub fn los(&self, a: usize, b: usize) -> Option<f64> {
        let value = self.difference(a, b)?.value;
        if a == b {
            return Some(0.5);
        }
        Some(normal_cdf(value / self.difference_variance(a, b)?.sqrt()))
    }

    fn difference_variance(&self, a: usize, b: usize) -> Option<f64> {
        let covariance = self.covariance.as_ref()?;
        let at = |row, column| covariance[row * self.players.len() + column];
        Some(at(a, a) + at(b, b) - 2.0 * at(a, b))
    }
}

fn estimate(value: f64, variance: Option<f64>) -> Estimate {
    match variance {
        // Rounding may leave a zero slightly negative.
        Some(variance) => Estimate::around(value, Z95 * variance.max(0.0).sqrt()),
        None => Estimate::unbounded(value),
    }
}

/// Which players are outside the largest component of the table.
fn regularised(table: &Crosstable) -> Vec<bool> {
    let components = table.components();
    let mut sizes = vec![0; components.len()];
    for &component in &components {
        sizes[component] += 1;
    }
    let largest = sizes.iter().max().copied().unwrap_or(0);
    let unique = sizes.iter().filter(|&&size| size == largest).count() == 1;
    components
        .iter()
        .map(|&component| !unique || sizes[component] < largest)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::elo_of_score;

    fn rated(players: usize, results: &[(usize, usize, [u64; 3])]) -> Ratings {
        Ratings::from_crosstable(&Crosstable::from_results(players, results))
    }

    #[track_caller]
    fn assert_elo(ratings: &Ratings, expected: &[(f64, f64)]) {
        assert_eq!(ratings.players().len(), expected.len());
        for (rating, &(elo, error)) in ratings.players().iter().zip(expected) {
            assert!((rating.elo.value - elo).abs() < 1e-6, "{rating:?} {elo}");
            let found = rating.elo.error().expect("a bounded rating");
            assert!((found - error).abs() < 1e-6, "{rating:?} {error}");
        }
    }

    const FIVE: [(usize, usize, [u64; 3]); 10] = [
        (0, 1, [12, 1, 7]),
        (0, 2, [15, 0, 5]),
        (0, 3, [11, 2, 7]),
        (0, 4, [18, 1, 1]),
        (1, 2, [10, 0, 10]),
        (1, 3, [9, 1, 10]),
        (1, 4, [14, 0, 6]),
        (2, 3, [6, 0, 14]),
        (2, 4, [13, 2, 5]),
        (3, 4, [16, 0, 4]),
    ];

    #[test]
    fn as_a_general_optimiser_rates() {
        // Log-likelihood maximised by scipy (BFGS, then Newton's method);
        // errors from the pseudo-inverse of its Hessian.
        assert_elo(
            &rated(5, &FIVE),
            &[
                (143.746381249, 70.229527054),
                (9.102484013, 64.583061317),
                (-36.707289509, 65.039263333),
                (66.611202865, 65.686082054),
                (-182.752778618, 74.825843811),
            ],
        );
        // Few games in a ring, with one lopsided meeting.
        let ring = [
            (0, 1, [3, 0, 1]),
            (1, 2, [2, 1, 1]),
            (2, 3, [40, 0, 1]),
            (3, 0, [1, 0, 3]),
        ];
        assert_elo(
            &rated(4, &ring),
            &[
                (132.611582390, 265.877992088),
                (98.522062002, 197.006944220),
                (151.814467632, 188.727435769),
                (-382.948112024, 232.211656859),
            ],
        );
    }

    #[test]
    fn ratings_sum_to_zero() {
        let sum: f64 = rated(5, &FIVE).players().iter().map(|r| r.elo.value).sum();
        assert!(sum.abs() < 1e-9);
    }

    #[test]
    fn two_players_differ_by_the_elo_of_their_match() {
        let ratings = rated(2, &[(0, 1, [60, 2, 38])]);
        let apart = ratings.difference(0, 1).expect("two players");
        assert!((apart.value - elo_of_score(0.61)).abs() < 1e-9);
        assert!(ratings.players().iter().all(|r| !r.regularised));
        // By hand: Z95·SCALE/√(100·0.61·0.39).
        assert!((apart.error().expect("bounded") - 69.806388930947).abs() < 1e-9);
        let back = ratings.difference(1, 0).expect("two players");
        assert!((apart.value + back.value).abs() < 1e-9);
        let los = ratings.los(0, 1).expect("two players");
        assert!((los - normal_cdf(2.181765056916)).abs() < 1e-9, "{los}");
        assert_eq!(ratings.los(1, 1), Some(0.5));
        assert_eq!(ratings.difference(0, 2), None);
    }

    #[test]
    fn who_won_everything_is_finite_and_marked() {
        // 0 beat everyone; the others are one component.
        let results = [
            (0, 1, [10, 0, 0]),
            (0, 2, [10, 0, 0]),
            (1, 2, [6, 0, 4]),
            (1, 3, [5, 1, 4]),
            (2, 3, [5, 0, 5]),
            (0, 3, [10, 0, 0]),
        ];
        let ratings = rated(4, &results);
        assert_elo(
            &ratings,
            &[
                (540.512527825, 364.702577794),
                (-146.915302010, 155.880499790),
                (-202.363100237, 158.210189871),
                (-191.234125578, 157.608754532),
            ],
        );
        let marked: Vec<bool> = ratings.players().iter().map(|r| r.regularised).collect();
        assert_eq!(marked, [true, false, false, false]);
    }

    #[test]
    fn a_match_won_ten_to_nothing() {
        // Both get a virtual draw: 10.5 = 10·p(2r) + p(r), solved by scipy.
        let ratings = rated(2, &[(0, 1, [10, 0, 0])]);
        let apart = ratings.difference(0, 1).expect("two players");
        assert!((apart.value - 580.508809579).abs() < 1e-6, "{apart:?}");
        assert!(ratings.players().iter().all(|r| r.regularised));
        // More than what 10½ to ½ would be worth without the virtual draws.
        assert!(apart.value > elo_of_score(10.5 / 11.0));
    }

    #[test]
    fn small_tables() {
        assert!(rated(0, &[]).players().is_empty());
        assert_elo(&rated(1, &[]), &[(0.0, 0.0)]);
        let strangers = rated(3, &[]);
        for rating in strangers.players() {
            assert_eq!(rating.elo.value, 0.0);
            assert!(rating.elo.error().expect("from the virtual draw") > 500.0);
            assert!(rating.regularised);
        }
    }

    #[test]
    fn the_order_of_players_does_not_matter() {
        let turned =
            FIVE.map(|(a, b, [wins, draws, losses])| (4 - b, 4 - a, [losses, draws, wins]));
        let (there, back) = (rated(5, &FIVE), rated(5, &turned));
        for (a, b) in there.players().iter().zip(back.players().iter().rev()) {
            assert!((a.elo.value - b.elo.value).abs() < 1e-9);
            assert!((a.elo.low - b.elo.low).abs() < 1e-9);
        }
    }

    #[test]
    fn a_long_ladder() {
        // Each of 40 players meets only the next, who wins one game in 300.
        let ladder: Vec<_> = (0..39).map(|i| (i, i + 1, [299, 0, 1])).collect();
        let ratings = rated(40, &ladder);
        for i in 0..39 {
            let step = ratings.difference(i, i + 1).expect("forty players").value;
            assert!((step - elo_of_score(299.0 / 300.0)).abs() < 1e-6, "{step}");
        }
    }
}
