//! Whole runs of the fold with made-up results.

use std::collections::HashSet;

use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::genome::{GeneTable, Genome};
use crate::params::Params;

/// How made-up matches end.
#[derive(Clone, Copy, Debug)]
enum Luck {
    Draws,
    Even,
    Extreme,
    /// The individual with the larger number wins.
    Younger,
    /// The individual with the larger sum of genes wins.
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
            let [one, other] = pairing
                .weights
                .each_ref()
                .map(|w| w.opening.iter().sum::<i32>());
            if one == other { 0.0 } else { wins(one > other) }
        }
    }
}

fn plan(change: impl FnOnce(&mut Params)) -> Plan {
    let mut params = Params::with_first_genes();
    params.school.enabled = false;
    change(&mut params);
    Plan::with_genes(&params, &GeneTable::first(), &[])
}

/// What is observed, kept as a store would keep it.
#[derive(Default)]
struct Observed {
    born: HashSet<FileId>,
    elders: HashSet<FileId>,
    lives: HashSet<FileId>,
    totals: std::collections::HashMap<FileId, Totals>,
    samples: u64,
    hall: Vec<FileId>,
    finals: u32,
    champions: Vec<FileId>,
}

impl Observed {
    /// Takes a step in and compares with the state after it.
    fn add(&mut self, state: &State, plan: &Plan, step: &Step) {
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
                    assert_eq!(plan.genome.table.check_length(&birth.weights), Ok(()));
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
                    assert_eq!(sample.gene_means.len(), 2 * plan.genome.table.len());
                }
                Event::Final { last, elder } => {
                    self.finals += 1;
                    assert!(self.lives.contains(last) && self.elders.contains(elder));
                }
                Event::Champion { file, .. } => self.champions.push(*file),
                Event::Changed { .. }
                | Event::Extended { .. }
                | Event::Scholar { .. }
                | Event::Challenge { .. }
                | Event::Semifinal { .. } => {}
            }
        }
        for &(file, totals) in &step.totals {
            assert!(self.born.contains(&file));
            self.totals.insert(file, totals);
        }
        let living: HashSet<FileId> = state.individuals().iter().map(|one| one.id).collect();
        assert_eq!(living, self.lives);
        for one in state.individuals() {
            assert_eq!(self.totals[&one.id], one.totals);
            assert_eq!(one.totals.death, None);
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
        assert!(state.individuals().is_sorted_by_key(|one| one.id));
        assert_eq!(state.hall_of_fame(), self.hall);
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
fn run(plan: &Plan, luck: Luck) -> (State, Observed) {
    let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
    let mut observed = Observed::default();
    let (mut state, step) = State::new(plan);
    observed.add(&state, plan, &step);
    while let Some(result) = next(&state, luck, &mut rng) {
        let step = state.apply(plan, &result).unwrap();
        observed.add(&state, plan, &step);
        assert!(state.matches() <= plan.evolution.budget / 2);
    }
    (state, observed)
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
    /// Plans within and far outside of sensible ranges.
    fn any_plan()(
        seed in any::<u64>(),
        window in 0u32..40,
        budget in prop_oneof![0u64..10, 0u64..700],
        population in prop_oneof![0u32..5, 2u32..40],
        (maturity, refill_below) in (0u32..8, 0u32..6),
        (min_points, max_points) in (-2.0..1.0f64, -1.0..2.0f64),
        (sigma, border) in (0.0..1.5f64, 0.0..1.0f64),
        (sigma_end, relative) in (prop_oneof![Just(0.0), 0.0..1.0f64], 0.0..=1.0f64),
        memory in prop_oneof![Just(0), 1u32..300],
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
            border, elder_from, shrink_from, refill_below, vote, sigma_end, relative, memory,
        };
        plan.final_stage.share = share;
        plan.final_stage.errors = errors;
        plan.genome.phases = phases;
        plan.genome.normalise = normalise;
        let table: Vec<[i32; 2]> = plan.genome.bounds.clone();
        let bounds = |n: usize| {
            let at = |part: f64| table[n][0] + (part * f64::from(table[n][1] - table[n][0])) as i32;
            [at(bounds[n].0), at(bounds[n].1)]
        };
        plan.genome.bounds = (0..table.len()).map(bounds).collect();
        plan.seeds = vec![Genome::default(); seeds];
        plan
    }
}

/// The points of all individuals that live and of those that a step removed.
fn points(state: &State, step: Option<&Step>) -> f64 {
    let living = state.individuals().iter().map(|one| one.totals.points);
    let removed = step.into_iter().flat_map(|step| &step.totals);
    let removed = removed
        .filter(|(_, totals)| totals.death.is_some())
        .map(|(_, totals)| totals.points);
    living.chain(removed).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Between two living individuals a match moves points and makes none; every
    /// pair of twins with parents costs `max_points`, a refill nothing; against
    /// a dead opponent an individual gets its score.
    #[test]
    fn points_come_from_matches_and_pay_for_births(plan in any_plan(), luck in luck()) {
        let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
        let (mut state, _) = State::new(&plan);
        while let Some(result) = next(&state, luck, &mut rng) {
            let is_final = state.stage() == Stage::Final;
            let lives = result.files.map(|id| state.individual(id).is_some());
            let mut wanted = points(&state, None) + match lives {
                _ if is_final => 0.0,
                [true, false] => result.score,
                [false, true] => -result.score,
                _ => 0.0,
            };
            let step = state.apply(&plan, &result).unwrap();
            let mut twins = 0;
            for event in &step.events {
                if let Event::Born(birth) = event
                    && !birth.parents.is_empty()
                {
                    twins += 1;
                }
            }
            prop_assert_eq!(twins % 2, 0);
            wanted -= f64::from(twins / 2) * plan.evolution.max_points;
            let found = points(&state, Some(&step));
            prop_assert!((found - wanted).abs() < 1e-6, "{} {}", found, wanted);
        }
    }

    /// Changed parameters and immigrants keep every invariant.
    #[test]
    fn changes_and_immigrants_at_any_time(
        first in any_plan(),
        mut second in any_plan(),
        luck in luck(),
        at in 0u64..100,
    ) {
        second.genome.phases = first.genome.phases;
        let mut rng = ChaCha8Rng::seed_from_u64(first.seed);
        let mut observed = Observed::default();
        let (mut state, step) = State::new(&first);
        observed.add(&state, &first, &step);
        let mut plan = &first;
        while let Some(result) = next(&state, luck, &mut rng) {
            let step = state.apply(plan, &result).unwrap();
            if plan == &first {
                observed.add(&state, plan, &step);
            }
            if state.stage() == Stage::Evolving && state.matches() == at {
                let weights = Genome::draw(&mut rng, &plan.genome);
                let step = state.immigrate(plan, &weights).unwrap();
                observed.add(&state, plan, &step);
                let newest = state.individuals().last().unwrap();
                prop_assert!(newest.origin == Origin::Immigrant || plan.evolution.population < 2);
                let keys = vec![String::from("evolution.budget: 1 -> 2")];
                let step = state.change_plan(&second, keys.clone()).unwrap();
                prop_assert_eq!(&step.events[0], &Event::Changed { keys });
                plan = &second;
                prop_assert!(state.individuals().len() <= state.capacity(plan) as usize);
                prop_assert!(!state.pending().is_empty());
            }
        }
        prop_assert!(state.champion().is_some());
        prop_assert!(state.hall_of_fame().len() <= 10);
        let most = first.evolution.budget.max(second.evolution.budget) / 2;
        prop_assert!(state.matches() <= most);
    }

    #[test]
    fn one_champion_whatever_the_parameters(plan in any_plan(), luck in luck()) {
        let (state, observed) = run(&plan, luck);
        prop_assert_eq!(observed.finals, 1);
        prop_assert_eq!(observed.champions.len(), 1);
        let champion = state.champion().unwrap();
        prop_assert_eq!(champion.file, observed.champions[0]);
        prop_assert_eq!(state.individuals().len(), 1);
        prop_assert_eq!(champion.is_elder, observed.elders.contains(&champion.file));
        prop_assert!(state.hall_of_fame().len() <= 10);
        prop_assert!(observed.samples >= 1 && observed.samples <= 102);
        prop_assert_eq!(state.total_matches(&plan), state.matches());
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
    let weights = Genome::default();
    assert_eq!(state.immigrate(&plan, &weights), Err(Refused::FinalBegun));
    assert_eq!(
        state.change_plan(&plan, Vec::new()),
        Err(Refused::FinalBegun)
    );
    let result = MatchResult {
        number: 0,
        files: [FileId(0), FileId(1)],
        score: 0.0,
    };
    assert_eq!(state.apply(&plan, &result), Err(Refused::Over));
    assert_eq!(state, before);
}

#[test]
fn only_the_next_match_is_taken_and_only_with_a_score() {
    let plan = plan(|_| {});
    let (mut state, _) = State::new(&plan);
    assert_eq!(state.pending().len(), 8);
    let before = state.clone();
    let good = |pairing: &Pairing| MatchResult {
        number: pairing.number,
        files: pairing.files,
        score: 0.2,
    };
    let second = good(&state.pending()[1]);
    let refused = state.apply(&plan, &second).unwrap_err();
    assert!(matches!(
        refused,
        Refused::NotNext {
            number: 1,
            wanted: 0,
            ..
        }
    ));
    let mut first = good(&state.pending()[0]);
    for score in [f64::NAN, f64::INFINITY, 1.000_001, -1.5] {
        first.score = score;
        let refused = state.apply(&plan, &first).unwrap_err();
        assert!(matches!(refused, Refused::Score { number: 0, .. }));
    }
    first = good(&state.pending()[0]);
    first.files.reverse();
    assert!(state.apply(&plan, &first).is_err());
    let mut two = plan.clone();
    two.genome.phases = 2;
    assert_eq!(
        state.change_plan(&two, Vec::new()),
        Err(Refused::Phases { before: 1, now: 2 })
    );
    let mut outside = Genome::default();
    outside.opening[0] = 201;
    outside.endgame[0] = 201;
    assert!(matches!(
        state.immigrate(&plan, &outside),
        Err(Refused::OutOfBounds { gene, .. }) if gene == "euler"
    ));
    assert_eq!(state, before);
    first = good(&state.pending()[0]);
    state.apply(&plan, &first).unwrap();
    assert_eq!(state.games(), 2);
    let points = |id| state.individual(id).unwrap().totals.points;
    assert_eq!(first.files.map(points), [0.2, -0.2]);
}

/// Scores by hand: the coefficient, the price of twins, a death.
#[test]
fn a_weak_individual_that_beats_a_strong_one_gets_more() {
    let plan = plan(|params| {
        params.run.window = 1;
        params.evolution.population = 2;
        params.evolution.max_points = 100.0;
        params.evolution.min_points = -100.0;
    });
    let (mut state, _) = State::new(&plan);
    let mut beat = |winner: u64| {
        let pairing = state.pending()[0].clone();
        let score = if pairing.files[0] == FileId(winner) {
            1.0
        } else {
            -1.0
        };
        let result = MatchResult {
            number: pairing.number,
            files: pairing.files,
            score,
        };
        state.apply(&plan, &result).unwrap();
        [0, 1].map(|id| state.individual(FileId(id)).unwrap().totals.points)
    };
    assert_eq!(beat(0), [1.0, -1.0]);
    // The stronger one wins: no more than 1.
    assert_eq!(beat(0), [2.0, -2.0]);
    // 1 + 2/4 - -2/4.
    assert_eq!(beat(1), [0.0, 0.0]);
    assert_eq!(beat(1), [-1.0, 1.0]);
}

#[test]
fn twins_are_paid_for_and_meet_first() {
    let plan = plan(|params| {
        params.run.window = 1;
        params.evolution.crossover = 0.0;
    });
    let (mut state, _) = State::new(&plan);
    let pairing = state.pending()[0].clone();
    let result = MatchResult {
        number: 0,
        files: pairing.files,
        score: 1.0,
    };
    let step = state.apply(&plan, &result).unwrap();
    let [winner, loser] = pairing.files;
    let twins = [FileId(32), FileId(33)];
    assert_eq!(state.pending()[0].files, twins);
    let Some(Event::Born(birth)) = step.events.first() else {
        panic!("nobody was born: {step:?}");
    };
    assert_eq!(birth.origin, Origin::Doubling);
    assert_eq!(birth.parents, [winner]);
    assert_eq!(birth.twin, Some(twins[1]));
    // Below the minimum the loser went, and the last founder made room.
    let died = step.events.iter().filter_map(|event| match event {
        Event::Died { file, cause } => Some((*file, *cause)),
        _ => None,
    });
    let died: Vec<(FileId, Cause)> = died.collect();
    assert_eq!(died[0], (loser, Cause::BelowMinimum));
    assert_eq!(died[1..], [(FileId(31), Cause::Capacity)]);
    let removed = step.totals.iter().find(|(id, _)| *id == loser).unwrap().1;
    assert_eq!(removed.points, -1.0);
    assert_eq!(removed.death, Some((1, Cause::BelowMinimum)));
    let totals = state.individual(winner).unwrap().totals;
    assert_eq!(totals.points, 0.7);
    assert_eq!((totals.games, totals.children), (2, 2));
    assert_eq!(state.individuals().len(), 32);
    // The points that it paid are still points that it had.
    assert_eq!(state.best_founder().unwrap().0, winner);
}

#[test]
fn the_last_individual_takes_the_title_only_when_it_leads_clearly() {
    let plan = plan(|params| {
        params.evolution.budget = 400;
        params.final_stage.share = 0.5;
    });
    for (wins, of) in [(0, 10), (5, 10), (6, 10), (8, 10), (10, 10)] {
        let (mut state, _) = State::new(&plan);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        while state.stage() == Stage::Evolving {
            let result = next(&state, Luck::Even, &mut rng).unwrap();
            state.apply(&plan, &result).unwrap();
        }
        assert_eq!(state.matches(), 100);
        let last = state.individuals()[0].clone();
        while let Some(mut result) = next(&state, Luck::Draws, &mut rng) {
            result.score = if result.number % of < wins { 1.0 } else { -1.0 };
            state.apply(&plan, &result).unwrap();
        }
        let record = state.final_record().unwrap();
        assert_eq!(record.matches, 100);
        let champion = state.champion().unwrap();
        // 60 of 100: the mean is 0.2, its error 0.098.
        assert_eq!(champion.is_elder, wins < 6, "{record:?}");
        assert_eq!(champion.file, if wins < 6 { record.elder } else { last.id });
        let totals = state.individuals()[0].totals;
        assert_eq!(totals.points, last.totals.points);
        assert_eq!(totals.games, last.totals.games + 200);
    }
}

#[test]
fn twins_vote_only_where_they_are_asked_to() {
    for vote in [0.0, 0.125] {
        let plan = plan(|params| {
            params.run.window = 1;
            params.evolution.vote = vote;
            params.genome.normalise = false;
        });
        let (mut state, _) = State::new(&plan);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut moved = [0, 0];
        for _ in 0..300 {
            let pairing = state.pending()[0].clone();
            let twins = state.individual(pairing.files[0]).unwrap().twin == Some(pairing.files[1]);
            let before = state.consensus.clone();
            let result = next(&state, Luck::Even, &mut rng).unwrap();
            state.apply(&plan, &result).unwrap();
            if state.consensus != before {
                moved[usize::from(twins)] += 1;
            }
            if twins && vote > 0.0 {
                let [to, from] = pairing.weights.map(|weights| weights.opening[0]);
                let way = f64::from(to - from) * vote * result.score;
                let there = (before.opening[0] + way).clamp(0.0, 200.0);
                assert!((state.consensus.opening[0] - there).abs() < 1e-9);
            }
        }
        assert!(moved[1] > 50, "{moved:?}");
        assert_eq!(moved[0] == 0, vote > 0.0, "{moved:?}");
    }
}

/// The fold is the format of every stored run: it must not change unnoticed.
/// This is the first rule, with mutations of one size and no school.
#[test]
fn a_run_of_seed_1_stays_what_it_is() {
    let stored = Params::parse_recorded(
        "[evolution]\nelder_from = 0.25\n",
        "p.toml",
        &GeneTable::first(),
    )
    .unwrap();
    let plan = plan(|params| {
        params.evolution = stored.evolution;
        params.evolution.budget = 2000;
    });
    let (state, _) = run(&plan, Luck::Larger);
    let champion = state.champion().unwrap();
    let found = (state.births(), champion.file.0, champion.weights.opening);
    assert_eq!(
        found,
        (1880, 1888, vec![0, 6, 19, 25, 15, 9, 32, 82, 2, 33, 45])
    );
    let plan = self::plan(|params| params.evolution.budget = 2000);
    let (state, _) = run(&plan, Luck::Larger);
    let champion = state.champion().unwrap();
    let found = (state.births(), champion.file.0, champion.weights.opening);
    assert_eq!(
        found,
        (1888, 1893, vec![99, 16, 8, 11, 18, 9, 27, 18, 2, 18, 19])
    );
}

#[test]
fn a_consensus_at_a_bound_is_named() {
    // The largest sum of genes wins, so the consensus goes to the upper bounds.
    let plan = plan(|params| {
        params.evolution.budget = 6000;
        params.genome.normalise = false;
        params.genome.bounds[5] = [4, 4];
    });
    let (state, _) = State::new(&plan);
    assert_eq!(state.at_bounds(&plan), []);
    let (state, _) = run(&plan, Luck::Larger);
    let found = state.at_bounds(&plan);
    assert!(
        found.iter().all(|it| it.gene != "spread_power"),
        "{found:?}"
    );
    assert!(!found.is_empty(), "{:?}", state.consensus());
    for AtBound { gene, is_most, .. } in &found {
        assert!(is_most, "{gene}");
    }
    assert!(found.iter().any(|it| it.value == 100.0), "{found:?}");
}
