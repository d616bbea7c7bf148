//! The strengths γ of the Bradley–Terry model: player i beats j with
//! probability γᵢ/(γᵢ + γⱼ).

use super::crosstable::Crosstable;
use super::matrix::inverse;

/// The likeliest strengths, or those on their way there.
pub(super) struct Strengths {
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

impl Strengths {
    /// The likeliest strengths where every player also drew `prior` games with
    /// a virtual player whose γ is 1. They need not be whole games; without
    /// any, every player must have taken points from every other one, directly
    /// or by way of others.
    pub(super) fn fit(table: &Crosstable, prior: f64) -> Strengths {
        let players = table.players();
        let games = (0..players * players)
            .map(|i| table.games_between(i / players, i % players) as f64)
            .collect();
        let mut strengths = Strengths {
            players,
            games,
            points: (0..players).map(|player| table.points(player)).collect(),
            prior,
            gamma: vec![1.0; players],
        };
        strengths.converge();
        strengths
    }

    /// ln γ of each player, shifted to a mean of 0.
    pub(super) fn logs(&self) -> Vec<f64> {
        let mut logs: Vec<f64> = self.gamma.iter().map(|gamma| gamma.ln()).collect();
        let mean = logs.iter().sum::<f64>() / self.players as f64;
        for log in &mut logs {
            *log -= mean;
        }
        logs
    }

    /// Minorise–maximise climbs from anywhere, but slowly where groups hang
    /// together by few games. Newton's method is quick near the top; a step that
    /// does not come closer is undone.
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

    /// Covariances of ln γ, the mean held at 0; none where the games bound
    /// nothing.
    pub(super) fn covariance(&self) -> Option<Vec<f64>> {
        let size = self.players;
        let mut covariance = self.inverse_information()?;
        let means: Vec<f64> = covariance
            .chunks(size.max(1))
            .map(|row| row.iter().sum::<f64>() / size as f64)
            .collect();
        let mean = means.iter().sum::<f64>() / size as f64;
        for (i, entry) in covariance.iter_mut().enumerate() {
            *entry += mean - means[i / size] - means[i % size];
        }
        Some(covariance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hard_tables_converge() {
        let ladder: Vec<_> = (0..39).map(|i| (i, i + 1, [299, 0, 1])).collect();
        let lopsided = [(0, 1, [1_000_000, 1, 0]), (1, 2, [1, 0, 1_000_000])];
        // Two components, tied together by one drawn game.
        let tied = [
            (0, 1, [50, 0, 50]),
            (1, 2, [70, 0, 30]),
            (2, 3, [0, 1, 0]),
            (3, 4, [60, 1, 40]),
            (4, 5, [20, 0, 90]),
        ];
        for table in [
            Crosstable::from_results(40, &ladder),
            Crosstable::from_results(3, &lopsided),
            Crosstable::from_results(6, &tied),
        ] {
            let strengths = Strengths::fit(&table, 0.0);
            let distance = strengths.distance();
            assert!(distance <= CLOSE_ENOUGH, "{distance:e}");
        }
    }

    #[test]
    fn a_covariance_has_no_common_shift() {
        let table = Crosstable::from_results(
            3,
            &[(0, 1, [3, 0, 2]), (1, 2, [4, 1, 5]), (2, 0, [1, 0, 1])],
        );
        for prior in [0.0, 1.0] {
            let covariance = Strengths::fit(&table, prior).covariance();
            for row in covariance.expect("everyone met").chunks(3) {
                assert!(row.iter().sum::<f64>().abs() < 1e-12);
            }
        }
    }
}
