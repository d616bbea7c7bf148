//! Whole evolutions on a known fitness function: the loss of strength is
//! quadratic in the distance from an optimum (a sphere function), which is
//! drawn for each world. Games are decided by chance according to Elo.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::space::{Point, Space};
use super::*;
use crate::genome::GeneTable;
use crate::params::{EvolutionParams, Params};

/// A fitness function, and the chance that decides games on it.
struct World {
    best: Point,
    space: Space,
    /// Whether weights and their double are equally strong, as in the game.
    scale_is_free: bool,
    /// Whether one side wins both games of every match.
    is_decisive: bool,
    rng: ChaCha8Rng,
}

/// Elo points lost by a gene that is off by its whole range.
const DEPTH: f64 = 400.0;

/// A first mover's advantage in Elo points; swapped colours cancel it.
const FIRST: f64 = 40.0;

const DRAWS: f64 = 0.05;

impl World {
    fn new(seed: u64, scale_is_free: bool) -> World {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let space = Space::new(&Params::with_first_genes().genome.spec(&GeneTable::first()));
        let mut at = || -> Vec<f64> {
            let genes = GeneTable::first();
            let values = genes.iter().map(|gene| {
                let [min, max] = gene.range.map(f64::from);
                min + (max - min) * rng.random_range(0.15..0.85)
            });
            values.collect()
        };
        let values = at();
        let mut best = Point {
            opening: values.clone(),
            endgame: values,
        };
        if scale_is_free {
            space.constrain(&mut best);
        }
        World {
            best,
            space,
            scale_is_free,
            is_decisive: false,
            rng,
        }
    }

    /// Elo points below the optimum.
    fn below(&self, weights: &Genome) -> f64 {
        let mut point = Point::from(weights);
        let factor = if self.scale_is_free {
            self.space.norm(&self.best) / self.space.norm(&point).max(0.01)
        } else {
            1.0
        };
        let mut sum = 0.0;
        for (n, gene) in GeneTable::first().iter().enumerate() {
            let [min, max] = gene.range;
            if gene.shares_scale {
                point.opening[n] *= factor;
            }
            let off = (point.opening[n] - self.best.opening[n]) / f64::from(max - min);
            sum += off * off;
        }
        DEPTH * sum
    }

    /// The mean result of two games, colours swapped.
    fn play(&mut self, weights: &[Genome; 2]) -> f64 {
        let lead = self.below(&weights[1]) - self.below(&weights[0]);
        let mut game = |lead: f64| {
            if self.rng.random_bool(DRAWS) {
                return 0.0;
            }
            let wins = 1.0 / (1.0 + 10f64.powf(-lead / 400.0));
            if self.rng.random_bool(wins) {
                1.0
            } else {
                -1.0
            }
        };
        if self.is_decisive {
            return loop {
                let score = game(lead);
                if score != 0.0 {
                    break score;
                }
            };
        }
        (game(lead + FIRST) + game(lead - FIRST)) / 2.0
    }
}

/// How an evolution ends: Elo below the optimum.
struct Outcome {
    founders: f64,
    champion: f64,
    last: f64,
}

fn evolve(world: &mut World, plan: &Plan) -> Outcome {
    let (mut state, _) = State::new(plan);
    let founders = state
        .individuals()
        .iter()
        .map(|founder| world.below(&founder.weights));
    let founders = founders.fold(f64::INFINITY, f64::min);
    while let Some(pairing) = state.pending().front() {
        let result = MatchResult {
            number: pairing.number,
            files: pairing.files,
            score: world.play(&pairing.weights),
        };
        state.apply(plan, &result).unwrap();
    }
    Outcome {
        founders,
        champion: world.below(&state.champion().unwrap().weights),
        last: world.below(&state.individuals()[0].weights),
    }
}

fn plan(seed: u64, games: u64, window: u32, population: u32, normalise: bool) -> Plan {
    let mut params = Params::with_first_genes();
    params.run.seed = seed;
    params.run.window = window;
    params.genome.normalise = normalise;
    params.school.enabled = false;
    params.evolution = EvolutionParams {
        budget: games,
        population,
        ..EvolutionParams::default()
    };
    Plan::with_genes(&params, &GeneTable::first(), &[])
}

/// The same with mutations of one size throughout, as in the first rule. A
/// sphere function is smooth at every scale, so wide mutations do best on it.
fn wide_plan(seed: u64, games: u64, normalise: bool) -> Plan {
    let mut plan = plan(seed, games, 8, 32, normalise);
    plan.evolution = EvolutionParams {
        sigma: 0.2,
        sigma_end: 0.0,
        relative: 0.0,
        elder_from: 0.25,
        memory: 0,
        ..plan.evolution
    };
    plan
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
fn the_champion_is_near_the_optimum() {
    for scale_is_free in [false, true] {
        let outcomes: Vec<Outcome> = (0..9)
            .map(|seed| {
                let plan = wide_plan(seed, 4000, scale_is_free);
                evolve(&mut World::new(seed, scale_is_free), &plan)
            })
            .collect();
        let founders = median(outcomes.iter().map(|o| o.founders).collect());
        let champion = median(outcomes.iter().map(|o| o.champion).collect());
        assert!(founders > 50.0, "{founders}");
        assert!(champion < 15.0, "{champion}");
        for outcome in &outcomes {
            assert!(
                outcome.champion < outcome.founders / 2.0,
                "{} {}",
                outcome.champion,
                outcome.founders
            );
        }
    }
}

#[test]
fn nothing_stalls_where_every_match_is_decided() {
    let outcomes = (0..9).map(|seed| {
        let mut world = World::new(seed, false);
        world.is_decisive = true;
        evolve(&mut world, &wide_plan(seed, 4000, false)).champion
    });
    let champion = median(outcomes.collect());
    assert!(champion < 25.0, "{champion}");
}

#[test]
fn falling_mutations_come_near_the_optimum_too() {
    for is_decisive in [false, true] {
        let outcomes: Vec<Outcome> = (0..9)
            .map(|seed| {
                let mut world = World::new(seed, true);
                world.is_decisive = is_decisive;
                evolve(&mut world, &plan(seed, 4000, 8, 32, true))
            })
            .collect();
        let founders = median(outcomes.iter().map(|o| o.founders).collect());
        let champion = median(outcomes.iter().map(|o| o.champion).collect());
        assert!(champion < founders / 2.0, "{champion} {founders}");
    }
}

/// Prints a table of Elo below the optimum: medians of as many worlds as the
/// variable `WORLDS` says, else of 21.
#[test]
#[ignore = "a measurement, not a test"]
fn measure() {
    let worlds = std::env::var("WORLDS").map_or(21, |text| text.parse().unwrap());
    for scale_is_free in [false, true] {
        for normalise in [false, true] {
            for (window, population) in [(1, 20), (8, 32)] {
                for games in [1000, 5000, 20_000, 100_000] {
                    let clock = std::time::Instant::now();
                    let outcomes: Vec<Outcome> = (0..worlds)
                        .map(|seed| {
                            let plan = plan(seed, games, window, population, normalise);
                            evolve(&mut World::new(seed + 1000, scale_is_free), &plan)
                        })
                        .collect();
                    let micros = clock.elapsed().as_micros() as f64 / worlds as f64;
                    println!(
                        "scale free: {scale_is_free}, normalise: {normalise}, W {window}, \
                         N {population}, {games} games: best founder {:.1}, champion {:.1}, \
                         last file {:.1}; {:.2} us a match",
                        median(outcomes.iter().map(|o| o.founders).collect()),
                        median(outcomes.iter().map(|o| o.champion).collect()),
                        median(outcomes.iter().map(|o| o.last).collect()),
                        micros / (games as f64 / 2.0)
                    );
                }
            }
        }
    }
}
