//! From matches to means: over the opponents of the panel, then over seeds. The
//! errors are those over seeds, so they hold the luck of learning and of judging.

use std::collections::{BTreeMap, BTreeSet};

use loatune::stats::{Pentanomial, elo_of_score};

use super::entry::Judged;

/// The opponent that is reported apart from the panel.
pub(crate) const DEFAULT: &str = "default";

/// Methods in the order of the tables; variants come after those.
pub(crate) const METHODS: [&str; 5] = ["evolution", "genetic", "regression", "spsa", "halving"];

/// What was judged, one cell for each method, depth and number of games.
pub(crate) struct Summary {
    pub(crate) cells: Vec<Cell>,
    /// The opponents of the panel, by name.
    pub(crate) panel: Vec<String>,
    /// The least games of a match that counts, and the most.
    pub(crate) judge_games: [u64; 2],
}

/// A method at one depth and number of games.
pub(crate) struct Cell {
    pub(crate) method: String,
    pub(crate) depth: u32,
    pub(crate) games: u64,
    pub(crate) engine: u64,
    pub(crate) fingerprint: String,
    /// By seed: Elo against each opponent, if all of the panel are there.
    pub(crate) seeds: BTreeMap<u64, BTreeMap<String, f64>>,
}

/// A mean over seeds with its 95 % error, if two seeds or more tell it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mean {
    pub(crate) value: f64,
    pub(crate) error: Option<f64>,
    pub(crate) seeds: usize,
}

/// Elo from pairs; a match without a point lost or won counts as if half a point
/// were.
fn elo(pairs: &[u64; 5]) -> Option<f64> {
    let pairs = Pentanomial(*pairs);
    let least = 0.25 / pairs.pairs().max(1) as f64;
    let moments = pairs.moments()?;
    Some(elo_of_score(moments.mean.clamp(least, 1.0 - least)))
}

impl Summary {
    /// Of several versions of the engine, of a method's parameters or of an
    /// opponent the last one counts; of several matches that are the same but for
    /// their length, the last one.
    pub(crate) fn new(judged: &[Judged]) -> Summary {
        let mut opponents = BTreeMap::new();
        let mut versions = BTreeMap::new();
        for one in judged {
            let learner = &one.learner;
            opponents.insert(&one.opponent, &one.opponent_id);
            versions.insert(&learner.method, (learner.engine, &learner.fingerprint));
        }
        let mut panel: Vec<String> = opponents.keys().map(|name| (*name).clone()).collect();
        panel.retain(|name| name != DEFAULT);
        let mut cells = BTreeMap::new();
        let mut lengths = BTreeSet::new();
        for one in judged {
            let learner = &one.learner;
            let version = (learner.engine, &learner.fingerprint);
            if versions.get(&learner.method) != Some(&version)
                || opponents.get(&one.opponent) != Some(&&one.opponent_id)
            {
                continue;
            }
            let place = METHODS.iter().position(|name| *name == learner.method);
            let place = place.unwrap_or(METHODS.len());
            let key = (learner.depth, learner.games, place, &learner.method);
            let cell = cells.entry(key).or_insert_with(|| Cell {
                method: learner.method.clone(),
                depth: learner.depth,
                games: learner.games,
                engine: learner.engine,
                fingerprint: learner.fingerprint.clone(),
                seeds: BTreeMap::new(),
            });
            if let Some(elo) = elo(&one.pairs) {
                let seed = cell.seeds.entry(learner.seed).or_default();
                seed.insert(one.opponent.clone(), elo);
                lengths.insert(2 * one.pairs.iter().sum::<u64>());
            }
        }
        let mut cells: Vec<Cell> = cells.into_values().collect();
        for cell in &mut cells {
            cell.seeds
                .retain(|_, of| panel.iter().all(|name| of.contains_key(name)));
        }
        cells.retain(|cell| !cell.seeds.is_empty());
        let ends = [lengths.first(), lengths.last()];
        Summary {
            cells,
            panel,
            judge_games: ends.map(|end| end.copied().unwrap_or(0)),
        }
    }

    pub(crate) fn cell(&self, method: &str, depth: u32, games: u64) -> Option<&Cell> {
        let is_it =
            |cell: &&Cell| (cell.method.as_str(), cell.depth, cell.games) == (method, depth, games);
        self.cells.iter().find(is_it)
    }

    pub(crate) fn depths(&self) -> BTreeSet<u32> {
        self.cells.iter().map(|cell| cell.depth).collect()
    }

    /// The numbers of games of a depth, the fewest first.
    pub(crate) fn budgets(&self, depth: u32) -> Vec<u64> {
        let cells = self.cells.iter().filter(|cell| cell.depth == depth);
        let games: BTreeSet<u64> = cells.map(|cell| cell.games).collect();
        games.into_iter().collect()
    }

    /// Elo over the panel.
    pub(crate) fn strength(&self, cell: &Cell) -> Option<Mean> {
        mean(cell.seeds.values().map(|of| self.of_panel(of)))
    }

    /// Elo against one opponent.
    pub(crate) fn against(&self, cell: &Cell, opponent: &str) -> Option<Mean> {
        mean(
            cell.seeds
                .values()
                .filter_map(|of| of.get(opponent).copied()),
        )
    }

    /// The lead of one over another over the panel, seed by seed, for the seeds
    /// that both have.
    pub(crate) fn lead(&self, one: &Cell, other: &Cell) -> Option<Mean> {
        let leads = one.seeds.iter().filter_map(|(seed, of)| {
            let others = other.seeds.get(seed)?;
            Some(self.of_panel(of) - self.of_panel(others))
        });
        mean(leads)
    }

    fn of_panel(&self, elo: &BTreeMap<String, f64>) -> f64 {
        let of = self.panel.iter().filter_map(|name| elo.get(name));
        of.sum::<f64>() / self.panel.len().max(1) as f64
    }
}

/// Two-sided 95 % quantiles of Student's t, from one degree of freedom on.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

fn mean(values: impl Iterator<Item = f64>) -> Option<Mean> {
    let values: Vec<f64> = values.collect();
    let seeds = values.len();
    if seeds == 0 {
        return None;
    }
    let count = seeds as f64;
    let value = values.iter().sum::<f64>() / count;
    let error = (seeds > 1).then(|| {
        let squares: f64 = values.iter().map(|x| (x - value) * (x - value)).sum();
        let quantile = STUDENT.get(seeds - 2).copied().unwrap_or(1.96);
        quantile * (squares / (count - 1.0) / count).sqrt()
    });
    Some(Mean {
        value,
        error,
        seeds,
    })
}

// The tests of the documents run these; the benchmark has nothing that would.
#[cfg(test)]
#[allow(dead_code)]
mod tests {
    use super::super::entry::Learner;
    use super::*;

    fn judged(method: &str, seed: u64, fingerprint: &str, opponent: &str, won: u64) -> Judged {
        Judged {
            learner: Learner {
                method: method.to_owned(),
                games: 2000,
                depth: 2,
                seed,
                engine: 1,
                fingerprint: fingerprint.to_owned(),
            },
            opponent: opponent.to_owned(),
            opponent_id: String::new(),
            pairs: [100 - won, 0, 0, 0, won],
        }
    }

    #[test]
    fn seeds_count_with_the_whole_panel_and_versions_are_not_mixed() {
        let all = [
            judged("spsa", 1, "old", "a", 99),
            judged("spsa", 1, "new", "a", 50),
            judged("spsa", 1, "new", "b", 64),
            judged("spsa", 1, "new", DEFAULT, 100),
            judged("spsa", 2, "new", "a", 36),
            judged("spsa", 2, "new", "b", 50),
            // The other opponent is missing.
            judged("spsa", 3, "new", "a", 1),
            judged("evolution", 1, "x", "a", 64),
            judged("evolution", 1, "x", "b", 64),
        ];
        let summary = Summary::new(&all);
        assert_eq!(summary.panel, ["a", "b"]);
        let spsa = summary.cell("spsa", 2, 2000).unwrap();
        let mean = summary.strength(spsa).unwrap();
        // 64 % are 99.95 Elo: the means of the seeds are half of that, up and down.
        assert!(mean.value.abs() < 1e-9 && mean.seeds == 2, "{mean:?}");
        let error = 12.706 * 49.977;
        assert!((mean.error.unwrap() - error).abs() < 0.1, "{mean:?}");
        // All games won: as if half a point were lost.
        let default = summary.against(spsa, DEFAULT).unwrap();
        assert!((default.value - 1040.0).abs() < 1.0, "{default:?}");
        let evolution = summary.cell("evolution", 2, 2000).unwrap();
        let lead = summary.lead(evolution, spsa).unwrap();
        assert_eq!((lead.error, lead.seeds), (None, 1));
        assert!((lead.value - 49.977).abs() < 0.01, "{lead:?}");
    }
}
