//! From games to weights.

use std::sync::atomic::{AtomicBool, Ordering};

use super::design::design_matrix;
use super::sample::SampledGame;
use super::scale::Bounds;
use super::shapes::choose_shapes;
use crate::eval::Weights;
use crate::eval::features::{FEATURE_GENES, FEATURES};
use crate::eval::genes::{self, GENES, TABLE};

/// What a fit may choose.
#[derive(Clone, Debug, PartialEq)]
pub struct FitSettings {
    /// The least and the most of each gene, in parts of its grid. A weight
    /// with 0 twice is left out, a shape with one value twice is not searched.
    pub bounds: [[i32; 2]; GENES],
    /// 1, or 2 for weights with an opening and an endgame value.
    pub phases: u32,
    /// The weights whose shapes the search for shapes begins with.
    pub start: Weights,
    /// Positions that the search for shapes looks at, evenly spread over all;
    /// the weights come from all positions.
    pub shape_positions: usize,
}

impl Default for FitSettings {
    fn default() -> FitSettings {
        FitSettings {
            bounds: genes::bounds(),
            phases: 1,
            start: Weights::source(),
            shape_positions: 40_000,
        }
    }
}

/// What games taught.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The weights, on the grid and within the bounds.
    pub weights: Weights,
    /// The coefficients before they were scaled and rounded, in nats a unit of
    /// each feature; with two phases the endgame's follow the opening's.
    pub coefficients: Vec<f64>,
    /// What the turn is worth, in nats.
    pub turn: f64,
    /// Units of weight that one nat became.
    pub units_per_nat: f64,
    /// Nats a position, by the positions' weights: how likely the outcomes
    /// are. Outcomes that nothing explains have −0.693.
    pub log_likelihood: f64,
    /// The number of games with positions.
    pub games: u64,
    /// The number of positions.
    pub positions: u64,
    /// The genes that a bound kept from their likeliest value.
    pub at_bound: Vec<&'static str>,
}

/// The weights under which the outcomes of the games are likeliest. `None`
/// where there is no position.
pub fn fit(games: &[SampledGame], settings: &FitSettings) -> Option<Fit> {
    fit_unless_stopped(games, settings, &AtomicBool::new(false))
}

/// The same; `None` also once the flag is set, within a step of the regression.
pub fn fit_unless_stopped(
    games: &[SampledGame],
    settings: &FitSettings,
    stop: &AtomicBool,
) -> Option<Fit> {
    let positions: usize = games.iter().map(|game| game.positions.len()).sum();
    if positions == 0 {
        return None;
    }
    let FitSettings { bounds, phases, .. } = settings;
    let phases = *phases;
    let few = thinned(games, positions.div_ceil(settings.shape_positions.max(1)));
    let shapes = choose_shapes(
        few.as_deref().unwrap_or(games),
        &settings.start,
        bounds,
        phases,
        stop,
    );
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let bounds = Bounds::new(bounds, phases).with_stop(stop);
    let found = bounds.fit(&design_matrix(games, &shapes, phases), None);
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let weights = bounds.weights(&found, &shapes);
    let mut coefficients = found.logistic.coefficients;
    let turn = coefficients.pop().unwrap_or(0.0);
    let mut at_bound: Vec<&str> = Vec::new();
    for column in found.at_bound {
        let name = TABLE[FEATURE_GENES[column % FEATURES] as usize].name;
        if !at_bound.contains(&name) {
            at_bound.push(name);
        }
    }
    Some(Fit {
        weights,
        coefficients,
        turn,
        units_per_nat: found.units,
        log_likelihood: found.logistic.log_likelihood / found.logistic.total_weight.max(1e-300),
        games: games
            .iter()
            .filter(|game| !game.positions.is_empty())
            .count() as u64,
        positions: positions as u64,
        at_bound,
    })
}

/// Every `stride`-th position, counted over all games; `None` where that is
/// every one.
fn thinned(games: &[SampledGame], stride: usize) -> Option<Vec<SampledGame>> {
    if stride <= 1 {
        return None;
    }
    let mut number = 0usize;
    let thin = |game: &SampledGame| {
        let positions = game.positions.iter().filter(|_| {
            number += 1;
            (number - 1).is_multiple_of(stride)
        });
        SampledGame {
            positions: positions.copied().collect(),
        }
    };
    Some(games.iter().map(thin).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::eval::features::ShapeTables;
    use crate::eval::genes::GeneId;
    use crate::learn::SampledGame;
    use crate::learn::design::feature_difference;
    use crate::learn::test_support::random_game;
    use crate::random::{Purpose, rng};
    use crate::stats::regression::logistic;

    /// Weights from which the outcomes of [`games`] are drawn.
    fn true_weights() -> Weights {
        let mut values = [0; GENES];
        values[GeneId::Euler as usize] = 80;
        values[GeneId::HolePenalty as usize] = 4;
        values[GeneId::Spread as usize] = 20;
        values[GeneId::SpreadPower as usize] = 8;
        values[GeneId::Capturable as usize] = -30;
        values[GeneId::Mobility as usize] = 12;
        values[GeneId::MobilityPower as usize] = 4;
        Weights::uniform(values)
    }

    /// Random games whose positions have outcomes of their own, drawn from the
    /// true weights: more than real games tell, so few of them are enough.
    fn games(count: u64) -> Vec<SampledGame> {
        let weights = true_weights();
        let tables = ShapeTables::new(&weights);
        let game = |n| {
            let mut rng = rng(n, Purpose::Opening);
            let mut game = random_game(&mut rng, 30);
            for position in &mut game.positions {
                let difference = feature_difference(&tables, &position.board());
                let units: f64 = FEATURE_GENES
                    .iter()
                    .zip(difference)
                    .map(|(&gene, x)| f64::from(weights.get(gene)) * x)
                    .sum();
                let chance = logistic(units / 400.0);
                position.target = f32::from(u8::from(rng.random_bool(chance)));
            }
            game
        };
        (0..count).map(game).collect()
    }

    #[test]
    fn the_weights_behind_the_outcomes_are_found() {
        let mut settings = FitSettings {
            shape_positions: 2000,
            ..FitSettings::default()
        };
        // Two shapes have their value, one is searched.
        settings.bounds[GeneId::HolePenalty as usize] = [4, 4];
        settings.bounds[GeneId::MobilityPower as usize] = [4, 4];
        settings.bounds[GeneId::SpreadPower as usize] = [4, 8];
        // Random moves hardly ever make a full window or block a piece.
        settings.bounds[GeneId::Quad4 as usize] = [0, 0];
        settings.bounds[GeneId::Blocked as usize] = [0, 0];
        // Nor do they gather the pieces.
        for gene in [GeneId::Pieces, GeneId::Extent, GeneId::Concentration] {
            settings.bounds[gene as usize] = [0, 0];
        }
        let games = games(300);
        let fit = fit(&games, &settings).unwrap();
        assert_eq!(fit.weights.validate(), Ok(()));
        assert_eq!(fit.weights.get(GeneId::SpreadPower), 8, "{fit:?}");
        let scale = 400.0 / fit.units_per_nat;
        for gene in FEATURE_GENES {
            let found = f64::from(fit.weights.get(gene)) * scale;
            let expected = f64::from(true_weights().get(gene));
            let error = 6.0 + expected.abs() / 4.0;
            assert!(
                (found - expected).abs() < error,
                "{gene:?}: {found} {expected}\n{fit:?}"
            );
        }
        assert!(
            fit.turn.abs() < 0.1 && fit.log_likelihood > -0.69,
            "{fit:?}"
        );
        assert_eq!(fit.games, 300);
    }

    #[test]
    fn any_number_of_threads_finds_the_same() {
        let games = games(100);
        let mut settings = FitSettings {
            phases: 2,
            shape_positions: 300,
            ..FitSettings::default()
        };
        settings.bounds[GeneId::HolePenalty as usize] = [4, 4];
        settings.bounds[GeneId::SpreadPower as usize] = [4, 4];
        let fits = [1, 2, 4].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| fit(&games, &settings).unwrap())
        });
        let bits = |fit: &Fit| {
            fit.coefficients
                .iter()
                .map(|x| x.to_bits())
                .collect::<Vec<_>>()
        };
        assert!(fits[0].weights.has_phases());
        assert_eq!(fits[0].coefficients.len(), 2 * FEATURES);
        assert_eq!(fits[0].weights.validate(), Ok(()));
        for other in &fits[1..] {
            assert_eq!(bits(&fits[0]), bits(other));
            assert_eq!(&fits[0], other);
        }
    }

    #[test]
    fn without_positions_there_is_nothing_to_learn() {
        assert_eq!(fit(&[], &FitSettings::default()), None);
        assert_eq!(
            fit(&[SampledGame::default()], &FitSettings::default()),
            None
        );
    }

    #[test]
    fn a_flag_ends_a_fit() {
        let games = games(20);
        let settings = FitSettings::default();
        let stop = AtomicBool::new(true);
        assert_eq!(fit_unless_stopped(&games, &settings, &stop), None);
    }

    #[test]
    fn every_few_positions_are_taken_across_games() {
        let games = games(3);
        let all: usize = games.iter().map(|game| game.positions.len()).sum();
        let thin = thinned(&games, 7).unwrap();
        let kept: usize = thin.iter().map(|game| game.positions.len()).sum();
        assert_eq!((thin.len(), kept), (3, all.div_ceil(7)));
        assert_eq!(thinned(&games, 1), None);
    }
}
