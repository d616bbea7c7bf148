//! Forward selection: features join one by one, the most valuable first.
//!
//! It begins with the features of the source document and the side to move. At each
//! step every set that is left joins alone, and the one that the likelihood of
//! held-out games gains most by stays. It ends with the first whose gain is not above
//! its error.

use std::sync::atomic::AtomicBool;

use super::held_out::MeanOverGames;
use super::judge::Judge;
use super::laboratory::{all_columns, label, sets};
use super::sample::SampledGame;
use crate::eval::Weights;
use crate::eval::candidates::Candidate;
use crate::eval::features::FEATURES;
use crate::eval::genes;

/// A set of features that joined, or the first that did not.
#[derive(Clone, Debug, PartialEq)]
pub struct ForwardStep {
    /// The set: a gene's name or that of candidates.
    pub set: &'static str,
    /// Nats a position that held-out games gain when it joins those before it.
    pub gain: MeanOverGames,
    /// Nats a position of held-out games with it.
    pub likelihood: f64,
    /// Whether the gain is above its error.
    pub has_joined: bool,
}

/// The way of a forward selection.
#[derive(Clone, Debug, PartialEq)]
pub struct Forward {
    /// The features that it began with.
    pub first: Vec<&'static str>,
    /// Nats a position of held-out games with those.
    pub likelihood: f64,
    /// What joined, in order; the last one did not, unless everything joined.
    pub steps: Vec<ForwardStep>,
}

/// Adds genes and candidates to the features of the source document as long as
/// held-out games gain by it; the powers and the hole penalty are those of `shapes`.
/// `told` hears how many have joined and how many sets of how many were tried for
/// the next place. `None` where there are too few games to hold some out, or the
/// flag is set.
pub fn select_forward(
    games: &[SampledGame],
    shapes: &Weights,
    candidates: &[Candidate],
    stop: &AtomicBool,
    told: &mut dyn FnMut(usize, usize, usize),
) -> Option<Forward> {
    let judge = Judge::new(games, all_columns(games, shapes, candidates), stop)?;
    let is_first =
        |column: usize| column == FEATURES || genes::is_first(label(column, candidates).0);
    let (first, mut left): (Vec<_>, Vec<_>) = sets(candidates)
        .into_iter()
        .partition(|set| is_first(set[0]));
    let mut columns = first.concat();
    let (mut base, mut coefficients) = judge.held_out(&columns, None)?;
    let mut found = Forward {
        first: columns.iter().map(|&n| label(n, candidates).0).collect(),
        likelihood: judge.mean(|row| base[row]),
        steps: Vec::new(),
    };
    while !left.is_empty() {
        let mut best: Option<(f64, usize, _)> = None;
        for (n, set) in left.iter().enumerate() {
            told(found.steps.len(), n, left.len());
            let joined: Vec<usize> = columns.iter().chain(set).copied().collect();
            let starts: Vec<Vec<f64>> = coefficients
                .iter()
                .map(|of| [of.as_slice(), &vec![0.0; set.len()]].concat())
                .collect();
            let judged = judge.held_out(&joined, Some(&starts))?;
            let likelihood = judge.mean(|row| judged.0[row]);
            if best.as_ref().is_none_or(|(most, ..)| likelihood > *most) {
                best = Some((likelihood, n, judged));
            }
        }
        let (likelihood, n, (likelihoods, of_folds)) = best?;
        let set = left.remove(n);
        let gain = judge.bootstrapped(|row| likelihoods[row] - base[row]);
        let has_joined = gain.mean > gain.error;
        found.steps.push(ForwardStep {
            set: label(set[0], candidates).1,
            gain,
            likelihood,
            has_joined,
        });
        if !has_joined {
            break;
        }
        columns.extend(set);
        (base, coefficients) = (likelihoods, of_folds);
    }
    Some(found)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::learn::test_support::{dark_pieces, games_of_dark_pieces};

    /// What decides the games joins first, its copy never: it says nothing more.
    #[test]
    fn what_decides_the_games_joins_and_the_rest_stays_out() {
        let row = |name, of| Candidate {
            name,
            set: name,
            meaning: "for the test",
            of,
        };
        let candidates = [
            row("twice", |board, side| 2.0 * dark_pieces(board, side)),
            row("dark", dark_pieces),
        ];
        let games = games_of_dark_pieces(80);
        let weights = Weights::source();
        let stop = AtomicBool::new(false);
        let mut tries = Vec::new();
        let select = |stop: &AtomicBool, told: &mut dyn FnMut(usize, usize, usize)| {
            select_forward(&games, &weights, &candidates, stop, told)
        };
        let found = select(&stop, &mut |joined, n, of| tries.push((joined, n, of))).unwrap();
        assert!(found.first.contains(&"euler") && !found.first.contains(&"pieces"));
        let first = &found.steps[0];
        assert!(
            ["twice", "dark"].contains(&first.set) && first.has_joined,
            "{found:?}"
        );
        assert!(first.gain.mean > 0.02, "{first:?}");
        assert!(
            (first.likelihood - found.likelihood - first.gain.mean).abs() < 1e-9,
            "{found:?}"
        );
        let copy = if first.set == "dark" { "twice" } else { "dark" };
        let joined = |name: &str| {
            found
                .steps
                .iter()
                .any(|one| one.set == name && one.has_joined)
        };
        assert!(!joined(copy), "{found:?}");
        let (last, before) = found.steps.split_last().unwrap();
        assert!(!last.has_joined && before.iter().all(|one| one.has_joined));
        // Two candidates and the genes that are not of the source document.
        let rest = FEATURES + 1 - found.first.len() + 2;
        assert_eq!(tries[0], (0, 0, rest));
        assert_eq!(tries[rest], (1, 0, rest - 1));
        assert_eq!(select(&AtomicBool::new(true), &mut |_, _, _| {}), None);
        assert_eq!(
            select_forward(&[], &weights, &candidates, &stop, &mut |_, _, _| {}),
            None
        );
    }
}
