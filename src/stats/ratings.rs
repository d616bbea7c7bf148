//! Bradley–Terry ratings: the strengths under which the results of a cross
//! table are likeliest, a draw taken as half a win.
//!
//! Player i beats j with probability γᵢ/(γᵢ + γⱼ), which is the logistic Elo
//! curve. So two players' ratings differ by the Elo of their match.
//!
//! Where results leave a distance open, because someone won or lost every game
//! or two groups never met, no likeliest strengths exist. Then, and only then,
//! every player is given one more draw, against a virtual player of average
//! strength.

use std::f64::consts::LN_10;

use serde::Serialize;

use super::crosstable::Crosstable;
use super::elo::Estimate;
use super::matrix::inverse;
use super::normal::{Z95, normal_cdf};

/// Elo of a unit of ln γ.
const SCALE: f64 = 400.0 / LN_10;

/// A player's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Elo above or below the mean of all players, which is 0. The interval is
    /// infinite where the games bound nothing.
    pub elo: Estimate,
    /// Games played.
    pub games: f64,
    /// Points scored.
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
    pub fn of(table: &Crosstable) -> Ratings {
        let regularised = regularised(table);
        // A single player has no games that could rate it.
        let open = regularised.contains(&true) || table.players() == 1;
        let mut fit = Fit::new(table, if open { 1.0 } else { 0.0 });
        fit.converge();
        let covariance = fit.covariance();
        fit.shift_to_mean_zero();
        let players = (0..fit.players)
            .map(|player| {
                let value = fit.gamma[player].ln() * SCALE;
                let variance = covariance
                    .as_ref()
                    .map(|c| c[player * fit.players + player]);
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
    /// errors, because they depend on each other. None for players that are
    /// not there.
    pub fn difference(&self, a: usize, b: usize) -> Option<Estimate> {
        let value = self.players.get(a)?.elo.value - self.players.get(b)?.elo.value;
        Some(estimate(value, self.difference_variance(a, b)))
    }

    /// The likelihood that `a` is stronger than `b`; none for players that are
    /// not there or where the games bound nothing.
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

/// Who is outside the largest circle of the table.
fn regularised(table: &Crosstable) -> Vec<bool> {
    let circles = table.circles();
    let mut sizes = vec![0; circles.len()];
    for &circle in &circles {
        sizes[circle] += 1;
    }
    let largest = sizes.iter().max().copied().unwrap_or(0);
    let unique = sizes.iter().filter(|&&size| size == largest).count() == 1;
    circles
        .iter()
        .map(|&circle| !unique || sizes[circle] < largest)
        .collect()
}

/// Strengths on their way to the likeliest ones.
struct Fit {
    players: usize,
    /// Games between two players, row by row.
    games: Vec<f64>,
    /// Points of each player, without the virtual ones.
    points: Vec<f64>,
    /// Virtual games of each player, all drawn, against one whose γ is 1.
    prior: f64,
    gamma: Vec<f64>,
}

/// Sweeps of minorise–maximise before each of Newton's steps.
const SWEEPS: u32 = 20;

/// Rounds of sweeps and a step. Ten are many: the limit is for tables that
/// rounding keeps from the last digit.
const ROUNDS: u32 = 200;

/// Points a game by which expected and real ones may differ in the end.
const CLOSE_ENOUGH: f64 = 1e-13;

impl Fit {
    fn new(table: &Crosstable, prior: f64) -> Fit {
        let players = table.players();
        let games = (0..players * players)
            .map(|i| table.games_between(i / players, i % players))
            .collect();
        Fit {
            players,
            games,
            points: (0..players).map(|player| table.points(player)).collect(),
            prior,
            gamma: vec![1.0; players],
        }
    }

    /// Minorise–maximise climbs from anywhere, but slowly where groups hang
    /// together by few games. Newton's method is quick near the top, and is
    /// believed only where it comes closer.
    fn converge(&mut self) {
        for _ in 0..ROUNDS {
            for _ in 0..SWEEPS {
                self.sweep();
            }
            self.newton();
            if self.distance() <= CLOSE_ENOUGH {
                return;
            }
        }
    }

    /// One pass over the players: γᵢ ← points / Σ games/(γᵢ + γⱼ), which never
    /// makes the results less likely (D. R. Hunter, "MM algorithms for
    /// generalized Bradley–Terry models").
    fn sweep(&mut self) {
        for player in 0..self.players {
            let own = self.gamma[player];
            let mut sum = self.prior / (own + 1.0);
            for (games, other) in self.row(player).iter().zip(&self.gamma) {
                sum += games / (own + other);
            }
            self.gamma[player] = (self.points[player] + self.prior / 2.0) / sum;
        }
    }

    /// A step of Newton's method on ln γ, undone where it leads away.
    fn newton(&mut self) {
        let Some(inverse) = self.inverse_information() else {
            return;
        };
        let before = self.distance();
        let surplus: Vec<f64> = (0..self.players).map(|i| self.surplus(i)).collect();
        let old = self.gamma.clone();
        for (player, gamma) in self.gamma.iter_mut().enumerate() {
            let row = &inverse[player * self.players..][..self.players];
            let step: f64 = row.iter().zip(&surplus).map(|(c, s)| c * s).sum();
            *gamma *= step.exp();
        }
        let sound = self.gamma.iter().all(|g| g.is_normal());
        if !sound || self.distance() > before {
            self.gamma = old;
        }
    }

    /// Makes the mean rating 0. The virtual player stays behind, so this comes
    /// last.
    fn shift_to_mean_zero(&mut self) {
        let logs: f64 = self.gamma.iter().map(|g| g.ln()).sum();
        let mean = (logs / self.players as f64).exp();
        for gamma in &mut self.gamma {
            *gamma /= mean;
        }
    }

    fn row(&self, player: usize) -> &[f64] {
        &self.games[player * self.players..][..self.players]
    }

    /// Points that the player scored beyond those its strength lets expect.
    fn surplus(&self, player: usize) -> f64 {
        let own = self.gamma[player];
        let mut expected = self.prior * own / (own + 1.0);
        for (games, other) in self.row(player).iter().zip(&self.gamma) {
            expected += games * own / (own + other);
        }
        self.points[player] + self.prior / 2.0 - expected
    }

    /// The largest surplus, either way, a game.
    fn distance(&self) -> f64 {
        (0..self.players)
            .map(|player| {
                let games: f64 = self.row(player).iter().sum();
                self.surplus(player).abs() / (games + self.prior)
            })
            .fold(0.0, f64::max)
    }

    /// The inverse of the Fisher information of ln γ.
    fn inverse_information(&self) -> Option<Vec<f64>> {
        let size = self.players;
        // What a game tells: the variance of its result.
        let weight = |a: f64, b: f64| a / (a + b) * (b / (a + b));
        let mut information = vec![0.0; size * size];
        let mut trace = 0.0;
        for row in 0..size {
            let own = self.gamma[row];
            let mut diagonal = self.prior * weight(own, 1.0);
            for column in (0..size).filter(|&column| column != row) {
                let part = self.games[row * size + column] * weight(own, self.gamma[column]);
                information[row * size + column] = -part;
                diagonal += part;
            }
            information[row * size + row] = diagonal;
            trace += diagonal;
        }
        if self.prior == 0.0 {
            // The results say nothing about a common shift. Any information
            // on it makes the inverse exist; holding the mean at 0 takes it
            // out again.
            let shift = trace / (size * size) as f64;
            for entry in &mut information {
                *entry += shift;
            }
        }
        inverse(&information, size)
    }

    /// Covariances in Elo², the mean rating held at 0.
    fn covariance(&self) -> Option<Vec<f64>> {
        let size = self.players;
        let mut covariance = self.inverse_information()?;
        let means: Vec<f64> = covariance
            .chunks(size.max(1))
            .map(|row| row.iter().sum::<f64>() / size as f64)
            .collect();
        let mean = means.iter().sum::<f64>() / size as f64;
        for (i, entry) in covariance.iter_mut().enumerate() {
            let centred = *entry - means[i / size] - means[i % size] + mean;
            *entry = SCALE * SCALE * centred;
        }
        Some(covariance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Record, elo_of_score};

    /// A table from the wins, draws and losses of `a` against `b`.
    fn table(players: usize, results: &[(usize, usize, [u64; 3])]) -> Crosstable {
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

    fn rated(players: usize, results: &[(usize, usize, [u64; 3])]) -> Ratings {
        Ratings::of(&table(players, results))
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
        // 0 beat everyone; the others are a circle.
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
    fn hard_tables_converge() {
        // A ladder of 40 players: each meets only the next, who wins one game
        // in 300; and a table in which the strongest lost half a point.
        let ladder: Vec<_> = (0..39).map(|i| (i, i + 1, [299, 0, 1])).collect();
        let lopsided = [(0, 1, [1_000_000, 1, 0]), (1, 2, [1, 0, 1_000_000])];
        for table in [table(40, &ladder), table(3, &lopsided)] {
            let mut fit = Fit::new(&table, 0.0);
            fit.converge();
            assert!(fit.distance() <= CLOSE_ENOUGH, "{:e}", fit.distance());
        }
        let ratings = rated(40, &ladder);
        let step = ratings.difference(0, 1).expect("forty players").value;
        assert!((step - elo_of_score(299.0 / 300.0)).abs() < 1e-6, "{step}");
    }
}
