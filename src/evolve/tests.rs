//! Whole runs of the fold with made-up results.

use std::collections::HashSet;

use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::eval::genes::{self, GENES};
use crate::params::Params;

/// How made-up matches end.
#[derive(Clone, Copy, Debug)]
enum Luck {
    Draws,
    Even,
    Extreme,
    /// The file with the larger number wins.
    Younger,
    /// The file with the larger sum of genes wins.
    Larger,
}

fn score(luck: Luck, pairing: &Pairing, rng: &mut ChaCha8Rng) -> f64 {
    let wins = |first: bool| if first { 1.0 } else { -1.0 };
    match luck {
        Luck::Draws => 0.0,
        Luck::Even => f64::from(rng.random_range(-10..=10)) / 10.0,
        Luck::Extreme => wins(rng.random_bool(0.5)),
        Luck::Younger => wins(pairing.files[0] > pairing.files[1]),
        Luck::Larger => {
            let [one, other] = pairing.weights.map(|w| w.opening.iter().sum::<i32>());
            if one == other { 0.0 } else { wins(one > other) }
        }
    }
}

fn plan(change: impl FnOnce(&mut Params)) -> Plan {
    let mut params = Params::default();
    change(&mut params);
    Plan::new(&params, &[])
}

/// What is told, kept as a store would keep it.
#[derive(Default)]
struct Told {
    born: HashSet<FileId>,
    elders: HashSet<FileId>,
    lives: HashSet<FileId>,
    totals: std::collections::HashMap<FileId, Totals>,
    samples: u64,
    hall: Vec<FileId>,
    finals: u32,
    champions: Vec<FileId>,
}

impl Told {
    /// Takes a step in and compares with the state after it.
    fn take(&mut self, state: &State, plan: &Plan, step: &Step) {
        for event in &step.events {
            match event {
                Event::Born(birth) => {
                    assert!(self.born.insert(birth.file), "born twice: {}", birth.file);
                    assert_eq!(birth.at, state.matches());
                    assert!(birth.parents.iter().all(|id| self.born.contains(id)));
                    let parents = match birth.origin {
                        Origin::Crossover => 2,
                        Origin::Doubling => 1,
                        _ => 0,
                    };
                    assert_eq!(birth.parents.len(), parents);
                    if birth.origin == Origin::Elder {
                        self.elders.insert(birth.file);
                    } else {
                        self.lives.insert(birth.file);
                    }
                    assert!(birth.weights.fault().is_none());
                }
                Event::Died { file, .. } => assert!(self.lives.remove(file)),
                Event::Hall { file } => {
                    assert!(self.elders.contains(file));
                    self.hall.push(*file);
                }
                Event::Sample(sample) => {
                    self.samples += 1;
                    assert_eq!(sample.matches, state.matches());
                    assert_eq!(sample.population as usize, self.lives.len());
                    assert_eq!(sample.gene_means.len(), 2 * GENES);
                }
                Event::Final { last, elder } => {
                    self.finals += 1;
                    assert!(self.lives.contains(last) && self.elders.contains(elder));
                }
                Event::Champion { file, .. } => self.champions.push(*file),
                Event::Changed { .. } => {}
            }
        }
        for &(file, totals) in &step.totals {
            assert!(self.born.contains(&file));
            self.totals.insert(file, totals);
        }
        let living: HashSet<FileId> = state.files().iter().map(|file| file.id).collect();
        assert_eq!(living, self.lives);
        for file in state.files() {
            assert_eq!(self.totals[&file.id], file.totals);
            assert_eq!(file.totals.death, None);
        }
        assert_eq!(state.births() - state.deaths(), living.len() as u64);
        assert_eq!(state.births() as usize + self.elders.len(), self.born.len());
        assert!(!living.is_empty());
        assert!(living.len() <= state.capacity(plan) as usize);
        assert!(state.capacity(plan) <= plan.evolution.population.max(1));
        assert!(state.pending().len() <= plan.window.max(1) as usize);
        assert_eq!(state.pending().is_empty(), state.stage() == Stage::Over);
        assert_eq!(state.champion().is_some(), state.stage() == Stage::Over);
        assert_eq!(
            state.final_record().is_some(),
            state.stage() != Stage::Evolving
        );
        assert!(state.files().is_sorted_by_key(|file| file.id));
        assert_eq!(state.hall(), self.hall);
        for (n, pairing) in state.pending().iter().enumerate() {
            assert_eq!(pairing.number, state.matches() + n as u64);
            assert_ne!(pairing.files[0], pairing.files[1]);
            assert!(pairing.files.iter().all(|id| self.born.contains(id)));
        }
    }
}

fn next(state: &State, luck: Luck, rng: &mut ChaCha8Rng) -> Option<MatchResult> {
    let pairing = state.pending().front()?;
    Some(MatchResult {
        number: pairing.number,
        files: pairing.files,
        score: score(luck, pairing, rng),
    })
}

/// Runs to the end, checking every step.
fn run(plan: &Plan, luck: Luck) -> (State, Told) {
    let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
    let mut told = Told::default();
    let (mut state, step) = State::new(plan);
    told.take(&state, plan, &step);
    while let Some(result) = next(&state, luck, &mut rng) {
        let step = state.apply(plan, &result).unwrap();
        told.take(&state, plan, &step);
        assert!(state.matches() <= plan.evolution.budget / 2);
    }
    (state, told)
}

fn luck() -> impl Strategy<Value = Luck> {
    prop_oneof![
        Just(Luck::Draws),
        Just(Luck::Even),
        Just(Luck::Extreme),
        Just(Luck::Younger),
        Just(Luck::Larger),
    ]
}

prop_compose! {
    /// Plans sensible and absurd.
    fn any_plan()(
        seed in any::<u64>(),
        window in 0u32..40,
        budget in prop_oneof![0u64..10, 0u64..700],
        population in prop_oneof![0u32..5, 2u32..40],
        (maturity, refill_below) in (0u32..8, 0u32..6),
        (min_points, max_points) in (-2.0..1.0f64, -1.0..2.0f64),
        (sigma, border) in (0.0..1.5f64, 0.0..1.0f64),
        (crossover, inherit) in (0.0..=1.0f64, 0.0..=1.0f64),
        (elder_from, shrink_from) in (0.0..1.2f64, 0.0..1.2f64),
        vote in prop_oneof![Just(0.0), 0.0..1.0f64],
        (share, errors) in (prop_oneof![Just(0.0), Just(1.0), 0.0..1.0f64], 0.0..3.0f64),
        phases in 1u32..=2,
        normalise in any::<bool>(),
        bounds in proptest::array::uniform11((0.0..=1.0f64, 0.0..=1.0f64)),
        seeds in 0usize..4,
    ) -> Plan {
        let mut plan = plan(|_| {});
        plan.seed = seed;
        plan.window = window;
        plan.evolution = crate::params::EvolutionParams {
            budget, population, maturity, min_points, max_points, sigma, crossover, inherit,
            border, elder_from, shrink_from, refill_below, vote,
        };
        plan.last.share = share;
        plan.last.errors = errors;
        plan.genome.phases = phases;
        plan.genome.normalise = normalise;
        let table = genes::bounds();
        plan.genome.bounds = std::array::from_fn(|n| {
            let at = |part: f64| table[n][0] + (part * f64::from(table[n][1] - table[n][0])) as i32;
            [at(bounds[n].0), at(bounds[n].1)]
        });
        plan.seeds = vec![Weights::default(); seeds];
        plan
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn one_champion_whatever_the_parameters(plan in any_plan(), luck in luck()) {
        let (state, told) = run(&plan, luck);
        prop_assert_eq!(told.finals, 1);
        prop_assert_eq!(told.champions.len(), 1);
        let champion = state.champion().unwrap();
        prop_assert_eq!(champion.file, told.champions[0]);
        prop_assert_eq!(state.files().len(), 1);
        prop_assert_eq!(champion.is_elder, told.elders.contains(&champion.file));
        prop_assert!(state.hall().len() <= 10);
        prop_assert!(told.samples >= 1 && told.samples <= 102);
        prop_assert_eq!(state.ends_with(&plan), state.matches());
        prop_assert!(state.best_founder().unwrap().0 .0 < u64::from(plan.evolution.population.max(1)));
    }

    #[test]
    fn a_state_read_back_goes_on_alike(plan in any_plan(), luck in luck(), stop in 0u64..200) {
        let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
        let (mut state, _) = State::new(&plan);
        let mut twin = State::new(&plan).0;
        prop_assert_eq!(&state, &twin);
        while let Some(result) = next(&state, luck, &mut rng) {
            if state.matches() == stop {
                let bytes = postcard::to_stdvec(&twin).unwrap();
                twin = postcard::from_bytes(&bytes).unwrap();
                prop_assert_eq!(&state, &twin);
            }
            let steps = (state.apply(&plan, &result), twin.apply(&plan, &result));
            prop_assert!(steps.0.is_ok());
            prop_assert_eq!(steps.0, steps.1);
        }
        prop_assert_eq!(state, twin);
    }
}

#[test]
fn the_final_is_refused_what_came_too_late() {
    let plan = plan(|params| params.evolution.budget = 0);
    let (mut state, step) = State::new(&plan);
    assert_eq!(state.stage(), Stage::Over);
    assert!(state.champion().unwrap().is_elder);
    assert!(matches!(
        step.events.last(),
        Some(Event::Champion { matches: 0, .. })
    ));
    let before = state.clone();
    let weights = Weights::default();
    assert_eq!(state.immigrate(&plan, &weights), Err(Refused::FinalBegun));
    assert_eq!(state.change(&plan, Vec::new()), Err(Refused::FinalBegun));
    let result = MatchResult {
        number: 0,
        files: [FileId(0), FileId(1)],
        score: 0.0,
    };
    assert_eq!(state.apply(&plan, &result), Err(Refused::Over));
    assert_eq!(state, before);
}
