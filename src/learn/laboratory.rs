//! The laboratory: what features are worth, on games that were held out.
//!
//! The present features of the evaluation are fitted with the turn; then every
//! candidate joins them alone, and every present one leaves them alone. What
//! the likelihood of held-out games gains or loses is the feature's worth. Likewise
//! all present features get a second weight for the endgame, by several measures
//! of how far the game has gone. The
//! error of a worth comes from a bootstrap over pairs of games, because positions of a
//! game are not independent, and two games of a pair share their opening.

use std::sync::atomic::AtomicBool;

use super::design::{feature_difference, rows, turn_sign};
use super::held_out::MeanOverGames;
use super::judge::Judge;
use super::phase_measures::PHASE_MEASURES;
use super::sample::{Position, SampledGame};
use crate::board::{Board, Side};
use crate::eval::Weights;
use crate::eval::candidates::Candidate;
use crate::eval::features::{FEATURE_GENES, FEATURES, ShapeTables, features};
use crate::eval::genes::TABLE;
use crate::eval::power::ONE;
use crate::stats::regression::Rows;

/// The name of the turn among the features.
pub const TURN: &str = "turn";

/// What is known of a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureWorth {
    /// Its name: a gene's, a candidate's, or [`TURN`].
    pub name: &'static str,
    /// What it joins or leaves with.
    pub set: &'static str,
    /// One sentence for people.
    pub meaning: &'static str,
    /// Whether the evaluation has it already.
    pub is_present: bool,
    /// Its mean over positions and sides.
    pub mean: f64,
    /// The standard deviation of Black's less White's.
    pub spread: f64,
    /// How Black's less White's goes with that of every feature, in the order
    /// of the list: from −1 to 1.
    pub correlations: Vec<f64>,
    /// Nats a position that held-out games gain when its set joins the present
    /// features, or lose when it leaves them.
    pub worth: MeanOverGames,
}

/// What a second weight of every present feature, for the endgame, is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseWorth {
    /// The name of the measure of how far the game has gone.
    pub name: &'static str,
    /// One sentence for people.
    pub meaning: &'static str,
    /// Nats a position that held-out games gain.
    pub worth: MeanOverGames,
}

/// What a laboratory found.
#[derive(Clone, Debug, PartialEq)]
pub struct Worths {
    /// The present features, the turn, then the candidates.
    pub features: Vec<FeatureWorth>,
    /// Two phases, by several measures; the engine's is the first.
    pub phases: Vec<PhaseWorth>,
    /// Nats a position of held-out games with the present features.
    pub present: f64,
    /// The same where every position has the same chance.
    pub nothing: f64,
    /// The number of games with positions.
    pub games: u64,
    /// The number of positions.
    pub positions: u64,
}

/// Measures the present features and the candidates on games; the powers and
/// the hole penalty are those of `shapes`. `told` hears how many sets of how
/// many are done. `None` where there are too few games to hold some out, or the
/// flag is set.
pub fn measure_features(
    games: &[SampledGame],
    shapes: &Weights,
    candidates: &[Candidate],
    stop: &AtomicBool,
    told: &mut dyn FnMut(usize, usize),
) -> Option<Worths> {
    let judge = Judge::new(games, all_columns(games, shapes, candidates), stop)?;
    let all = judge.rows();
    let present: Vec<usize> = (0..=FEATURES).collect();
    let (base, coefficients) = judge.held_out(&present, None)?;
    let (nothing, _) = judge.held_out(&[], None)?;
    let sets = sets(candidates);
    let steps = sets.len() + PHASE_MEASURES.len();
    let mut worths = vec![MeanOverGames::default(); all.columns()];
    for (done, set) in sets.iter().enumerate() {
        let is_present = set[0] <= FEATURES;
        let (columns, starts): (Vec<usize>, Vec<Vec<f64>>) = if is_present {
            let rest: Vec<usize> = present
                .iter()
                .copied()
                .filter(|n| !set.contains(n))
                .collect();
            let of_fold = |of: &Vec<f64>| rest.iter().map(|&n| of[n]).collect();
            let starts = coefficients.iter().map(of_fold).collect();
            (rest, starts)
        } else {
            let joined = present.iter().chain(set).copied().collect();
            let of_fold = |of: &Vec<f64>| {
                let mut start = of.clone();
                start.resize(present.len() + set.len(), 0.0);
                start
            };
            (joined, coefficients.iter().map(of_fold).collect())
        };
        let (other, _) = judge.held_out(&columns, Some(&starts))?;
        let change = |row: usize| {
            let gain = other[row] - base[row];
            if is_present { -gain } else { gain }
        };
        let worth = judge.bootstrapped(change);
        for &column in set {
            worths[column] = worth;
        }
        told(done + 1, steps);
    }
    let mut phases = Vec::with_capacity(PHASE_MEASURES.len());
    for measure in &PHASE_MEASURES {
        let twice = two_phases(games, shapes, measure.of);
        let columns: Vec<usize> = (0..twice.columns()).collect();
        let judge = Judge::new(games, twice, stop)?;
        let (other, _) = judge.held_out(&columns, None)?;
        phases.push(PhaseWorth {
            name: measure.name,
            meaning: measure.meaning,
            worth: judge.bootstrapped(|row| other[row] - base[row]),
        });
        told(sets.len() + phases.len(), steps);
    }
    let moments = Moments::new(all);
    let means = side_means(games, shapes, candidates);
    let features = (0..all.columns()).map(|n| {
        let (name, set, meaning) = label(n, candidates);
        FeatureWorth {
            name,
            set,
            meaning,
            is_present: n <= FEATURES,
            mean: means[n],
            spread: moments.covariance(n, n).sqrt(),
            correlations: (0..all.columns())
                .map(|other| moments.correlation(n, other))
                .collect(),
            worth: worths[n],
        }
    });
    let mean = |of: &[f64]| judge.mean(|row| of[row]);
    Some(Worths {
        features: features.collect(),
        phases,
        present: mean(&base),
        nothing: mean(&nothing),
        games: games
            .iter()
            .filter(|game| !game.positions.is_empty())
            .count() as u64,
        positions: all.len() as u64,
    })
}

/// Name, set and meaning of a column.
pub(super) fn label(
    column: usize,
    candidates: &[Candidate],
) -> (&'static str, &'static str, &'static str) {
    if column < FEATURES {
        let gene = &TABLE[FEATURE_GENES[column] as usize];
        (gene.name, gene.name, gene.meaning)
    } else if column == FEATURES {
        (TURN, TURN, "the side to move")
    } else {
        let candidate = &candidates[column - FEATURES - 1];
        (candidate.name, candidate.set, candidate.meaning)
    }
}

/// The columns that join or leave together.
pub(super) fn sets(candidates: &[Candidate]) -> Vec<Vec<usize>> {
    let mut sets: Vec<(&str, Vec<usize>)> = Vec::new();
    for column in 0..FEATURES + 1 + candidates.len() {
        let is_present = column <= FEATURES;
        let (_, name, _) = label(column, candidates);
        let known = sets
            .iter_mut()
            .find(|(set, columns)| *set == name && (columns[0] <= FEATURES) == is_present);
        match known {
            Some((_, columns)) => columns.push(column),
            None => sets.push((name, vec![column])),
        }
    }
    sets.into_iter().map(|(_, columns)| columns).collect()
}

/// The present features, the turn and the candidates, Black's less White's.
pub(super) fn all_columns(
    games: &[SampledGame],
    shapes: &Weights,
    candidates: &[Candidate],
) -> Rows {
    let tables = ShapeTables::new(shapes);
    rows(games, FEATURES + 1 + candidates.len(), |_, board, row| {
        row.extend(feature_difference(&tables, board));
        row.push(turn_sign(board));
        for candidate in candidates {
            let [black, white] = Side::BOTH.map(|side| (candidate.of)(board, side));
            row.push(black - white);
        }
    })
}

/// The present features as far as a position belongs to the opening, the same as far
/// as it belongs to the endgame, and the turn.
fn two_phases(
    games: &[SampledGame],
    shapes: &Weights,
    endgame: fn(&Position, &Board) -> f64,
) -> Rows {
    let tables = ShapeTables::new(shapes);
    rows(games, 2 * FEATURES + 1, |position, board, row| {
        let difference = feature_difference(&tables, board);
        let endgame = endgame(position, board);
        row.extend(difference.map(|x| x * (1.0 - endgame)));
        row.extend(difference.map(|x| x * endgame));
        row.push(turn_sign(board));
    })
}

/// The mean of every feature over positions and sides.
fn side_means(games: &[SampledGame], shapes: &Weights, candidates: &[Candidate]) -> Vec<f64> {
    let tables = ShapeTables::new(shapes);
    let columns = FEATURES + 1 + candidates.len();
    let sums = rows(games, columns, |_, board, row| {
        let [black, white] = Side::BOTH.map(|side| features(&tables, board, board.movers(), side));
        for (black, white) in black.iter().zip(&white) {
            row.push(f64::from(black + white) / f64::from(2 * ONE));
        }
        row.push(turn_sign(board));
        for candidate in candidates {
            let [black, white] = Side::BOTH.map(|side| (candidate.of)(board, side));
            row.push((black + white) / 2.0);
        }
    });
    let moments = Moments::new(&sums);
    moments.means
}

/// Means and covariances of columns.
struct Moments {
    means: Vec<f64>,
    covariances: Vec<f64>,
}

impl Moments {
    fn new(rows: &Rows) -> Moments {
        let columns = rows.columns();
        let count = rows.len() as f64;
        let mut means = vec![0.0; columns];
        for n in 0..rows.len() {
            for (mean, x) in means.iter_mut().zip(rows.row(n)) {
                *mean += x / count;
            }
        }
        let mut covariances = vec![0.0; columns * columns];
        for n in 0..rows.len() {
            let row = rows.row(n);
            for a in 0..columns {
                let from_mean = (row[a] - means[a]) / count;
                for b in 0..=a {
                    covariances[a * columns + b] += from_mean * (row[b] - means[b]);
                }
            }
        }
        Moments { means, covariances }
    }

    fn covariance(&self, a: usize, b: usize) -> f64 {
        let (row, column) = (a.max(b), a.min(b));
        self.covariances[row * self.means.len() + column]
    }

    /// 0 where a column never varies.
    fn correlation(&self, a: usize, b: usize) -> f64 {
        let spread = (self.covariance(a, a) * self.covariance(b, b)).sqrt();
        if spread > 0.0 {
            self.covariance(a, b) / spread
        } else {
            0.0
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::learn::test_support::{dark_pieces, games_of_dark_pieces};

    fn useless(board: &Board, side: Side) -> f64 {
        f64::from(board.key() as u8 & 7) * if side == Side::X { 1.0 } else { 0.5 }
    }

    /// A new candidate is one function and one row: nothing else is touched,
    /// and everything is known of it.
    #[test]
    fn a_candidate_is_one_function_and_one_row() {
        let row = |name, of| Candidate {
            name,
            set: name,
            meaning: "for the test",
            of,
        };
        let candidates = [
            row("dark", dark_pieces as fn(&Board, Side) -> f64),
            row("useless", useless),
        ];
        let games = games_of_dark_pieces(80);
        let mut done = Vec::new();
        let going_on = AtomicBool::new(false);
        let measure = |stop: &AtomicBool, told: &mut dyn FnMut(usize, usize)| {
            measure_features(&games, &Weights::source(), &candidates, stop, told)
        };
        let found = measure(&going_on, &mut |n, of| done.push((n, of)));
        let found = found.unwrap();
        assert_eq!(found.features.len(), FEATURES + 3);
        let steps = FEATURES + 3 + PHASE_MEASURES.len();
        assert_eq!(done.last(), Some(&(steps, steps)));
        assert_eq!(found.phases.len(), PHASE_MEASURES.len());
        // The games know nothing of phases.
        assert!(
            found.phases.iter().all(|one| one.worth.mean < 0.01),
            "{found:?}"
        );
        let feature = |name: &str| found.features.iter().find(|one| one.name == name).unwrap();
        let (good, bad) = (feature("dark"), feature("useless"));
        assert!(good.worth.mean > good.worth.error, "{good:?}");
        assert!(
            good.worth.mean > 0.02 && bad.worth.mean < 0.01,
            "{good:?} {bad:?}"
        );
        assert!(!good.is_present && feature(TURN).is_present && feature("euler").is_present);
        assert!(
            (3.0..9.0).contains(&good.mean) && good.spread > 0.5,
            "{good:?}"
        );
        for (n, one) in found.features.iter().enumerate() {
            assert_eq!(one.correlations.len(), found.features.len());
            if one.spread > 0.0 {
                assert!((one.correlations[n] - 1.0).abs() < 1e-9, "{one:?}");
            }
        }
        assert!(found.nothing > -0.8 && found.nothing < -0.6, "{found:?}");
        // Twice the same, to the bit.
        let again = measure(&going_on, &mut |_, _| {});
        assert_eq!(again.unwrap(), found);
        assert_eq!(measure(&AtomicBool::new(true), &mut |_, _| {}), None);
    }

    #[test]
    fn rows_of_a_set_join_together() {
        let row = |name, set| Candidate {
            name,
            set,
            meaning: "",
            of: dark_pieces,
        };
        let candidates = [row("a", "table"), row("b", "b"), row("c", "table")];
        let sets = sets(&candidates);
        assert_eq!(sets.len(), FEATURES + 3);
        assert_eq!(sets[FEATURES + 1], [FEATURES + 1, FEATURES + 3]);
        assert_eq!(sets[FEATURES + 2], [FEATURES + 2]);
        let stop = AtomicBool::new(false);
        let weights = Weights::source();
        let none = measure_features(&[], &weights, &candidates, &stop, &mut |_, _| {});
        assert_eq!(none, None);
    }
}
